"""What the compilers of Python kernels raise."""

from __future__ import annotations


class KernelError(Exception):
    """A kernel cannot be compiled so; the message is for the person who wrote it. `line` is 0 where none is known."""

    def __init__(self, words: str, line: int = 0) -> None:
        super().__init__(words)
        self.line = line
