"""What the whole screen shows of a chart, where an export differs."""

from __future__ import annotations

from typing import Any

import pytest
from gpu_runs import gpu_run, made_roofs
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.timing_chart import TimingChart
from gemmviz.gui.export import presented
from gemmviz.gui.export.drawn_view import ViewOnScreen
from gemmviz.gui.looks.theme import LIGHT


def test_that_a_chart_on_the_screen_names_the_key_that_lists_its_notes(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}
    monkeypatch.setattr(presented, "chart_image", lambda *_, **given: asked.update(given))
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    run = gpu_run()
    session = Session("", "", run.device, 0.0, runs=(run,), roofs=(made_roofs(),))
    chart.show_runs(session.runs, session.roofs)
    view = ViewOnScreen("rate", "Rate", lambda *_: pytest.fail("no slide"))
    shown = presented.presented_on_screen(view, chart, "Timing", session, ())
    assert shown.paint_large is not None
    shown.paint_large(None, (1920, 1080), LIGHT, "Rate")
    assert asked == {"large": True, "notes_key": "N"}
    assert presented.presented_on_screen(view, None, "Memory", session, ()) is view
