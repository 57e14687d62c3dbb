"""A letter that can change nothing says why: in the status bar, or on the whole screen in place of the keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.block_requests import requests_to
from gemmviz.explain.requests.what_if import MOST_PADDING, NewLayout
from gemmviz.explain.requests.what_if_words import NO_ARRAY
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.presentation.hint import FadingHint
from gemmviz.gui.stages.layout_controls import LEAST, MOST, LayoutControls
from gemmviz.gui.stages.request_chooser import COSTLIEST, FIRST, LAST, NO_REQUESTS, ONLY_ACCESS, RequestChooser


def test_that_the_keys_of_requests_say_why_they_choose_nothing(
    qtbot: QtBot, transposed: TraceRun, block_of: Callable[[TraceRun], BlockTrace]
) -> None:
    chooser, said = RequestChooser("stage", LIGHT), list[str]()
    qtbot.addWidget(chooser)
    chooser.refused.connect(said.append)
    chooser.step_site(1)
    chooser.choose_costliest()
    assert said == [NO_REQUESTS, NO_REQUESTS]
    said.clear()
    requests = requests_to(block_of(transposed), Space.SHARED)
    assert requests.worst is not None
    chooser.show_requests(requests)
    chooser.show_choice(*requests.worst)
    chooser.choose_costliest()
    site = requests.worst[0]
    found = requests.of_site(site)
    assert found is not None
    for place, by in ((0, -1), (len(found) - 1, 1)):
        chooser.show_choice(site, place)
        chooser.step(by)
    assert said == [COSTLIEST, FIRST, LAST]
    said.clear()
    chooser.step_site(1)
    assert not said, "the block has other accesses"
    combo = chooser._sites
    while combo.count() > 1:
        combo.removeItem(1)
    chooser.step_site(1)
    assert said == [ONLY_ACCESS]


def test_that_the_keys_of_the_layout_say_why_they_change_nothing(qtbot: QtBot) -> None:
    controls, said = LayoutControls(LIGHT), list[str]()
    qtbot.addWidget(controls)
    controls.refused.connect(said.append)
    controls.set_possible("")
    controls.step_padding(-1)
    controls.show_layout(NewLayout(MOST_PADDING))
    controls.step_padding(1)
    assert said == [LEAST, MOST]
    said.clear()
    controls.step_padding(-1)
    controls.step_swizzle()
    assert not said
    chosen = controls.layout_chosen
    controls.set_possible(NO_ARRAY)
    controls.step_padding(-1)
    controls.step_swizzle()
    assert said == [NO_ARRAY, NO_ARRAY]
    assert controls.layout_chosen == chosen


def test_that_a_presentation_says_it_in_place_of_its_keys(qtbot: QtBot) -> None:
    screen = QWidget()
    qtbot.addWidget(screen)
    screen.resize(800, 300)
    hint = FadingHint(("Space  play", "Esc  leave"), screen)
    hint.place(screen.rect())
    keys, corner = hint.text(), hint.geometry().bottomRight()
    hint.say(ONLY_ACCESS)
    assert hint.text() == ONLY_ACCESS
    assert hint.geometry().bottomRight() == corner
    assert QRect(screen.rect()).contains(hint.geometry())
    hint.show_hint()
    assert (hint.text(), hint.geometry().bottomRight()) == (keys, corner)
