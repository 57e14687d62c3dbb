"""A presentation shows the page and the view that are chosen while it goes on."""

from __future__ import annotations

import pytest
from driving import act, part
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.recordings.access import Space
from gemmviz.explain.requests.block_requests import first_request_in
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.presentation.control import NOTHING, RECORDING
from gemmviz.gui.presentation.follower import LOOK_MS
from gemmviz.gui.presentation.hint import FadingHint
from gemmviz.gui.presentation.picture_screen import NOT_HERE
from gemmviz.gui.presentation.stage import PresentationStage
from gemmviz.gui.stages.request_stage import RequestStage
from gemmviz.gui.widgets.segments import Segments
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def screens() -> list[QWidget]:
    """The windows of presentations that can be seen."""
    names = ("presentation", "chartPresentation")
    return [widget for widget in QApplication.topLevelWidgets() if widget.objectName() in names and widget.isVisible()]


def presented() -> str:
    """What the only presentation is of, by its name; "" where there is none."""
    found = screens()
    assert len(found) <= 1
    return found[0].accessibleName() if found else ""


def slide() -> str:
    """The words on the only presentation of pictures; "" while there is none."""
    found = screens()
    stage = found[0].findChild(PresentationStage) if found else None
    return stage.accessibleName() if isinstance(stage, PresentationStage) else ""


@pytest.fixture
def ladder(qtbot: QtBot, window: MainWindow) -> MainWindow:
    with qtbot.waitSignal(window.document.opened):
        window.open_path(examples_folder() / "gpu-waves.gemmviz")
    act(window, "tabTimingAction")
    return window


def view_switch(window: MainWindow) -> Segments:
    page = window._layout.tabs.currentWidget()
    return next(each for each in page.findChildren(Segments) if each.isVisibleTo(page))


def test_that_a_presented_chart_follows_the_view_that_is_chosen(qtbot: QtBot, ladder: MainWindow) -> None:
    act(ladder, "presentAction")
    assert presented() == "Presentation: Kernel time"
    (window,) = screens()
    view_switch(ladder).choose(2)
    qtbot.waitUntil(lambda: presented() == "Presentation: Rate of arithmetic")
    turns = (
        (Qt.Key.Key_Left, "End-to-end time"),
        (Qt.Key.Key_Right, "Rate of arithmetic"),
        (Qt.Key.Key_PageDown, "Speed-up"),
    )
    for key, name in turns:
        qtbot.keyClick(screens()[0], key)
        qtbot.waitUntil(lambda name=name: presented().startswith(f"Presentation: {name}"))
    assert screens() == [window], "in one window, or what lies behind is seen between two charts"
    qtbot.keyClick(screens()[0], Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: presented() == "")
    view_switch(ladder).choose(0)
    qtbot.wait(50)
    assert presented() == "", "what is chosen without a presentation begins none"


def test_that_the_named_keys_follow_the_page(qtbot: QtBot, ladder: MainWindow) -> None:
    act(ladder, "presentAction")
    assert hinted().startswith("← → view")
    act(ladder, "tabTrafficAction")
    qtbot.waitUntil(lambda: "traffic" in presented().lower())
    assert hinted().startswith(f"Alt+1 … {len(TABS)} page")


def test_that_a_page_with_nothing_to_show_says_so_in_a_presentation_that_goes_on(
    qtbot: QtBot, ladder: MainWindow
) -> None:
    act(ladder, "presentAction")
    (window,) = screens()
    for tab in TABS:
        act(ladder, f"tab{tab}Action")
        shown = ladder._parts.pages.in_front(tab)
        title = tab if shown is None or shown.is_blank else shown.title
        qtbot.waitUntil(lambda title=title: presented() == f"Presentation: {title}")
        assert screens() == [window]
    assert NOTHING not in (said := part(ladder, NoticeBar, "noticeBar").texts())
    assert NOT_HERE not in said
    for tab, title in (("Schedule", "schedule"), ("Timing", "kernel time")):
        act(ladder, f"tab{tab}Action")
        qtbot.waitUntil(lambda title=title: title in presented().lower())
    qtbot.keyClick(window, Qt.Key.Key_Escape)


def test_that_f11_on_the_first_page_says_why_nothing_is_presented_until_there_is_a_page(window: MainWindow) -> None:
    act(window, "firstPageAction")
    act(window, "presentAction")
    assert not screens()
    notices = part(window, NoticeBar, "noticeBar")
    assert NOT_HERE in notices.texts()
    act(window, "tabMemoryAction")
    assert NOT_HERE not in notices.texts()


