"""Addresses in brackets, as accesses name them: a register or a variable, and a constant behind it."""

from __future__ import annotations

import re
from typing import NamedTuple

from gemmviz.machine.ptx.parse import Statement

_ADDRESS = re.compile(r"\[\s*(?P<base>[\w$%.]+)\s*(?:\+\s*(?P<offset>-?\d+))?\s*\]")


class PtxAddress(NamedTuple):
    """The name of a register or a variable, and by how many bytes an access is behind it."""

    base: str
    offset: int


def address_in(operand: str) -> PtxAddress | None:
    """The address that an operand is; None of any other operand."""
    match = _ADDRESS.fullmatch(operand.strip())
    return None if match is None else PtxAddress(match["base"], int(match["offset"] or 0))


def address_of(statement: Statement) -> PtxAddress | None:
    """The address that a statement accesses; None of one that accesses none."""
    return next(filter(None, map(address_in, statement.operands)), None)
