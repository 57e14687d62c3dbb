"""Values of several parameters: each is tried alone and some together, and a description offers what was proven."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.parameters.tries import together_of
from gemmviz.adopt.setting_rules import is_every_setting, setting_words
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.shape import Shape

SIGNATURE = "(const float *A, const float *B, float *C, int M, int N, int K)\n"
REGISTERS = (
    "template <int BM, int BN, int BK, int TM, int TN> __global__ void __launch_bounds__((BM / TM) * (BN / TN)) mm"
    + SIGNATURE
    + """{
    constexpr int threads = (BM / TM) * (BN / TN);
    __shared__ float As[BM][BK], Bs[BK][BN];
    int id = threadIdx.x, ty = id / (BN / TN), tx = id % (BN / TN), row = blockIdx.y * BM, col = blockIdx.x * BN;
    float sum[TM][TN] = {};
    for (int t = 0; t < K; t += BK) {
        for (int i = id; i < BM * BK; i += threads)
            As[i / BK][i % BK] = row + i / BK < M && t + i % BK < K ? A[(row + i / BK) * K + t + i % BK] : 0;
        for (int i = id; i < BK * BN; i += threads)
            Bs[i / BN][i % BN] = t + i / BN < K && col + i % BN < N ? B[(t + i / BN) * N + col + i % BN] : 0;
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) sum[i][j] += As[ty * TM + i][k] * Bs[k][tx * TN + j];
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            if (row + ty * TM + i < M && col + tx * TN + j < N)
                C[(row + ty * TM + i) * N + col + tx * TN + j] = sum[i][j];
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
    constexpr int BM = 16, BN = 16, BK = 8, TM = 2, TN = 2;
    mm<BM, BN, BK, TM, TN><<<dim3((N + BN - 1) / BN, (M + BM - 1) / BM), (BM / TM) * (BN / TN)>>>(A, B, C, M, N, K);
}
"""
)
SIXTEEN_ROWS = (
    "#define BM 64\n#define TM 4\n__global__ void mm"
    + SIGNATURE
    + """{
    int col = blockIdx.x * 16 + threadIdx.x, first = blockIdx.y * BM + threadIdx.y * TM;
    for (int row = first; row < first + TM; ++row) {
        if (row >= M || col >= N) continue;
        float sum = 0;
        for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
    mm<<<dim3((N + 15) / 16, (M + BM - 1) / BM), dim3(16, 16)>>>(A, B, C, M, N, K);
}
"""
)


@cache
def found_in(text: str) -> KernelFinding:
    return look_at(Path("mine.cu"), text, "", 90.0, lambda _: None).found[0]


def described(text: str) -> Description:
    found = found_in(text).description
    assert found is not None
    return found


def settings_planned(text: str, description: Description) -> set[frozenset[tuple[str, int]]]:
    """The values that are not defaults of all settings that the description of a file lets run."""
    kernel, found = described_kernel(Path("mine.cu"), text, sidecar_text(description)), set()
    names = [one.name for one in description.parameters]
    for values in product(*(one.choices for one in description.parameters)):
        chosen = dict(zip(names, values, strict=True))
        try:
            kernel.plan(Shape(256, 256, 64), kernel.params(chosen), find_device("machine"))
        except Refusal:
            continue
        found.add(frozenset(chosen.items() - description.defaults.items()))
    return found


@pytest.mark.usefixtures("nvrtc")
def test_that_every_parameter_of_five_has_further_values_and_settings_run_that_are_proven_or_untried() -> None:
    description = described(REGISTERS)
    assert {one.name for one in description.parameters if len(one.choices) > 1} == {"BM", "BN", "BK", "TM", "TN"}
    assert any(len(one) > 1 for one in description.settings)
    proven = {frozenset(one) for one in description.settings} | {frozenset[tuple[str, int]]()}
    wrong = {frozenset(one) for one, _ in description.wrong_settings}
    planned = settings_planned(REGISTERS, description)
    assert proven <= planned
    pairs = {frozenset(pair) for one in proven for pair in combinations(one, 2)}
    assert all(frozenset(pair) in pairs for one in planned for pair in combinations(one, 2))
    assert wrong.isdisjoint(planned)
    kernel = described_kernel(Path("mine.cu"), REGISTERS, sidecar_text(description))
    assert {
        one for one in planned if not kernel.untried(tuple({**description.defaults, **dict(one)}.items()))
    } == proven
    assert not is_every_setting(description)
    (words,) = (one for one in found_in(REGISTERS).notes if one.startswith("right with each value"))
    assert "and with BM = BN = 32 and TM = TN = 4; BM = BN = 32; BN = 32 and TM = 4; TM = TN = 4" in words


@pytest.mark.usefixtures("nvrtc")
def test_that_values_which_are_right_only_with_another_are_offered_with_it_alone() -> None:
    """16 rows of threads with TM rows each are BM rows; with fewer rows each, rows of C stay as they were."""
    description = described(SIXTEEN_ROWS)
    together = {frozenset(one) for one in description.settings}
    assert {frozenset({("BM", 128), ("TM", 8)}), frozenset({("BM", 32), ("TM", 2)})} <= together
    alone = {frozenset({pair}) for pair in (("BM", 128), ("TM", 2))}
    assert alone.isdisjoint(together)
    planned = settings_planned(SIXTEEN_ROWS, description)
    assert together | {frozenset()} <= planned
    assert alone.isdisjoint(planned), "tried, and wrong"
    notes = " ".join(found_in(SIXTEEN_ROWS).notes)
    assert "(BM = 128 and TM = 2 only together with others)" in notes
    left_out = {(one.name, one.value) for one in description.values_left_out}
    assert left_out.isdisjoint({("BM", 128), ("TM", 2), ("TM", 8)})


@pytest.mark.usefixtures("nvrtc")
def test_that_a_value_is_left_out_for_what_it_does_itself_at_a_size_that_the_defaults_take() -> None:
    text = SIXTEEN_ROWS.replace("if (row >= M || col >= N) continue;", "").replace("#define TM 4", "#define ROWS 4")
    text = (
        text.replace("TM", "ROWS").replace("blockIdx.x * 16", "blockIdx.x * BN").replace("+ 15) / 16", "+ BN - 1) / BN")
    )
    text = "#define BN 16\n" + text
    description = described(text)
    left_out = {(one.name, one.value): one.because for one in description.values_left_out}
    multiples = {one.dimension: one.multiple for one in description.rules}
    assert (multiples["M"], multiples["N"]) == (64, 16)
    for (name, value), why in left_out.items():
        if why.startswith("at "):
            shape = Shape.parse(why.removeprefix("at ").partition(",")[0])
            assert (shape.m % 64, shape.n % 16) == (0, 0), (name, value, why)
        assert not why.startswith("with "), why


def test_that_values_which_keep_the_number_of_threads_together_are_tried_first() -> None:
    names = ("BM", "BN", "TM")
    tried = together_of(names, [[64], [64, 128, 32], [4]], {0: [128, 32], 2: [8, 2]}, {16})
    assert tried[:2] == [(128, 64, 8), (32, 64, 2)]
    assert together_of(names, [[64, 32], [64], [4, 8]], {0: [128], 2: [2]}, {16})[:2] == [(32, 64, 2), (128, 64, 8)]


def test_that_all_parameters_of_the_threads_and_then_pairs_are_tried_together() -> None:
    tried = together_of(("BM", "BN", "BK", "TM", "TN"), [[64, 128], [64, 128], [8, 16], [4, 8], [4, 8]], {}, {256})
    assert tried[:4] == [(128, 128, 8, 8, 8), (128, 128, 8, 4, 4), (64, 128, 8, 8, 4), (64, 64, 8, 8, 8)]
    assert len({*tried}) == len(tried)


def test_that_a_setting_is_written_with_equal_values_as_one() -> None:
    assert setting_words((("BM", 128), ("BN", 128), ("TM", 8))) == "BM = BN = 128 and TM = 8"


def test_that_tiles_of_one_size_that_have_no_other_value_together_either_are_named_each_in_its_rule() -> None:
    """Other values are wrong beside the numbers of the launch."""
    text = """
#define TM 8
#define TN 8
__global__ void fixed(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * TM + threadIdx.y, col = blockIdx.x * TN + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
void run(const float *A, const float *B, float *C, int M, int N, int K)
{
    fixed<<<dim3(N / 8, M / 8), dim3(8, 8)>>>(A, B, C, M, N, K);
}
"""
    description = look_at(Path("mine.cu"), text, "", 90.0, lambda _: None).found[0].description
    assert description is not None
    assert {one.dimension: one.multiple_words for one in description.rules if one.multiple > 1} == {
        "M": "TM",
        "N": "TN",
    }
    assert description.tied == ()
