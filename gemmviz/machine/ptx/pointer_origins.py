"""Which parameter of a kernel an address comes from, as far as its statements tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gemmviz.machine.flow import written
from gemmviz.machine.memory import Array
from gemmviz.machine.ptx.addresses import address_of
from gemmviz.machine.ptx.parse import Function, Statement

_SUMS = frozenset({"mov", "cvta", "add", "sub", "selp", "and", "or"})
_POINTERS = frozenset({"b64", "u64", "s64"})
_NONE = frozenset[str]()


def array_meant(access: Statement, function: Function, arguments: Sequence[object]) -> Array | None:
    """The array of the one pointer that the address of an access comes from, among what a launch gives a kernel for its
    parameters; None where that is not known, as of an access in a function that the kernel calls.
    """
    given = dict(zip(function.parameters, arguments, strict=True))
    arrays = {name: value for name, value in given.items() if isinstance(value, Array)}
    found = origins_of(access, function.statements, [*arrays])
    return arrays[next(iter(found))] if len(found) == 1 else None


def origins_of(access: Statement, statements: Sequence[Statement], pointers: Sequence[str]) -> frozenset[str]:
    """Those of a kernel's parameters that are `pointers` which the address of an access may be computed from.
    `statements` are all of the kernel's own; empty where they do not tell, as where the address was kept in memory.
    """
    address = address_of(access)
    register = access.scope.register(address.base) if address is not None else None
    if register is None or access not in statements:
        return _NONE
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
    return known.get(register.unique, _NONE)


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
