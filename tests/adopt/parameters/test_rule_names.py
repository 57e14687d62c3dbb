"""What a rule for sizes is called after, where several parameters have its value."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at


@pytest.mark.usefixtures("nvrtc")
def test_that_a_rule_is_named_by_the_parameter_of_the_grid_along_its_dimension() -> None:
    text = """template <int WIDE, int HIGH>
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * HIGH + threadIdx.y, column = blockIdx.x * WIDE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
    mm<16, 16><<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
"""
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    words = {rule.dimension: rule.multiple_words for rule in found.description.rules if rule.multiple > 1}
    assert words == {"M": "HIGH", "N": "WIDE"}
