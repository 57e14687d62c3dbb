"""Recordings of compiled code on the PTX machine: the figures that an H200 counts, with no GPU."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gpu_record.counters import as_counted

from gemmviz.backends.base import UnsupportedKernelError
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Fill
from gemmviz.trace.ptx.decoding.totals import totals_of

GOLDEN = Path(__file__).parents[2] / "data" / "golden" / "h200_ladder.json"
ENTRIES: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))["kernels"]
FIGURES = ("global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors")


@pytest.mark.parametrize("kernel_id", ["naive_uncoalesced", "tiled"])
def test_that_recorded_global_accesses_are_those_that_an_h200_counts(machine: MachineDevice, kernel_id: str) -> None:
    (entry,) = (one for one in ENTRIES if one["kernel"] == kernel_id and one["size"] == "128x128x64")
    kernel, shape = load_catalogue().get(kernel_id), Shape.parse(entry["size"])
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    recorder = machine_recorder_for(machine, kernel, plan, shape, make_operands(shape, Fill.ONES, 0), 60.0)
    found = totals_of(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape)
    counted = as_counted(found.totals.as_dict())
    assert {name: counted[name] for name in FIGURES} == {name: entry["counters"][name] for name in FIGURES}


def test_that_a_recording_leaves_the_right_product(machine: MachineDevice) -> None:
    kernel, shape = load_catalogue().get("tiled"), Shape(33, 17, 20)
    operands = make_operands(shape, Fill.INTEGERS, 3)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    recorder = machine_recorder_for(machine, kernel, plan, shape, operands, 60.0)
    traces = list(recorder.blocks(np.arange(plan.launch.blocks, dtype=np.int32)))
    assert len(traces) == plan.launch.blocks
    np.testing.assert_array_equal(recorder.c[0], operands.a.astype(np.float64) @ operands.b)


def test_that_what_the_machine_cannot_launch_is_refused(machine: MachineDevice) -> None:
    kernel, shape = load_catalogue().get("naive"), Shape(16, 16, 16)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    recorder = machine_recorder_for(machine, kernel, plan, shape, make_operands(shape, Fill.ONES, 0), 60.0)
    with pytest.raises(UnsupportedKernelError, match="clusters"):
        machine.launch(vars(recorder)["_compiled"], Launch(plan.launch.grid, plan.launch.block, cluster=(2, 1, 1)), [])
