"""Reads what Nsight Compute prints with `--csv`. Pure: text in, values out.

Before the table stand lines of the profiler and of the program it watched. There are two tables: one metric per line
(the details page), and one launch per line with the units below the heads (`--page raw`). Both are read.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_NAME, _ID = "Kernel Name", "ID"
_FACTS = {
    "ID",
    "Process ID",
    "Process Name",
    "Host Name",
    "Kernel Name",
    "Context",
    "Stream",
    "Block Size",
    "Grid Size",
    "Device",
    "CC",
    "Section Name",
    "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg",
}


class NcuError(ValueError):
    """Nsight Compute counted nothing; the message is what it said."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One launch: the kernel's name as ncu writes it, and its metrics; one that was not available is absent."""

    number: int
    kernel: str
    metrics: dict[str, float]


def read_ncu(text: str) -> tuple[Counted, ...]:
    """The launches in the order they were made.

    Raises:
        NcuError: there is no table, or ncu reported an error before it.
    """
    lines = text.splitlines()
    errors = [line.removeprefix("==ERROR== ") for line in lines if line.startswith("==ERROR==")]
    begin = next((place for place, line in enumerate(lines) if line.startswith(f'"{_ID}",')), None)
    if begin is None:
        raise NcuError("; ".join(errors) or "no table: " + (lines[-1] if lines else "it printed nothing"))
    rows = list(csv.reader(line for line in lines[begin:] if line.startswith('"')))
    head, body = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    found = _by_metric(head, body) if "Metric Name" in head else _by_launch(head, body)
    launches: dict[int, Counted] = {}
    for number, kernel, metric, value in found:
        known = launches.setdefault(number, Counted(number, kernel, {}))
        if value is not None:
            known.metrics[metric] = value
    return tuple(launches[number] for number in sorted(launches))


Value = tuple[int, str, str, float | None]


def _by_metric(head: Sequence[str], body: Sequence[Sequence[str]]) -> Iterator[Value]:
    places = {name: head.index(name) for name in (_ID, _NAME, "Metric Name", "Metric Unit", "Metric Value")}
    for row in body:
        unit = row[places["Metric Unit"]]
        value = number_in(row[places["Metric Value"]], unit)
        yield int(row[places[_ID]]), row[places[_NAME]], row[places["Metric Name"]], value


def _by_launch(head: Sequence[str], body: Sequence[Sequence[str]]) -> Iterator[Value]:
    units, launches = (body[0], body[1:]) if body and not body[0][0] else ([""] * len(head), body)
    number_at, name_at = head.index(_ID), head.index(_NAME)
    for row in launches:
        for name, unit, text in zip(head, units, row, strict=True):
            if name not in _FACTS:
                yield int(row[number_at]), row[name_at], name, number_in(text, unit)


_SCALES = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


def number_in(text: str, unit: str = "") -> float | None:
    """The number that ncu wrote, in the base of its unit: "4,457,310", "1.5" of "Mbyte"; None for "n/a" and for text.

    >>> number_in("4,457,310"), number_in("1.5", "Mbyte"), number_in("n/a"), number_in("")
    (4457310.0, 1500000.0, None, None)
    """
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value * _SCALES.get(unit[:1], 1.0) if unit[1:] in ("byte", "sector", "request", "inst") else value
