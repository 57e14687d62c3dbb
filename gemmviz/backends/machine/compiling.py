"""Compiles for the PTX machine in a thread of its own: somebody can follow it, and leave before it has ended."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.backends.base import Progress
from gemmviz.backends.compile_limit import within_limit
from gemmviz.machine.program import Program, Steps

COMPILING = "compiling the kernel, once for this code"
"""What is said while LLVM works: the machine code is kept on disk."""


def compile_with_progress(work: Callable[[Steps], Program], progress: Progress, limit_s: float) -> Program:
    """What `work` makes. Meanwhile `progress` is told which step it is at, and how long it has run.

    What `progress` raises, as where a person cancels, is raised at once; `work` then ends by itself, and what it made
    is remembered on disk where it would have been.

    Raises:
        CompilerStuckError: it did not end within `limit_s`.
        MachineError: as `work`.
    """
    step = ["reading the PTX"]

    def tell(elapsed_s: float) -> None:
        progress(f"{COMPILING}, {step[0]}, {elapsed_s:.1f} s")

    return within_limit(lambda: work(lambda words: step.__setitem__(0, words)), limit_s, tell)
