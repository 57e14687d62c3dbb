"""The columns that hold a run against another: × CPU and × library. No Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gemmviz.domain import figures
from gemmviz.domain.device import HOST
from gemmviz.domain.runs.baselines import IN_ITS_OWN, baseline_places, baselines_of, is_library_run
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.terms import Verdict
from gemmviz.explain.figures.run_facts import describe, facts_of
from gemmviz.explain.figures.timing.speedup import IN_TURN, SEPARATE, UNSURE, Speedup, speedup_of
from gemmviz.explain.runs.cells import NOTHING, Cell, cell_of
from gemmviz.explain.runs.columns import PLACE, Key
from gemmviz.explain.runs.rows import RunRow, in_units, items_in_order, row_of, time_units

Circumstances = tuple[object, object, object]


def circumstances(run: RunResult) -> Circumstances:
    """What two runs must have in common to be compared by × CPU."""
    return run.spec.shape, run.spec.fill, run.spec.seed


def references(rows: Iterable[RunRow], kernel: str) -> Mapping[Circumstances, RunRow]:
    """The newest run on the CPU of the kernel `kernel` (of any, for "") with a right result for each size,
    fill and seed.
    """
    return {
        circumstances(row.item): row
        for row in rows
        if isinstance(row.item, RunResult)
        and row.item.device.backend == HOST
        and row.item.accuracy.passed
        and kernel in ("", row.item.spec.kernel)
    }


def libraries(rows: Sequence[RunRow]) -> Mapping[int, RunResult]:
    """For each place of a run that × library has something to compare with: the run of the library."""
    places = [place for place, row in enumerate(rows) if isinstance(row.item, RunResult)]
    runs = [row.item for row in rows if isinstance(row.item, RunResult)]
    if not any(map(is_library_run, runs)):
        return {}
    found: dict[int, RunResult] = {}
    for baseline in baselines_of(runs):
        if baseline.is_library:
            for place, base in zip(places, baseline_places(runs, baseline), strict=True):
                if base is not None:
                    found.setdefault(place, runs[base])
    return found


def compared_rows(rows: Sequence[RunRow], kernel: str) -> list[RunRow]:
    """The rows with × CPU against the kernel `kernel` (any on the CPU, for "") and × library; a row itself where
    nothing changes.
    """
    found, of_library = references(rows, kernel), libraries(rows)
    compared = []
    for place, row in enumerate(rows):
        item = row.item
        against = with_reference(row, found.get(circumstances(item)) if isinstance(item, RunResult) else None)
        compared.append(with_library(against, of_library.get(place)))
    return compared


def rows_of(session: Session, kernel: str) -> list[RunRow]:
    """All rows of a session as the results table has them; `kernel` as in `compared_rows`."""
    rows = compared_rows([row_of(item) for item in items_in_order(session)], kernel)
    units = time_units(rows)
    return [in_units(row, units) for row in rows]


def with_reference(row: RunRow, reference: RunRow | None) -> RunRow:
    """The row with its × CPU against `reference`; the row itself where nothing changes."""
    against = None if reference is None else reference.item
    if row.reference is against:
        return row
    cell = NOTHING
    if isinstance(row.item, RunResult) and isinstance(against, RunResult) and row.median_ms > 0 and reference:
        name, time = against.spec.kernel, figures.milliseconds(reference.median_ms)
        ratio = reference.median_ms / row.median_ms
        tip, unsure, figure = f"against {name}, {time}", "", figures.number(ratio)
        if against is not row.item:
            found = speedup_of(*facts_of((row.item, against)))
            tip, unsure, figure = f"{tip}: {found.words}", _unsure(found.verdict), found.figure
        cell = cell_of(f"{unsure}{figure}", ratio, tip)
    return replace(row, cells=_put(row, Key.TIMES_CPU, cell), reference=against)


def with_library(row: RunRow, library: RunResult | None) -> RunRow:
    """The row with its × library against a run of it; the row itself where nothing changes."""
    if row.library is library:
        return row
    cell = NOTHING
    if library is not None and isinstance(row.item, RunResult):
        mine, other = facts_of((row.item, library))
        cell = _library_cell(speedup_of(mine, other), is_itself=row.item is library)
    return replace(row, cells=_put(row, Key.TIMES_LIBRARY, cell), library=library)


def _library_cell(found: Speedup, *, is_itself: bool) -> Cell:
    if not math.isfinite(found.ratio):
        return NOTHING
    if is_itself:
        return cell_of(figures.number(1.0), 1.0, "the baseline of this column")
    spec, ms = found.baseline.run.spec, found.baseline.device_ms.median
    series = IN_TURN if found.in_turn else SEPARATE
    tip = (
        f"against {describe(spec)}, {figures.milliseconds(ms)}, {IN_ITS_OWN}\n"
        f"from {figures.number(found.low)} to {figures.number(found.high)}, {series}: {found.words}"
    )
    return cell_of(f"{_unsure(found.verdict)}{found.figure}", found.ratio, tip)


def _unsure(verdict: Verdict) -> str:
    """What stands before a ratio that may be on either side of 1."""
    return UNSURE if verdict is Verdict.CANNOT_TELL else ""


def _put(row: RunRow, key: Key, cell: Cell) -> tuple[Cell, ...]:
    place = PLACE[key]
    return (*row.cells[:place], cell, *row.cells[place + 1 :])
