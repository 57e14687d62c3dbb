"""Every run of a session, and everything that did not run, as a row of cells. No Qt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain import figures
from gemmviz.domain.places import place_words
from gemmviz.domain.runs.doubts import EMULATED, doubt_of_device, doubts_of, marks_of
from gemmviz.domain.runs.result import RunError, RunResult, Session, Summary, Timing
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.runs.whole_runs import WholeTime
from gemmviz.domain.runs.whole_words import PARTS_UNKNOWN, WHY_UNKNOWN, spread_words
from gemmviz.domain.runs.wrong_elements import wrong_notes
from gemmviz.domain.shape import Shape, ShapeError
from gemmviz.explain.figures.run_facts import WRONG, WRONG_NOTE
from gemmviz.explain.figures.spread import spread_of
from gemmviz.explain.runs.cells import NOTHING, Cell, cell_of
from gemmviz.explain.runs.columns import COLUMNS, PLACE, Key
from gemmviz.explain.runs.gpu_cells import gpu_cells
from gemmviz.explain.source.source_fault import without_folder

DID_NOT_RUN = "did not run"
PASSED = "passed"
SEPARATOR = " · "

_EMULATED = "emulated"
TIME_COLUMNS = Key.MEDIAN, Key.HOST_CLOCK, Key.MOVED_IN, Key.MOVED_OUT, Key.END_TO_END
"""The columns of times whose unit is that of their greatest; the IQR has the median's."""
_TIMES = (Key.IQR, Key.MODE, Key.SAMPLES, Key.GFLOPS, Key.HOST_CLOCK, Key.MOVED_IN, Key.MOVED_OUT, Key.END_TO_END)
"""What an emulated run has none of."""

Item = RunResult | RunError


@dataclass(frozen=True, slots=True, eq=False)
class RunRow:
    """A run or what did not run, with a cell for each of COLUMNS. `median_ms` is nan for what did not run.

    `reference` is the run that × CPU compares with, `library` the one that × library does.
    """

    item: Item
    cells: tuple[Cell, ...]
    median_ms: float = math.nan
    reference: Item | None = None
    library: Item | None = None

    def cell(self, key: Key) -> Cell:
        """The cell of a column."""
        return self.cells[PLACE[key]]

    @property
    def failed(self) -> bool:
        return isinstance(self.item, RunError)

    @property
    def is_wrong(self) -> bool:
        """Whether it ran and its result did not pass."""
        return isinstance(self.item, RunResult) and not self.item.accuracy.passed

    @property
    def sentence(self) -> str:
        """The row as one line of words, for a screen reader and the tooltip of a row."""
        told = (f"{column.title} {cell.text}" for column, cell in zip(COLUMNS, self.cells, strict=True) if cell.text)
        return ", ".join(told)


def items_in_order(session: Session) -> list[Item]:
    """Runs and errors as they came: merged by the time they ended; one without a time stays beside its forerunner.

    A longer session keeps the order of a shorter one.
    """
    runs, errors = _timed(session.runs), _timed(session.errors)
    merged: list[Item] = []
    place = 0
    for ended, run in runs:
        while place < len(errors) and errors[place][0] < ended:
            merged.append(errors[place][1])
            place += 1
        merged.append(run)
    return merged + [error for _, error in errors[place:]]


def _timed(items: Iterable[Item]) -> list[tuple[str, Item]]:
    latest = ""
    timed: list[tuple[str, Item]] = []
    for item in items:
        latest = max(latest, item.finished)
        timed.append((latest, item))
    return timed


