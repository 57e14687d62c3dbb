"""What the variables of a thread hold at a frame, as the rows of a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from gemmviz.domain.recordings.access import BARRIER_SITE, MappedArray
from gemmviz.domain.visible_text import make_visible
from gemmviz.trace.barriers import barriers_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.thread_variables import BlockVariables, HeldValue, ThreadVariables
from gemmviz.trace.frames.variable_words import NOT_ASSIGNED, scalar_words, value_words

_DIGITS = 6
_OF_ARRAYS = 4
"""Digits of numbers, and of those of which several stand in a row; the tooltip has them all."""
NOTHING_YET = "This thread has made no access yet."
NOTHING_KNOWN = "No variable is known here."


@dataclass(frozen=True, slots=True)
class VariableRow:
    """A variable, or a row of an array; `is_changed` since the frame before."""

    name: str
    value: str
    type: str
    is_changed: bool
    tip: str

    def __post_init__(self) -> None:
        make_visible(self, "name", "value", "type", "tip")

    @property
    def spoken(self) -> str:
        """The row for a screen reader."""
        changed = ", changed" if self.is_changed else ""
        return (
            f"{self.name} = {self.value}, {self.type}{changed}" if self.type else f"{self.name} = {self.value}{changed}"
        )


@dataclass(frozen=True, slots=True)
class VariableTable:
    """The variables of one thread; `where` says at which place in the code it stands, `note` what is missing."""

    title: str
    where: str
    rows: tuple[VariableRow, ...]
    note: str = ""

    @property
    def text(self) -> str:
        """All of it for the clipboard: a line for each row, its parts a tab apart."""
        lines = ["\t".join((row.name, row.value, row.type, "changed" if row.is_changed else "")) for row in self.rows]
        return "\n".join([self.title, *filter(None, (self.where, self.note)), *(line.rstrip() for line in lines)])


def variable_table(frames: Frames, index: int, variables: BlockVariables, thread: int) -> VariableTable:
    """The variables of a thread at frame `index`.

    Raises:
        IndexError: there is no such frame or thread.
    """
    title = f"Variables of thread {variables.place_words(thread)}"
    found, note = variables.of(thread), variables.values.note
    if not found.are_known:
        return VariableTable(title, "", (), note)
    point = found.point_of(frames.span(index))
    if point is None:
        return VariableTable(title, "", (), NOTHING_YET)
    before = found.point_of(frames.span(index - 1)) if index else None
    last = {_key(held): held for held in found.at(before)} if before is not None else {}
    rows = tuple(row for held in found.at(point) for row in _rows(held, last.get(_key(held)), frames.trace.arrays))
    return VariableTable(title, _where(found, point), rows, note if rows else f"{NOTHING_KNOWN} {note}".strip())


def _key(held: HeldValue) -> tuple[str, str, int]:
    return held.variable.function, held.variable.name, held.variable.line


def _where(found: ThreadVariables, point: int) -> str:
    """Before which line the thread stands."""
    trace = found.trace
    if point == found.end:
        return "at its end"
    number = int(trace.slot_site[point])
    if number != BARRIER_SITE:
        return f"before the access in line {trace.sites[number].line}"
    line = barriers_of(trace).place_at(point).line
    return f"at the barrier in line {line}" if line else "at a barrier"


def _rows(held: HeldValue, before: HeldValue | None, arrays: Sequence[MappedArray]) -> Iterator[VariableRow]:
    variable = held.variable
    name = f"{variable.function}: {variable.name}" if variable.function else variable.name
    whole = value_words(held, arrays)
    tip = f"{variable.type} {variable.name} = {whole}" + (
        f"\nDeclared in line {variable.line}." if variable.line else ""
    )
    if variable.why_not:
        yield VariableRow(name, whole, variable.type, is_changed=False, tip=tip)
        return
    changed = [
        before is None or not same or bits != other
        for bits, same, other in zip(
            held.bits.tolist(),
            (held.is_assigned == (before or held).is_assigned).tolist(),
            (before or held).bits.tolist(),
            strict=True,
        )
    ]
    if not variable.shape:
        yield VariableRow(name, scalar_words(held, arrays, _DIGITS)[0], variable.type, changed[0], tip)
        return
    size = variable.shape[-1]
    words = scalar_words(held, arrays, _OF_ARRAYS)
    widest = max(map(len, words))
    for number in range(prod(variable.shape[:-1])):
        part = slice(number * size, number * size + size)
        if all(word == NOT_ASSIGNED for word in words[part]):
            continue
        place = "".join(f"[{at}]" for at in _place(number, variable.shape[:-1]))
        of_type = variable.type if number == 0 else ""
        yield VariableRow(
            f"{name}{place}",
            "  ".join(word.ljust(widest) for word in words[part]).rstrip(),
            of_type,
            any(changed[part]),
            tip,
        )


def _place(number: int, shape: tuple[int, ...]) -> list[int]:
    found: list[int] = []
    for size in reversed(shape):
        found.insert(0, number % size)
        number //= size
    return found
