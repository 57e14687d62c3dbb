"""Beside the picture the lines of the source can be read: few rows each, and enough columns beside the figures."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driving import act, part
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import CodeForm
from gemmviz.gui.layout.dock_widths import right_width
from gemmviz.gui.source.code_delegate import PADDING, ROW_HEIGHT, CodeDelegate
from gemmviz.gui.source.code_table import CodeTable
from gemmviz.gui.source.source_model import CODE, FIGURES, FIRST_FIGURE
from gemmviz.gui.window.main_window import MainWindow


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.parametrize(("size", "columns", "rows"), [((1280, 800), 40, 3), ((1440, 900), 50, 2)])
def test_that_a_line_takes_few_rows_beside_its_figures(
    qtbot: QtBot,
    window: MainWindow,
    recorded_form: Callable[..., TraceRun],
    size: tuple[int, int],
    columns: int,
    rows: int,
    form: CodeForm,
) -> None:
    act(window, "tabMemoryAction")
    table = part(window, CodeTable, "sourceLines")
    delegate = table.itemDelegate()
    assert isinstance(delegate, CodeDelegate)
    window.resize(*size)
    for kernel in ("tiled_transposed", "tiled"):
        run = recorded_form(kernel, form)
        window.document.add_trace(run)
        qtbot.waitUntil(lambda run=run: window._parts.source.trace is run)
        qtbot.waitUntil(lambda: table.window().isVisible() and window._parts.source.width() == right_width(size[0]))
        figures = [each for each, _ in enumerate(FIGURES) if not table.isColumnHidden(FIRST_FIGURE + each)]
        assert len(figures) == 2
        assert (table.columnWidth(CODE) - 2 * PADDING) / delegate.digit >= columns
        assert max(table.rowHeight(row) for row in range(table.model().rowCount())) <= rows * ROW_HEIGHT
