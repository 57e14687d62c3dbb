"""Kernels that break one rule each, for the referee."""

from __future__ import annotations

from pathlib import Path

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.kernel import Kernel
from gemmviz.engine.own_kernel_file import load_own_kernel
from gemmviz.referee.examination import Examination
from gemmviz.referee.finding import Finding, Ruling
from gemmviz.referee.judge import judge
from gemmviz.referee.subject import Subject

_HEADER = """/*---
title = "{title}"
entry = "mine"
{keys}
[launch]
block = {block}
grid = {grid}
---*/
"""
_KERNEL = """{head}
extern "C" __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
{body}
}}
"""
SUM = """    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
        C[row * N + col] = acc;
    }"""
"""The body of a kernel that breaks none."""


def kernel_of(
    folder: Path,
    body: str,
    head: str = "",
    keys: str = "",
    block: str = '["16", "16"]',
    grid: str = '["ceil_div(N, 16)", "ceil_div(M, 16)"]',
) -> Kernel:
    """A kernel with one thread for each element of C, and this body, in a file of its own."""
    path = folder / "mine.cu"
    header = _HEADER.format(title="mine", keys=keys, block=block, grid=grid)
    path.write_text(header + _KERNEL.format(head=head, body=body), encoding="utf-8")
    return load_own_kernel(path)


def changed(old: str, new: str) -> str:
    """The right body with one part of it replaced.

    Raises:
        ValueError: it has no such part.
    """
    if old not in SUM:
        raise ValueError(f"{old!r} is not in the body")
    return SUM.replace(old, new)


def ruling_on(folder: Path, body: str, **options: str) -> Ruling:
    """The verdict on the kernel of `kernel_of` on the PTX machine."""
    kernel = kernel_of(folder, body, **options)
    return judge(kernel, kernel.params({}), find_device("machine"))


def findings_on(folder: Path, body: str, *examinations: Examination, **options: str) -> list[Finding]:
    """What these examinations of the kernel of `kernel_of` find in turn, each with what the ones before found out:
    a fraction of the time of a verdict.
    """
    kernel = kernel_of(folder, body, **options)
    subject = Subject(kernel, kernel.params({}), find_device("machine"))
    try:
        return [one.examine(subject) for one in examinations]
    finally:
        subject.release()


def failed_of(ruling: Ruling) -> dict[str, str]:
    """The reasons of the examinations that failed, by their names."""
    assert not ruling.fault
    return {finding.name: finding.reason for finding in ruling.failed}
