"""Kernels that need more threads in a block than a GPU launches."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from gemmviz.adopt.propose.geometry import MOST_THREADS, BlockGuess, too_large_block
from gemmviz.adopt.propose.instances import Instance
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.names import Names


def too_many_threads(kernel: FoundKernel, instance: Instance, sizes: Mapping[str, int], names: Names) -> str:
    """That host code launches blocks of more threads than a GPU does or, without host code, that the tile by which the
    source steps has more elements than a block has threads; "" for neither. `sizes` are macros and arguments of the
    template.
    """
    guess = too_large_block(kernel, instance.launch, sizes, names)
    if guess is None:
        return ""
    if instance.launch is not None:
        return f"launches blocks of {_threads(guess)}, and a block can have {MOST_THREADS}"
    return (
        f"with a thread for each element of the tile by which its source steps, a block has {_threads(guess)}, and can "
        f"have {MOST_THREADS}; no smaller block that was tried proved a product"
    )


def _threads(guess: BlockGuess) -> str:
    edges = " × ".join(map(str, guess.block)).removesuffix(" × 1").removesuffix(" × 1")
    count = prod(guess.block)
    return f"{edges} threads" if str(count) == edges else f"{edges} = {count} threads"
