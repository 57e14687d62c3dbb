"""Which parameter of a kernel an address comes from, as far as its statements tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gemmviz.machine.flow import written
from gemmviz.machine.memory import Array
from gemmviz.machine.ptx.addresses import address_of
from gemmviz.machine.ptx.parse import Function, Statement

_SUMS = frozenset({"mov", "cvta", "add", "sub", "selp", "and", "or"})
_POINTERS = frozenset({"b64", "u64", "s64"})
_WRITES = frozenset({"st", "atom", "red"})
_NONE = frozenset[str]()


def array_meant(access: Statement, function: Function, values: Sequence[int], arrays: Sequence[Array]) -> Array | None:
    """The one of the arrays whose pointer the address of an access comes from. `values` are those of the kernel's
    parameters as whole numbers, addresses of arrays among them. None where it is not known, as of an access in a
    function that the kernel calls.
    """
    at = {one.address: one for one in arrays}
    given = {name: at[value] for name, value in zip(function.parameters, values, strict=True) if value in at}
    origins = origins_of(access, function.statements, [*given])
    return given[next(iter(origins))] if len(origins) == 1 else None


def origins_of(access: Statement, statements: Sequence[Statement], pointers: Sequence[str]) -> frozenset[str]:
    """Those of a kernel's parameters that are `pointers` which the address of an access may be computed from.
    `statements` are all of the kernel's own; empty where they do not tell, as where the address was kept in memory.
    """
    return _of_address(access, _known_origins(statements, pointers)) if access in statements else _NONE


def stores_of(function: Function) -> dict[str, list[str]]:
    """The lines in which a kernel's own statements write to memory at an address that comes from one of its parameters
    alone, by the names of these.
    """
    known = _known_origins(function.statements, function.parameters)
    found: dict[str, dict[str, None]] = {}
    for one in function.statements:
        origins = _of_address(one, known) if one.words[0] in _WRITES and "shared" not in one.words else _NONE
        if len(origins) == 1:
            found.setdefault(next(iter(origins)), {})[str(one.place.line)] = None
    return {name: sorted(lines, key=int) for name, lines in found.items()}


def _of_address(access: Statement, known: dict[str, frozenset[str]]) -> frozenset[str]:
    address = address_of(access)
    register = access.scope.register(address.base) if address is not None else None
    return known.get(register.unique, _NONE) if register is not None else _NONE


def _known_origins(statements: Sequence[Statement], pointers: Sequence[str]) -> dict[str, frozenset[str]]:
    """The parameters that what each register holds is computed from, by the registers' unique names."""
    known: dict[str, frozenset[str]] = {}
    making = [one for one in statements if _POINTERS & {*one.words} and (one.words[0] in _SUMS or _is_known(one))]
    is_changed = True
    while is_changed:
        is_changed = False
        for one in making:
            found = _NONE.union(*_sources(one, known, pointers))
            for name in written(one):
                before = known.get(name, _NONE)
                if not found <= before:
                    known[name], is_changed = before | found, True
    return known


def _is_known(one: Statement) -> bool:
    return one.words[0] == "mad" or one.words[:2] == ("ld", "param")


def _sources(one: Statement, known: dict[str, frozenset[str]], pointers: Sequence[str]) -> Iterator[frozenset[str]]:
    """The parameters that the operands of a statement come from; of a product with a summand those of the summand."""
    if one.words[0] == "ld":
        address = address_of(one)
        yield frozenset({address.base} if address is not None and not address.offset else ()) & {*pointers}
        return
    for text in one.operands[3 if one.words[0] == "mad" else 1 :]:
        register = one.scope.register(text)
        yield known.get(register.unique, _NONE) if register is not None else _NONE
