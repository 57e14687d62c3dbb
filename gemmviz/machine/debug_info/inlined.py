"""Where the debug information of code compiled as written says that a function was inlined, and which line calls it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.machine.debug_info.entries import Attribute, DebugEntry, DebugTag, Entries, read_entries
from gemmviz.machine.debug_info.sections import DebugInfoError, Symbol, labels_of, read_sections


@dataclass(frozen=True, slots=True)
class InlinedScope:
    """The code text[begin:end] of a call of `function`, which is a number of it; `file` is that of the line that
    calls, as `.file` numbers it.
    """

    begin: int
    end: int
    function: int
    file: int
    line: int


def inlined_scopes(text: str) -> tuple[InlinedScope, ...]:
    """The inlined calls of a PTX text, an outer one before those within; () where its debug information has none or is
    damaged.
    """
    if ".debug_info" not in text:
        return ()
    try:
        sections = read_sections(text)
        entries = read_entries(sections)
        labels = labels_of(text)
        return tuple(scope for unit in entries.units for scope in _within(unit, entries, labels))
    except DebugInfoError:
        return ()


def _within(entry: DebugEntry, entries: Entries, labels: dict[str, int]) -> Iterator[InlinedScope]:
    for one in entry.children:
        function = entries.referred(one, Attribute.ORIGIN)
        line, file = one.number(Attribute.CALL_LINE), one.number(Attribute.CALL_FILE)
        if one.tag == DebugTag.INLINED and function is not None and line and file:
            begin, end = (_place(one, bound, labels) for bound in (Attribute.LOW, Attribute.HIGH))
            if begin is not None and end is not None:
                yield InlinedScope(begin, end, function.offset, file, line)
        yield from _within(one, entries, labels)


def _place(entry: DebugEntry, bound: Attribute, labels: dict[str, int]) -> int | None:
    value = entry.attributes.get(bound)
    place = labels.get(value.name) if isinstance(value, Symbol) else None
    return None if place is None or not isinstance(value, Symbol) else place + value.offset
