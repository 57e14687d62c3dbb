"""128-bit integers, which NVIDIA's compiler makes of chains of carries and borrows, against Python's."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import Source
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx

pytestmark = pytest.mark.usefixtures("nvrtc")

THREADS, WORD = 96, (1 << 64) - 1
TEXT = """
typedef unsigned __int128 Wide;
__device__ Wide load(const unsigned long long *p) { return ((Wide)p[1] << 64) | p[0]; }
__device__ void store(unsigned long long *p, Wide value) { p[0] = value; p[1] = value >> 64; }
extern "C" __global__ void wide(const unsigned long long *A, const unsigned long long *B, unsigned long long *C) {
    Wide a = load(A + 2 * threadIdx.x), b = load(B + 2 * threadIdx.x);
    unsigned long long *c = C + 10 * threadIdx.x;
    store(c, a / b);
    store(c + 2, a % b);
    store(c + 4, a * b);
    store(c + 6, a - b);
    store(c + 8, a + b);
}
"""


@pytest.mark.parametrize("form", CodeForm)
def test_that_arithmetic_on_128_bits_is_exact(form: CodeForm) -> None:
    source = Source(Path("wide.cu"), TEXT, "wide", Language.CUDA)
    code = compile_cuda(source, "sm_90a", form)
    program = compile_ptx(code.ptx, code.symbol, "wide.cu")
    draw = random.Random(3)
    pairs = [
        (draw.getrandbits(draw.choice((64, 90, 128))), 1 + draw.getrandbits(draw.choice((3, 31, 40, 64, 70, 127))))
        for _ in range(THREADS)
    ]
    arrays = [Array(16 * THREADS, "A"), Array(16 * THREADS, "B"), Array(80 * THREADS, "C")]
    for place in (0, 1):
        arrays[place].view(np.uint64)[:] = [part for pair in pairs for part in (pair[place] & WORD, pair[place] >> 64)]
    MachineLaunch(program, (1, 1, 1), (THREADS, 1, 1), arrays).run(60.0)
    words = arrays[2].view(np.uint64).reshape(THREADS, 5, 2).tolist()
    found = [tuple(low | high << 64 for low, high in row) for row in words]
    most = (1 << 128) - 1
    assert found == [(a // b, a % b, a * b & most, a - b & most, a + b & most) for a, b in pairs]


MIXED = """
#define AFTER(first, second, out, x, y) \\
    asm volatile("{ .reg .u32 t; " first ".cc.u32 t, %1, %2; " second " }" : "=r"(out) : "r"(x), "r"(y))
extern "C" __global__ void mixed(unsigned *C) {
    unsigned one = C[20], two = C[21], most = C[22];
    AFTER("sub", "addc.u32 %0, 0, 0;", C[0], one, two);
    AFTER("sub", "addc.u32 %0, 0, 0;", C[1], two, one);
    AFTER("add", "subc.u32 %0, 5, 0;", C[2], most, most);
    AFTER("add", "subc.u32 %0, 5, 0;", C[3], one, one);
    AFTER("sub", "subc.u32 %0, 5, 0;", C[4], one, two);
    AFTER("sub", "subc.cc.u32 t, 0, 0; addc.u32 %0, 0, 0;", C[5], one, two);
}
"""


def test_that_a_borrow_is_read_by_an_addition_as_on_an_h100() -> None:
    code = compile_cuda(Source(Path("mixed.cu"), MIXED, "mixed", Language.CUDA), "sm_90a")
    memory = Array(256, "C")
    words = memory.view(np.uint32)
    words[20:23] = 1, 2, 0xFFFFFFFF
    MachineLaunch(compile_ptx(code.ptx, code.symbol, "mixed.cu"), (1, 1, 1), (1, 1, 1), [memory]).run(60.0)
    assert words[:6].tolist() == [0, 1, 5, 4, 4, 0], "as an H100 gave it (nvcc 13.0, 2026-11-27)"
