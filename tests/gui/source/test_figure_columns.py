"""Which columns of figures stand beside the source."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Language
from gemmviz.explain.source.line_figures import FigureSet, LineFigureKind
from gemmviz.explain.source.recorded_lines import plain_lines, source_lines
from gemmviz.gui.source.code_table import CodeTable
from gemmviz.gui.source.source_model import FIGURES, FIRST_FIGURE

Record = Callable[..., TraceRun]


def shown_figures(table: CodeTable) -> list[LineFigureKind]:
    return [figure for place, figure in enumerate(FIGURES) if not table.isColumnHidden(FIRST_FIGURE + place)]


def show(table: CodeTable, run: TraceRun) -> None:
    table.show_lines(source_lines(run), Language.CUDA, "1 block")


def test_that_only_figures_that_the_kernel_has_take_room(qtbot: QtBot, recorded: Record) -> None:
    table = CodeTable("sourceLines")
    qtbot.addWidget(table)
    table.resize(700, 300)
    table.show()
    show(table, recorded("naive"))
    assert shown_figures(table) == [LineFigureKind.SECTORS_PER_REQUEST]
    table.show_figures(FigureSet.BYTES.figures)
    assert shown_figures(table) == [LineFigureKind.BYTES_ASKED, LineFigureKind.BYTES_MOVED]
    show(table, recorded("tiled", TILE=4))
    table.show_figures(FigureSet.COST.figures)
    assert shown_figures(table) == [LineFigureKind.SECTORS_PER_REQUEST, LineFigureKind.EXCESS]
    assert not table.horizontalHeader().isHidden()
    table.show_lines(plain_lines("a[0] = 1;"), Language.CUDA)
    assert shown_figures(table) == []
    assert table.horizontalHeader().isHidden()


def test_that_excess_wavefronts_keep_their_place_where_there_is_no_room_for_all_figures(
    recorded: Record, make_recording: Record, qtbot: QtBot
) -> None:
    table = CodeTable("sourceLines")
    qtbot.addWidget(table)
    table.show()
    both = [LineFigureKind.SECTORS_PER_REQUEST, LineFigureKind.EXCESS]
    for run, kept in ((make_recording(), both[1]), (recorded("tiled", TILE=4), both[0])):
        table.resize(900, 300)
        show(table, run)
        table.show_figures(FigureSet.COST.figures)
        assert shown_figures(table) == both
        table.resize(260, 300)
        qtbot.waitUntil(lambda: len(table.left_out) == 1)
        assert shown_figures(table) == [kept]
