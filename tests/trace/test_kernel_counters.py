"""Whole kernels against the hardware counters of an H200: as written here, as compiled there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.trace.analyse import analyse

GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "h200_kernels.json"
COUNTED: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))["kernels"]

SUMS_KEPT_IN_REGISTERS = {"global_accumulate", "tiled_global_accumulate"}
"""nvcc keeps their running sums in registers for a while, and drops loads and stores of C that the source has."""

LOADS_MERGED = {
    "row_shared",
    "tiled",
    "tiled_wide",
    "register_1d",
    "register_2d",
    "vectorized",
    "tiled_global_accumulate",
    "dot_serial",
}
"""nvcc merges neighbouring shared loads of theirs into wider ones."""

STORES_MERGED = {"vectorized"}


@pytest.mark.parametrize("counted", COUNTED, ids=lambda counted: f"{counted['kernel']}-{counted['size']}")
def test_that_recorded_transactions_are_those_of_the_hardware(counted: dict[str, Any], machine: MachineDevice) -> None:
    name, shape = counted["kernel"], Shape.parse(counted["size"])
    kernel = load_catalogue().get(name)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    recorder = recorder_for(machine, kernel, plan, shape, make_operands(shape, Fill.ONES, 0), 60.0)
    totals = analyse(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape).totals.as_dict()
    for figure, counter in counted["counters"].items():
        merged = (
            (figure.startswith("global") and name in SUMS_KEPT_IN_REGISTERS)
            or (figure == "shared_load_wavefronts" and name in LOADS_MERGED)
            or (figure == "shared_store_wavefronts" and name in STORES_MERGED)
        )
        if merged:
            assert totals[figure] >= counter, figure
        else:
            assert totals[figure] == counter, figure
