"""The local memory that a kernel's parameters need is what one block writes there."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.prove.launcher import BlockGeometry, TryError
from gemmviz.adopt.prove.machine import CompiledKernel, KernelBuild, compiled
from gemmviz.adopt.prove.memory.local_memory import local_sizes
from gemmviz.domain.terms import Language

pytestmark = pytest.mark.usefixtures("nvrtc")
DATA = Path(__file__).parents[2] / "data" / "adopt"
HEAD = "__kernel void k(__local float *tile, const int n, __global float *c) {\n    "


def made(path: Path, text: str, entry: str, *numbers: int) -> CompiledKernel:
    """A kernel with pointers in the place of its local parameters, which have these numbers."""
    build = KernelBuild(entry, local=tuple((number, 0) for number in numbers))
    return compiled(path, text, Language.OPENCL, build, (), 60.0)


def test_that_tiles_take_what_a_block_writes() -> None:
    path = DATA / "local_tiles.cl"
    kernel = made(path, path.read_text(encoding="utf-8"), "tiles", 4, 5)
    numbers = {5: 48, 6: 40, 7: 24}
    assert local_sizes(kernel, [3, 4], numbers, BlockGeometry((8, 8, 1)), 10.0) == {3: "256", 4: "256"}


def test_that_a_row_takes_so_many_bytes_for_each_of_a_dimension() -> None:
    path = DATA / "local_row.cl"
    kernel = made(path, path.read_text(encoding="utf-8"), "rows", 7)
    numbers = {0: 48, 1: 20, 2: 36}
    assert local_sizes(kernel, [6], numbers, BlockGeometry((32, 1, 1)), 10.0) == {6: "4 * {2}"}


def test_that_bytes_without_a_simple_rule_are_not_described() -> None:
    kernel = made(Path("k.cl"), f"{HEAD}tile[n + 3] = 1.0f; c[0] = tile[n + 3];\n}}\n", "k", 1)
    with pytest.raises(TryError, match="the local memory of parameter 1 depends on its sizes in no simple way"):
        local_sizes(kernel, [0], {1: 64}, BlockGeometry((1, 1, 1)), 10.0)


def test_that_more_than_a_block_has_is_a_fault_with_its_line() -> None:
    kernel = made(Path("k.cl"), f"{HEAD}tile[1000 * n] = 1.0f; c[0] = tile[0];\n}}\n", "k", 1)
    with pytest.raises(TryError, match="line 2"):
        local_sizes(kernel, [0], {1: 64}, BlockGeometry((1, 1, 1)), 10.0)
