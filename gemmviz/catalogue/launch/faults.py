"""Why a device does not take a launch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from gemmviz.catalogue.launch.tensor_maps import tensor_map_faults
from gemmviz.domain.device import Device
from gemmviz.domain.spec import Launch, TensorMap

MOST_BLOCKS_OF_A_CLUSTER = 8
"""On every GPU that has clusters; more only where a kernel gives up running elsewhere."""

MOST_EMULATED_BLOCKS = 2**36
"""Blocks that do nothing take hours on the PTX machine where they are so many."""

MOST_PARTIAL_SUMS = 2**31 - 1
"""As many blocks as a grid has at most."""


@dataclass(frozen=True, slots=True)
class LaunchFault:
    """One reason: in words with its numbers, in a few words for a list, and the key of `launch` that describes it; ""
    where no single key does.
    """

    words: str
    brief: str
    key: str = ""


def launch_faults(
    launch: Launch, device: Device, only_block: tuple[int, ...], maps: Sequence[TensorMap], partial_sums: int
) -> list[LaunchFault]:
    """Every reason, the first one first; `only_block` is the one block that a file was compiled for, () for any, and
    `partial_sums` how many values a launch leaves for each element of C.
    """
    return [
        *_partial_sums_faults(partial_sums),
        *_only_block_faults(launch, only_block),
        *_block_faults(launch, device),
        *_grid_faults(launch, device),
        *_shared_memory_faults(launch, device),
        *(LaunchFault(words, "grid and cluster do not fit", "cluster") for words in _cluster_faults(launch)),
        *(LaunchFault(words, "rows do not fit the TMA") for words in tensor_map_faults(maps)),
    ]


def _partial_sums_faults(partial_sums: int) -> Iterator[LaunchFault]:
    if not 1 <= partial_sums <= MOST_PARTIAL_SUMS:
        allowed = f"1 to {MOST_PARTIAL_SUMS} can be added up"
        words = f"{partial_sums} values for each element of C: {allowed}"
        yield LaunchFault(words, f"leaves {partial_sums} values per element", "partial_sums")


def _only_block_faults(launch: Launch, only: tuple[int, ...]) -> Iterator[LaunchFault]:
    """Why a kernel that was compiled for one block does not take another."""
    x, y, z = (*only, 1, 1, 1)[:3]
    wanted = (x, y, z)
    if only and launch.block != wanted:
        words = f"the file was compiled for blocks of {_times(wanted)} threads (.reqntid), and a launch of "
        brief = f"needs blocks of {_times(wanted)} threads"
        yield LaunchFault(f"{words}{_times(launch.block)} fails", brief, "block")


def _block_faults(launch: Launch, device: Device) -> Iterator[LaunchFault]:
    threads, most_threads = launch.threads_per_block, device.max_threads_per_block
    is_too_large = threads > most_threads
    if is_too_large:
        words = f"a block of {_threads(launch)} threads is too large: {device.name} allows {most_threads}"
        yield LaunchFault(words, f"needs ≤ {most_threads} threads per block", "block")
    for axis, size, most in zip("xyz", launch.block, device.max_block, strict=True):
        is_said = is_too_large and size == threads and most >= most_threads
        if not 1 <= size <= most and not is_said:
            words = f"a block of {size} threads in {axis}: {device.name} allows 1 to {most}"
            yield LaunchFault(words, f"needs ≤ {most} threads in {axis}", "block")


def _grid_faults(launch: Launch, device: Device) -> Iterator[LaunchFault]:
    for axis, size, most in zip("xyz", launch.grid, device.max_grid, strict=True):
        if not 1 <= size <= most:
            words = f"a grid of {size} blocks in {axis}: {device.name} allows 1 to {most}"
            yield LaunchFault(words, f"needs ≤ {most} blocks in {axis}", "grid")
    if device.is_emulated and (blocks := prod(launch.grid)) > MOST_EMULATED_BLOCKS:
        grid = " x ".join(map(str, launch.grid))
        words = f"a grid of {grid} = {blocks} blocks: {device.name} runs one after the other, and takes at most "
        yield LaunchFault(f"{words}{MOST_EMULATED_BLOCKS}", f"needs ≤ {MOST_EMULATED_BLOCKS} blocks", "grid")


def _shared_memory_faults(launch: Launch, device: Device) -> Iterator[LaunchFault]:
    static, dynamic = launch.static_shared_bytes, launch.dynamic_shared_bytes
    least = min(static, dynamic)
    most_static = device.gpu_facts.static_shared_bytes
    if least < 0:
        words = f"{least} bytes of shared memory per block: a launch takes 0 or more"
        key = "static_shared_bytes" if static < 0 else "shared_bytes"
        yield LaunchFault(words, f"needs 0 or more bytes of shared memory, not {least}", key)
    elif launch.shared_bytes > device.shared_bytes_per_block:
        size = f"{launch.shared_bytes} bytes of shared memory"
        words = f"{size} per block are too many: {device.name} has {device.shared_bytes_per_block}"
        yield LaunchFault(words, f"needs {size}", "static_shared_bytes" if static > dynamic else "shared_bytes")
    elif 0 < most_static < static:
        size = f"{static} bytes of static shared memory"
        words = f"{size} per block are too many: {device.name} allows {most_static}, and more only where it is dynamic"
        yield LaunchFault(words, f"needs {size}", "static_shared_bytes")


def _threads(launch: Launch) -> str:
    """The threads of a block: "32 x 40 = 1280", or "1280" where it has one dimension."""
    number, sizes = str(launch.threads_per_block), _times(launch.block)
    return number if sizes == number else f"{sizes} = {number}"


def _cluster_faults(launch: Launch) -> list[str]:
    if not 1 <= prod(launch.cluster) <= MOST_BLOCKS_OF_A_CLUSTER or min(launch.cluster) < 1:
        return [f"a cluster of {_times(launch.cluster)} blocks: 1 to {MOST_BLOCKS_OF_A_CLUSTER} can be placed together"]
    return [
        f"a grid of {blocks} blocks in {axis} cannot be cut into clusters of {size}"
        for axis, blocks, size in zip("xyz", launch.grid, launch.cluster, strict=True)
        if blocks % size
    ]


def _times(sizes: tuple[int, int, int]) -> str:
    return " x ".join(str(size) for size in sizes if size > 1) or "1"
