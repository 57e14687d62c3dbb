"""What a row says where it has one line: what tells it from others of its name, and of its note what matters. No Qt."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.explain.figures.figure import Row

_BETWEEN = " · "
_NUMBER = re.compile(r" #\d+$")


@dataclass(frozen=True, slots=True)
class OneLine:
    """The words beside a row's name and those beside its figure; the kernel's title comes before the former."""

    beside: str
    note: str
    title: str = ""


def whole_lines(rows: Sequence[Row]) -> tuple[OneLine, ...]:
    """Everything that two lines say, for a wide plot."""
    return tuple(OneLine(_joined(row.beside, row.detail), row.note, row.title) for row in rows)


def short_lines(rows: Sequence[Row], *, between_kernels: bool = True) -> tuple[OneLine, ...]:
    """Of the details only what rows of one kernel do not have in common, with all parameters of a row of which values
    differ `between_kernels`, and the device and the caches of a run where not all rows have the same; of the notes only
    the flags. An ellipsis stands for parameters that are left out beside others.
    """
    alike: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        alike[_NUMBER.sub("", row.name)].append(place)
    parts = [_parts(row.detail) for row in rows]
    everywhere = set(parts[0]).intersection(*parts) if parts else set()
    differing, telling = _differing(parts) if between_kernels else set(), [""] * len(rows)
    for places in alike.values():
        common = set(parts[places[0]]).intersection(*(parts[place] for place in places))
        for place in places:
            has_run = rows[place].run is not None
            is_whole = not differing.isdisjoint(common)
            left_out = everywhere | {part for part in common if "=" in part or not has_run}
            told = [part for part in parts[place] if part not in left_out or (is_whole and "=" in part)]
            telling[place] = " ".join(_with_ellipsis(told, parts[place]))
    return tuple(OneLine(_joined(row.beside, words), row.flag) for row, words in zip(rows, telling, strict=True))


def titled_lines(rows: Sequence[Row]) -> tuple[OneLine, ...]:
    """Of the details as little as in short lines, but the whole notes and the kernels' titles."""
    return tuple(OneLine(few.beside, row.note, row.title) for row, few in zip(rows, short_lines(rows), strict=True))


def _with_ellipsis(told: list[str], parts: Sequence[str]) -> list[str]:
    """What is told of a row, with an ellipsis behind its parameters where these are not all."""
    last = max((place for place, part in enumerate(told) if "=" in part), default=None)
    if last is None or sum("=" in part for part in told) == sum("=" in part for part in parts):
        return told
    return [*told[: last + 1], "…", *told[last + 1 :]]


def _differing(parts: Sequence[Sequence[str]]) -> set[str]:
    """Every parameter, with its value, that has another value in another row: "TILE=2" where one has "TILE=16"."""
    values: dict[str, set[str]] = defaultdict(set)
    for part in (part for row in parts for part in row if "=" in part):
        values[part.partition("=")[0]].add(part)
    return {part for found in values.values() if len(found) > 1 for part in found}


def _parts(detail: str) -> tuple[str, ...]:
    """The circumstances, and each parameter by itself."""
    found: list[str] = []
    for part in filter(None, detail.split(_BETWEEN)):
        found += part.split() if all("=" in word for word in part.split()) else [part]
    return tuple(found)


def _joined(*words: str) -> str:
    return _BETWEEN.join(filter(None, words))
