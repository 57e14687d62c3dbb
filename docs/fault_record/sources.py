"""Kernel files that the cases are made of."""

from __future__ import annotations

HEADER = """/*---
title  = "A kernel that is at fault"
entry  = "mine"
[launch]
block = ["8", "8"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
---*/
"""

SOUND_BODY = """    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
        C[row * N + col] = acc;
    }
"""


def kernel(body: str = SOUND_BODY, before: str = "", header: str = HEADER) -> str:
    """A kernel file: `before` stands above the kernel, `body` in it, with row and col known."""
    return (
        f"{header}{before}\n"
        "__global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)\n{\n"
        "    int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;\n"
        f"{body}}}\n"
    )


def with_header(lines: str, entry: str = "mine") -> str:
    """A sound kernel whose header has these lines besides title and entry."""
    return kernel(header=f'/*---\ntitle  = "mine"\nentry  = "{entry}"\n{lines}\n---*/\n')
