"""The large counters below the pictures of a lesson."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from lesson_scenes import data_of, shown
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.gui.lessons.counters import CounterRow
from gemmviz.gui.lessons.scenes.pictures_scene import PicturePane, PicturesScene
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.paint.looks import Looks, looks_of
from gemmviz.gui.memory_view.text.tree import tree_words
from gemmviz.gui.widgets.plain_label import PlainLabel

SHORT = ["global loads", "each element"]
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture(scope="module")
def looks(qapp: object) -> Looks:
    assert qapp is not None
    return looks_of(LIGHT)


def test_that_the_serial_sum_and_the_tree_both_say_how_far_they_are(qtbot: QtBot) -> None:
    lesson, data = data_of("tree")
    wanted = next(step.pictures for step in lesson.steps if step.pictures and len(step.pictures.show) == 2)
    scene = shown(qtbot, PicturesScene(LIGHT), 1232, 500)
    scene.show_pictures(wanted, data)
    qtbot.waitUntil(lambda: scene.is_playing)
    said: tuple[list[str], list[str]] = [], []
    scene.player.totals_shown.connect(lambda place, _: note(place))

    def note(place: int) -> None:
        words = scene.panes[place].counters.accessibleName()
        if not said[place] or said[place][-1] != words:
            said[place].append(words)

    last = scene.player.facts
    assert last is not None
    for index in range(last.count):
        scene.player.seek(index)
        qtbot.waitUntil(lambda index=index: scene.player.index == index)
    qtbot.waitUntil(lambda: bool(said[0]) and said[0][-1] == "1496 is the sum")
    qtbot.waitUntil(lambda: bool(said[1]) and said[1][-1] == "1496 is in sums[0]")
    assert all(words.endswith("is the sum so far") for words in said[0][:-1])
    assert all(words.endswith("is in sums[0] so far") for words in said[1][:-1])
    assert scene.panes[1].counters.findChildren(PlainLabel)[1].text() == "is in sums[0]"
    sums = [int(words.split()[0]) for words in said[1] if words[0].isdigit()]
    assert sums == sorted(set(sums))
    assert set(sums) <= {1, 82, 276, 680, 1496}
    scene.stop()


def test_that_the_serial_sum_and_the_tree_both_grow_when_the_motion_of_a_frame_is_over(
    qtbot: QtBot, looks: Looks
) -> None:
    lesson, data = data_of("tree")
    wanted = next(step.pictures for step in lesson.steps if step.pictures and len(step.pictures.show) == 2)
    scene = shown(qtbot, PicturesScene(LIGHT), 1232, 500)
    scene.show_pictures(replace(wanted, plays=False), data)
    views = [pane.view for pane in scene.panes]
    qtbot.waitUntil(lambda: all(pane.counters.accessibleName() for pane in scene.panes))

    def figures() -> list[str]:
        return [pane.counters.accessibleName().split()[0] for pane in scene.panes]

    def tree_numbers() -> set[str]:
        return {item.text for item in tree_words(views[1].picture_state(), looks)}

    at_rest = None
    found = []
    for index in range(1, 6):
        scene.player.seek(index)
        qtbot.waitUntil(lambda index=index: views[1].picture_state().picture.frame.index == index)
        qtbot.waitUntil(lambda index=index: views[0].picture_state().picture.frame.index == index)
        for fraction in (0.0, 0.5, 0.99):
            for playback in scene.player._playbacks:
                playback.show_arrival(fraction)
            assert at_rest is None or figures() == at_rest
            assert at_rest is None or figures()[1] in tree_numbers()
        for playback in scene.player._playbacks:
            playback.show_arrival(1.0)
        at_rest = figures()
        assert at_rest[1] in tree_numbers()
        found.append(tuple(at_rest))
    assert ("30", "1496") in found, "as the text has it"
    scene.stop()


def test_that_a_longer_figure_beside_a_title_has_its_room_at_once(qtbot: QtBot) -> None:
    head = QWidget()
    qtbot.addWidget(head)
    line, row = QHBoxLayout(head), CounterRow("counters")
    line.addWidget(PlainLabel("tiled"), 1)
    line.addWidget(row)
    row.show_counters(["loads"])
    head.resize(700, 60)
    head.show()
    QApplication.processEvents()
    narrow = row.width()
    row.show_totals(cast("TotalsSoFar", SimpleNamespace(loads=1_234_567)), None)
    assert row.width() == row.sizeHint().width() > narrow


def test_that_counters_without_room_have_shorter_words_until_the_end_of_their_step(qtbot: QtBot) -> None:
    row = CounterRow("counters")
    qtbot.addWidget(row)
    row.show_counters(["loads", "loads_per_element"])
    row.setFixedWidth(row.sizeHint().width() + 40)
    row.show()
    words = row.findChildren(PlainLabel)[1::2]
    for loads, said in ((2, ["global memory loads", "each element of A and B"]), (1_638_400_000, SHORT), (2, SHORT)):
        row.show_totals(cast("TotalsSoFar", SimpleNamespace(loads=loads, loads_per_input=16.0)), None)
        assert [label.text() for label in words] == said
        assert row.accessibleName().endswith("16× each element of A and B"), "what is read aloud is not shortened"


def test_that_no_picture_gets_wider_for_its_counters(qtbot: QtBot) -> None:
    pane = PicturePane(LIGHT, "lessonViewLeft")
    qtbot.addWidget(pane)
    pane.counters.show_counters(["loads", "loads_per_element"])
    narrow = pane.minimumSizeHint().width()
    pane.counters.show_totals(cast("TotalsSoFar", SimpleNamespace(loads=10**30, loads_per_input=16.0)), None)
    assert pane.minimumSizeHint().width() == narrow
    pane.put_counters(beside_title=True)
    pane.layout().activate()
    assert pane.minimumSizeHint().width() > narrow


def test_that_a_counter_follows_the_sum_of_one_thread(qtbot: QtBot) -> None:
    lesson, data = data_of("tree")
    wanted = lesson.steps[0].pictures
    assert wanted is not None
    scene = shown(qtbot, PicturesScene(LIGHT))
    scene.show_pictures(replace(wanted, plays=False), data)
    said = scene.panes[0].counters.accessibleName
    qtbot.waitUntil(lambda: said() == "0 is the sum so far")
    found = set()
    facts = scene.player.facts
    assert facts is not None
    for frame in range(facts.count):
        scene.player.seek(frame)
        qtbot.waitUntil(lambda frame=frame: scene.panes[0].view.picture_state().picture.frame.index == frame)
        found.add(said().split()[0])
    assert {"0", "1", "5", "14", "1240", "1496"} <= found


def test_that_loads_are_those_of_the_frame_that_the_caption_names_while_tiles_move(qtbot: QtBot) -> None:
    lesson, data = data_of("tiling")
    wanted = next(step.pictures for step in lesson.steps if step.pictures and "loads" in step.pictures.counters)
    scene = shown(qtbot, PicturesScene(LIGHT), 1232, 500)
    scene.show_pictures(replace(wanted, plays=False), data)
    pane = scene.panes[0]
    qtbot.waitUntil(lambda: pane.counters.accessibleName() != "")
    of_frames = []
    for index in range(1, 4):
        scene.player.seek(index)
        qtbot.waitUntil(lambda index=index: pane.view.picture_state().picture.frame.index == index)
        shown_at = []
        for fraction in (0.0, 0.5, 1.0):
            scene.player._playbacks[0].show_arrival(fraction)
            load_counters = pane.view.picture_state().load_counters
            shown_at.append(load_counters.global_loads)
            figure = int(
                pane.counters.accessibleName().split(" global memory load")[0].replace("\N{NARROW NO-BREAK SPACE}", "")
            )
            assert figure == load_counters.global_loads
        assert len(set(shown_at)) == 1
        of_frames.append(shown_at[0])
    assert of_frames == sorted(set(of_frames))
    scene.stop()
