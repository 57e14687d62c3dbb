"""Columns of the table of lines have its width together, and marks the room that code leaves."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Language
from gemmviz.explain.source.line_figures import FigureSet
from gemmviz.explain.source.recorded_lines import SEPARATOR, source_lines
from gemmviz.gui.source.code_delegate import CodeDelegate
from gemmviz.gui.source.code_table import CodeTable

Record = Callable[..., TraceRun]


def test_that_columns_are_as_wide_together_as_the_table(qtbot: QtBot, recorded: Record) -> None:
    table = CodeTable("sourceLines")
    qtbot.addWidget(table)
    head = table.horizontalHeader()
    lines = source_lines(recorded("tiled", TILE=4))
    for width, shown in itertools.product((1090, 400, 200, 90, 1500), (lines[:3], lines * 6, lines)):
        table.resize(width, 300)
        if width % 200:  # lines come to a table that is seen, or that is not yet
            table.show()
            qtbot.waitExposed(table)
        table.show_lines(shown, Language.CUDA, "1 block")
        table.show()
        qtbot.waitExposed(table)
        for chosen in (FigureSet.ALL.figures, (), FigureSet.COST.figures):
            table.show_figures(chosen)
            widths = [table.columnWidth(place) for place in range(head.count()) if not table.isColumnHidden(place)]
            assert head.length() == sum(widths)
            assert head.length() == max(table.viewport().width(), widths[0])
        table.hide()


def test_that_a_mark_shrinks_to_its_sign_where_it_would_cut_the_code_up(qtbot: QtBot) -> None:
    table = CodeTable("sourceLines")
    qtbot.addWidget(table)
    delegate = table.itemDelegate()
    assert isinstance(delegate, CodeDelegate)
    for mark, sign in ((f"! race{SEPARATOR}SASS: 128-bit", "!"), ("SASS: 128-bit", "SASS"), ("not recorded",) * 2):
        assert delegate.fitting_mark(mark, int(60 * delegate.digit)) == mark
        assert delegate.fitting_mark(mark, int(20 * delegate.digit)) == sign
