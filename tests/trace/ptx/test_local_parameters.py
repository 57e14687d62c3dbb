"""Local memory that a launch gives to a parameter of an OpenCL kernel is recorded as a shared array of its name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import analyse

PATH = Path(__file__).parents[2] / "data" / "adopt" / "local_tiles.cl"
DESCRIPTION = """entry = "tiles"
args = ["A", "B", "C", "local(256)", "local(256)", "M", "N", "K", "alpha", "beta"]
[operands.C]
start = "zero"
[launch]
block = ["8", "8"]
grid = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
"""


@pytest.mark.parametrize("form", CodeForm)
def test_that_local_parameters_are_shared_arrays_by_their_names(machine: MachineDevice, form: CodeForm) -> None:
    kernel, shape = described_kernel(PATH, PATH.read_text(encoding="utf-8"), DESCRIPTION), Shape(16, 24, 8)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    assert plan.launch.shared_bytes == 512
    operands = make_operands(shape, Fill.INTEGERS, 3)
    recorder = recorder_for(machine, kernel, plan, shape, operands, 60.0, form)
    made = analyse(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape)
    assert made.hazards == ()
    arrays = recorder.arrays
    shared = {one.name: (one.rows, one.columns, one.element_bytes) for one in arrays if one.space is Space.SHARED}
    assert shared == {"As": (1, 64, 4), "Bs": (1, 64, 4)}


def test_that_a_missing_barrier_between_tiles_is_a_race_in_local_memory(machine: MachineDevice) -> None:
    text = PATH.read_text(encoding="utf-8").replace("        barrier(CLK_LOCAL_MEM_FENCE);\n    }", "    }")
    kernel, shape = described_kernel(PATH, text, DESCRIPTION), Shape(8, 8, 16)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    operands = make_operands(shape, Fill.INTEGERS, 3)
    recorder = recorder_for(machine, kernel, plan, shape, operands, 60.0, CodeForm.AS_WRITTEN)
    made = analyse(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape)
    assert {hazard.kind for hazard in made.hazards} == {HazardKind.RACE}
    assert all("As" in hazard.detail or "Bs" in hazard.detail for hazard in made.hazards)
