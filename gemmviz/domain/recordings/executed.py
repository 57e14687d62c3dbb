"""What the warps of a recording executed: instructions of each source line by kind, and how many lanes took part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from gemmviz.domain.session.field_ranges import Count, Line


@dataclass(frozen=True, slots=True)
class Executed:
    """Instructions of one kind that came of one line; line 0 where that is not known.

    `instructions` is the sum over all recorded warps, `lanes` the sum of the lanes that were active at each of them.
    A lane counts as active that an instruction's own predicate switches off.
    """

    line: Line
    kind: str
    instructions: Count
    lanes: Count


@dataclass(frozen=True, slots=True)
class ExecutedSum:
    """Some of the instructions together: how many on average for each warp, their part of all, and active lanes."""

    per_warp: float
    share: float
    lanes: float


def by_kind(executed: Iterable[Executed], warps: int) -> dict[str, ExecutedSum]:
    """The instructions of each kind that `warps` warps executed, most frequent first."""
    return _sums([(one.kind, one) for one in executed], warps)


def by_line(executed: Iterable[Executed], warps: int) -> dict[int, ExecutedSum]:
    """The instructions of each line that `warps` warps executed, most frequent first."""
    return _sums([(one.line, one) for one in executed], warps)


Key = TypeVar("Key", int, str)


def _sums(parts: list[tuple[Key, Executed]], warps: int) -> dict[Key, ExecutedSum]:
    instructions: dict[Key, int] = {}
    lanes: dict[Key, int] = {}
    for key, one in parts:
        instructions[key] = instructions.get(key, 0) + one.instructions
        lanes[key] = lanes.get(key, 0) + one.lanes
    whole = sum(instructions.values())
    order = sorted(instructions, key=lambda key: -instructions[key])
    return {
        key: ExecutedSum(instructions[key] / warps, instructions[key] / whole, lanes[key] / instructions[key])
        for key in order
        if instructions[key]
    }
