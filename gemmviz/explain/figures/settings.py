"""What each setting of a kernel's parameters takes and does, as far as that is known without a GPU. No Qt.

A setting is a version of the kernel's file with parameters of its own, and its figures are those of a version.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.domain.kernels.examined_sweep import (
    ExaminedSetting,
    ExaminedSweep,
    digest_of,
    left_out_words,
)
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.kernels.occupancy_words import short_limits
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.runs.tables import format_params
from gemmviz.explain.figures.circumstances import SEPARATOR
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.figures.param_words import names_together, telling_params, values_together
from gemmviz.explain.figures.settings_code import block_of, counts_of, form_note, why_not_derived
from gemmviz.explain.source.machine_words import differs_in
from gemmviz.explain.source.version_faults import faults_of
from gemmviz.explain.source.version_figures import (
    EXCESS,
    FIGURES,
    HAZARDS,
    OCCUPANCY,
    OF_SASS,
    RESIDENT_BLOCKS,
    RESULT,
    RIGHT,
    SECTORS,
    UNKNOWN,
    Measured,
    VersionFigure,
    text_of,
)

NAME = "sweep_figures"
NO_SETTINGS = (
    "For each setting of a kernel's parameters, this page shows what is known without a GPU: registers, spills, shared "
    "memory, occupancy, requests, sectors, bank conflicts, hazards, and whether the result is right. A kernel without "
    "parameters has one setting, compiled for every GPU that gemmviz knows. Choose a kernel, then press "
    "Examine."
)
_PER = 1000


def kept_setting(measured: Measured) -> ExaminedSetting:
    """A setting as a session keeps it."""
    version, trace = measured.version, measured.trace
    block = counts_of(trace) if trace is not None else measured.block
    code = version.compilation
    return ExaminedSetting(version.params, version.saved, code, version.check, block, version.faults, measured.gpu)


def settings_of_sweep(sweep: ExaminedSweep) -> tuple[Measured, ...]:
    """The settings of a sweep that a session kept."""
    return tuple(
        Measured(
            KernelVersion(
                sweep.kernel,
                number,
                sweep.source_name,
                "",
                one.examined,
                one.params,
                one.compilation,
                one.check,
                faults=one.faults,
            ),
            None,
            one.block,
            one.gpu,
        )
        for number, one in enumerate(sweep.settings, 1)
    )


def _per_work(figure: VersionFigure) -> Callable[[Measured], float]:
    """A count of the recorded block for 1000 of its multiply-adds, so that blocks of different sizes compare."""

    def value(measured: Measured) -> float:
        block = block_of(measured)
        work = block.multiply_adds if block is not None else 0
        return _PER * figure.value(measured) / work if work else math.nan

    return value


_NAMED = {figure.name: figure for figure in FIGURES}
SECTORS_OF_WORK = VersionFigure(
    f"sectors per {_PER} multiply-adds",
    "Of the recorded block. Blocks of different sizes do different work: compare settings by this figure",
    _per_work(_NAMED["sectors"]),
    figures.number,
    is_recorded=True,
)
WAVEFRONTS_OF_WORK = VersionFigure(
    f"wavefronts per {_PER} multiply-adds",
    "Of the recorded block: passes through shared memory. Compare settings by this figure",
    _per_work(_NAMED["wavefronts"]),
    figures.number,
    is_recorded=True,
)
EXCESS_OF_WORK = VersionFigure(
    f"excess wavefronts per {_PER} multiply-adds",
    "Of the recorded block: passes through shared memory that bank conflicts add. Compare settings by this figure",
    _per_work(EXCESS),
    figures.number,
    is_recorded=True,
)


_DERIVED = (
    "Derived for the machine code (SASS) from the recorded block, where it shows which accesses were merged. "
    "Compare settings by this figure"
)
WAVEFRONTS_IN_SASS = VersionFigure(
    f"wavefronts in SASS per {_PER} multiply-adds", _DERIVED, _per_work(OF_SASS[0]), figures.number, is_recorded=True
)
EXCESS_IN_SASS = VersionFigure(
    f"excess wavefronts in SASS per {_PER} multiply-adds",
    _DERIVED,
    _per_work(OF_SASS[1]),
    figures.number,
    is_recorded=True,
)
IN_SASS = (WAVEFRONTS_IN_SASS, EXCESS_IN_SASS)
"""Figures of the code that a GPU runs, where they are derived."""
_BEHIND = {
    SECTORS.name: (SECTORS_OF_WORK,),
    EXCESS.name: (WAVEFRONTS_IN_SASS, EXCESS_IN_SASS, WAVEFRONTS_OF_WORK, EXCESS_OF_WORK),
}
_FIRST = (RESULT, HAZARDS)
SETTING_FIGURES = (
    *_FIRST,
    *(
        one
        for figure in FIGURES
        if figure not in (*_FIRST, *OF_SASS)
        for one in (figure, *_BEHIND.get(figure.name, ()))
    ),
)
"""The columns in their order: first whether a setting is right at all."""
_HEADS = {
    "registers per thread": "regs",
    "bytes spilled": "spilled",
    "shared memory per block": "shared",
    "theoretical occupancy": "occ.",
    RESIDENT_BLOCKS.name: "blocks/SM",
    "requests to global memory": "req",
    "sectors": "sect",
    SECTORS.name: "sect/req",
    SECTORS_OF_WORK.name: "sect/1000",
    "requests to shared memory": "req (sh)",
    "wavefronts": "wavef",
    EXCESS.name: "excess",
    WAVEFRONTS_OF_WORK.name: "wavef/1000",
    EXCESS_OF_WORK.name: "excess/1000",
    WAVEFRONTS_IN_SASS.name: "SASS wavef/1000",
    EXCESS_IN_SASS.name: "SASS excess/1000",
    "instructions per warp": "instr/warp",
}
OF_BLOCK = frozenset(
    {"requests to global memory", "sectors", "requests to shared memory", "wavefronts", EXCESS.name, SECTORS.name}
)
"""The names of figures that blocks of settings cannot be compared by, since these do different work: the first that go
where there is no room.
"""
_OF_SPACE = {
    Space.GLOBAL: ("requests to global memory", "sectors", SECTORS.name, SECTORS_OF_WORK.name),
    Space.SHARED: (
        *("requests to shared memory", "wavefronts", EXCESS.name),
        *(WAVEFRONTS_OF_WORK.name, EXCESS_OF_WORK.name),
    ),
}
"""The names of the figures that count accesses to a space."""
_NOT_THE_GPUS = "*"
"""Behind a figure of accesses that SASS has otherwise than the PTX."""
HEADS_MEAN = (
    "Columns: blocks/SM are those that a multiprocessor holds at once and, in brackets, what allows no more, "
    "req and sect are requests to global memory and their 32-byte sectors, req (sh) requests to shared memory, "
    f"wavef its wavefronts, excess those that bank conflicts add, /{_PER} a count per {_PER} multiply-adds, "
    f"SASS what is derived for the machine code; {_NOT_THE_GPUS} counts the PTX where SASS differs"
)
"""What the short names of the figures mean."""


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting: its name, "TILE=16", the text of each of SETTING_FIGURES, what is wrong with it, a `note` on the
    code that was recorded, and why its figures in SASS are not known. One that `is_compiled_only` was not to be
    recorded or checked.
    """

    name: str
    cells: tuple[str, ...]
    values: tuple[float, ...]
    faults: tuple[str, ...]
    note: str = ""
    is_compiled_only: bool = False
    why_no_sass: str = ""

    def why_unknown(self, place: int) -> str:
        """Why the figure at a place is not known, in a sentence; "" where it is, or where faults say it."""
        figure = SETTING_FIGURES[place]
        if not math.isnan(self.values[place]) or self.faults:
            return ""
        if self.is_compiled_only:
            return "Compiled for this GPU, neither recorded nor checked."
        return self.why_no_sass if figure in IN_SASS else ""

    def is_wrong_in(self, place: int) -> bool:
        """Whether the figure at a place says that the kernel is wrong with this setting."""
        figure, value = SETTING_FIGURES[place], self.values[place]
        return (
            (figure is HAZARDS and value > 0)
            or (figure is RESULT and value < 1)
            or (figure is OCCUPANCY and value == 0)
        )

    @property
    def is_wrong(self) -> bool:
        """Whether its result is wrong, it has a hazard or ended at a fault, or the target GPU cannot launch it."""
        return any(self.is_wrong_in(place) for place in range(len(SETTING_FIGURES)))

    @property
    def is_refuted(self) -> bool:
        """Whether it is wrong, or nothing came of it: such a setting is crossed out."""
        return self.is_wrong or (not self.is_compiled_only and all(cell == UNKNOWN for cell in self.cells))

    @property
    def is_sound(self) -> bool:
        """Whether its result is right, it has no hazard, and the target GPU can launch it."""
        at = SETTING_FIGURES.index
        return self.cells[at(RESULT)] == RIGHT and self.values[at(HAZARDS)] == 0 and self.values[at(OCCUPANCY)] != 0


