"""The dimensions of a shared array whose sizes a template gives."""

from __future__ import annotations

from gemmviz.trace.ptx.probing.shapes import shared_shape, template_values

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
