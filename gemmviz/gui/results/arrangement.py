"""How a person arranged the results table, as text for the settings. No Qt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gemmviz.explain.runs.columns import COLUMNS, Key

WIDTHS = range(16, 2001)
"""Pixels a column may have."""


@dataclass(frozen=True, slots=True)
class ColumnPlace:
    """One column where it stands: its width in pixels and whether it is shown."""

    key: Key
    width: int
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The columns from left to right, and which one the rows are sorted by; None is the order of the session."""

    places: tuple[ColumnPlace, ...]
    sorted_by: Key | None = None
    descending: bool = False

    @property
    def as_text(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))


def arrangement_from(text: str) -> Arrangement | None:
    """What `as_text` gave; None for a text that is none.

    Columns it does not know are left out, those it lacks stand behind, as they are at first, and the kernel stays in
    front: a row must keep its name.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict) or not isinstance(values.get("places"), list):
        return None
    read = {place.key: place for place in map(_place, values["places"]) if place is not None}
    first = read.pop(Key.KERNEL, None)
    places = [ColumnPlace(Key.KERNEL, first.width, is_shown=True)] if first is not None else []
    sorted_by = _key(values.get("sorted_by"))
    return Arrangement((*places, *read.values()), sorted_by, values.get("descending") is True)


def _place(value: object) -> ColumnPlace | None:
    if not isinstance(value, Mapping):
        return None
    key, width, is_shown = _key(value.get("key")), _width(value), value.get("is_shown")
    return ColumnPlace(key, width, is_shown) if key is not None and width and isinstance(is_shown, bool) else None


def _width(value: Mapping[str, Any]) -> int:
    width = value.get("width")
    return width if type(width) is int and width in WIDTHS else 0


def _key(value: object) -> Key | None:
    known = {column.key.value: column.key for column in COLUMNS}
    return known.get(value) if isinstance(value, str) else None
