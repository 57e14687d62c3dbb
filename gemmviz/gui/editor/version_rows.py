"""The rows of the list of versions: what each was examined as, and its main figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gemmviz.domain.kernels.version_names import VersionNames, time_words
from gemmviz.domain.recordings.access import Space
from gemmviz.explain.figures.param_words import varied_params, varied_words
from gemmviz.explain.source.machine_words import differs_in
from gemmviz.explain.source.version_faults import faults_of
from gemmviz.explain.source.version_figures import (
    EXCESS,
    HAZARDS,
    OF_PTX,
    REGISTERS,
    RESULT,
    SECTORS,
    UNKNOWN,
    Measured,
    text_of,
)
from gemmviz.explain.source.worth import Worth
from gemmviz.gui.editor.changes_table import TableRow

HEADS = ("", "saved", "regs", "sect/req", "excess", "hazards", "result")
_LISTED = (REGISTERS, SECTORS, EXCESS, HAZARDS, RESULT)
"""Figures of each version in the list."""


class VersionRows(NamedTuple):
    """The rows, the newest first, the heads, and the columns that a narrow list leaves out, in their order."""

    rows: tuple[TableRow, ...]
    heads: tuple[str, ...]
    goes_first: tuple[int, ...]


def version_rows(versions: Sequence[Measured], names: VersionNames) -> VersionRows:
    """A row for each version, given the oldest first. The second column has the time of the save; where versions were
    examined with different parameters, at different sizes or for different targets, it has these, and always has room.
    """
    codes = [one.version.compilation for one in versions]
    varied = varied_params([one.version.params for one in versions])
    says_size = len({one.trace.spec.shape for one in versions if one.trace is not None}) > 1
    says_target = len({code.target for code in codes if code is not None}) > 1
    is_of_ptx = any(differs_in(one.machine, Space.SHARED) for one in versions)
    names_of = {
        figure: f"{figure.name} in PTX" if is_of_ptx and figure in OF_PTX else figure.name for figure in _LISTED
    }
    differs = ("parameters",) * bool(varied) + ("size",) * says_size + ("target",) * says_target
    rows = []
    for one in reversed(versions):
        code, number = one.version.compilation, one.version.number
        size = one.trace.spec.shape.words if one.trace is not None else ""
        told = {
            "parameters": varied_words(one.version.params, varied),
            "size": size,
            "target": code.target if code is not None else "",
        }
        texts = [text_of(figure, figure.value(one)) for figure in _LISTED]
        lines = (
            names.with_time(one.version),
            code.gpu_words if code is not None else "",
            f"{one.trace.recorded_words} at {size}" if one.trace is not None else "",
            " ".join(f"{name} = {value}" for name, value in one.version.params),
            *(f"{names_of[figure]}: {text}" for figure, text in zip(_LISTED, texts, strict=True)),
            *faults_of(one.version),
        )
        second = ", ".join(told[each] or UNKNOWN for each in differs) or time_words(one.version.saved)
        tip = "\n".join(filter(None, lines))
        rows.append(TableRow((names.number(one.version), second, *texts), Worth.SAME, tip, number, short=str(number)))
    *few, _result = range(2, len(HEADS))
    few.sort(key=lambda column: len({row.texts[column] for row in rows}) > 1)  # first what is the same in all
    excess = 2 + _LISTED.index(EXCESS)
    heads = list(HEADS)
    heads[1] = ", ".join(differs) or HEADS[1]
    heads[excess] = f"{HEADS[excess]} in PTX" if is_of_ptx else HEADS[excess]
    return VersionRows(tuple(rows), tuple(heads), (*((1,) * (not differs)), 0, *few))
