"""A largest size beyond which a kernel races is the race, not a rule of its author."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings.races_beyond_limits import races_beyond_limits
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.recordings.hazard import HazardKind

pytestmark = pytest.mark.usefixtures("nvrtc")
KERNEL = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[4][4];
  int x = threadIdx.x, y = threadIdx.y, c = blockIdx.x * 4 + x, r = blockIdx.y * 4 + y;
  float s = 0;
  for (int t = 0; t < K; t += 4) {
    a[y][x] = (r < M && t + x < K) ? A[r * K + t + x] : 0;
    __syncthreads();
    for (int k = 0; k < 4 && t + k < K; ++k) if (c < N) s += a[y][k] * B[(t + k) * N + c];
    if (blockIdx.x < 12) __syncthreads();
  }
  if (r < M && c < N) C[r * N + c] = s;
}
"""


@pytest.mark.parametrize(("most", "kinds"), [(48, {HazardKind.RACE}), (0, set())])
def test_that_a_race_beyond_a_limit_is_found(most: int, kinds: set[HazardKind]) -> None:
    storages = (Storage(), Storage(), Storage(), Storage())
    grid, rules = ("ceil_div(N, 4)", "ceil_div(M, 4)"), (SizeRule("N", most=most),)
    described = Description("mm", (), (), ("A", "B", "C", "M", "N", "K"), storages, ("4", "4"), grid, rules=rules)
    found = races_beyond_limits(Path("mm.cu"), KERNEL, described, SearchLog(lambda _: None, 400.0))
    assert {one.kind for one in found} == kinds
    assert all(one.detail.endswith("(at 40x49x40, not at N of at most 48)") for one in found)
