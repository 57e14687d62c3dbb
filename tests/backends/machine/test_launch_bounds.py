"""Blocks that a kernel's launch bounds rule out: an H200 answers a launch with them by an error."""

from __future__ import annotations

import re

import pytest

from gemmviz.backends.base import LaunchError
from gemmviz.backends.machine.device import MachineCompiled, MachineDevice
from gemmviz.backends.machine.launch_bounds import check_launch_bounds
from gemmviz.domain.kernels.resources import NO_RESOURCES
from gemmviz.domain.spec import Launch

PTX = ".visible .entry k(.param .u64 p)\n{}\n{{ ret; }}"


@pytest.mark.parametrize(
    ("directive", "block"),
    [
        ("", (1024, 1, 1)),
        (".maxntid 128, 1, 1", (128, 1, 1)),
        (".maxntid 128, 1, 1", (16, 8, 1)),
        (".maxntid 16, 8, 1", (128, 1, 1)),
        (".reqntid 16, 8", (16, 8, 1)),
    ],
)
def test_that_blocks_that_a_gpu_launches_are_launched(directive: str, block: tuple[int, int, int]) -> None:
    check_launch_bounds(PTX.format(directive), "k", Launch((1, 1, 1), block))


@pytest.mark.parametrize(
    ("directive", "block", "words"),
    [
        (".maxntid 128", (16, 16, 1), "allow 128 threads per block, and a GPU refuses a launch with 16 × 16 × 1"),
        (".reqntid 128", (16, 8, 1), "for blocks of 128 × 1 × 1 threads alone"),
        (".reqntid 128", (64, 1, 1), "for blocks of 128 × 1 × 1 threads alone"),
    ],
)
def test_that_blocks_that_a_gpu_refuses_are_refused_before_anything_is_launched(
    directive: str, block: tuple[int, int, int], words: str, machine: MachineDevice
) -> None:
    compiled = MachineCompiled(PTX.format(directive), "k", (), None, "", NO_RESOURCES, "k.cu", lambda _: None, 1.0)
    with pytest.raises(LaunchError, match=re.escape(words)):
        machine.launch(compiled, Launch((1, 1, 1), block), [])
