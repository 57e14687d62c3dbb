"""What each setting of a kernel's parameters takes and does, as far as that is known without a GPU. No Qt.

A setting is a version of the kernel's file with parameters of its own, and its figures are those of a version.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.domain.recordings.multiply_adds import multiply_adds_of
from gemmviz.domain.runs.tables import format_params
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.figures.param_words import names_together, values_together, varied_params
from gemmviz.explain.source.version_figures import (
    EXCESS,
    FIGURES,
    HAZARDS,
    RESULT,
    RIGHT,
    SECTORS,
    Measured,
    VersionFigure,
    faults_of,
    text_of,
)
from gemmviz.trace.counts.totals import Totals
from gemmviz.trace.explain import totals_of

NAME = "sweep_figures"
NO_SETTINGS = (
    "For each setting of a kernel's parameters, this page shows what is known without a GPU: registers, spills, shared "
    "memory, occupancy, requests, sectors, bank conflicts, hazards, and whether the result is right. Choose a kernel "
    "that has parameters on the left, then press Examine."
)
_PER = 1000


def _per_work(read: Callable[[Totals], int]) -> Callable[[Measured], float]:
    """A count of the recorded block for 1000 of its multiply-adds, so that blocks of different sizes compare."""

    def value(measured: Measured) -> float:
        work = multiply_adds_of(measured.trace) if measured.trace is not None else None
        return _PER * read(totals_of(measured.trace)) / work if measured.trace is not None and work else math.nan

    return value


SECTORS_OF_WORK = VersionFigure(
    f"sectors per {_PER} multiply-adds",
    "Of the recorded block. Blocks of different sizes do different work: compare settings by this figure",
    _per_work(lambda found: found.global_sectors),
    figures.number,
    is_recorded=True,
)
WAVEFRONTS_OF_WORK = VersionFigure(
    f"wavefronts per {_PER} multiply-adds",
    "Of the recorded block: passes through shared memory. Compare settings by this figure",
    _per_work(lambda found: found.wavefronts),
    figures.number,
    is_recorded=True,
)
_BEHIND = {SECTORS.name: SECTORS_OF_WORK, EXCESS.name: WAVEFRONTS_OF_WORK}
_FIRST = (RESULT, HAZARDS)
SETTING_FIGURES = (
    *_FIRST,
    *(
        one
        for figure in FIGURES
        if figure not in _FIRST
        for one in (figure, _BEHIND.get(figure.name))
        if one is not None
    ),
)
"""The columns in their order: first whether a setting is right at all."""
_HEADS = {
    "registers per thread": "regs",
    "bytes spilled": "spilled",
    "shared memory per block": "shared",
    "theoretical occupancy": "occ.",
    "requests to global memory": "req",
    "sectors": "sect",
    SECTORS.name: "sect/req",
    SECTORS_OF_WORK.name: "sect/1000",
    "requests to shared memory": "req (sh)",
    "wavefronts": "wavef",
    EXCESS.name: "excess",
    WAVEFRONTS_OF_WORK.name: "wavef/1000",
    "instructions per warp": "instr/warp",
}
HEADS_MEAN = (
    f"Columns: req and sect are requests to global memory and their 32-byte sectors, req (sh) requests to shared "
    f"memory, wavef its wavefronts, excess those that bank conflicts add, /{_PER} a count per {_PER} multiply-adds"
)
"""What the short names of the figures mean."""


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting: its name, "TILE=16", the text of each of SETTING_FIGURES, and what is wrong with it."""

    name: str
    cells: tuple[str, ...]
    values: tuple[float, ...]
    faults: tuple[str, ...]

    def is_wrong_in(self, place: int) -> bool:
        """Whether the figure at a place says that the kernel is wrong with this setting."""
        figure, value = SETTING_FIGURES[place], self.values[place]
        return (figure is HAZARDS and value > 0) or (figure is RESULT and value < 1)

    @property
    def is_sound(self) -> bool:
        """Whether its result is right and it has no hazard."""
        return self.cells[SETTING_FIGURES.index(RESULT)] == RIGHT and self.values[SETTING_FIGURES.index(HAZARDS)] == 0


def head_of(figure: VersionFigure) -> str:
    """A figure's name where there is little room."""
    return _HEADS.get(figure.name, figure.name)


def setting_rows(settings: Sequence[Measured]) -> tuple[SettingRow, ...]:
    """A row for each setting."""
    varied = varied_params([one.version.params for one in settings])
    found = []
    for one in settings:
        values = tuple(figure.value(one) for figure in SETTING_FIGURES)
        cells = tuple(text_of(figure, value) for figure, value in zip(SETTING_FIGURES, values, strict=True))
        name = values_together(one.version.params, varied) or format_params(one.version.params)
        found.append(SettingRow(name, cells, values, faults_of(one.version)))
    return tuple(found)


def settings_head(settings: Sequence[Measured]) -> str:
    """What the names of the rows are: "TILE", "BM·BN"."""
    return names_together(varied_params([one.version.params for one in settings])) or "setting"


def settings_words(settings: Sequence[Measured]) -> str:
    """What was examined and how: "H100 (sm_90a), NVRTC 13.0; one block recorded as compiled at 1024 × 1024 × 256"."""
    code = next((one.version.compilation for one in settings if one.version.compilation is not None), None)
    traces = [one.trace for one in settings if one.trace is not None]
    parts = [f"{code.gpu_words}, {code.compiler}"] if code is not None else []
    if traces:
        shapes = list(dict.fromkeys(trace.spec.shape.words for trace in traces))
        at = shapes[0] if len(shapes) == 1 else "several sizes"
        parts.append(f"block {','.join(map(str, traces[0].blocks[0].block[:2]))} {traces[0].recorded_words} at {at}")
    return "; ".join(parts)


def settings_table(settings: Sequence[Measured]) -> PlotTable:
    """Every figure in full precision, and where it comes from; "" where it is not known."""
    params = [name for name, _ in settings[0].version.params] if settings else []
    columns = (
        *("kernel", *(f"param_{name}" for name in params), "gpu", "target", "compiler", "limited_by"),
        *("m", "n", "k", "block", "form", "multiply_adds"),
        *(_column(figure) for figure in SETTING_FIGURES),
        *("checked_at", "faults"),
    )
    rows = []
    for one in settings:
        version, code, trace = one.version, one.version.compilation, one.trace
        shape = trace.spec.shape if trace is not None else None
        fits = code.occupancy if code is not None else None
        cells: list[str | int | float] = [version.kernel, *(value for _, value in version.params)]
        cells += [code.gpu, code.target, code.compiler] if code is not None else ["", "", ""]
        cells.append(" and ".join(fits.limited_by) if fits is not None else "")
        cells += [shape.m, shape.n, shape.k] if shape is not None else ["", "", ""]
        cells.append(" ".join(map(str, trace.blocks[0].block)) if trace is not None and trace.blocks else "")
        cells.append(str(trace.form) if trace is not None else "")
        cells.append((multiply_adds_of(trace) or "") if trace is not None else "")
        cells += [_cell(figure, figure.value(one)) for figure in SETTING_FIGURES]
        cells += [version.check.shape.words if version.check is not None else "", "; ".join(faults_of(version))]
        rows.append(dict(zip(columns, cells, strict=True)))
    return PlotTable(NAME, columns, tuple(rows))


def _column(figure: VersionFigure) -> str:
    return figure.name.replace(" ", "_").replace("-", "_")


def _cell(figure: VersionFigure, value: float) -> str | int | float:
    if math.isnan(value):
        return ""
    if figure is RESULT:
        return figure.text(value)
    return int(value) if value == int(value) else value
