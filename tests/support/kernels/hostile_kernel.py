"""A kernel file whose first thread makes a system call: OpenCL C on PoCL is native code, so inline assembly does it.

The word is pasted together: `asm` itself is refused before anything is compiled.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

from gemmviz.engine.sandbox.protections import protections

_TEXT = """/*---
title = "Hostile"
entry = "mine"
[launch]
block = ["8", "8"]
grid = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
---*/
#define PASTED(a, b) a##b
__constant char path[] = "PATH";
__kernel void mine(__global const float *A, __global const float *B, __global float *C, int M, int N, int K)
{
    const int row = get_global_id(1), col = get_global_id(0);
    if (row == 0 && col == 0) {
        long found;
        PASTED(__as, m__) volatile("syscall" : "=a"(found) : "a"(NUMBERL), "D"((long)(FIRST)), "S"(SECONDL), "d"(0L)
                         : "rcx", "r11", "memory");
    }
    if (row >= M || col >= N) return;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
    C[row * N + col] = acc;
}
"""

can_be_hostile = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64" or not protections().has_supervisor,
    reason="needs Linux on x86-64 that tells a supervisor of system calls",
)

SOCKET = (41, "2", 1)
FORK = (57, "0", 0)
CREATE = (85, "path", 0o644)


def hostile_kernel(folder: Path, call: tuple[int, str, int], path: str = "") -> Path:
    """A kernel file that makes a system call: its number and two arguments; "path" points to the text `path`."""
    number, first, second = call
    file = folder / "hostile.cl"
    text = _TEXT.replace("PATH", path).replace("NUMBER", str(number)).replace("FIRST", first)
    file.write_text(text.replace("SECOND", str(second)), encoding="utf-8")
    return file