def head_of(figure: VersionFigure) -> str:
    """A figure's name where there is little room."""
    return _HEADS.get(figure.name, figure.name)


def setting_rows(settings: Sequence[Measured], swept: Sequence[str] = ()) -> tuple[SettingRow, ...]:
    """A row for each setting; `swept` as in `telling_params`."""
    varied = telling_params([one.version.params for one in settings], swept)
    found = []
    for one in settings:
        values = tuple(figure.value(one) for figure in SETTING_FIGURES)
        behind = dict.fromkeys(not_the_gpus(one), _NOT_THE_GPUS)
        behind |= {RESIDENT_BLOCKS.name: f" ({short_limits(limits)})"} if (limits := _limits_of(one)) else {}
        cells = tuple(
            f"{text_of(figure, value)}{behind.get(figure.name, '')}"
            for figure, value in zip(SETTING_FIGURES, values, strict=True)
        )
        name = one.gpu or values_together(one.version.params, varied) or format_params(one.version.params)
        faults = faults_of(one.version)
        is_bare = bool(one.gpu) and not faults and one.version.check is None and block_of(one) is None
        found.append(SettingRow(name, cells, values, faults, form_note((one,)), is_bare, why_not_derived(one)))
    return tuple(found)


def same_figures(rows: Sequence[SettingRow]) -> tuple[int, ...]:
    """The places of the known figures that several rows have in common, but for result and hazards, and for what is
    wrong in all.
    """
    if len(rows) < 2:
        return ()
    return tuple(
        place
        for place in range(len(_FIRST), len(SETTING_FIGURES))
        if {row.cells[place] for row in rows} == {rows[0].cells[place]} != {UNKNOWN} and not rows[0].is_wrong_in(place)
    )


