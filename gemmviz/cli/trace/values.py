"""The variables of one thread at each barrier, as `gemmviz trace --values` prints them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.table import Table

from gemmviz.cli.faults import BadInputError
from gemmviz.cli.terminal import report_terminal
from gemmviz.domain.figures import counted
from gemmviz.domain.recordings.access import MappedArray
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.variables import Scalar, Variable
from gemmviz.trace.barriers import barriers_of
from gemmviz.trace.frames.thread_variables import HeldValue, ThreadVariables
from gemmviz.trace.frames.variable_words import pointer_words, value_words

Index = tuple[int, int, int]
_PIPED_WIDTH = 120
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Stop:
    """A place at which a thread stands: the line of a barrier, 0 at the end, and what its variables hold there."""

    line: int
    held: tuple[HeldValue, ...]

    @property
    def words(self) -> str:
        """The place in a table."""
        return f"barrier, line {self.line}" if self.line else "end"


@dataclass(frozen=True, slots=True)
class PrintedValues:
    """What is printed of a thread of a block; `note` says what is missing."""

    thread: Index
    block: Index
    stops: tuple[Stop, ...]
    arrays: tuple[MappedArray, ...]
    note: str


def values_of(run: TraceRun, thread: Index) -> PrintedValues:
    """The variables of a thread of the first block that a recording keeps.

    Raises:
        BadInputError: the block has no such thread.
    """
    number = 0
    for axis, at, size in zip("zyx", reversed(thread), reversed(run.launch.block), strict=True):
        if at >= size:
            block = " x ".join(map(str, run.launch.block))
            raise BadInputError(
                f"--thread {','.join(map(str, thread))}: a block is {block} threads, so {axis} is 0 to {size - 1}"
            )
        number = number * size + at
    kept = run.blocks[0]
    trace = kept.trace(run.sites, run.arrays)
    found = ThreadVariables(trace, kept.values, number)
    stops: list[Stop] = []
    if found.are_known:
        barriers = barriers_of(trace)
        stops = [Stop(barriers.place_at(slot).line, found.at(slot)) for slot in found.barriers.tolist()]
        stops.append(Stop(0, found.at(found.end)))
    return PrintedValues(thread, kept.block, tuple(stops), run.arrays, kept.values.note)


def print_values(values: PrintedValues) -> None:
    """Print a table with a row for each barrier; what is the same at all of them stands above it, once."""
    terminal = report_terminal(_PIPED_WIDTH)
    terminal.print()
    of_block = ",".join(map(str, values.block if values.block[2] else values.block[:2]))
    terminal.print_words(
        (f"Variables of thread ({_shown(values.thread)}) of block {of_block}", "bold"), ", from the run"
    )
    if values.note:
        terminal.print_words(values.note, style="yellow")
    if not values.stops:
        return
    texts = [
        {_key(held.variable): value_words(held, values.arrays, _DIGITS) for held in one.held} for one in values.stops
    ]
    names = dict.fromkeys(key for row in texts for key in row)
    constant = [key for key in names if len({row.get(key) for row in texts if key in row}) == 1]
    for key in constant:
        terminal.print_hanging((f"{key}  ", "dim"), hanging=next(row[key] for row in texts if key in row))
    changing = [key for key in names if key not in constant]
    if not changing:
        terminal.print_words(f"Nothing else changes at its {counted(len(texts) - 1, 'barrier')}.", style="dim")
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    for key in changing:
        table.add_column(key, justify="right")
    for stop, row in zip(values.stops, texts, strict=True):
        table.add_row(stop.words, *(row.get(key, "") for key in changing))
    terminal.print_table(table)


def values_entry(values: PrintedValues) -> dict[str, Any]:
    """The same for a JSON document."""
    return {
        "thread": list(values.thread),
        "block": list(values.block),
        "note": values.note,
        "stops": [
            {"line": stop.line or None, "variables": [_entry(held, values.arrays) for held in stop.held]}
            for stop in values.stops
        ],
    }


def _entry(held: HeldValue, arrays: tuple[MappedArray, ...]) -> dict[str, Any]:
    variable = held.variable
    entry: dict[str, Any] = {
        "name": variable.name,
        "function": variable.function,
        "type": variable.type,
        "line": variable.line,
        "shape": list(variable.shape),
        "why_not": variable.why_not,
    }
    numbers = held.numbers.tolist() if not variable.why_not else []
    if variable.scalar is Scalar.POINTER:
        numbers = [pointer_words(number, arrays) for number in numbers]
    # JSON knows neither nan nor infinity.
    told = [number if not isinstance(number, float) or number - number == 0 else str(number) for number in numbers]
    there = held.is_assigned.tolist()
    entry["values"] = [one if is_there else None for one, is_there in zip(told, there, strict=True)]
    return entry


def _key(variable: Variable) -> str:
    return f"{variable.function}: {variable.name}" if variable.function else variable.name


def _shown(thread: Index) -> str:
    return ", ".join(map(str, thread if thread[2] else thread[:2]))
