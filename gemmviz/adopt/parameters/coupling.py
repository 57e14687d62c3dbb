"""Which parameters of a kernel its launch depends on, as the host code and the kernel's source say."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.tree import IDENTIFIER


def block_names(
    kernel: FoundKernel, launches: Sequence[FoundLaunch], axis: int, names: Collection[str]
) -> frozenset[str]:
    """Those of these names that an axis of the block is written with: in a launch, in `__launch_bounds__`, in an
    assert.
    """
    inside = (
        {name for text in (kernel.bound, *kernel.threads) for name in IDENTIFIER.findall(text)} if axis == 0 else set()
    )
    found = _in_kernel(kernel, inside)
    for launch in launches:
        found |= _in_kernel(kernel, _of_template(kernel, launch, launch.named.block[axis : axis + 1]))
    return frozenset(found & set(names))


def grid_names(
    kernel: FoundKernel, launches: Sequence[FoundLaunch], axis: int, names: Collection[str]
) -> frozenset[str]:
    """Those of these names that an axis of the grid is written with in a launch, or that the kernel multiplies the
    index of a block by.
    """
    found = _in_kernel(kernel, {text for one, text in kernel.block_edges if one == "xyz"[axis]})
    for launch in launches:
        found |= _in_kernel(kernel, _of_template(kernel, launch, launch.named.grid[axis : axis + 1]))
    return frozenset(found & set(names))


def shared_names(kernel: FoundKernel, launches: Sequence[FoundLaunch], names: Collection[str]) -> frozenset[str]:
    """Those of these names that a launch computes its shared memory from."""
    found = [_of_template(kernel, launch, (launch.named.shared_bytes,)) for launch in launches]
    return frozenset(set().union(*found) & set(names))


def _of_template(kernel: FoundKernel, launch: FoundLaunch, texts: Sequence[frozenset[str]]) -> set[str]:
    """The names in parts of a launch, with the parameters of the template that are given what has the same name."""
    found = {name for one in texts for name in one}
    pairs = zip(kernel.template, launch.named.template, strict=False)
    return found | {parameter.name for parameter, given in pairs if given & found}


def _in_kernel(kernel: FoundKernel, names: Collection[str]) -> set[str]:
    """Names, and those that the kernel's body computes them from."""
    values, found, waiting = dict(kernel.constants), set(), [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += IDENTIFIER.findall(values.get(name, ""))
    return found