def same_words(rows: Sequence[SettingRow]) -> str:
    """These figures in a sentence: "The same in all: spilled 0, occ. 50 %"; "" where there are none."""
    parts = [f"{head_of(SETTING_FIGURES[place])} {rows[0].cells[place]}" for place in same_figures(rows)]
    return f"The same in all: {', '.join(parts)}" if parts else ""


def _limits_of(measured: Measured) -> tuple[str, ...]:
    """What allows no more blocks on a multiprocessor; () where that is unknown."""
    code = measured.version.compilation
    return code.occupancy.limited_by if code is not None and code.occupancy is not None else ()


def not_the_gpus(measured: Measured) -> frozenset[str]:
    """The names of the figures of a setting that count accesses which SASS has otherwise than PTX."""
    block = block_of(measured)
    machine = block.machine if block is not None else None
    return frozenset(name for space, names in _OF_SPACE.items() if differs_in(machine, space) for name in names)


def settings_head(settings: Sequence[Measured], swept: Sequence[str] = ()) -> str:
    """What the names of the rows are: "TILE", "BM·BN", "GPU"."""
    if are_of_gpus(settings):
        return "GPU"
    return names_together(telling_params([one.version.params for one in settings], swept)) or "setting"


def are_of_gpus(settings: Sequence[Measured]) -> bool:
    """Whether these are one setting, compiled for several GPUs."""
    return any(one.gpu for one in settings)


