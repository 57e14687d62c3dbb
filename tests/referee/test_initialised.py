"""Shared memory is called initialised only where nothing that threads miss comes before its reads."""

from __future__ import annotations

from pathlib import Path

from broken_kernels import kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.referee.examinations.initialised import Initialised
from gemmviz.referee.finding import Outcome
from gemmviz.referee.subject import Subject


def test_that_reads_behind_a_barrier_that_threads_miss_are_not_called_initialised(tmp_path: Path) -> None:
    body = """    __shared__ float a[16][16];
    if (row >= M || col >= N) return;
    for (int k = 0; k + 16 <= K; k += 16) {
        a[threadIdx.y][threadIdx.x] = A[row * K + k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 16; i++) C[row * N + col] += a[threadIdx.y][i] * B[(k + i) * N + col];
        __syncthreads();
    }
"""
    kernel = kernel_of(tmp_path, body)
    found = Initialised().examine(Subject(kernel, kernel.params({}), find_device("machine")))
    assert found.outcome is Outcome.NOT_EXAMINED
    assert found.reason.startswith("Some threads miss the barrier in line ")
