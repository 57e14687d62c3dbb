"""The tables below the editor: colours by what a change is worth, and no button cut in a narrow panel."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.kernels.kernel_version import Check, Compilation, KernelVersion
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.explain.source.line_changes import LineChange
from gemmviz.explain.source.version_figures import Measured
from gemmviz.explain.source.worth import Worth
from gemmviz.gui.editor.changes_table import ChangesTable, TableRow
from gemmviz.gui.editor.comparison_view import PAGES, ComparisonView
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.widgets.plain_label import PlainLabel

NARROW = 324
"""Pixels of the editor in the narrowest window."""
AT_1280 = 536
"""Pixels of the editor in a window of 1280 pixels."""
SAVED = "2026-11-26T03:00:00+00:00"


@pytest.mark.parametrize(
    ("worth", "colour"),
    [(Worth.BETTER, LIGHT.good), (Worth.WORSE, LIGHT.hazard), (Worth.SAME, LIGHT.text), (Worth.OTHER, LIGHT.text)],
)
def test_that_only_what_is_better_or_worse_has_its_colour(qtbot: QtBot, worth: Worth, colour: str) -> None:
    table = ChangesTable("totals", "Totals", ("", "before", "after", "change"), 0, (0,))
    qtbot.addWidget(table)
    table.show_rows([TableRow(("wavefronts", "20", "5", "-75 %, better"), worth)])
    colours = [table.item(0, column).foreground().color().name() for column in range(4)]
    assert colours == [LIGHT.text, LIGHT.text, colour, colour], "what was before is neither better nor worse"


def test_that_a_name_without_room_goes_on_in_a_second_line(qtbot: QtBot) -> None:
    table = ChangesTable("totals", "Totals", ("", "before", "after", "change"), 0, (0,))
    table.setStyleSheet(style_sheet(LIGHT))
    qtbot.addWidget(table)
    table.show()
    table.show_rows([TableRow(("requests to global memory", "384", "384", "=")), TableRow(("hazards", "0", "0", "="))])
    for width, heights in ((700, (22, 22)), (290, (36, 22)), (700, (22, 22))):
        table.resize(width, 200)
        table.doItemsLayout()
        assert (table.rowHeight(0), table.rowHeight(1)) == heights
    assert table.wordWrap()


def test_that_no_name_is_cut_at_any_width_nor_beside_a_button(qtbot: QtBot) -> None:
    table = ChangesTable("totals", "Totals", ("", "before", "after", "change"), 0, (0,))
    table.setStyleSheet(style_sheet(LIGHT))
    qtbot.addWidget(table)
    table.show()
    name = "excess wavefronts in SASS"
    table.show_rows([TableRow((name, "20", "5", "=")), TableRow((name, "20", "5", ""), button="Check again")])
    item = table.item(0, 0)
    for width in range(250, 420):
        table.resize(width, 200)
        table.doItemsLayout()
        room = table.columnWidth(0) - 2 * (8 + 3)  # the padding of the style sheet, and Qt's own around a text
        fits = QFontMetrics(item.font()).horizontalAdvance(name) <= room
        for place, least in enumerate((22, 28)):
            assert (table.rowHeight(place) == least) is fits, (width, room)
            assert fits or table.rowHeight(place) >= 2 * QFontMetrics(item.font()).height()


def test_that_a_head_without_room_loses_its_last_words_and_is_whole_in_its_tooltip(qtbot: QtBot) -> None:
    table = ChangesTable("totals", "Totals", ("", "before", "after", "change"), 0, (0,))
    table.setStyleSheet(style_sheet(LIGHT))
    qtbot.addWidget(table)
    table.show()
    whole = "as compiled, for H100 SXM (sm_90a)"
    table.show_rows([TableRow(("registers per thread, and spills", "20", "5", "-75 %, better"), tip="Fewer is better")])
    table.show_head(0, whole)
    head, header = table.horizontalHeaderItem(0), table.horizontalHeader()
    bold = QFontMetrics(words(SMALL, QFont.Weight.DemiBold))
    for width in (900, 420, 330, 900):
        table.resize(width, 200)
        table.doItemsLayout()
        assert head.toolTip() == whole
        assert head.text() == whole if width == 900 else head.text() in ("as compiled, for H100 SXM", "as compiled")
        assert bold.horizontalAdvance(head.text()) < header.sectionSize(0) - 16, "the padding at both sides"
    assert table.item(0, 0).toolTip() == "registers per thread, and spills\nFewer is better"
    assert table.item(0, 1).toolTip() == "Fewer is better"


@pytest.mark.parametrize(("is_compiled", "form"), [(False, "as written"), (True, "as compiled, before as written")])
def test_that_the_form_that_was_recorded_is_never_cut_from_the_head(
    qtbot: QtBot, make_recording: Callable[..., TraceRun], is_compiled: bool, form: str
) -> None:
    written = make_recording()
    compiled = replace(written, instrumented_text=".version 8.0\n.target sm_90a\n") if is_compiled else written
    code = Compilation("NVIDIA H100 80GB HBM3", "sm_90a", "NVRTC 13.0", Resources(32), 2048, None)
    before, after = (
        Measured(KernelVersion("mine", number, "mine.cu", "text", SAVED, (), code), trace)
        for number, trace in ((1, written), (2, compiled))
    )
    view = ComparisonView()
    view.setStyleSheet(style_sheet(LIGHT))
    qtbot.addWidget(view)
    view.resize(AT_1280, 300)
    view.show_versions((before, after), before, after)
    view.show()
    view.totals.doItemsLayout()
    head = view.totals.horizontalHeaderItem(0)
    assert head.text().startswith(form)
    assert "…" not in head.text(), "words that have no room go as a whole"
    assert head.toolTip() == f"{form}, for {code.gpu_words}"


def test_that_no_button_is_cut_in_a_narrow_panel(qtbot: QtBot) -> None:
    view = ComparisonView()
    view.setStyleSheet(style_sheet(LIGHT))
    qtbot.addWidget(view)
    view.resize(NARROW, 300)
    measured = Measured(KernelVersion("mine", 1, "mine.cu", "text", "2026-11-26T03:00:00+00:00", ()), None)
    view.show_versions((measured,), None, measured)
    view.show()
    view._margin.addItem("sectors per request, a long name of a figure")
    view._margin.show()
    assert view.minimumSizeHint().width() <= NARROW
    for page in PAGES:
        view.findChild(QPushButton, f"versions{page}").click()
        for _ in range(3):  # a layout within a layout takes its place in the next turn
            QApplication.processEvents()
        buttons = [button for button in view.findChildren(QPushButton) if button.isVisible()]
        assert len(buttons) == (6 if page == "Versions" else 3)
        for button in buttons:
            assert button.width() >= button.sizeHint().width()
            assert button.mapTo(view, button.rect().topRight()).x() < NARROW


def test_that_a_wrong_result_names_its_version(qtbot: QtBot) -> None:
    check = Check(Shape(65, 63, 67), passed=False, max_error_over_ug=math.nan, bound=67.0)
    version = KernelVersion("mine", 3, "mine.cu", "text", "2026-11-26T03:00:00+00:00", (), None, check)
    view = ComparisonView()
    qtbot.addWidget(view)
    view.show_versions((), None, Measured(version, None), "")
    said = view.findChild(PlainLabel, "versionFaults").text()
    assert said == "Version 3: the result is wrong at 65×63×67: C holds elements that are not a number."


def test_that_a_narrow_list_of_versions_hides_the_time_and_what_is_the_same_in_all_and_scrolls_never(
    qtbot: QtBot, make_recording: Callable[..., TraceRun]
) -> None:
    trace, check = make_recording(), Check(Shape(65, 63, 67), passed=True, max_error_over_ug=0.5, bound=67.0)
    measured = [
        Measured(
            KernelVersion(
                "tiled",
                number,
                "tiled.cu",
                f"{trace.source_text}// {number}",
                SAVED,
                compilation=Compilation("H200", "sm_90", "NVRTC 13.0", Resources(30 + number)),
                check=check,
            ),
            trace,
        )
        for number in (1, 2)
    ]
    view = ComparisonView()
    qtbot.addWidget(view)
    view.setStyleSheet(style_sheet(LIGHT))
    view.file_texts = (("tiled", f"{trace.source_text}// 2"),)
    view.show_versions(measured, measured[0], measured[1])
    view._choose(2)
    table = view.versions

    def shown() -> list[str]:
        heads = [(column, table.horizontalHeaderItem(column)) for column in range(table.columnCount())]
        return [head.text() for column, head in heads if head is not None and not table.isColumnHidden(column)]

    view.resize(700, 290)
    with qtbot.waitExposed(view):
        view.show()
    assert shown() == ["", "saved", "regs", "sect/req", "excess", "hazards", "result"]
    assert table.item(0, 0).text() == "2 (current)"
    view.resize(NARROW, 290)
    qtbot.waitUntil(lambda: "saved" not in shown())
    assert {"regs", "result"} < set(shown()), "which tell the versions apart, and whether one is right"
    assert table.item(0, 0).text() == "2"
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    assert "excess wavefronts: " in table.item(0, 0).toolTip()
    view.resize(700, 290)
    qtbot.waitUntil(lambda: "saved" in shown())
    assert table.item(0, 0).text() == "2 (current)"


def test_that_versions_recorded_at_different_sizes_have_their_sizes_and_lines_no_figures_before(
    qtbot: QtBot, make_recording: Callable[..., TraceRun]
) -> None:
    trace, saved = make_recording(), "2026-11-26T03:00:00+00:00"
    small, large = trace, make_recording()
    object.__setattr__(large, "spec", replace(trace.spec, shape=Shape(128, 128, 64)))
    measured = [
        Measured(KernelVersion("tiled", number, "tiled.cu", trace.source_text, saved), one)
        for number, one in enumerate((small, large, None), 1)
    ]
    view = ComparisonView()
    qtbot.addWidget(view)
    shown: list[dict[int, LineChange]] = []
    view.lines_shown.connect(shown.append)
    view.show_versions(measured, measured[0], measured[1])
    assert view.versions.horizontalHeaderItem(1).text() == "size"
    assert [row.texts[1] for row in view.versions.rows] == ["–", "128×128×64", "4×3×2"]
    assert "recorded as written at 4×3×2" in view.versions.rows[-1].tip
    assert [row.texts[2:] for row in view.lines.rows] == [("–", "15", "not compared")]
    assert [one.words for one in shown[-1].values()] == ["15"]
    assert "recorded at another size" in view.findChild(PlainLabel, "versionFaults").text()
    view.show_versions(measured[:1], None, measured[0])
    assert view.versions.horizontalHeaderItem(1).text() == "saved"
    assert [row.texts[2:] for row in view.lines.rows] == [("", "15", "")], "there is no version before"


def test_that_the_editor_says_what_the_picture_shows_instead(qtbot: QtBot) -> None:
    panel = EditorPanel()
    qtbot.addWidget(panel)
    panel.show()
    line = panel.findChild(QWidget, "editorElsewhere")
    assert not line.isVisible()
    panel.show_elsewhere("The picture shows naive, not mine.cu. Record mine to see it.")
    assert line.isVisible()
    panel.show_elsewhere("")
    assert not line.isVisible()
