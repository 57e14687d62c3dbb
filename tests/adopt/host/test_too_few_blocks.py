"""A launch of as many blocks whatever the sizes are is tried at the first size that they are too few for."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.host_launches import HostLaunches
from gemmviz.adopt.prove.host.launch_numbers import described_numbers
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Language, Layout

FILE = """__global__ void mm(int m, int n, int k, const float *A, const float *B, float *C) {{}}
void h(float *a, float *b, float *c, int M, int N, int K) {{
    {}
}}
"""
ROWS = Storage(layout=Layout.ROW, element=Element.FLOAT32)
GRID = ("ceil_div(N, 16)", "ceil_div(M, 16)")
DESCRIPTION = Description("mm", (), (), ("M", "N", "K", "A", "B", "C"), (ROWS,) * 4, ("16", "16"), GRID)


def right_with_enough(description: Description, shape: Shape) -> Checked:
    has, needs = described_numbers(description, shape), described_numbers(DESCRIPTION, shape)
    blocks = zip((*has.grid, 1), (*needs.grid, 1), strict=False)
    return Checked("" if all(one >= two for one, two in blocks) else "elements are wrong")


def otherwise(code: str, description: Description = DESCRIPTION, file: str = FILE) -> str:
    """What is said of a launch."""
    source = read_source(file.format(code), Language.CUDA)
    terms = tuple(terms_of(one, description.arguments, {}) for one in source.launches)
    sizes = (Shape(64, 64, 64), Shape(72, 64, 64)) if description.fixed else (Shape(64, 96, 128), Shape(72, 64, 100))
    found = KernelFinding("mm", 1, description, right_sizes=sizes)
    told = HostLaunches(terms).beside(found, right_with_enough, is_free=False).description
    assert told is not None
    return told.otherwise


def test_that_it_is_wrong_at_the_first_size_that_its_blocks_are_too_few_for() -> None:
    assert otherwise("mm<<<dim3(32, 48), dim3(16, 16)>>>(M, N, K, a, b, c);") == (
        "line 3 launches a grid of 32 × 48 blocks. With that launch the result is wrong at 769x5x5: elements are "
        "wrong; its blocks are enough for M below 769 and N below 513"
    )


def test_that_one_size_of_the_host_code_may_be_too_large_where_the_others_are_constants() -> None:
    assert otherwise("mm<<<dim3(4, 4), dim3(16, 16)>>>(M, 64, 64, a, b, c);") == (
        "line 3 launches a grid of 4 × 4 blocks. With that launch the result is wrong at 72x64x64: elements are wrong"
    )


def test_that_a_size_of_the_host_code_may_be_too_large_where_the_kernel_fixes_the_others() -> None:
    fixed = replace(DESCRIPTION, arguments=("M", "A", "B", "C"), fixed=(("N", 64), ("K", 64)))
    file = FILE.replace("int m, int n, int k", "int m")
    told = otherwise("mm<<<dim3(4, 4), dim3(16, 16)>>>(M, a, b, c);", fixed, file)
    assert told.startswith("line 3 launches a grid of 4 × 4 blocks. With that launch the result is wrong at 72x64x64")


def test_that_as_many_blocks_are_left_out_of_a_small_product_where_all_sizes_are_one() -> None:
    assert otherwise("mm<<<dim3(32, 32), dim3(16, 16)>>>(M, M, M, a, b, c);").startswith(
        "line 3 launches a grid of 32 × 32 blocks for 513x513x513, which needs 33 × 33 blocks. With 3 × 4 in place "
        "of 4 × 5 blocks the result is wrong at "
    )


def test_that_a_large_product_is_tried_as_a_smaller_one_with_the_blocks_that_the_launch_has_there() -> None:
    sizes = "M = 1000; N = 2024; K = 512; "
    assert otherwise(sizes + "mm<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(M, N, K, a, b, c);") == (
        "line 3 launches a grid of N // 16 × M // 16 blocks for 1000x2024x512, which needs 127 × 63 blocks. With "
        "6 × 5 in place of 7 × 6 blocks the result is wrong at 88x104x64: elements are wrong"
    )


def test_that_sizes_at_which_it_is_not_launched_are_not_held_against_it() -> None:
    assert otherwise("if (N <= 512 && M <= 768) mm<<<dim3(32, 48), dim3(16, 16)>>>(M, N, K, a, b, c);") == ""
