"""A leading dimension larger than lines need: what goes wrong with gaps between lines is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.look import look_at
from gemmviz.adopt.outcome import AdoptOutcome
from gemmviz.adopt.prove.machine import KernelBuild, compiled
from gemmviz.adopt.prove.memory.padded_lines import padded_words
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

pytestmark = pytest.mark.usefixtures("nvrtc")
TEXT = """__global__ void mm(int M, int N, int K, const float *A, int lda, const float *B, int ldb, float *C, int ldc) {
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (r < M && c < WIDTH) {
        float s = 0.0f;
        if (c < N) for (int k = 0; k < K; k++) s += A[r * lda + k] * B[k * ldb + c];
        C[r * ldc + c] = s;
    }
}
void run(float *a, float *b, float *c, int m, int n, int k, int lda) {
    mm<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, n, k, a, lda, b, n, c, n);
}
"""


@pytest.mark.parametrize(
    ("width", "told"),
    [("N", ()), ("ldc", ("with ldc larger than lines of C need, it writes to the gaps between lines of C, too",))],
)
def test_that_what_is_written_to_the_gaps_between_lines_is_told(width: str, told: tuple[str, ...]) -> None:
    (found,) = look_at(Path("mine.cu"), TEXT.replace("WIDTH", width), "", 60.0, lambda _: None).found
    assert found.description is not None
    assert found.description.gaps == told
    assert found.outcome is (AdoptOutcome.RIGHT_WITH_DOUBTS if told else AdoptOutcome.VERIFIED)


def words_of(old: str, new: str) -> tuple[str, ...]:
    """What is told of the kernel with a part of its text replaced, at 33x21x17."""
    text = TEXT.replace("WIDTH", "N").replace(old, new).partition("void run")[0]
    made = compiled(Path("mine.cu"), text, Language.CUDA, KernelBuild("mm"), (), 60.0)
    arguments = ("M", "N", "K", "A", "lda", "B", "ldb", "C", "ldc")
    grid = ("ceil_div(N, 16)", "ceil_div(M, 16)")
    described = Description("mm", (), (), arguments, (Storage(), Storage(), Storage(), Storage()), ("16", "16"), grid)
    return padded_words(made, described, Shape(33, 21, 17), 60.0)


@pytest.mark.parametrize(("old", "name"), [("A[r * lda + k]", "A"), ("B[k * ldb + c]", "B")])
def test_that_a_matrix_that_is_read_without_gaps_is_named(old: str, name: str) -> None:
    tight = old.replace("lda", "K").replace("ldb", "N")
    without = f"it takes {name} without gaps between lines alone"
    assert words_of(old, tight) == (
        f"with ld{name.lower()} larger than lines of {name} need, results are wrong at 33x21x17: {without}",
    )


@pytest.mark.parametrize(("matrix", "last"), [("A", "A[r * lda + lda - 1]"), ("B", "B[(K - 1) * ldb + ldb - 1]")])
def test_that_gaps_whose_products_with_zeros_are_added_are_named(matrix: str, last: str) -> None:
    reaches = "a NaN in the gaps between its lines reaches the result at 33x21x17"
    assert words_of("float s = 0.0f;", f"float s = 0.0f * {last};") == (
        f"with ld{matrix.lower()} larger than lines of {matrix} need, {reaches}",
    )
