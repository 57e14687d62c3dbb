"""Of a race that the first recording shows is told from which size on it is there, where that is not the least one."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.recordings import race_beginnings

pytestmark = pytest.mark.usefixtures("nvrtc", "one_recorded_size")
TEXT = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ volatile float last;
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
    if (WHERE) last = sum;
    C[row * N + col] = sum;
}
void run(const float *a, const float *b, float *c, int M, int N, int K) {
    mm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(a, b, c, M, N, K);
}
"""


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("K > 64", " (none at 44x36x64, but at 44x36x65)"),
        ("K > 64 && blockIdx.x == 2", " (none at 44x36x64, but at 44x36x65)"),
        ("threadIdx.x < 2 && threadIdx.y == 0", " is undefined"),
    ],
)
def test_that_the_beginning_of_a_race_of_the_first_recording_is_told(
    monkeypatch: pytest.MonkeyPatch, where: str, told: str
) -> None:
    monkeypatch.setattr(race_beginnings, "BEGINNING_S", 60.0)  # the machine may be busy
    (found,) = look_at(Path("mine.cu"), TEXT.replace("WHERE", where), "", 300.0, lambda _: None).found
    assert found.description is not None
    assert found.description.hazards[0].detail.endswith(told)
