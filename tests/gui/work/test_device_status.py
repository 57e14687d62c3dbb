"""The device's state and the progress of the work."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QMainWindow, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.engine.analysis.progress import ONCE_LONGER
from gemmviz.gui.layout.layout import LEAST_WINDOW
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import NoticeKind
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.work.device_status import DeviceBadge, DeviceState, ProgressStatus, StateMark
from gemmviz.gui.work.progress_clock import LONGER, elapsed_words


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-1, "0.0 s"), (0, "0.0 s"), (3.24, "3.2 s"), (41.9, "41 s"), (60, "1 min 00 s"), (125.5, "2 min 05 s")],
)
def test_that_time_is_told_shortly(seconds: float, words: str) -> None:
    assert elapsed_words(seconds) == words


def outline(image: QImage) -> frozenset[tuple[int, int]]:
    ground = image.pixelColor(0, 6)
    return frozenset(
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if abs(image.pixelColor(x, y).lightness() - ground.lightness()) > 40
    )


def test_that_every_state_has_a_shape_of_its_own(qtbot: QtBot) -> None:
    mark = StateMark(LIGHT)
    qtbot.addWidget(mark)
    shapes = {}
    for state in DeviceState:
        mark.show_state(state)
        shapes[state] = outline(mark.grab().toImage())
    alike = {(one, other): len(shapes[one] ^ shapes[other]) for one, other in combinations(shapes, 2)}
    assert {pair: pixels for pair, pixels in alike.items() if pixels < 8} == {}
    assert all(shapes.values())


def test_that_a_badge_says_device_and_state(qtbot: QtBot) -> None:
    badge = DeviceBadge(LIGHT)
    qtbot.addWidget(badge)
    assert badge.words() == "looking for devices"
    badge.show_state("CPU · PoCL", DeviceState.READY)
    assert badge.words() == "CPU · PoCL · ready"
    assert badge.accessibleName() == "Device CPU · PoCL: ready"
    assert badge.toolTip() == "Kernels run on CPU · PoCL: ready"
    badge.show_state("", DeviceState.NONE)
    assert (badge.words(), badge.toolTip()) == ("no device", "No device")


def test_that_a_theme_is_put_on_live(qtbot: QtBot) -> None:
    badge = DeviceBadge(LIGHT)
    qtbot.addWidget(badge)
    badge.show_state("x", DeviceState.READY)
    mark = badge.findChild(StateMark)
    assert mark.grab().toImage().pixelColor(6, 6).name() == LIGHT.good
    badge.set_theme(DARK)
    assert mark.grab().toImage().pixelColor(6, 6).name() == DARK.good


class Status:
    def __init__(self, qtbot: QtBot) -> None:
        self.clock = Clock()
        self.widget = ProgressStatus(self.clock)
        qtbot.addWidget(self.widget)
        self.widget.resize(900, 32)
        self.bar = self.widget.findChild(QProgressBar, "progressBar")
        self.cancel = self.widget.findChild(QPushButton, "progressCancel")

    def texts(self) -> list[str]:
        return [label.text() for label in self.widget.findChildren(QLabel) if label.isVisibleTo(self.widget)]


@pytest.fixture
def status(qtbot: QtBot) -> Status:
    return Status(qtbot)


def test_that_nothing_is_shown_while_nothing_goes_on(status: Status) -> None:
    assert status.texts() == []
    assert not status.cancel.isVisibleTo(status.widget)


def test_that_words_part_and_time_are_shown(status: Status) -> None:
    for seconds, part in ((0, 0.0), (12, 0.2), (4, 0.3), (4, 0.4), (4, 0.5)):
        status.clock.now += seconds
        status.widget.show_progress("tiled: checking", part)
    assert status.texts() == ["tiled: checking", "50 %", "24 s", "about 20 s left"]
    assert status.bar.value() == status.bar.maximum() // 2
    status.clock.now += 6
    status.widget.show_progress("tiled: checking", 0.5)
    assert status.texts()[2:] == ["30 s", "10 to 15 s left"], "time goes on while no further part is done"
    status.clock.now += 20
    status.widget.show_progress("tiled: checking", 0.5)
    assert status.texts()[2:] == ["50 s", "60 to 65 s left"], "at the mean pace of all that was done after the first"


def test_that_work_that_takes_longer_than_was_said_says_so_until_its_parts_tell_more(status: Status) -> None:
    status.widget.clear_progress(15.0)
    status.widget.show_progress("tiled: measuring", 0.0)
    status.clock.now += 15
    status.widget.show_progress("tiled: measuring", 0.1)
    assert LONGER not in status.texts()
    status.clock.now += 1
    status.widget.show_progress("tiled: measuring", 0.1)
    assert status.texts()[-1] == LONGER
    for part in (0.2, 0.3, 0.4):
        status.clock.now += 5
        status.widget.show_progress("tiled: measuring", part)
    assert status.texts()[-1].endswith(" left")
    status.widget.clear_progress()
    status.widget.show_progress("tiled: measuring", 0.0)
    status.clock.now += 99
    status.widget.show_progress("tiled: measuring", 0.0)
    assert LONGER not in status.texts()


def test_that_two_lines_of_words_have_their_whole_height(qtbot: QtBot, status: Status) -> None:
    status.widget.setStyleSheet(style_sheet(LIGHT))
    status.widget.setFixedWidth(560)
    status.widget.show()
    words_of_work = "compiling the analysis, once for all kernels, up to 1 min: function 9 of up to 51"
    status.widget.show_progress(f"race_broken: {words_of_work}", 0.0)
    words = status.widget.findChild(ElidedLabel)
    qtbot.waitUntil(lambda: "\n" in words.text())
    assert words.height() >= 2 * words.fontMetrics().lineSpacing()
    assert words.geometry().bottom() < status.widget.height()


@pytest.mark.parametrize(
    "text",
    [
        "race_broken: recording on the PTX machine",
        "tiled_global_accumulate: compiling the analysis, once for all kernels, up to 1 min: function 51 of up to 114",
        f"tiled_global_accumulate: compiling the analysis, {ONCE_LONGER}: function 51 of up to 114",
        "register_2d: recording block 12 of 16 384, 12 400 000 events so far",
    ],
)
def test_that_the_words_of_work_are_not_cut_beside_a_message(qtbot: QtBot, text: str) -> None:
    both = QMainWindow()
    qtbot.addWidget(both)
    bar, progress = NoticeBar(LIGHT), ProgressStatus()
    both.statusBar().addWidget(bar, 1)
    both.statusBar().addPermanentWidget(progress, 1)
    bar.show_notice(NoticeKind.HINT, "Compare the kernel times. Speed-up compares each kernel with cuBLAS. " * 3)
    both.resize(1280, 60)
    both.show()
    progress.show_progress(text, 0.0)
    words = progress.findChild(ElidedLabel)
    qtbot.waitUntil(lambda: not words.is_elided, timeout=5000)


@pytest.mark.parametrize(("fraction", "text"), [(0.001, "0 %"), (2, "100 %"), (0.999, "99 %")])
def test_that_an_odd_part_stays_within_the_bar(status: Status, fraction: float, text: str) -> None:
    status.widget.show_progress("x", fraction)
    assert text in status.texts()
    assert 0 <= status.bar.value() <= status.bar.maximum()


@pytest.mark.parametrize("fraction", [0.0, -1, float("nan")])
def test_that_no_part_is_claimed_before_one_is_known(status: Status, fraction: float) -> None:
    status.widget.show_progress("recording", fraction)
    status.clock.now += 12
    status.widget.show_progress("recording", fraction)
    assert [text for text in status.texts() if text] == ["recording", "12 s"]
    assert status.bar.isVisibleTo(status.widget)
    assert status.bar.maximum() == 0, "a busy bar"
    status.widget.show_progress("recording", 0.25)
    assert status.bar.value() == status.bar.maximum() / 4
    assert "25 %" in status.texts()


def test_that_the_bar_moves_while_no_part_is_known(qtbot: QtBot, status: Status) -> None:
    status.widget.setStyleSheet(style_sheet(LIGHT))
    status.widget.show()
    status.widget.show_progress("recording", 0.0)
    first = status.bar.grab().toImage()
    qtbot.waitUntil(lambda: status.bar.grab().toImage() != first)


def test_that_time_starts_again_with_the_next_work(status: Status) -> None:
    status.widget.show_progress("first", 0.9)
    status.clock.now += 70
    status.widget.clear_progress()
    status.widget.show_progress("second", 0.1)
    assert status.texts() == ["second", "10 %", "0.0 s"]


def test_that_cancel_asks_once_and_says_so_until_the_work_ends(qtbot: QtBot, status: Status) -> None:
    status.widget.show_progress("long", 0.1)
    with qtbot.waitSignal(status.widget.cancel_asked):
        qtbot.mouseClick(status.cancel, Qt.MouseButton.LeftButton)
    assert not status.cancel.isEnabled()
    status.widget.show_progress("long, still", 0.2)
    assert status.texts()[0] == "Cancelling…"
    status.widget.clear_progress()
    status.widget.show_progress("next", 0.0)
    assert status.cancel.isEnabled()
    assert status.texts()[0] == "next"


def test_that_the_bar_keeps_its_height(status: Status) -> None:
    idle = status.widget.sizeHint().height(), status.widget.minimumHeight()
    status.widget.show_progress("x", 0.5)
    assert status.widget.minimumHeight() == status.widget.maximumHeight() == idle[1]


def test_that_long_words_do_not_widen_the_window(status: Status) -> None:
    status.widget.show_progress("a very long name of a kernel " * 20, 0.1)
    assert status.widget.minimumSizeHint().width() < LEAST_WINDOW.width()
