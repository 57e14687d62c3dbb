"""The races of kernels that compute no product because of them, and the sizes at which others are recorded."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from short_looks import try_no_further_values

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.finding import AdoptionStep, KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove import search
from gemmviz.adopt.recordings.races import shape_to_record
from gemmviz.adopt.report import parts_of
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.words import summary_of, verdict_words
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.kernel import NOT_VERIFIED
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.trace.hazards.rules.race import RaceRule

pytestmark = pytest.mark.usefixtures("nvrtc")

TEXT = """#define TILE 16
__global__ void tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < K; t += TILE) {
        As[threadIdx.y][threadIdx.x] = row < M && t + threadIdx.x < K ? A[row * K + t + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = col < N && t + threadIdx.y < K ? B[(t + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        SECOND
    }
    if (row < M && col < N) C[row * N + col] = RESULT;
}

void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    tiles<<<grid, block>>>(A, B, C, M, N, K);
}
"""


def quiet(step: AdoptionStep) -> None:
    del step


@cache
def looked(second: str, result: str, *, has_host_code: bool = True) -> KernelFinding:
    """What is found of TEXT with these words in it: tests that ask different things of one kernel share it."""
    text = TEXT if has_host_code else TEXT[: TEXT.index("void multiply")]
    text = text.replace("SECOND", second).replace("RESULT", result)
    return look_at(Path("mine.cu"), text, "", 60.0, quiet).found[0]


def test_that_nobody_asks_what_a_racing_kernel_looks_like(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would take longest, and the race is the only reason that is told."""
    asked: list[object] = []
    monkeypatch.setattr(search, "resemblance_of", lambda *seen, **_: asked.append(seen))
    looked.cache_clear()
    assert "the kernel races" in looked("", "sum").reasons[0]
    assert asked == []


def test_that_the_race_of_a_launch_is_named_with_both_lines() -> None:
    """The one across warps: elements of Bs are read by all of them, those of As by the warp that writes them."""
    first = looked("", "sum").reasons[0]
    assert first.startswith(
        "mine.cu:9: the kernel races, as its host code launches it: thread 0 writes Bs[0,0] (line 9)"
    )
    assert "while thread 32 still reads it (line 11)" in first
    assert first.endswith("(1 more race, in lines 8 and 11); separate the two accesses by a barrier, and look again")


def test_that_a_race_of_long_sums_alone_is_named_with_both_lines() -> None:
    first = looked("if (t < 128) __syncthreads();", "sum").reasons[0]
    assert first.startswith(
        "mine.cu:9: the kernel races, as its host code launches it: thread 0 writes Bs[0,0] (line 9)"
    )
    assert "while thread 32 still reads it (line 11)" in first


def test_that_a_racing_kernel_can_be_described_as_its_host_code_launches_it_and_not_as_verified() -> None:
    text = TEXT.replace("SECOND", "").replace("RESULT", "sum")
    found = looked("", "sum")
    assert not found.is_proven
    assert not found.is_verified
    racing = found.as_it_is
    assert racing is not None
    assert racing.arguments == ("A", "B", "C", "M", "N", "K")
    assert {one.kind for one in racing.hazards} == {HazardKind.RACE}
    written = sidecar_text(racing)
    assert written.startswith(
        "# The kernel races in lines 9 and 11, and there is 1 more hazard (race between lines 8 and 11).\n"
        "# Meant to compute C = A·B"
    )
    assert "# Not verified: taken from its host code" in written
    kernel = described_kernel(Path("mine.cu"), text, written)
    launch = kernel.plan(Shape(40, 36, 33), kernel.params({}), emulated()).launch
    assert (launch.grid, launch.block) == ((3, 3, 1), (16, 16, 1))


def test_that_no_other_unproven_kernel_is_offered_as_it_is() -> None:
    assert looked("__syncthreads();", "fabsf(sum)").as_it_is is None


@pytest.mark.usefixtures("one_recorded_size")
def test_that_the_race_of_a_kernel_without_host_code_is_the_only_reason_and_a_copy_says_how_it_is_launched() -> None:
    text = TEXT[: TEXT.index("void multiply")].replace("SECOND", "").replace("RESULT", "sum")
    found = look_at(Path("mine.cu"), text, "", 300.0, quiet)
    (only,) = found.found[0].reasons
    assert only.startswith("mine.cu:9: the kernel races, with blocks of 16 × 16 threads, which gemmviz guessed: thread")
    assert "(line 9) while thread 32 still reads it (line 11)" in only
    assert not found.proven
    known = found.only_as_it_is
    assert known is not None
    assert known.description is not None
    assert not known.is_proven
    assert not known.is_verified
    assert known.description.has_races
    assert known.description.grid == ("ceil_div(N, 16)", "ceil_div(M, 16)")
    assert "launched with blocks of 16 × 16 threads" in " ".join(
        f"{part.lead}{part.sentences[0]}" for part in parts_of(found.found[0])
    )
    written = sidecar_text(known.description)
    assert "# Meant to compute C = A·B, which sizes it takes is not known, because it races" in written
    assert (
        f"{NOT_VERIFIED}: found out by running a copy of the kernel with barriers around lines 8, 9 and 11" in written
    )
    kernel = described_kernel(Path("mine.cu"), text, written)
    assert kernel.is_unverified


@pytest.mark.usefixtures("one_recorded_size")
@pytest.mark.parametrize("result", ["sum", "fabsf(sum)"])
def test_that_a_copy_tells_the_grid_of_a_racing_kernel_whose_sizes_have_no_names_and_else_it_is_told_why_not(
    result: str,
) -> None:
    text = (
        TEXT.replace("SECOND", "").replace("RESULT", result).replace("int M, int N, int K)", "int r, int c, int d)", 1)
    )
    head, host = text.split("void multiply")
    for old, new in (("row < M", "row < r"), ("col < N", "col < c"), ("< K", "< d"), ("* K", "* d"), ("* N", "* c")):
        head = head.replace(old, new)
    (found,) = look_at(Path("mine.cu"), f"{head}void multiply{host}", "", 300.0, quiet).found
    assert found.reasons[0].startswith("mine.cu:9: the kernel races, as its host code launches it")
    if result == "sum":
        assert found.as_it_is is not None
        assert found.as_it_is.grid == ("ceil_div(N, 16)", "ceil_div(M, 16)")
        assert [one.lines for one in found.as_it_is.hazards] == [(9, 11), (8, 11)]
        assert len(found.reasons) == 1
    else:
        assert found.as_it_is is None
        why = "the grid of its launch is not known, because no name says which size r, c and d stand for"
        assert found.reasons[1:] == (f"it is not offered as it is: {why}",)


def test_that_a_kernel_that_is_no_product_with_its_barrier_either_is_not_described() -> None:
    assert looked("", "fabsf(sum)", has_host_code=False).as_it_is is None


@pytest.mark.usefixtures("one_recorded_size")
def test_that_a_kernel_that_is_right_at_some_sizes_is_described_as_it_is_and_no_sizes_are_claimed() -> None:
    text = TEXT.replace("SECOND", "__syncthreads();").replace("RESULT", "(M * 7 + N * 3 + K) % 5 == 2 ? -sum : sum")
    (found,) = look_at(Path("mine.cu"), text, "", 300.0, quiet).found
    assert found.as_it_is is not None
    assert not found.as_it_is.is_proven
    assert summary_of(found.as_it_is) == "C = A·B, which sizes it takes is not known"
    assert "right at some sizes and wrong at others" in sidecar_text(found.as_it_is)
    chosen = replace(found, description=found.as_it_is)
    assert not chosen.is_proven
    assert not chosen.is_verified
    assert verdict_words(found.as_it_is) == "not verified: its results are wrong at some sizes"
    assert "Checks" not in [part.heading for part in parts_of(chosen)]


def test_that_guesses_find_no_race_in_a_kernel_without_host_code_that_has_none() -> None:
    reasons_of_guesses = looked("__syncthreads();", "fabsf(sum)", has_host_code=False).reasons
    assert "it comes near a product" in reasons_of_guesses[0]
    assert not any("race" in one for one in reasons_of_guesses)


def test_that_a_kernel_without_a_race_is_refused_for_what_it_computes() -> None:
    found = looked("__syncthreads();", "fabsf(sum)").reasons
    assert not any("race" in one for one in found)
    assert "it comes near a product: in a trial 55 % of the elements" in found[0]


def test_that_a_hazard_in_spite_of_which_a_kernel_is_right_keeps_it_from_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    try_no_further_values(monkeypatch)
    text = TEXT.replace("SECOND", "if (threadIdx.x + threadIdx.y == 0) As[0][0] = 0.0f; __syncthreads();")
    (found,) = look_at(Path("mine.cu"), text.replace("RESULT", "sum"), "", 300.0, quiet).found
    assert not found.is_verified
    monkeypatch.setattr(RaceRule, "concern", lambda _rule, _hazard: None)
    (found,) = look_at(Path("mine.cu"), text.replace("RESULT", "sum"), "", 300.0, quiet).found
    assert found.is_verified


@pytest.mark.parametrize(
    ("grid", "rules", "fixed", "equal", "shape"),
    [
        ("N / 16", (), (), (), Shape(140, 132, 72)),
        ("N / 16", (SizeRule("M", 128), SizeRule("K", 8, 64)), (), (), Shape(256, 132, 72)),
        ("N / 16", (SizeRule("N", 16, most=32),), (), (), Shape(140, 32, 72)),
        ("N / 16", (SizeRule("M", 16),), (), (("M", "N"), ("M", "K")), Shape(144, 144, 144)),
        ("N / 16", (), (("M", 256), ("N", 256), ("K", 256)), (), Shape(256, 256, 256)),
        ("132", (), (), (), Shape(44, 36, 72)),
        ("132", (SizeRule("M", 128), SizeRule("K", 8, 64)), (), (), Shape(128, 36, 72)),
    ],
)
def test_that_the_recorded_size_is_one_that_the_description_takes(
    grid: str,
    rules: tuple[SizeRule, ...],
    fixed: tuple[tuple[str, int], ...],
    equal: tuple[tuple[str, str], ...],
    shape: Shape,
) -> None:
    one = Storage()
    described = Description(
        "f", (), (), ("A", "B", "C"), (one, one, one, one), ("16",), (grid,), equal=equal, fixed=fixed, rules=rules
    )
    assert shape_to_record(described) == shape


def test_that_a_race_of_long_sums_alone_is_found_with_its_size() -> None:
    """One tile holds the sum of a small product, and the barrier is missing that the next tile needs."""
    text = """__global__ void rows(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[128];
    int row = blockIdx.y, col = blockIdx.x * 64 + threadIdx.x;
    float sum = 0.0f;
    for (int begin = 0; begin < K; begin += 128) {
        if (threadIdx.x >= 32)
            for (int i = threadIdx.x - 32; i < 128; i += 32) a[i] = begin + i < K ? A[row * K + begin + i] : 0.0f;
        __syncthreads();
        if (col < N) for (int k = 0; k < 128 && begin + k < K; k++) sum += a[k] * B[(begin + k) * N + col];
    }
    if (col < N) C[row * N + col] = sum;
}
"""
    description = look_at(Path("mine.cu"), text, "", 90.0, quiet).found[0].description
    assert description is not None
    (hazard,) = description.hazards
    assert hazard.lines == (8, 10)
    assert hazard.detail.endswith("x184; none at 113x201x128, but at 113x201x129)")


def test_that_a_race_that_the_compiler_leaves_out_is_found_in_the_source_as_written() -> None:
    """What is multiplied by 1 is not written to by what is compiled."""
    text = """__global__ void scaled(float alpha, float *A, const float *B, float *C, int M, int N, int K)
{
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row < M && col < N) {
        if (col == 0) for (int k = 0; k < K; k++) A[row * K + k] *= 1.0f;
        float sum = 0;
        for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = alpha * sum;
    }
}
"""
    (found,) = look_at(Path("mine.cu"), text, "", 90.0, quiet).found
    assert found.description is not None
    assert {hazard.kind for hazard in found.description.hazards} == {HazardKind.RACE, HazardKind.BLOCK_RACE}
    ends = {hazard.detail.partition(" (as written")[2] for hazard in found.description.hazards}
    assert ends == {"; what was compiled does not show it)"}


def test_that_an_uninitialised_read_that_comes_into_the_result_is_named_with_its_line() -> None:
    text = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float begin[256];
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = begin[threadIdx.y * 16 + threadIdx.x];
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
    begin[threadIdx.y * 16 + threadIdx.x] = 0.0f;
}
"""
    (found,) = look_at(Path("mine.cu"), text, "", 300.0, quiet).found
    assert found.description is None
    first = found.reasons[0]
    assert first.startswith(
        "mine.cu:5: it reads what nothing has been written to, with blocks of 16 × 16 threads, which"
    )
    assert "thread 0 reads begin[0] (line 5)" in first
    assert first.endswith("; write it before it is read, and look again")
    assert len(found.reasons) == 1


def test_that_a_race_of_short_sums_on_an_input_is_found_beside_another_hazard() -> None:
    text = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
        int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
        if (r < M && c < N) {
            float s = 0.0f, *a = (float *)A;
            if (threadIdx.x == 0 && K < 64) { a[r * K] *= 2.0f; a[r * K] *= 0.5f; }
            __syncthreads();
            for (int k = 0; k < K; k++) s += A[r * K + k] * B[k * N + c];
            C[r * N + c] = s;
        }
    }
    void run(float *a, float *b, float *c, int m, int n, int k) {
        mm<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
    }"""
    (found,) = look_at(Path("mine.cu"), text, "", 60.0, lambda _: None).found
    assert found.description is not None
    kinds = {one.kind for one in found.description.hazards}
    assert kinds >= {HazardKind.DIVERGENT_BARRIER, HazardKind.BLOCK_RACE}
    assert verdict_words(found.description).startswith("not verified: blocks of the kernel race in line")
