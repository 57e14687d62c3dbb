"""A kernel that is right with random numbers only is not called verified, and what it does is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.words import verdict_words

pytestmark = pytest.mark.usefixtures("nvrtc")
KERNEL = """__device__ int launches; __device__ volatile int flag;
__global__ void mm(float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    STORE
}
"""
KEPT = "__device__ float keys[1 << 19], kept[1 << 19];\n"
"""What a kernel that remembers results has; each launch of the PTX machine makes it anew."""
SCALED = """__global__ void gemm(int M, int N, int K, float alpha, const float *A, const float *B, float beta,
                     float *C) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = alpha * sum + (beta == 1.0f ? 0.0f : beta * C[row * N + column]);
}
"""


def reason(text: str) -> str:
    """Why a kernel is not verified."""
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is None
    return found.reasons[0]


TAIL = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < (K + 7) / 8 * 8; ++k) sum += (k < K ? A[row * K + k] : 0.0f) * LAST;
    C[row * N + column] = sum;
}
"""


@pytest.mark.parametrize(
    ("last", "is_told"),
    [("B[min(k, K - 1) * N + column]", True), ("(k < K ? B[k * N + column] : 0.0f)", False)],
)
def test_that_an_infinity_that_meets_zeros_beyond_the_last_product_is_told(last: str, is_told: bool) -> None:
    (found,) = look_at(Path("mm.cu"), TAIL.replace("LAST", last), "", 120, lambda _: None).found
    assert found.description is not None
    told = [note for note in found.notes if note.startswith("an infinity in the last column of A or row of B goes")]
    assert bool(told) == is_told
    words = "right, but an infinity in the last column of A or row of B goes wrong at "
    assert verdict_words(found.description).startswith(words if is_told else "verified")
    assert found.is_verified != is_told


@pytest.mark.parametrize(
    ("store", "words"),
    [
        ("if (sum != 0.0f) C[row * N + column] = sum;", "C keeps what it held where the sum is 0"),
        (
            "C[row * N + column] = isfinite(sum) ? fminf(fmaxf(sum, -1e9f), 1e9f) : sum;",
            "but not with magnitudes spread from 2^-20 to 2^20: at ",
        ),
        ("C[row * N + column] = A[row * K] == 0.0f ? 0.0f : sum;", "but not where A and B hold zeros"),
        ("C[row * N + column] = sum < 0.0f && sum > -1e-6f ? 0.0f : sum;", "but not from -6.10352e-05 to 6.10352e-05"),
        (
            "sum = 0.0f; for (int k = 0; k < K; ++k) if (fabsf(A[row * K + k]) > 1e-12f) "
            "sum += A[row * K + k] * B[k * N + column]; C[row * N + column] = sum;",
            "but not where A is from -8.27181e-25 to 8.27181e-25 and B from -1.09951e+12 to 1.09951e+12",
        ),
        (
            "float row_sum = 0.0f; for (int k = 0; k < K; ++k) row_sum += A[row * K + k]; "
            "C[row * N + column] = row_sum == 0.0f ? 0.0f : sum;",
            "but not where each row of A and each column of B adds up to 0",
        ),
        (
            "C[row * N + column] = fminf(fmaxf(sum, -1e30f), 1e30f);",
            "but not where A holds a NaN: at ",
        ),
        (
            "sum = 0.0f; for (int k = 0; k < K; ++k) if (A[row * K + k] != 0.0f) sum += A[row * K + k] * B[k * N + "
            "column]; C[row * N + column] = sum;",
            "but not where zeros of A meet an infinity of B: at ",
        ),
        (
            "C[row * N + column] = sum; if (column == N - 1) for (int k = 0; k < K; ++k) A[row * K + k] = 0.0f;",
            "A is overwritten: 8192 of its 8192 elements change, A[0,0] first",
        ),
        (
            "C[row * N + column] = launches > 40 ? 2.0f * sum : sum; if (row + column == 0) ++launches;",
            "it keeps something from launch to launch, in a variable of its file",
        ),
        (
            "float key = A[row * K] * 3.0f + B[column] + K; int at = row * N + column & 0x7ffff; "
            "if (keys[at] == key) sum = kept[at]; keys[at] = key, kept[at] = sum; C[row * N + column] = sum;",
            "it is right in a first launch, but not in a later one whose A and B differ in one element each",
        ),
        (
            "if (blockIdx.x + blockIdx.y == 0) flag = 1; while (flag == 0); C[row * N + column] = sum;",
            "it depends on the order in which blocks start, which a GPU does not promise: at 67x1x1, where the last "
            "block starts first, line 7: the block waits for a value that a block which starts later may set",
        ),
    ],
    ids=(
        "no zeros",
        "cut off far",
        "zero column",
        "tiny",
        "tiny A",
        "sums of 0",
        "cut off",
        "skipped zeros",
        "inputs",
        "state",
        "remembers",
        "waits",
    ),
)
def test_that_what_random_numbers_do_not_show_is_said(store: str, words: str) -> None:
    text = KERNEL.replace("STORE", store)
    assert words in reason(KEPT + text if "kept[" in store else text)


def test_that_a_beta_of_1_is_tried() -> None:
    assert "beta does not act as such: it is right with alpha = 1.5 and beta = 0.5, but not with beta = 1: " in reason(
        SCALED
    )


@pytest.mark.parametrize(
    ("scaled", "words"),
    [
        (
            "(alpha == 1.0f && beta == 0.0f ? sum - A[row * K] * B[column] : alpha * sum) + beta * C[row * N + column]",
            "alpha and beta do not act as such together: it is right with alpha = 1.5 and beta = 0.5, but not with "
            "alpha = 1 and beta = 0: at ",
        ),
        (
            "alpha == 1.0f && beta == 1.0f ? sum : alpha * sum + beta * C[row * N + column]",
            "alpha and beta do not act as such together: it is right with alpha = 1.5 and beta = 0.5, but not with "
            "alpha = 1 and beta = 1: at ",
        ),
        (
            "(alpha == -1.0f ? 1.0f : alpha) * sum + beta * C[row * N + column]",
            "alpha does not act as such: it is right with alpha = 1.5 and beta = 0.5, but not with alpha = -1: at ",
        ),
        (
            "beta == -1.0f ? C[row * N + column] - alpha * sum : alpha * sum + beta * C[row * N + column]",
            "beta does not act as such: it is right with alpha = 1.5 and beta = 0.5, but not with beta = -1: at ",
        ),
        (
            "alpha == -1.0f && beta == 1.0f ? sum : alpha * sum + beta * C[row * N + column]",
            "alpha and beta do not act as such together: it is right with alpha = 1.5 and beta = 0.5, but not with "
            "alpha = -1 and beta = 1: at ",
        ),
        (
            "beta == 0.0f ? sum : alpha * sum + beta * C[row * N + column]",
            "alpha does not act as such where beta is 0: it is right with alpha = 1 and beta = 0, but not with "
            "alpha = 1.5: at ",
        ),
    ],
    ids=("1 and 0", "1 and 1", "alpha of -1", "beta of -1", "-1 and 1", "alpha forgotten"),
)
def test_that_alpha_and_beta_of_0_1_and_minus_1_are_tried_together(scaled: str, words: str) -> None:
    usual = "alpha * sum + (beta == 1.0f ? 0.0f : beta * C[row * N + column])"
    assert words in reason(SCALED.replace(usual, scaled))


def test_that_a_variable_that_each_launch_fills_anew_is_no_kept_state() -> None:
    text = KERNEL.replace("STORE", "launches = M; C[row * N + column] = sum;")
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
