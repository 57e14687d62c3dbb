"""The figures beside the picture: shown, copied, and never more labels than lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from image_pixels import colours_of
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QScrollArea, QToolButton
from pytestqt.qtbot import QtBot
from scheduling import simulated

from gemmviz.domain.device import Device
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.gui.figures.last_run import NO_RUN, NO_TRACE
from gemmviz.gui.figures.panel import FiguresPanel
from gemmviz.gui.layout.dock_widths import right_width
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.widgets.figure_row import FigureRow
from gemmviz.gui.work.last_work import Asked, LastWork

Make = Callable[..., RunResult]
Record = Callable[..., TraceRun]


@pytest.fixture
def panel(qtbot: QtBot) -> FiguresPanel:
    panel = FiguresPanel()
    qtbot.addWidget(panel)
    panel.resize(320, 640)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def shown(panel: FiguresPanel) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisibleTo(panel) and label.text()]


def test_that_columns_that_a_kernel_printed_stay_in_line(panel: FiguresPanel, make_result: Make) -> None:
    printed = "t 0:   15.11 1     |\nt 10:   5.68 -10   | and so on, far beyond the right edge of the panel\n"
    panel.show_run(replace(make_result(), printed=printed))
    (field,) = (one for one in panel.findChildren(QPlainTextEdit) if one.isVisibleTo(panel))
    assert field.toPlainText() == printed.removesuffix("\n")
    assert field.lineWrapMode() is QPlainTextEdit.LineWrapMode.NoWrap
    wide, narrow = (field.fontMetrics().horizontalAdvance(sign) for sign in "W.")
    assert wide == narrow
    assert field.viewport().height() >= 2 * field.fontMetrics().lineSpacing()
    assert printed.strip() in panel.text
    panel.show_run(make_result())
    assert not field.isVisibleTo(panel)


def test_that_a_fresh_panel_says_that_there_is_nothing_yet(panel: FiguresPanel) -> None:
    assert [text for text in shown(panel) if "yet" in text] == [
        NO_RUN,
        NO_TRACE,
    ]
    assert not panel.findChild(QToolButton, "figuresCopy").isEnabled()
    assert panel.text == ""


def test_that_a_first_run_is_told_where_its_figures_will_stand(panel: FiguresPanel, make_result: Make) -> None:
    running = LastWork(1, Asked.RUN, ("naive",), "64×64×64")
    panel.show_work(running)
    panel.show_run(None)  # an empty session is shown again while the work goes on
    told = shown(panel)
    assert "naive 64×64×64 is running. Results appear here when it is done." in told
    assert NO_TRACE in told
    assert panel.text == ""
    panel.show_work(replace(running, asked=Asked.RECORDING))
    assert {NO_RUN, "Being recorded…"} <= set(shown(panel))
    panel.show_run(make_result())
    panel.show_work(running)
    assert not any("is running" in text or "No figures" in text for text in shown(panel))


def test_that_every_value_stands_with_its_words_and_evidence(
    panel: FiguresPanel, make_result: Make, make_recording: Record, host: Device
) -> None:
    run = make_result()
    panel.show_run(run, Session("", "1", host, 0.0, (run,)))
    panel.show_trace(make_recording())
    texts = shown(panel)
    at = texts.index("kernel")
    assert texts[at : at + 3] == ["kernel", "2.00 ms", "measured"]
    at = texts.index("sectors / request")
    assert texts[at : at + 3] == ["sectors / request", "5.70", "recorded"]
    values = [label for label in panel.findChildren(QLabel) if label.property("role") == "figure"]
    assert "kernel 2.00 ms, measured" in [label.accessibleName() for label in values]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_nothing_is_cut_off_in_a_window_1280_wide_with_a_scroll_bar(
    qtbot: QtBot, panel: FiguresPanel, make_result: Make, make_recording: Record, host: Device, theme: Theme
) -> None:
    panel.setStyleSheet(style_sheet(theme))
    panel.set_theme(theme)
    panel.resize(right_width(1280), 420)
    runs = (make_result("cpu_transposed", backend="host"), make_result("cpu_ijk", backend="host"), make_result())
    panel.show_run(runs[2], Session("", "1", host, 0.0, runs))
    race = Hazard(HazardKind.DIVERGENT_BARRIER, 6, "", (0, 0, 0), (), 0, 1, "some never came")
    panel.show_trace(make_recording(hazards=(race,)))
    bar = panel.findChild(QScrollArea, "figuresScroll").verticalScrollBar()
    qtbot.waitUntil(bar.isVisible)
    rows = [row for row in panel.findChildren(FigureRow) if row.isVisibleTo(panel)]
    assert len(rows) > 20
    assert [row.toolTip() for row in rows if row.is_elided] == []
    for label in panel.findChildren(QLabel):
        if label.isVisibleTo(panel) and not label.wordWrap():
            needed = label.fontMetrics().horizontalAdvance(label.text())
            assert needed <= label.width(), label.text()
            right = label.mapTo(panel, label.rect().topRight()).x()
            assert right < bar.mapTo(panel, bar.rect().topLeft()).x(), label.text()


def test_that_the_copy_is_all_figures_as_text(panel: FiguresPanel, make_result: Make, make_recording: Record) -> None:
    panel.show_run(make_result())
    panel.show_trace(make_recording())
    panel.findChild(QToolButton, "figuresCopy").click()
    text = QGuiApplication.clipboard().text()
    assert text == panel.text
    assert "kernel\t2.00 ms\tmeasured" in text.splitlines()
    assert "excess wavefronts\t15\trecorded" in text.splitlines()


def test_that_a_wrong_result_takes_the_colour_of_hazards(panel: FiguresPanel, make_result: Make) -> None:
    panel.show_run(make_result(passed=False))
    wrong = next(label for label in panel.findChildren(QLabel) if label.text() == "WRONG")
    for theme in (LIGHT, DARK):
        panel.set_theme(theme)
        assert theme.hazard in colours_of(wrong.grab().toImage())
    panel.show_run(make_result())
    assert wrong.text() == "passed"
    assert wrong.property("tone") == "good"


def test_that_two_hundred_runs_leave_no_more_objects_than_one(
    panel: FiguresPanel, make_result: Make, make_recording: Record, host: Device
) -> None:
    cpu = make_result("cpu_ijk", backend="host")
    panel.show_run(make_result(), Session("", "1", host, 0.0, (cpu,)))
    panel.show_trace(make_recording())
    before = len(panel.findChildren(QObject))
    for _ in range(200):
        panel.show_run(make_result(), Session("", "1", host, 0.0, (cpu,)))
        panel.show_trace(make_recording())
    assert len(panel.findChildren(QObject)) == before


def test_that_a_widget_may_stand_above(qtbot: QtBot) -> None:
    source = QLabel("source")
    panel = FiguresPanel(source)
    qtbot.addWidget(panel)
    panel.resize(320, 800)
    panel.show()
    qtbot.waitExposed(panel)
    head = next(label for label in panel.findChildren(QLabel) if label.text() == "Last run")
    assert source.mapTo(panel, source.rect().bottomLeft()).y() < head.mapTo(panel, head.rect().topLeft()).y()


def test_that_beside_a_schedule_stands_the_run_of_its_kernel(panel: FiguresPanel, make_result: Make) -> None:
    one = simulated()
    run, newest = make_result(ms=(2.0,) * 4), make_result("naive")
    mine = replace(run, spec=replace(run.spec, kernel=one.spec.kernel, params=one.spec.params, shape=one.spec.shape))
    mine = replace(mine, device=one.device)
    session = Session("", "1", one.device, 0.0, (mine, newest))
    panel.show_run(newest, session)
    panel.follow_schedule(one)
    assert {"Run of the schedule's kernel", "IQR"} <= set(shown(panel))
    assert not any(text.startswith("naive") for text in shown(panel))
    panel.show_run(newest, replace(session, runs=(newest,)))
    assert any(text.startswith("This session has no run of tiled") for text in shown(panel))
    panel.show_run(newest, session, is_chosen=True)
    assert any(text.startswith("naive") for text in shown(panel)), "a person chose it in the results"
    panel.show_run(newest, session)
    panel.follow_schedule(None)
    assert "Last run" in shown(panel)


def test_that_the_recording_is_named_with_the_version_that_was_recorded(
    panel: FiguresPanel, make_recording: Record, host: Device
) -> None:
    first, second = make_recording(), make_recording(source="\n// edited")
    panel.show_run(None, Session("", "1", host, 0.0, (), traces=(first, second)))
    panel.follow_recording(first)
    assert "version 1" in panel.text
    panel.follow_recording(second)
    assert "version 2" in panel.text
