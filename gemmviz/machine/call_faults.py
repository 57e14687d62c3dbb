"""What is wrong with calls of functions, in words."""

from __future__ import annotations

from collections.abc import Mapping

from gemmviz.domain.kernels.mangled_names import plain_name
from gemmviz.machine.layout import Fault
from gemmviz.machine.ptx.calls import call_parts, is_by_pointer
from gemmviz.machine.ptx.parse import Statement


def call_fault_words(kind: Fault, site: Statement, address: int, functions: Mapping[int, str]) -> str:
    """What is wrong with a call; `address` is the pointer where it is by one, and `functions` are the names of the
    functions that have one.
    """
    name = functions.get(address, "") if is_by_pointer(site) else call_parts(site)[1]
    if kind is Fault.CALLS_ITSELF:
        return f"{plain_name(name)} comes to call itself, which is not implemented: write it as a loop"
    held = f"a call by a pointer that holds {address & (1 << 64) - 1:#x}"
    if name:
        return f"{held}, the address of {plain_name(name)}, whose parameters or results are not those of the call"
    return f"{held}, which is the address of no function"
