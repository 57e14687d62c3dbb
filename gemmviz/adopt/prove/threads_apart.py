"""Whether the threads of a kernel hear of each other."""

from __future__ import annotations

from gemmviz.machine.program import Program

_TOGETHER = {"bar", "barrier", "shfl", "vote", "match", "redux", "activemask", "atom", "red", "mma", "wmma", "wgmma"}


def are_threads_apart(program: Program) -> bool:
    """Whether no thread waits for another one, shares memory with one, or adds to what one wrote: with another block
    each element that is written is what it was.
    """
    opcodes = (one.words for piece in program.pieces for one in piece)
    return not any(words[0] in _TOGETHER or "shared" in words for words in opcodes)