def settings_words(settings: Sequence[Measured], swept: Sequence[str] = ()) -> str:
    """What was examined and how: "H100 (sm_90a), NVRTC 13.0; one block recorded as compiled at 1024 × 1024 × 256";
    first the parameters that all settings share.
    """
    code = next((one.version.compilation for one in settings if one.version.compilation is not None), None)
    blocks = [block for one in settings if (block := block_of(one)) is not None]
    varied, params = (
        telling_params([one.version.params for one in settings], swept),
        settings[0].version.params if settings else (),
    )
    parts = [format_params(tuple((name, value) for name, value in params if name not in varied))]
    parts += [f"{code.gpu_words}, {code.compiler}"] if code is not None else []
    if blocks:
        shapes = list(dict.fromkeys(block.shape.words for block in blocks))
        at = shapes[0] if len(shapes) == 1 else "several sizes"
        parts.append(f"block {','.join(map(str, blocks[0].block[:2]))} recorded {blocks[0].form} at {at}")
    return "; ".join(filter(None, parts))


def sweep_words(sweep: ExaminedSweep, swept: Sequence[str] = ()) -> str:
    """The same of a sweep that a session keeps, with the day."""
    return SEPARATOR.join(filter(None, (settings_words(settings_of_sweep(sweep), swept), sweep.finished[:10])))


def sweep_name(sweep: ExaminedSweep, number: int) -> str:
    """A sweep as a person chooses it: "2 · tiled · TILE · H100"."""
    parts = (str(number), sweep.kernel, settings_head(settings_of_sweep(sweep)), sweep.gpu.removeprefix("NVIDIA "))
    return SEPARATOR.join(filter(None, parts))


def changed_words(sweep: ExaminedSweep, text: str) -> str:
    """That the kernel's file, which has this text now, has changed since; "" where it has not."""
    if digest_of(text) == sweep.digest:
        return ""
    return f"The file {sweep.source_name} has changed since these settings were examined. Press Examine to update them"


def notes_of_sweep(sweep: ExaminedSweep) -> tuple[str, ...]:
    """What the figures of a sweep leave out."""
    left_out = left_out_words(sweep.left_out)
    missing = f"Cancelled: {figures.counted(sweep.missing, 'setting')} not examined" if sweep.missing else ""
    first = sweep.settings[0].gpu if sweep.settings else ""
    of_gpus = f"Recorded and checked for {first}, compiled for the others" if first and len(sweep.settings) > 1 else ""
    return tuple(filter(None, (of_gpus, missing, left_out)))


def settings_table(settings: Sequence[Measured]) -> PlotTable:
    """Every figure in full precision, and where it comes from; "" where it is not known. `sass_note` is why those in
    SASS are not.
    """
    params = [name for name, _ in settings[0].version.params] if settings else []
    columns = (
        *("kernel", *(f"param_{name}" for name in params), "gpu", "target", "compiler", "limited_by"),
        *("m", "n", "k", "block", "form", "form_note", "sass_note", "multiply_adds"),
        *(_column(figure) for figure in SETTING_FIGURES),
        *("checked_at", "examined", "faults"),
    )
    rows = []
    for one in settings:
        version, code, block = one.version, one.version.compilation, block_of(one)
        cells: list[str | int | float] = [version.kernel, *(value for _, value in version.params)]
        cells += [code.gpu, code.target, code.compiler] if code is not None else ["", "", ""]
        cells.append(" and ".join(_limits_of(one)))
        cells += [block.shape.m, block.shape.n, block.shape.k] if block is not None else ["", "", ""]
        cells += [" ".join(map(str, block.block)), str(block.form)] if block is not None else ["", ""]
        cells += [form_note((one,)), why_not_derived(one) if block is not None else ""]
        cells.append((block.multiply_adds or "") if block is not None else "")
        cells += [_cell(figure, figure.value(one)) for figure in SETTING_FIGURES]
        shapes = version.check.shapes if version.check is not None else ()
        cells += ["; ".join(shape.words for shape in shapes), version.saved]
        rows.append(dict(zip(columns, [*cells, "; ".join(faults_of(version))], strict=True)))
    return PlotTable(NAME, columns, tuple(rows))


def _column(figure: VersionFigure) -> str:
    return re.sub("[ -]", "_", figure.name)


def _cell(figure: VersionFigure, value: float) -> str | int | float:
    if math.isnan(value):
        return ""
    if figure is RESULT:
        return figure.text(value)
    return int(value) if value == int(value) else value
