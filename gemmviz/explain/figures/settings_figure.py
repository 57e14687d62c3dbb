"""The chart of one figure of the settings of a kernel's parameters, with the best setting in a sentence. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from gemmviz.domain.kernels.examined_sweep import ExaminedSweep
from gemmviz.domain.listing import listed
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.figure import Axis, Edge, Figure, Form, Look, Quantity, Row, Series, Tone
from gemmviz.explain.figures.marks import SeriesMarks, drawn, extent, places_and
from gemmviz.explain.figures.param_words import are_values_alone, telling_params, varied_params, varied_words
from gemmviz.explain.figures.settings import (
    EXCESS_IN_SASS,
    EXCESS_OF_WORK,
    IN_SASS,
    NO_SETTINGS,
    SECTORS_OF_WORK,
    SETTING_FIGURES,
    WAVEFRONTS_IN_SASS,
    WAVEFRONTS_OF_WORK,
    SettingRow,
    are_of_gpus,
    not_the_gpus,
    notes_of_sweep,
    setting_rows,
    settings_head,
    settings_of_sweep,
    sweep_words,
)
from gemmviz.explain.figures.settings_code import form_note
from gemmviz.explain.figures.ticks import padded_range
from gemmviz.explain.source.version_figures import HAZARDS, RESULT, UNKNOWN, Measured, VersionFigure

_CELLS = 12
"""More settings than this do not fit side by side."""
_MOST_NAMED = 3
_PER_CENT = 100.0
_WHOLE = 102.0
"""The end of an axis of percents, so that a mark at 100 is whole."""
NOTHING_KNOWN = "No figure of these settings is known. The table “Figures without a GPU” says why."


@dataclass(frozen=True, slots=True)
class SettingAxis:
    """A figure that a chart of settings shows: what the best setting does, "moves least"."""

    figure: VersionFigure
    best_words: str
    quantity: Quantity = Quantity.PLAIN
    scale: float = 1.0
    unit: str = ""

    @property
    def words(self) -> str:
        """What stands at the axis and in the list to choose from."""
        return f"{self.figure.name}{self.unit}"


def _named(name: str) -> VersionFigure:
    return next(figure for figure in SETTING_FIGURES if figure.name == name)


SETTING_AXES = (
    SettingAxis(SECTORS_OF_WORK, "moves least"),
    SettingAxis(WAVEFRONTS_IN_SASS, "takes the fewest passes through shared memory"),
    SettingAxis(EXCESS_IN_SASS, "has the fewest bank conflicts"),
    SettingAxis(WAVEFRONTS_OF_WORK, "takes the fewest passes through shared memory"),
    SettingAxis(EXCESS_OF_WORK, "has the fewest bank conflicts"),
    SettingAxis(_named("sectors per request"), "takes the fewest sectors for a request"),
    SettingAxis(_named("theoretical occupancy"), "has the highest occupancy", Quantity.PERCENT, _PER_CENT, " in %"),
    SettingAxis(_named("registers per thread"), "takes the fewest registers"),
    SettingAxis(_named("bytes spilled"), "spills least", Quantity.BYTES),
    SettingAxis(_named("shared memory per block"), "takes the least shared memory", Quantity.BYTES),
    SettingAxis(_named("instructions per warp"), "executes the fewest instructions per warp"),
)
"""What can be charted: figures by which settings compare, the most telling first."""


def known_axes(sweep: ExaminedSweep | None) -> tuple[SettingAxis, ...]:
    """Those of which a sweep knows a value."""
    settings = settings_of_sweep(sweep) if sweep is not None else ()
    return tuple(
        axis for axis in SETTING_AXES if any(not math.isnan(axis.figure.value(setting)) for setting in settings)
    )


def telling_axis(sweep: ExaminedSweep | None) -> SettingAxis | None:
    """The first known figure in which sound settings or GPUs differ, else the first known; None where none is."""
    known, settings = known_axes(sweep), settings_of_sweep(sweep) if sweep is not None else ()
    rows = zip(setting_rows(settings), settings, strict=True)
    sound = [one for row, one in rows if row.is_sound or row.is_compiled_only]
    values = ((axis, {axis.figure.value(one) for one in sound}) for axis in known)
    telling = (axis for axis, of_axis in values if sum(not math.isnan(value) for value in of_axis) > 1)
    return next(telling, next(iter(known), None))


def best_places(axis: SettingAxis, settings: Sequence[Measured]) -> tuple[int, ...]:
    """The places of the settings with the best value among those that are right, have no hazard and can be launched; ()
    for none, and where a GPU runs other accesses than those that are compared (`why_no_best`).
    """
    if why_no_best(axis, settings):
        return ()
    rows = setting_rows(settings)
    values = {
        place: value
        for place, (row, setting) in enumerate(zip(rows, settings, strict=True))
        if row.is_sound and not math.isnan(value := axis.figure.value(setting))
    }
    if not values:
        return ()
    best = (max if axis.figure.more_is_better else min)(values.values())
    return tuple(place for place, value in values.items() if value == best)


def why_no_best(axis: SettingAxis, settings: Sequence[Measured]) -> str:
    """Why none of these settings can be called the best, as far as that lies in the code whose accesses are counted, in
    a clause; "" for no such reason.
    """
    sound = [one for row, one in zip(setting_rows(settings), settings, strict=True) if row.is_sound]
    if any(axis.figure.name in not_the_gpus(one) for one in sound):
        return "a GPU runs the SASS, which has other accesses than the PTX that is counted here"
    unknown = [one for one in sound if axis.figure in IN_SASS and math.isnan(axis.figure.value(one))]
    if unknown and len(unknown) < len(sound):
        varied = varied_params([one.version.params for one in settings])
        return f"it is not derived for {listed([_setting_words(one, varied) for one in unknown], _MOST_NAMED)}"
    return ""


def best_words(axis: SettingAxis, settings: Sequence[Measured]) -> str:
    """The best setting in a sentence: "BM=64 BN=64 moves least: 63 sectors per 1000 multiply-adds"; "" where only one
    setting is there.
    """
    if len(settings) < 2 or are_of_gpus(settings):
        return ""
    if why := why_no_best(axis, settings):
        return f"No setting is called the best by {axis.figure.name}: {why}"
    places = best_places(axis, settings)
    if not places:
        return f"No setting is correct, free of hazards and can be launched: {axis.figure.name} has no best one"
    value = axis.figure.text(axis.figure.value(settings[places[0]]))
    said = f"{value} {axis.figure.name}" if axis.quantity is Quantity.PLAIN else value
    sound = sum(row.is_sound for row in setting_rows(settings))
    if len(places) == sound > 1:
        return f"All settings with a correct result are alike: {said}"
    varied = varied_params([one.version.params for one in settings])
    names = [_setting_words(settings[place], varied) for place in places]
    tied = f", {'both' if len(names) == 2 else 'all'} alike" if len(names) > 1 else ""
    verb = axis.best_words if len(names) == 1 else _plural(axis.best_words)
    return f"{listed(names, _MOST_NAMED)} {verb}{tied}: {said}"


def _plural(words: str) -> str:
    """ "moves least" of several settings: "move least"."""
    verb, _, rest = words.partition(" ")
    return f"{'have' if verb == 'has' else verb.removesuffix('s')} {rest}"


def _setting_words(setting: Measured, varied: Sequence[str]) -> str:
    params = tuple((name, value) for name, value in setting.version.params if name in varied)
    return format_params(params or setting.version.params)


def settings_figure(
    sweep: ExaminedSweep | None,
    axis: SettingAxis | None = None,
    notes: Sequence[str] = (),
    swept: Sequence[str] = (),
) -> Figure:
    """One figure over the settings of a sweep, the most telling where none is given; `notes` are said too. `swept` are
    its parameters while not all settings are there yet.

    A setting that is wrong, has a hazard or cannot be launched is marked, never joined with others nor called the best.
    """
    known = known_axes(sweep)
    axis = axis if axis is not None and axis in known else telling_axis(sweep) or SETTING_AXES[0]
    settings = settings_of_sweep(sweep) if sweep is not None else ()
    if sweep is None or not settings:
        return Figure("Figures of each setting", Evidence.RECORDED, NO_SETTINGS, Axis("", axis.quantity, 0.0, 1.0))
    if not known:
        title, nothing = f"Figures of each setting: {sweep.kernel}", Axis("", axis.quantity, 0.0, 1.0)
        return Figure(title, Evidence.RECORDED, NOTHING_KNOWN, nothing)
    rows, best = setting_rows(settings, swept), best_places(axis, settings)
    if are_of_gpus(settings) or len(best) == sum(row.is_sound for row in rows):
        best = ()  # all alike, or the only one: none is better than another
    varied = telling_params([one.version.params for one in settings], swept)
    upright = len(varied) == 1 and len(settings) <= _CELLS
    edges: list[Edge] = []
    marks = {
        look: SeriesMarks(look, words, False, edges)
        for look, words in (
            (Look.SLOWER, "correct"),
            (Look.OPEN, "compiled, not recorded" if are_of_gpus(settings) else "not checked"),
            (Look.WRONG, "wrong, hazard or cannot launch"),
            (Look.BEST, "best"),
        )
    }
    values = [axis.scale * axis.figure.value(setting) for setting in settings]
    for place, (row, value) in enumerate(zip(rows, values, strict=True)):
        if not math.isnan(value):
            marks[_look(row, place in best)].add(place, value)
    series = drawn(one.series() for one in marks.values())
    sentence = best_words(axis, settings)
    if upright:
        series = (*_lines(rows, values), *series)
    low, high = padded_range(extent(series), is_log=False)
    if axis.quantity is Quantity.PERCENT:
        low, high = 0.0, _WHOLE
    of_form = form_note(settings) if axis.figure.is_recorded else ""
    essential = tuple(filter(None, (sentence, of_form)))
    evidence = Evidence.DERIVED if axis.figure.is_compiled else Evidence.RECORDED
    name, over = axis.figure.name, ", ".join(varied) or ("GPUs" if are_of_gpus(settings) else "one setting")
    return Figure(
        title=f"{name[:1].upper()}{name[1:]} over {over}: {sweep.kernel}",
        subtitle=sweep_words(sweep, swept),
        evidence=evidence,
        empty=NO_SETTINGS,
        axis=Axis(axis.words, axis.quantity, low, high),
        rows=tuple(
            _row(row, setting, axis, varied, place in best)
            for place, (row, setting) in enumerate(zip(rows, settings, strict=True))
        ),
        series=series,
        edges=tuple(edges),
        essential=essential,
        notes=(
            *essential,
            *notes,
            *notes_of_sweep(sweep),
            axis.figure.tip.replace("\n", " "),
        ),
        heads=(settings_head(settings, swept) if len(varied) < 2 or are_values_alone(varied) else "setting", ""),
        upright=upright,
    )


def _look(row: SettingRow, is_best: bool) -> Look:
    if row.is_wrong:
        return Look.WRONG
    if not row.is_sound:
        return Look.OPEN
    return Look.BEST if is_best else Look.SLOWER


def _lines(rows: Sequence[SettingRow], values: Sequence[float]) -> tuple[Series, ...]:
    """From each sound setting to the next, in the parameter's order, broken where one is not sound."""
    stretches = groupby(range(len(rows)), key=lambda place: rows[place].is_sound and not math.isnan(values[place]))
    found = []
    for is_joined, places in stretches:
        columns = places_and([(place, values[place]) for place in places])
        if is_joined and columns[0].size > 1:
            found.append(Series(Look.SLOWER, "", Form.LINE, *columns))
    return tuple(found)


