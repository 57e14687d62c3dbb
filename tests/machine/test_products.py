"""What float32 kernels compute on the PTX machine, against what they computed on an H200, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import record_products

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.machine import program

RECORDED: dict[str, str] = json.loads(
    (Path(__file__).parents[1] / "data" / "conformance" / "h200_products.json").read_text(encoding="utf-8")
)["products"]
WANTED = {f"{kernel.id} {shape}": (kernel, shape) for kernel, shape in record_products.wanted()}
FEW = [each for each in RECORDED if not each.endswith("256x128x96")]  # all of them take twenty seconds


def test_that_every_kernel_that_the_machine_runs_is_there() -> None:
    assert {each.split()[0] for each in RECORDED} == {each.split()[0] for each in WANTED}


@pytest.mark.parametrize("which", FEW)
def test_that_a_kernel_computes_what_the_gpu_computed(
    machine: MachineDevice, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, shape = WANTED[which]
    monkeypatch.setattr(program, "_MOST_OPTIMISED", 0)  # compiling takes longer than the run
    assert record_products.digest_of(machine, kernel, shape) == RECORDED[which]
