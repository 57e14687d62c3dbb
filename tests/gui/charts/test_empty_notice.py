"""What stands on a page without figures: words and the button that brings some."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.timing_chart import TimingChart
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.pages.pages import Pages
from gemmviz.gui.pages.table import PAGES
from gemmviz.gui.widgets.allowed import allow_action
from gemmviz.gui.work.last_work import Asked, LastWork


@pytest.fixture
def action() -> QAction:
    made = QAction("&Run")
    made.setStatusTip("Time it")
    return made


@pytest.fixture
def chart(qtbot: QtBot, action: QAction) -> TimingChart:
    made = TimingChart()
    qtbot.addWidget(made)
    made.offer(action)
    made.resize(900, 500)
    made.show()
    return made


def test_that_an_empty_page_has_the_button_that_brings_figures(
    chart: TimingChart, action: QAction, qtbot: QtBot, make_run: Any
) -> None:
    button = chart._empty.button
    assert button.isVisible()
    assert button.text() == "Run"
    with qtbot.waitSignal(action.triggered):
        button.click()
    chart.show_runs([make_run()])
    chart.refresh()
    assert not button.isVisible()


def test_that_the_button_is_there_only_while_it_helps(chart: TimingChart, action: QAction) -> None:
    button = chart._empty.button
    chart.show_work(LastWork(1, Asked.RUN, ("tiled",), "64×64×64"))
    assert not button.isVisible()
    chart.show_work(None)
    assert button.isVisible()
    action.setEnabled(False)
    assert not button.isVisible()


def test_that_a_button_that_cannot_be_used_is_grey_with_its_reason_below(chart: TimingChart, action: QAction) -> None:
    button, why = chart._empty.button, chart._empty.why
    assert not why.isVisible()
    allow_action(action, "mine.cu cannot run yet.")
    assert (button.isVisible(), button.isEnabled()) == (True, False)
    assert (why.isVisible(), why.text()) == (True, "mine.cu cannot run yet.")
    assert button.toolTip().endswith("mine.cu cannot run yet.")
    allow_action(action, "only a GPU tells this")
    assert why.text() == "only a GPU tells this.", "a sentence, also where a tooltip is none"
    chart.show_work(LastWork(1, Asked.RUN, ("tiled",), "64×64×64"))
    assert not why.isVisible()
    chart.show_work(None)
    allow_action(action, "")
    assert (button.isEnabled(), why.isVisible()) == (True, False)


def test_that_words_stand_in_the_middle_in_lines_that_are_not_too_long(chart: TimingChart) -> None:
    words, notice = chart._empty.words, chart._empty
    assert words.width() <= 560
    assert abs(words.geometry().center().x() - notice.rect().center().x()) <= 1


@pytest.mark.usefixtures("qapp")
def test_that_each_page_offers_what_brings_its_figures() -> None:
    asked: list[str] = []

    def named(name: str) -> QAction:
        asked.append(name)
        return QAction(name)

    Pages(LIGHT).offer(named)
    assert len(asked) == sum(len(page.charts) for page in PAGES)
    assert {"runAction", "recordAction", "sweepAction", "settingsAction", "scheduleAction", "refereeAction"} == set(
        asked
    )
