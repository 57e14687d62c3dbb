"""A limit that a guard of the kernel gives the lie to is a doubt; one without a guard is a rule of the author."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.outcome import AdoptOutcome
from gemmviz.adopt.report import headline_of
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.catalogue.loader import described_kernel

NAIVE = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
  int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  GUARD
  float s = 0.f;
  for (int k = 0; k < K; ++k) s += A[r * K + k] * B[k * N + c];
  C[r * N + c] = s;
}
void go(float *A, float *B, float *C, int M, int N, int K) {
  dim3 b(32, 8), g(GRID);
  mm<<<g, b>>>(A, B, C, M, N, K);
}
"""
ROUNDED_UP, ROWS_EXACT, EXACT = "(N + 31) / 32, (M + 7) / 8", "(N + 31) / 32, M / 8", "N / 32, M / 8"
OFF_BY_ONE = "if (r > M || c >= N) return;"


def sidecar_of(guard: str, grid: str) -> tuple[AdoptOutcome, str, str]:
    text = NAIVE.replace("GUARD", guard).replace("GRID", grid)
    (found,) = look_at(Path("mm.cu"), text, "", 60.0, lambda _: None).found
    assert found.description is not None
    described = sidecar_text(found.description)
    reasons = [one.reason for one in described_kernel(Path("mm.cu"), text, described).constraints]
    return found.outcome, headline_of(found), "\n".join(reasons)


@pytest.mark.parametrize("grid", [ROUNDED_UP, ROWS_EXACT])
def test_that_a_fault_behind_a_guard_is_a_doubt(grid: str) -> None:
    outcome, words, reason = sidecar_of(OFF_BY_ONE, grid)
    assert outcome is AdoptOutcome.RIGHT_WITH_DOUBTS
    assert words.startswith("right, but wrong at 65x96x128, though line 3 guards M as for sizes that are no multiples ")
    assert reason.startswith("wrong at 65x96x128: line 5: ld.global.f32 4 bytes (1 element) past the end of A, which ")
    assert reason.endswith("; line 3 guards M, as for such sizes")


def test_that_without_a_guard_it_is_a_rule_with_its_reason() -> None:
    outcome, words, reason = sidecar_of("", EXACT)
    assert outcome is AdoptOutcome.VERIFIED
    assert words.startswith("verified: C = A·B, needs M in multiples of 8 and N of 32")
    assert [one.split(": ")[0] for one in reason.split("\n")] == ["wrong at 65x96x128", "wrong at 64x97x128"]
    assert "past the end of" in reason


def test_that_a_guard_that_holds_leaves_no_rule() -> None:
    outcome, words, reason = sidecar_of("if (r >= M || c >= N) return;", ROUNDED_UP)
    assert (outcome, reason) == (AdoptOutcome.VERIFIED, "")
    assert words.startswith("verified: C = A·B, takes every size that was tried")
