"""Kernel files that nobody described: what the PTX machine proves of them holds on a GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import AdoptionStep
from gemmviz.adopt.look import look_at
from gemmviz.domain.device import Device

DATA = Path(__file__).parents[1] / "data" / "adopt"


def ignore(step: AdoptionStep) -> None:
    del step


@pytest.mark.parametrize("name", ["turned_b.cu", "blocktile_template.cu", "half_gemm.cu", "forgets_last_tile.cu"])
def test_that_what_the_machine_proves_is_proven_on_a_gpu(device: Device, name: str) -> None:
    path = DATA / name
    found = look_at(path, path.read_text(encoding="utf-8"), "", 120.0, ignore, device=device).only
    assert found is not None
    assert found.devices == (device.name,)
