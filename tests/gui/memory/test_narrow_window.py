"""Two pictures beside each other can be read in the window of a laptop."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driving import act, part
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDockWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.layout.dock_widths import PICTURE_WIDTH, READABLE_WIDTH, TWO_CENTRE_WIDTH
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.memory.pane import MemoryPane
from gemmviz.gui.player.caption_label import CaptionLabel
from gemmviz.gui.widgets.segments import Segments
from gemmviz.gui.window.main_window import MainWindow

Record = Callable[..., TraceRun]


def tile_widths(pane: MemoryPane) -> list[float]:
    """Pixels of the arrays in shared memory, and of the sums in registers."""
    scene = pane.view.picture_state()
    assert scene is not None
    assert scene.onchip.sums is not None
    return [*(box.width for box in scene.onchip.factors), scene.onchip.sums.width]


def compare(qtbot: QtBot, window: MainWindow, run: TraceRun, beside: TraceRun) -> MemoryPage:
    """Play two recordings beside each other, in their second barrier interval."""
    act(window, "tabMemoryAction")
    window.document.add_trace(beside)
    window.document.add_trace(run)
    page, combo = part(window, MemoryPage, "memoryPage"), part(window, QComboBox, "compareCombo")
    qtbot.waitUntil(lambda: window.player.count > 0 and combo.count() > 1, timeout=20_000)
    place = next(at for at in range(1, combo.count()) if beside.spec.kernel in combo.itemText(at))
    combo.setCurrentIndex(place)
    combo.activated.emit(place)
    qtbot.waitUntil(lambda: page.is_compared)
    return page


def go_to(qtbot: QtBot, window: MainWindow, page: MemoryPage, frame: int) -> None:
    def are_there() -> bool:
        scenes = [pane.view.picture_state() for pane in page.panes]
        return all(each is not None and each.picture and each.picture.frame.index == frame for each in scenes)

    qtbot.waitUntil(lambda: window.player.count > frame, timeout=20_000)
    window.player.seek(frame)
    qtbot.waitUntil(are_there, timeout=20_000)


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900), (1920, 1080)])
def test_that_tiles_of_two_pictures_are_large_enough_to_be_seen(
    qtbot: QtBot, window: MainWindow, recorded: Record, size: tuple[int, int]
) -> None:
    window.resize(*size)
    runs = [recorded(kernel, "64x64x64", (0, 0), TILE=16) for kernel in ("tiled_transposed", "tiled_padded")]
    page = compare(qtbot, window, *runs)
    go_to(qtbot, window, page, 2)
    qtbot.waitUntil(lambda: all(min(tile_widths(pane)) >= 80 for pane in page.panes))
    for pane in page.panes:
        assert pane.totals.isVisible()
    if size[0] >= 1500:
        qtbot.waitUntil(lambda: page.width() >= TWO_CENTRE_WIDTH - 20, timeout=9000)
    experiment = part(window, QDockWidget, "experimentDock")
    assert experiment.isVisible() is (size[0] >= 1500)
    unfold = [each for each in window.findChildren(QAbstractButton) if "experimentDockUnfold" in each.objectName()]
    assert any(each.isVisible() for each in unfold) is not experiment.isVisible(), "what is folded has its strip"
    act(window, "tabTimingAction")
    assert experiment.isVisible(), "its room is wanted beside two pictures only"


class FirstPaint(QObject):
    """Notes whether the buttons of the views were whole each time that they were painted."""

    def __init__(self, segments: Segments) -> None:
        super().__init__(segments)
        self._segments, self.were_whole = segments, list[bool]()
        segments.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.were_whole.append(self._segments.width() >= self._segments.sizeHint().width())
        return super().eventFilter(watched, event)


def test_that_a_window_that_shrinks_is_right_from_the_first_time_it_is_painted(
    qtbot: QtBot, window: MainWindow, recorded: Record
) -> None:
    window.resize(1920, 1080)
    page = compare(qtbot, window, *(recorded(each, "64x64x64", (0, 0), TILE=16) for each in ("tiled", "tiled_padded")))
    dock = part(window, QDockWidget, "sourceDock")
    qtbot.waitUntil(lambda: page.width() >= TWO_CENTRE_WIDTH - 20 and not dock.visibleRegion().isEmpty())
    painted = FirstPaint(next(each for each in page.findChildren(Segments) if each.isVisible()))
    window.resize(1280, 800)
    assert page.width() >= TWO_CENTRE_WIDTH, "before anything is painted"
    qtbot.waitUntil(lambda: bool(painted.were_whole))
    assert all(painted.were_whole)


def test_that_one_picture_has_the_width_of_the_experiment_until_a_person_opens_it(
    qtbot: QtBot, window: MainWindow, recorded: Record
) -> None:
    window.resize(1280, 800)
    act(window, "tabMemoryAction")
    experiment, source = part(window, QDockWidget, "experimentDock"), part(window, QDockWidget, "sourceDock")
    page = part(window, MemoryPage, "memoryPage")
    assert experiment.isVisible(), "nothing is recorded yet, which is done there"
    part(window, QAbstractButton, "recordButton").setFocus()
    window.document.add_trace(recorded("tiled", "16x16x16", TILE=4))
    qtbot.waitUntil(experiment.isHidden)
    qtbot.waitUntil(lambda: source.width() == READABLE_WIDTH)
    assert page.isAncestorOf(window.focusWidget()), "the keys play at once"
    act(window, "tabTimingAction")
    assert experiment.isVisible()
    act(window, "tabMemoryAction")
    assert experiment.isHidden()
    unfold = part(window, QAbstractButton, "experimentDockUnfoldleftStrip")
    qtbot.waitUntil(unfold.isVisible)
    unfold.click()
    qtbot.waitUntil(lambda: experiment.isVisible() and page.width() >= PICTURE_WIDTH - 2)
    assert source.width() < READABLE_WIDTH, "the source gives way before the picture"
    act(window, "tabTimingAction")
    act(window, "tabMemoryAction")
    assert experiment.isVisible(), "who opens it wants it there"


def test_that_a_race_is_said_whole_beside_tiles_that_can_be_told_apart(
    qtbot: QtBot, window: MainWindow, recorded: Record
) -> None:
    window.resize(1280, 800)
    race, fine = (
        recorded("no_second_barrier.cu", "64x64x64", (0, 0)),
        recorded("tiled_padded", "64x64x64", (0, 0), TILE=16),
    )
    page = compare(qtbot, window, race, fine)
    go_to(qtbot, window, page, 2)
    first, second = (part(window, CaptionLabel, f"{pane.objectName()}Hazard") for pane in page.panes)
    qtbot.waitUntil(lambda: first.text().startswith("! Race"))
    qtbot.waitUntil(lambda: not first.is_cut and first.height() == second.height())
    assert "(line 23)" in first.text()
    assert "between the same two barriers" in first.text()

    def smallest_cell() -> float:
        return min(min(tile_widths(pane)) / edge for pane, edge in zip(page.panes, (8, 16), strict=True))

    # The pictures follow the captions' heights. 5 pixels of an element: its grid is drawn from 3 on.
    qtbot.waitUntil(lambda: smallest_cell() >= 5 and not first.is_cut)
