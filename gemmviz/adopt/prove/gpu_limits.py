"""Kernels that need more threads in a block, or more blocks, than a GPU launches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from gemmviz.adopt.propose.geometry import MOST_THREADS, too_large_block
from gemmviz.adopt.propose.instances import Instance
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.names import Names
from gemmviz.catalogue.gpus import emulated


def beyond_gpu(block: Sequence[int], grid: Sequence[int]) -> str:
    """Why no GPU launches a grid of such blocks: "a block has 64 × 64 = 4096 threads, and a GPU allows 1024"; "" where
    it does. The limits are those of "Technical Specifications per Compute Capability" in NVIDIA's programming guide.
    """
    gpu = emulated()
    if prod(block) > gpu.max_threads_per_block:
        return f"a block has {_threads(block)}, and a GPU allows {gpu.max_threads_per_block}"
    for what, has, limits in (("a block has", block, gpu.max_block), ("the grid has", grid, gpu.max_grid)):
        unit = "threads" if has is block else "blocks"
        for axis, count, most in zip("xyz", has, limits, strict=False):
            if count > most:
                return f"{what} {count} {unit} along {axis}, and a GPU allows {most}"
    return ""


def too_many_threads(kernel: FoundKernel, instance: Instance, sizes: Mapping[str, int], names: Names) -> str:
    """That host code launches blocks of more threads than a GPU does or, without host code, that the tile by which the
    source steps has more elements than a block has threads; "" for neither. `sizes` are macros and arguments of the
    template.
    """
    guess = too_large_block(kernel, instance.launch, sizes, names)
    if guess is None:
        return ""
    threads = _threads(guess.block)
    if instance.launch is not None:
        return f"launches blocks of {threads}, and a block can have {MOST_THREADS}"
    return (
        f"with a thread for each element of the tile by which its source steps, a block has {threads}, and can have "
        f"{MOST_THREADS}; no smaller block that was tried proved a product"
    )


def _threads(block: Sequence[int]) -> str:
    edges = [str(one) for one in block]
    while len(edges) > 1 and edges[-1] == "1":
        edges.pop()
    return f"{' × '.join(edges)}{f' = {prod(block)}' if len(edges) > 1 else ''} threads"
