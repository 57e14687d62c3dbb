"""The rows of the list of versions: what each was examined as, and its main figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gemmviz.domain.kernels.version_names import VersionNames, time_words
from gemmviz.explain.figures.param_words import varied_params, varied_words
from gemmviz.explain.source.version_faults import faults_of
from gemmviz.explain.source.version_figures import (
    EXCESS,
    HAZARDS,
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
    """The rows, the newest first, the head of the second column, and the columns that a narrow list leaves out, in
    their order.
    """

    rows: tuple[TableRow, ...]
    head: str
    goes_first: tuple[int, ...]


def version_rows(versions: Sequence[Measured], names: VersionNames) -> VersionRows:
    """A row for each version, given the oldest first. The second column has the time of the save; where versions were
    examined with different parameters, at different sizes or for different targets, it has these, and always has room.
    """
    codes = [one.version.compilation for one in versions]
    varied = varied_params([one.version.params for one in versions])
    says_size = len({one.trace.spec.shape for one in versions if one.trace is not None}) > 1
    says_target = len({code.target for code in codes if code is not None}) > 1
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
            *(f"{figure.name}: {text}" for figure, text in zip(_LISTED, texts, strict=True)),
            *faults_of(one.version),
        )
        second = ", ".join(told[each] or UNKNOWN for each in differs) or time_words(one.version.saved)
        tip = "\n".join(filter(None, lines))
        rows.append(TableRow((names.number(one.version), second, *texts), Worth.SAME, tip, number, short=str(number)))
    *few, _result = range(2, len(HEADS))
    few.sort(key=lambda column: len({row.texts[column] for row in rows}) > 1)  # first what is the same in all
    return VersionRows(tuple(rows), ", ".join(differs) or HEADS[1], (*((1,) * (not differs)), 0, *few))
