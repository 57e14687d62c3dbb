"""Why a kernel whose results are right in one launch is no product all the same."""

from __future__ import annotations

from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.prove.special_elements import KEPT
from gemmviz.adopt.source.symbol_resets import reset_words


def settled_words(searched: SearchedKernel, settled: str) -> str:
    """The reason `settled`, with what host code does about a variable that keeps something."""
    reset = reset_words(searched.text, searched.kernel.words) if settled.startswith(KEPT) else ""
    alone = "and gemmviz launches the kernel alone: reset it in the kernel, when its last block ends"
    return f"{settled}; {reset}, {alone}" if reset else settled
