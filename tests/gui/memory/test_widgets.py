"""The parts of the page of memory, each alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QPushButton,
    QToolButton,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.explain.requests.selection import Selection
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.memory.memory_views import SEGMENTS
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.memory.pane import MemoryPane
from gemmviz.gui.memory.playing.linked_view import Link, LinkedView
from gemmviz.gui.memory.totals_strip import TotalsStrip
from gemmviz.gui.memory_view.composer import Composer
from gemmviz.gui.memory_view.scene import Scene

SOME = TotalsSoFar(1536, 0, 256, 48, 768, 512, 40, 8)


@pytest.fixture
def strip(qtbot: QtBot) -> TotalsStrip:
    made = TotalsStrip("totals")
    qtbot.addWidget(made)
    made.resize(400, made.sizeHint().height())
    made.show_totals(SOME)
    made.show_scale((3072.0, 256.0, 3072.0, 15.0, 32.0))
    return made


@pytest.fixture
def pane(qtbot: QtBot) -> MemoryPane:
    made = MemoryPane(LinkedView(LIGHT), "memoryPane")
    qtbot.addWidget(made)
    made.resize(420, 500)
    made.show()
    return made


def test_that_bars_have_the_lengths_of_the_figures(strip: TotalsStrip) -> None:
    assert strip.parts == (0.5, 1.0, 0.5, 0.1, 0.25)
    strip.show_scale((0.0, 0.0, 0.0, 0.0, 0.0))
    assert strip.parts == (0.0,) * 5
    strip.show_totals(None)
    assert (strip.lines, strip.parts) == ((), ())


def test_that_totals_are_read_aloud_and_explained(strip: TotalsStrip) -> None:
    assert "values stored to global memory 256, recorded" in strip.accessibleName()
    assert "loads per element of A 1.5, derived" in strip.accessibleName()
    at = QPoint(50, 50)
    QApplication.sendEvent(strip, QHelpEvent(QHelpEvent.Type.ToolTip, at, strip.mapToGlobal(at)))
    assert QToolTip.text().startswith("32 bytes for each sector")
    QToolTip.hideText()
    strip.show_totals(None)
    assert strip.accessibleName() == "So far: counting"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_a_longer_bar_has_more_of_its_colour(strip: TotalsStrip, theme: Theme) -> None:
    strip.set_theme(theme)

    def filled(image: QImage) -> list[int]:
        """How many pixels of each bar are not those of its empty track."""
        counts = []
        for row in range(5):
            line = [image.pixelColor(x, 5 + row * 19 + 16).name() for x in range(16, 384)]
            counts.append(sum(colour != theme.field for colour in line))
        return counts

    found = filled(strip.grab().toImage())
    assert found == [184, 368, 184, 37, 92]


def test_that_a_pane_alone_shows_no_more_than_its_picture(pane: MemoryPane) -> None:
    assert pane.view.isVisible()
    assert not pane.totals.isVisible()
    assert not pane.findChild(QLabel, "memoryPaneCaption").isVisible()
    pane.set_compared(True)
    assert pane.totals.isVisible()
    pane.show_caption("barrier interval 2 of 9: read As 4 times")
    assert pane.findChild(QLabel, "memoryPaneCaption").text() == "Barrier interval 2 of 9: read As 4 times"


def test_that_a_picture_is_composed_for_what_is_selected_and_not_for_a_size_that_is_never_painted(
    pane: MemoryPane, recorded: Callable[..., TraceRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = recorded("naive", "8x8x8", (0, 0))
    pane.view.show_recording(run, run.blocks[0].trace(run.sites, run.arrays), None)
    composed: list[int] = []
    compose = Composer.scene

    def counted(composer: Composer) -> Scene | None:
        composed.append(pane.view.height())
        return compose(composer)

    monkeypatch.setattr(Composer, "scene", counted)
    pane.setUpdatesEnabled(False)
    for height in (520, 540, 560):
        pane.resize(420, height)
    assert composed == []
    pane.show_selection(Selection(element=("A", 0, 0)))
    assert composed == [560]


def test_that_the_active_pane_says_so_in_words(pane: MemoryPane) -> None:
    pane.set_compared(True)
    for active in (True, False):
        pane.set_active(active)
        assert pane.is_active is active
        pane.set_theme(DARK)
        assert pane.is_active is active


def test_that_a_click_or_the_focus_turns_to_a_pane(qtbot: QtBot, pane: MemoryPane) -> None:
    with qtbot.waitSignal(pane.focused):
        qtbot.mouseClick(pane.view, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    pane.view.clearFocus()
    with qtbot.waitSignal(pane.focused):
        pane.view.setFocus()


def test_that_hazards_keep_their_line_from_frame_to_frame(pane: MemoryPane) -> None:
    line = pane.findChild(QLabel, "memoryPaneHazard")
    assert not line.isVisible()
    pane.keep_lines(hazards=True)
    pane.show_hazards(())
    assert (line.isVisible(), line.text()) == (True, "No hazard in this frame")
    pane.show_hazards((), "see frame 2 of 3 (race)")
    assert line.text() == "No hazard in this frame: see frame 2 of 3 (race)"
    strip = pane.findChild(QFrame, "memoryPaneWarning")
    assert strip.property("notice") == "none"
    pane.show_hazards(("Race, line 7: two threads meet", "Race, line 8: again"))
    assert line.text() == "! Race, line 7 (and 1 more): two threads meet; Race, line 8: again"
    assert strip.property("notice") == "error"
    pane.keep_lines(hazards=False)
    assert not line.isVisible()


def test_that_what_is_chosen_can_be_cleared_beside_it(qtbot: QtBot, pane: MemoryPane) -> None:
    clear = pane.findChild(QToolButton, "memoryPaneClear")
    assert not clear.isVisible()
    pane.show_selection(Selection(thread=5))
    assert pane.findChild(QLabel, "memoryPaneChosen").text() == "thread 5"
    with qtbot.waitSignal(pane.clear_asked):
        qtbot.mouseClick(clear, Qt.MouseButton.LeftButton)
    pane.show_selection(Selection())
    assert not clear.isVisible()


def test_that_a_view_that_is_not_linked_stays_where_it_is(qtbot: QtBot, recorded: Callable[..., TraceRun]) -> None:
    run = recorded("tiled", "17x33x5", (0, 0), TILE=16)
    views = LinkedView(LIGHT), LinkedView(LIGHT)
    for view, width in zip(views, (600, 400), strict=True):
        qtbot.addWidget(view)
        view.resize(width, 300)
        view.show_recording(run, run.blocks[0].trace(run.sites, run.arrays), None)
    link = Link(*views)
    views[0].zoom_in()
    assert views[1].camera.shows_all
    link.is_on = True
    views[0].zoom_in()
    assert views[1].camera.zoom == views[0].camera.zoom == pytest.approx(1.25**2)
    middle = [view.camera.x + view.camera.zoom * view.width() / 2 for view in views]
    assert middle[0] / 600 == pytest.approx(middle[1] / 400)
    views[1].fit()
    assert views[0].camera.shows_all


def test_that_the_page_shows_lists_only_where_there_is_something_to_choose(parts: Parts) -> None:
    page = parts.memory_page
    page.show()
    assert [name for name in ("memoryCombo", "blockCombo", "compareCombo", "stepByCombo") if visible(page, name)] == []
    page.findChild(QPushButton, "memoryTotals").click()
    assert not visible(page, "heatCombo")
    page.show_animation()
    assert page.findChild(QPushButton, "memoryAnimation").isChecked()


def visible(page: MemoryPage, name: str) -> bool:
    found = page.findChild(QWidget, name)
    assert isinstance(found, QWidget), name
    return found.isVisible()


@pytest.fixture
def holder(qtbot: QtBot, parts: Parts) -> QWidget:
    """What gives the page any width, as a window does whose panels take the rest."""
    made = QWidget()
    qtbot.addWidget(made)
    made.setStyleSheet(style_sheet(LIGHT))
    parts.memory_page.setParent(made)
    made.resize(1300, 700)
    made.show()
    parts.memory_page.show()
    return made


def test_that_options_of_two_pictures_make_room_for_the_buttons_of_the_views(
    parts: Parts,
    control: MemoryControl,
    holder: QWidget,
    recorded: Callable[..., TraceRun],
    session_of: Callable[..., Session],
) -> None:
    page = parts.memory_page
    one, other = recorded("naive", "17x33x20"), recorded("tiled", "17x33x20", TILE=4)
    control.show_session(session_of(one, other))
    combo = page.findChild(QComboBox, "compareCombo")
    combo.activated.emit(next(place for place in range(1, combo.count()) if "naive" in combo.itemText(place)))
    views = [page.findChild(QPushButton, each.object_name) for each in SEGMENTS]
    align = page.findChild(QComboBox, "stepByCombo")
    for width, is_apart in ((1000, False), (460, True), (1000, False)):
        page.setGeometry(0, 0, width, 700)
        holder.grab()
        QApplication.processEvents()  # lays out what was arranged anew
        assert page.is_compared
        assert align.isVisible()
        for button in views:
            assert button.width() >= button.sizeHint().width(), f"{button.text()} in {width} pixels"
        beside, top = align.mapTo(page, align.rect().center()).y(), views[0].mapTo(page, views[0].rect().center()).y()
        assert (beside > top + 20) is is_apart