def row_of(item: Item, zone: tzinfo | None = None) -> RunRow:
    """The row of an item, its time in `zone` (None: that of the computer); × CPU and × library stand in compared.py."""
    if isinstance(item, RunError):
        return _error_row(item, zone)
    spec, timing, accuracy = item.spec, item.timing, item.accuracy
    kernel_ms, whole = spread_of(timing.kernel_samples_ms).summary, timing.whole
    cells = {
        Key.KERNEL: _kernel(item),
        Key.PARAMS: _params(spec.params),
        Key.SIZE: _size(str(spec.shape)),
        Key.DEVICE: _device(item),
        Key.MODE: _word(timing.mode.value),
        Key.MEDIAN: _time(kernel_ms.median),
        Key.IQR: cell_of(
            figures.spread(kernel_ms.iqr, kernel_ms.median, kernel_ms.n),
            kernel_ms.iqr if figures.has_quartiles(kernel_ms.n) else None,
        ),
        Key.SAMPLES: _samples(timing, kernel_ms),
        Key.GFLOPS: _number(gflops_of(item, kernel_ms.median)),
        Key.TIMES_CPU: NOTHING,
        Key.TIMES_LIBRARY: NOTHING,
        Key.HOST_CLOCK: _time(spread_of(timing.host_samples_ms).median),
        Key.MOVED_IN: _part(whole, whole.in_ms),
        Key.MOVED_OUT: _part(whole, whole.out_ms),
        Key.END_TO_END: cell_of(figures.milliseconds(whole.median), whole.median, spread_words(whole)),
        Key.ERROR: cell_of(
            figures.number(accuracy.max_error_over_ug),
            accuracy.max_error_over_ug,
            f"bound {figures.number(accuracy.bound)}, by {accuracy.method}",
        ),
        Key.PASSED: _passed(item),
        Key.FILL: _word(spec.fill.value),
        Key.SEED: cell_of(str(spec.seed), spec.seed),
        Key.SWEEP: cell_of(str(item.sweep), item.sweep) if item.sweep else NOTHING,
        Key.FINISHED: _finished(item.finished, zone),
        Key.BUILD: _word(item.build),
        Key.ARITHMETIC: _word(item.arithmetic.value),
    } | gpu_cells(item)
    if item.is_emulated:
        cells |= dict.fromkeys(_TIMES, NOTHING)
        cells[Key.MEDIAN] = cell_of(_EMULATED, math.nan, f"{figures.milliseconds(kernel_ms.median)}, {EMULATED}")
        return RunRow(item, tuple(cells[column.key] for column in COLUMNS))
    return RunRow(item, tuple(cells[column.key] for column in COLUMNS), kernel_ms.median)


def time_units(rows: Iterable[RunRow]) -> dict[Key, str]:
    """The unit of each of TIME_COLUMNS."""
    times: dict[Key, list[float]] = {key: [] for key in TIME_COLUMNS}
    for row in rows:
        for key, found in times.items():
            value = row.cell(key).value
            if isinstance(value, float):
                found.append(value)
    return {key: figures.time_unit(found) for key, found in times.items()}


def in_units(row: RunRow, units: Mapping[Key, str]) -> RunRow:
    """The row with its times in these units; the row itself where nothing changes."""
    cells = list(row.cells)
    for key, unit in units.items():
        cells[PLACE[key]] = _in_unit(row.cell(key), unit)
    iqr, median = row.cell(Key.IQR), row.cell(Key.MEDIAN).value
    if isinstance(iqr.value, float) and isinstance(median, float):
        words = figures.spread(iqr.value, median, figures.FEWEST_FOR_QUARTILES, units[Key.MEDIAN])
        cells[PLACE[Key.IQR]] = replace(iqr, text=words)
    return row if tuple(cells) == row.cells else replace(row, cells=tuple(cells))


def _in_unit(cell: Cell, unit: str) -> Cell:
    if not isinstance(cell.value, float) or math.isnan(cell.value):
        return cell
    return replace(cell, text=figures.milliseconds(cell.value, unit))


def _error_row(error: RunError, zone: tzinfo | None) -> RunRow:
    cells = dict.fromkeys(Key, NOTHING)
    cells |= {
        Key.KERNEL: cell_of(error.kernel, error.kernel, kernel_name(error.kernel).title),
        Key.PARAMS: _params(error.params),
        Key.SIZE: _size(error.size),
        Key.PASSED: cell_of(DID_NOT_RUN, DID_NOT_RUN, reason_of(error)),
        Key.FINISHED: _finished(error.finished, zone),
    }
    return RunRow(error, tuple(cells[column.key] for column in COLUMNS))


