"""Every page that has nothing to show says what is going on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from driving import part, until_idle
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.timing.speedup_figure import NO_BASELINE
from gemmviz.gui.charts.accuracy_chart import ACCURACY_CHART
from gemmviz.gui.charts.error_map.view import ErrorMapView
from gemmviz.gui.charts.sweep_chart import SweepChart
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.charts.traffic_chart import TrafficChart
from gemmviz.gui.figures.panel import FiguresPanel
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.frame_panel import FramePanel
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.text.labels import PREPARING
from gemmviz.gui.player.player_bar import PlayerBar
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage
from gemmviz.gui.work.words import PREPARING_PICTURE, words_for_empty

RUN = LastWork(1, Asked.RUN, ("tiled",), "33×17×9")
SWEEP, RECORDING = replace(RUN, asked=Asked.SWEEP), replace(RUN, asked=Asked.RECORDING)


def words_on(page: QWidget) -> str:
    return "\n".join(label.text() for label in page.findChildren(QLabel) if label.isVisibleTo(page))


@pytest.mark.parametrize(
    ("make", "last"),
    [
        (TimingChart, RUN),
        (TimingChart, SWEEP),
        (ACCURACY_CHART.kind, RUN),
        (ErrorMapView, RUN),
        (SweepChart, SWEEP),
        (TrafficChart, RECORDING),
        (RecordingView, RECORDING),
        (FiguresPanel, RUN),
        (FiguresPanel, SWEEP),
    ],
)
def test_that_an_empty_page_tells_of_the_work_that_fills_it(
    qtbot: QtBot, make: Callable[[], Any], last: LastWork
) -> None:
    page = make()
    qtbot.addWidget(page)
    page.show()
    idle = words_on(page)
    page.show_work(last)
    assert "tiled 33×17×9 is " in words_on(page), "at once"
    page.show_work(replace(last, stage=WorkStage.FAILED, reason="too many threads"))
    qtbot.waitUntil(lambda: " failed." in words_on(page) and "too many threads" not in words_on(page))
    page.show_work(None)
    qtbot.waitUntil(lambda: words_on(page) == idle)


@pytest.mark.parametrize("make", [SourceView, FramePanel, PlayerBar, MemoryView])
def test_that_what_belongs_to_a_recording_tells_of_the_one_that_is_made(
    qtbot: QtBot, make: Callable[..., Any], make_kernel_shown: Callable[[Any], None]
) -> None:
    part_of_it = make(LIGHT) if make is MemoryView else make()
    qtbot.addWidget(part_of_it)
    make_kernel_shown(part_of_it)

    def said() -> str:
        return part_of_it.empty.words.text() if isinstance(part_of_it, MemoryView) else words_on(part_of_it)

    idle = said()
    part_of_it.show_work(RUN)
    assert said() == idle, "a run brings no recording"
    part_of_it.show_work(RECORDING)
    whole = "tiled 33×17×9 is being recorded. Results appear here when it is done."
    assert (whole in said()) is (make is MemoryView), "the picture alone says so in a sentence"
    assert ("Being recorded…" in said()) is (make in {SourceView, FramePanel})
    part_of_it.show_work(replace(RECORDING, stage=WorkStage.DONE))
    if isinstance(part_of_it, SourceView):
        assert PREPARING_PICTURE in said()
    else:
        assert said() == (PREPARING if make is PlayerBar else idle)
    assert "ecord" in idle


@pytest.fixture
def make_kernel_shown() -> Callable[[Any], None]:
    """A source tells of recordings once there is a kernel to be recorded."""
    kernel = load_catalogue().get("tiled")
    return lambda widget: widget.show_kernel(kernel) if isinstance(widget, SourceView) else None


def test_that_a_page_of_recordings_does_not_tell_of_runs(qtbot: QtBot) -> None:
    page = TrafficChart()
    qtbot.addWidget(page)
    page.show_work(RUN)
    assert page.figure is not None
    assert page.figure.empty.startswith("Nothing is recorded yet.")


def test_that_a_page_with_figures_keeps_them(qtbot: QtBot, make_result: Callable[..., RunResult]) -> None:
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.show_runs([make_result()])
    chart.show_work(RUN)
    assert chart.figure is not None
    assert len(chart.figure.rows) == 1
    chart.set_view(TimingView.SPEEDUP)
    assert chart.figure.empty == NO_BASELINE, "something has run, only nothing to compare it with"


def test_that_the_window_tells_of_its_run_and_of_its_end(window: MainWindow, qtbot: QtBot) -> None:
    chart = part(window, TimingChart, "timingChart")
    part(window, QPushButton, "runButton").click()
    assert chart.figure is not None
    assert "kernels are running at 64×64×64" in chart.figure.empty
    window.work.cancel()
    until_idle(qtbot, window)
    assert chart.figure.rows or "was cancelled before its first result" in chart.figure.empty
    window.document.new()
    assert chart.figure.empty.startswith("Nothing has run yet.")


def test_that_pages_say_which_file_is_being_opened_and_no_more_when_that_fails(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "torn.gemmviz").write_text("no session")
    told: list[str] = []
    window._run.work_changed.connect(lambda last: told.append(words_for_empty("idle", last)))
    with qtbot.waitSignal(window.document.failed):
        window.open_path(tmp_path / "torn.gemmviz")
    assert told == ["Opening torn.gemmviz. Results appear here.", "idle"]
