"""Kernels that write more than one of the arrays that they are given, such as parts of sums beside their sum."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.domain.listing import listed
from gemmviz.machine.ptx.pointer_origins import stores_of

_ONE = 1
"""Results that a product has."""
_ATOMIC = ("atom", "red")
_APART = (
    "write each in a kernel of its own, and keep what is only a workspace, such as parts of sums, in a "
    "`__device__` array"
)
_ADD_UP = (
    "where blocks leave parts of sums in a workspace, let a second kernel add them up: which of its blocks wait for "
    "others by atomic operations is not examined"
)


def several_results(kernel: CompiledKernel | None, names: Sequence[str], local: Collection[int] = ()) -> str:
    """That a compiled kernel stores to more than one of its parameters, in which lines, and what to do; "" where its
    statements do not say so. `names` are what the parameters are called, `local` the places of those in local memory,
    which hold no result.
    """
    if kernel is None:
        return ""
    function = kernel.program.function
    stores = stores_of(function)
    pointers = [place for place, kind in enumerate(kernel.types) if kind.is_pointer and place not in local]
    written = {place: stores[function.parameters[place]] for place in pointers if function.parameters[place] in stores}
    if len(written) <= _ONE:
        return ""
    told = [f"{names[place]} in line{'s'[: len(lines) != 1]} {listed(lines)}" for place, lines in written.items()]
    is_counting = any(one.words[0] in _ATOMIC for one in function.statements)
    return f"it writes to {', and to '.join(told)}, and a product has one result: {_ADD_UP if is_counting else _APART}"
