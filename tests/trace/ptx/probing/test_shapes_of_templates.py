"""The dimensions of a shared array whose sizes a template gives."""

from __future__ import annotations

import pytest

from gemmviz.trace.ptx.probing.shapes import (
    shared_elements,
    shared_shape,
    template_values,
    variable_elements,
    variable_shape,
)

TEXT = """
template <typename T> __device__ T half(T x) { return x / 2; }
template <const int BM, int BN = 32, typename T>
__global__ void __launch_bounds__(BM * BN) mm(const T *A, const T *B, T *C, int M, int N, int K)
{
    __shared__ T As[BN][BM + 1];
}
"""


def test_that_a_template_names_the_numbers_of_its_entry() -> None:
    values = template_values(TEXT, "mm<16, 8, float>")
    assert values == template_values(TEXT, "ns::mm<16, 8, std::pair<int, float>>") == (("BM", 16), ("BN", 8))
    assert shared_shape(TEXT, values, "As", 8 * 17) == (8, 17), "padding is a column, and no part of the next row"
    assert shared_shape(TEXT, (), "As", 8 * 17) == (1, 136), "without its values it is one row"


def test_that_an_entry_without_numbers_names_none() -> None:
    assert template_values(TEXT, "mm") == ()
    assert template_values(TEXT, "half<float>") == ()
    assert template_values(TEXT, "other<4>") == ()


@pytest.mark.parametrize(
    ("declared", "name", "elements", "shape", "nbytes"),
    [
        ("__shared__ float4 Bs[16][8];", "Bs", 512, (16, 32), 4),
        ("__shared__ __align__(16) float2 pairs[4][4];", "pairs", 32, (4, 8), 4),
        ("__shared__ half2 As[8][8];", "As", 128, (8, 16), 2),
        ("__shared__ double2 row[6];", "row", 12, (1, 12), 8),
        ("__shared__ float Bs[16][8];", "Bs", 128, (16, 8), 4),
        ("typedef float4 wide; __shared__ wide Bs[2][3];", "Bs", 24, (2, 12), 4),
    ],
)
def test_that_an_array_of_vectors_is_one_of_their_numbers(
    declared: str, name: str, elements: int, shape: tuple[int, int], nbytes: int
) -> None:
    assert shared_elements(declared, name) == nbytes
    assert shared_shape(declared, (), name, elements) == shape


@pytest.mark.parametrize(
    "constants",
    [
        "constexpr int BM = 64, BK = 16;\nconstexpr int PAD = 4;",
        "static const unsigned int BM = 4 * BK;\nconst int PAD = 4, BK = 16, OTHER = f(1, 2);\nconst int BM = 4 * 16;",
    ],
)
def test_that_constants_of_one_declaration_give_an_array_its_rows(constants: str) -> None:
    text = f"{constants}\n__global__ void k() {{ __shared__ float As[BK][BM + PAD]; }}"
    assert shared_shape(text, (), "As", 16 * 68) == (16, 68)


def test_that_a_variable_of_vectors_is_one_of_their_numbers() -> None:
    declared = "__device__ float4 table[2][2];"
    assert variable_elements(declared, "table", 16) == 4
    assert variable_shape(declared, (), "table", 16) == (2, 8)
