"""One block of a PTX kernel whose threads store a word each."""

from __future__ import annotations

import numpy as np
from ptx_instructions import kernel, run_kernel

from gemmviz.machine.memory import Array

FILE = '.file 1 "k.cu"\n'
INDEX = """
.reg .b32 %i, %r<20>; .reg .b64 %out, %at, %rd<9>; .reg .pred %p<9>;
ld.param.u64 %out, [p_out]; mov.u32 %i, %tid.x; mad.wide.u32 %at, %i, 4, %out;
"""
"""%i is the thread's number, %at where its word lies."""


def out_words(words: int) -> Array:
    """Memory for the results."""
    made = Array(4 * words, "out")
    made.bytes[:] = 0xEE
    return made


def run_words(body: str, words: int = 64, block: int = 64, declarations: str = FILE, limit_s: float = 60) -> list[int]:
    """The words that each thread of one block stores at %at."""
    out = out_words(words)
    run_kernel(kernel(INDEX + body, ".param .u64 p_out", declarations), [out], block=(block, 1, 1), limit_s=limit_s)
    found: list[int] = out.view(np.uint32).tolist()
    return found