def _row(row: SettingRow, setting: Measured, axis: SettingAxis, varied: Sequence[str], is_best: bool) -> Row:
    text = row.cells[SETTING_FIGURES.index(axis.figure)]
    is_named_above = len(varied) == 1 or are_values_alone(varied)
    name = row.name if is_named_above or not varied else varied_words(setting.version.params, varied)
    state = _state(row)
    known = text != UNKNOWN
    return Row(
        name=name,
        detail="",
        value=text,
        note=state or ("best" if is_best else ""),
        flag=state,
        tooltip="\n".join(
            (
                f"{setting.version.kernel} {format_params(setting.version.params)}",
                f"{text} {axis.figure.name}",
                *filter(None, (row.why_unknown(SETTING_FIGURES.index(axis.figure)),)),
                *row.faults,
            )
        ),
        tone=Tone.WRONG if row.is_wrong else Tone.GOOD if is_best and known else Tone.OPEN,
    )


def _state(row: SettingRow) -> str:
    """What is wrong with a setting, in a word or two; "" for nothing."""
    result = row.cells[SETTING_FIGURES.index(RESULT)]
    hazards = row.values[SETTING_FIGURES.index(HAZARDS)]
    if hazards > 0:
        return "hazard"
    if row.is_wrong_in(SETTING_FIGURES.index(RESULT)):
        return result
    if row.is_wrong:
        return "cannot launch"
    if all(cell == UNKNOWN for cell in row.cells):
        return "no figures"
    return "" if row.is_sound or row.is_compiled_only else "not checked"
