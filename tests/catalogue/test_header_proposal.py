"""The header that is proposed for a file without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.header_proposal import proposed_header
from gemmviz.catalogue.loader import load_kernel

SQUARE = """#define TILE 8
extern "C" __global__ void __launch_bounds__(64) mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
}
"""
STRAIGHT = "__kernel void yours(__global const float *A) { int i = get_global_id(0); }\n"


@pytest.mark.parametrize(
    ("file", "text", "entry", "block", "grid"),
    [
        ("a.cu", SQUARE, "mine", ("8", "8"), ("ceil_div(N, 8)", "ceil_div(M, 8)")),
        ("b.cl", STRAIGHT, "yours", ("256",), ("ceil_div(M * N, 256)",)),
        ("c d.cu", "int x;", "YOUR_KERNEL", ("256",), ("ceil_div(M * N, 256)",)),
    ],
)
def test_that_a_file_is_a_kernel_with_the_header_proposed_for_it(
    tmp_path: Path, file: str, text: str, entry: str, block: tuple[str, ...], grid: tuple[str, ...]
) -> None:
    path = tmp_path / file
    path.write_text(text)
    with pytest.raises(HeaderError, match="no header") as caught:
        load_kernel(path)
    assert caught.value.proposal.count("a guess, check it") == 2
    path.write_text(caught.value.proposal + text)
    kernel = load_kernel(path)
    assert (kernel.entry, kernel.title) == (entry, path.stem)
    assert (kernel.rule.block, kernel.rule.grid) == (block, grid)


def test_that_a_name_with_quotes_and_a_huge_source_do_no_harm() -> None:
    assert 'title = "a_b__"' in proposed_header('a"b\\\n', "kernel __launch_bounds__ (" * 100_000)