def reason_of(error: RunError) -> str:
    """Why something did not run, in one line, without the kernel's name in front."""
    return without_folder(" ".join(error.reason.removeprefix(f"{error.kernel}: ").split()))


def _kernel(run: RunResult) -> Cell:
    """The kernel's id; behind a word where its result is wrong, for the verdict's own column may be out of sight."""
    kernel, wrong = run.spec.kernel, not run.accuracy.passed
    tip = "\n".join(filter(None, (kernel_name(kernel).title, WRONG_NOTE if wrong else "")))
    return cell_of(f"{WRONG} · {kernel}" if wrong else kernel, kernel, tip)


def _word(text: str) -> Cell:
    return cell_of(text, text) if text else NOTHING


def _params(params: tuple[tuple[str, int], ...]) -> Cell:
    """Parameters sort by their values, name by name: TILE=8 before TILE=16."""
    text = format_params(params)
    order = tuple(part for name, value in params for part in (name, value))
    return cell_of(text, text, order=order) if text else NOTHING


def _size(text: str) -> Cell:
    try:
        shape = Shape.parse(text)
    except ShapeError:
        return _word(text)
    return cell_of(shape.words, text, order=(float(shape.flop), float(shape.m), float(shape.n)))


def _time(value_ms: float) -> Cell:
    return cell_of(figures.milliseconds(value_ms), value_ms)


def _part(whole: WholeTime, value_ms: float) -> Cell:
    return cell_of(PARTS_UNKNOWN, math.nan, WHY_UNKNOWN) if whole.are_parts_unknown else _time(value_ms)


def _number(value: float) -> Cell:
    return cell_of(figures.number(value), value)


def gflops_of(run: RunResult, median_ms: float) -> float:
    """`run.gflops` without finding the median once more."""
    return run.spec.shape.flop / (median_ms * 1e6) if median_ms > 0 else math.inf


def _samples(timing: Timing, kernel_ms: Summary) -> Cell:
    doubts = doubts_of(kernel_ms, timing.stopped_by, timing.gauges)
    tips = [f"stopped by: {timing.stopped_by}; {figures.count(timing.discarded)} discarded"]
    if timing.launches_per_sample > 1:
        tips.append(f"each of {figures.count(timing.launches_per_sample)} launches")
    tips += filter(None, [*doubts, timing.gauges.throttled_words])
    return cell_of(f"{figures.count(kernel_ms.n)} {marks_of(doubts)}".rstrip(), kernel_ms.n, "\n".join(tips))


def _passed(run: RunResult) -> Cell:
    accuracy = run.accuracy
    word = PASSED if accuracy.passed else WRONG
    tips = [figures.error_formula(accuracy.max_error_over_ug, accuracy.bound)]
    if accuracy.unwritten:
        tips.append(f"Never written: {figures.counted(accuracy.unwritten, 'element')} of C")
    if accuracy.elements:
        tips.append(
            f"{figures.count(accuracy.exact_matches)} of {figures.count(accuracy.elements)} elements equal to "
            f"{accuracy.exact_reference}"
        )
    return cell_of(word, word, "\n".join((*tips, *wrong_notes(run))))


def _device(run: RunResult) -> Cell:
    """The short name; the id is in the tooltip, and in what is kept."""
    device = run.device
    tip = _where(run) if device.short_name == device.id else f"{_where(run)}\n{device.id}"
    return cell_of(device.short_name, device.id, tip)


def _where(run: RunResult) -> str:
    place = place_words(run.device, run.finished)
    return "\n".join(filter(None, (place, doubt_of_device(run.device))))


def _finished(text: str, zone: tzinfo | None) -> Cell:
    """A UTC time of ISO 8601 in local time; what is none is shown as it stands."""
    try:
        local = datetime.fromisoformat(text).astimezone(zone)
    except (ValueError, OverflowError):
        return _word(text)
    return cell_of(f"{local:%Y-%m-%d %H:%M}", text, f"{local:%Y-%m-%d %H:%M:%S %Z}", order=(local.timestamp(),))