def test_that_a_presentation_stays_while_the_requests_of_a_view_are_loaded(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qtbot.waitSignal(window.document.opened):
        window.open_path(examples_folder().parent / "lessons" / "bank-conflicts.gemmviz")
    act(window, "tabMemoryAction")
    qtbot.waitUntil(lambda: window._player.player.count > 0)
    act(window, "presentAction")
    (animation,) = screens()
    is_busy, loading = RequestStage.is_busy.fget, [True]  # type: ignore[attr-defined]
    monkeypatch.setattr(RequestStage, "is_busy", property(lambda stage: bool(loading) or is_busy(stage)))
    view_switch(window).choose(1)
    qtbot.wait(4 * LOOK_MS)
    assert screens() == [animation]
    loading.clear()
    qtbot.waitUntil(lambda: len(screens()) == 1 and screens() != [animation])
    loading.append(True)
    view_switch(window).choose(2)
    qtbot.keyClick(screens()[0], Qt.Key.Key_Escape)
    loading.clear()
    qtbot.wait(4 * LOOK_MS)
    assert screens() == [], "a presentation that was left stays left"


def test_that_alt_and_a_number_reach_the_pages_from_a_presentation(ladder: MainWindow) -> None:
    act(ladder, "presentAction")
    taken = {action.objectName() for action in screens()[0].actions()}
    assert {"paletteAction", "shortcutsAction", "tabMemoryAction", "tabRefereeAction"} <= taken


def test_that_it_says_that_a_recording_is_not_finished(window: MainWindow) -> None:
    presentation = window._player.presentation
    assert presentation.why_nothing == NOTHING
    asked = LastWork(1, Asked.RECORDING, ("tiled",), "64x64x64")
    presentation.show_work(asked)
    assert presentation.why_nothing == RECORDING
    presentation.show_work(LastWork(1, Asked.RECORDING, ("tiled",), "64x64x64", WorkStage.DONE))
    assert presentation.why_nothing == NOTHING


def hinted() -> str:
    """The keys that the only presentation names."""
    (screen,) = screens()
    screen.resize(1920, 1080)
    hint = screen.findChild(FadingHint)
    assert isinstance(hint, FadingHint)
    return " ".join(hint.text().split())


def test_that_the_keys_between_views_are_named_only_where_there_is_another_view(
    qtbot: QtBot, ladder: MainWindow
) -> None:
    act(ladder, "presentAction")
    assert hinted().startswith("← → view R choose rows N all notes Alt+1")
    qtbot.keyClick(screens()[0], Qt.Key.Key_Escape)
    for button in view_switch(ladder).buttons[1:]:
        button.setEnabled(False)
    act(ladder, "presentAction")
    assert hinted().startswith("R choose rows N all notes Alt+1")
    before = presented()
    qtbot.keyClick(screens()[0], Qt.Key.Key_Right)
    qtbot.wait(50)
    assert presented() == before
    qtbot.keyClick(screens()[0], Qt.Key.Key_Escape)


def test_that_keys_lead_from_the_totals_to_the_next_view(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.document.opened):
        window.open_path(examples_folder().parent / "lessons" / "bank-conflicts.gemmviz")
    act(window, "tabMemoryAction")
    qtbot.waitUntil(lambda: window._player.player.count > 0)
    totals = window.findChild(QPushButton, "memoryTotals")
    assert isinstance(totals, QPushButton)
    totals.click()
    act(window, "presentAction")
    before, switch = presented(), view_switch(window)
    chosen = switch.current
    assert hinted().startswith("← → view")
    qtbot.keyClick(screens()[0], Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: presented() not in ("", before))
    assert switch.current != chosen
    qtbot.keyClick(screens()[0], Qt.Key.Key_Escape)


def test_that_digits_lead_to_the_requests_of_the_frame_and_back(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.document.opened):
        window.open_path(examples_folder().parent / "lessons" / "bank-conflicts.gemmviz")
    act(window, "tabMemoryAction")
    qtbot.waitUntil(lambda: window._player.player.count > 1)
    frames = window._player._playbacks[0].frames
    assert frames is not None
    act(window, "presentAction")
    assert "1 2 3 animation, banks, sectors" in hinted()
    stages = window._parts.memory_page.stages
    for index in range(len(frames)):
        window._player.player.seek(index)
        first, last = frames.span(index).slots
        for key, stage, space in (
            (Qt.Key.Key_2, stages.banks, Space.SHARED),
            (Qt.Key.Key_3, stages.sectors, Space.GLOBAL),
        ):
            before = screens()
            qtbot.keyClick(screens()[0], key)
            qtbot.waitUntil(lambda before=before: len(screens()) == 1 and screens() != before)
            assert stages.in_front is stage
            if first_request_in(frames.trace, space, (first, last)) is not None:
                request = stage.request
                assert request is not None
                assert first <= request.slot < last
        before = screens()
        qtbot.keyClick(screens()[0], Qt.Key.Key_1)
        qtbot.waitUntil(lambda before=before: len(screens()) == 1 and screens() != before)
        assert stages.in_front is None
    qtbot.keyClick(screens()[0], Qt.Key.Key_Escape)


def test_that_alt_and_a_digit_choose_a_page_from_a_presented_picture(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.document.opened):
        window.open_path(examples_folder().parent / "lessons" / "bank-conflicts.gemmviz")
    tabs = window._layout.tabs
    act(window, "tabMemoryAction")
    qtbot.waitUntil(lambda: window._player.player.count > 1)
    act(window, "presentAction")
    for number, key in enumerate((Qt.Key.Key_2, Qt.Key.Key_3), 1):
        act(window, "tabMemoryAction")
        qtbot.waitUntil(lambda: bool(slide()))
        assert f"Alt+1 … {len(TABS)} page" in hinted()
        stages = window._parts.memory_page.stages
        qtbot.keyClick(screens()[0], key, Qt.KeyboardModifier.AltModifier)
        qtbot.waitUntil(lambda number=number: tabs.currentIndex() == number)
        qtbot.waitUntil(lambda: presented().startswith("Presentation: "))
        assert stages.in_front is None
    qtbot.keyClick(screens()[0], Qt.Key.Key_Escape)


def test_that_presented_requests_follow_the_kernel_and_the_recording_that_are_chosen(
    qtbot: QtBot, window: MainWindow
) -> None:
    with qtbot.waitSignal(window.document.opened):
        window.open_path(examples_folder().parent / "lessons" / "bank-conflicts.gemmviz")
    act(window, "tabMemoryAction")
    qtbot.waitUntil(lambda: window._player.player.count > 1)
    act(window, "presentAction")
    qtbot.keyClick(screens()[0], Qt.Key.Key_2)
    first, *others = window.document.session.traces
    other = next(trace for trace in others if trace.spec.kernel != first.spec.kernel)
    for trace in (first, other):
        window._player.play(trace)
        qtbot.waitUntil(lambda trace=trace: slide().startswith(f"{trace.spec.kernel} "))
    window._set_up.choose(first.spec.kernel)
    qtbot.waitUntil(lambda: slide().startswith(f"{first.spec.kernel} "))
    assert slide().strip().endswith(window._parts.memory_page.stages.banks.sentence)
    qtbot.keyClick(screens()[0], Qt.Key.Key_Escape)
    assert not screens()


def test_that_a_kernel_chosen_over_a_chart_or_pictures_ends_the_presentation(qtbot: QtBot, ladder: MainWindow) -> None:
    """What was chosen is seen in the window."""
    act(ladder, "presentAction")
    assert presented()
    ladder._set_up.choose("tiled_transposed")
    assert not screens()
    ladder.open_path(examples_folder().parent / "lessons" / "tiling.gemmviz")
    act(ladder, "tabMemoryAction")
    qtbot.waitUntil(lambda: ladder._player.player.count > 1)
    act(ladder, "presentAction")
    assert presented()
    ladder._set_up.choose("tiled")
    assert not screens()
    assert ladder._set_up.experiment.kernel == "tiled"


def test_that_presenting_a_lesson_shows_it_on_the_whole_screen(qtbot: QtBot, window: MainWindow) -> None:
    window.open_lesson("tiling")
    qtbot.waitUntil(window._parts.lesson_page.isVisible)
    for is_full in (True, False):
        act(window, "presentAction")
        assert window.isFullScreen() is is_full
    assert window.findChild(NoticeBar).texts() == ()


def test_that_a_lesson_chosen_in_a_presentation_takes_the_whole_screen(qtbot: QtBot, ladder: MainWindow) -> None:
    act(ladder, "presentAction")
    assert presented()
    ladder.open_lesson("coalescing")
    qtbot.waitUntil(lambda: not screens() and ladder.isFullScreen() and ladder._parts.lesson_page.isVisible())
    qtbot.waitUntil(ladder.menuBar().isHidden)
    act(ladder, "presentAction")
    assert not ladder.isFullScreen()
    assert not ladder.menuBar().isHidden()
