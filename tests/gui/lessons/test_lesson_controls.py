"""What a step lets a reader change: by keys and by Tab as by the mouse, in the type of the page."""

from __future__ import annotations

import pytest
from lesson_scenes import LESSONS, data_of, shown
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QSlider
from pytestqt.qtbot import QtBot

from gemmviz.explain.requests.what_if import NewLayout, Swizzle
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.progress import LessonProgress
from gemmviz.gui.lessons.scenes.attempt_scene import AttemptScene
from gemmviz.gui.lessons.scenes.request_scene import NOT_RUN, BanksScene
from gemmviz.gui.lessons.shown_step import LessonEnd, RunHere
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.stages.array_map import ArrayMap
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.plain_label import PlainLabel


@pytest.fixture
def page(qtbot: QtBot) -> LessonPage:
    """The lesson of bank conflicts where a reader changes the layout."""
    made = shown(qtbot, LessonPage(LIGHT), 1280, 740)
    made.show_lesson(data_of("bank-conflicts")[1], step=2)
    with qtbot.waitActive(made):
        made.activateWindow()
    return made


def layout_of(page: LessonPage) -> NewLayout:
    assert isinstance(page.scene, BanksScene)
    stage = page.scene.stage
    assert isinstance(stage, BankStage)
    return stage.new_layout


def until_requested(qtbot: QtBot, page: LessonPage) -> None:
    scene = page.scene
    assert isinstance(scene, BanksScene)
    qtbot.waitUntil(lambda: scene.stage.request is not None)


def slider_of(page: LessonPage) -> QSlider:
    return page.findChild(QSlider, "paddingSlider")


@pytest.mark.parametrize("step", [2, *LESSONS["bank-conflicts"].question_steps])
def test_that_the_keys_of_the_banks_change_the_layout_of_a_lesson_too(
    qtbot: QtBot, page: LessonPage, step: int
) -> None:
    page.go(step)
    until_requested(qtbot, page)
    if step > 2:
        qtbot.keyClick(page, Qt.Key.Key_P)
        assert layout_of(page) == NewLayout(), "a question comes first"
        qtbot.keyClick(page, Qt.Key.Key_B)
        assert layout_of(page) == NewLayout(2)
        for _ in range(2):
            qtbot.keyClick(page, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    keys = page.findChild(PlainLabel, "layoutKeys")
    assert keys.isVisible()
    assert keys.text() == "Keys: P adds padding, Shift+P takes it away, S changes the swizzle"
    for key, modifier, layout in (
        (Qt.Key.Key_P, Qt.KeyboardModifier.NoModifier, NewLayout(1)),
        (Qt.Key.Key_P, Qt.KeyboardModifier.NoModifier, NewLayout(2)),
        (Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier, NewLayout(1)),
        (Qt.Key.Key_S, Qt.KeyboardModifier.NoModifier, NewLayout(1, Swizzle.COLUMN)),
    ):
        qtbot.keyClick(page, key, modifier)
        assert layout_of(page) == layout
    assert page.step == step


def test_that_the_keys_of_the_banks_do_nothing_where_a_step_shows_no_choices(qtbot: QtBot, page: LessonPage) -> None:
    page.go(1)
    until_requested(qtbot, page)
    qtbot.keyClick(page, Qt.Key.Key_P)
    assert layout_of(page) == NewLayout()
    assert not slider_of(page).isVisible()


def test_that_tab_reaches_the_layout_first(qtbot: QtBot, page: LessonPage) -> None:
    until_requested(qtbot, page)
    reached = []
    for _ in range(3):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget().objectName())
    assert reached == ["paddingSlider", "swizzleNone", "lessonFullScreen"]
    slider_of(page).setFocus()
    qtbot.keyClick(slider_of(page), Qt.Key.Key_Right)
    qtbot.keyClick(slider_of(page), Qt.Key.Key_P)
    assert layout_of(page) == NewLayout(2)
    assert page.step == 2


def test_that_arrows_turn_the_steps_wherever_the_focus_is_but_on_a_slider(qtbot: QtBot, page: LessonPage) -> None:
    for button in ("lessonBack", "lessonNext", "swizzleNone", "lessonFullScreen"):
        page.go(2)
        until_requested(qtbot, page)
        focus = page.findChild(QPushButton, button)
        focus.setFocus(Qt.FocusReason.TabFocusReason)
        assert QApplication.focusWidget() is focus
        qtbot.keyClick(focus, Qt.Key.Key_Right)
        assert page.step == 3
        page.findChild(QPushButton, "lessonBack").setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Left)
        assert page.step == 2


def test_that_a_layout_that_is_tried_is_called_modelled_and_not_recorded(qtbot: QtBot, page: LessonPage) -> None:
    until_requested(qtbot, page)
    source = page.findChild(ElidedLabel, "bankStageLessonSource")
    assert "recorded while" in source.accessibleName()
    for key in (Qt.Key.Key_P, Qt.Key.Key_S):
        qtbot.keyClick(page, key)
        assert source.accessibleName().endswith(NOT_RUN)
        assert "recorded" not in source.accessibleName()
        page.go(3)
        page.go(2)
        until_requested(qtbot, page)
        assert "recorded while" in source.accessibleName()


def test_that_an_arrow_turns_the_step_after_a_click_on_the_slider(qtbot: QtBot, page: LessonPage) -> None:
    until_requested(qtbot, page)
    page.setFocus()
    qtbot.mouseClick(slider_of(page), Qt.MouseButton.LeftButton)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert page.step == 3


def test_that_the_arrow_to_the_left_leaves_the_first_step_as_it_is(
    qtbot: QtBot, page: LessonPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.go(0)
    begun: list[int] = []
    monkeypatch.setattr(page, "go", begun.append)
    page.setFocus()
    qtbot.keyClick(page, Qt.Key.Key_Left)
    assert (page.step, begun) == (0, []), "it does not begin again"


def test_that_the_arrow_to_the_left_undoes_one_step_too_many_at_the_end_of_a_lesson(
    qtbot: QtBot, page: LessonPage
) -> None:
    following = LESSONS["tree"]
    page.show_lesson(data_of("bank-conflicts")[1], LessonEnd(following), step=page.steps - 1)
    page.setFocus()
    with qtbot.waitSignal(page.lesson_asked, check_params_cb=lambda asked: asked == following.id):
        qtbot.keyClick(page, Qt.Key.Key_Right)
    page.show_lesson(data_of("tree")[1], step=0)
    with qtbot.waitSignal(page.end_asked, check_params_cb=lambda asked: asked == "bank-conflicts"):
        qtbot.keyClick(page, Qt.Key.Key_Left)


def test_that_the_layout_that_a_reader_tries_has_all_the_room(qtbot: QtBot, page: LessonPage) -> None:
    until_requested(qtbot, page)
    recorded, tried = (page.findChild(ArrayMap, name) for name in ("bankMapRecorded", "bankMapNow"))
    assert (recorded.isVisible(), tried.isVisible()) == (True, False)
    qtbot.keyClick(page, Qt.Key.Key_P)
    assert (recorded.isVisible(), tried.isVisible()) == (False, True)


def test_that_the_slider_grows_with_the_page(page: LessonPage) -> None:
    slider = slider_of(page)
    before = slider.size()
    page._magnify(2.0)
    assert slider.width() > 1.8 * before.width()
    assert slider.height() > 1.5 * before.height()


def test_that_enter_begins_the_next_lesson_once_this_one_is_done(qtbot: QtBot, page: LessonPage) -> None:
    """As the filled button does; the run is not started a second time."""
    data = data_of("tiling")[1]
    page.show_lesson(
        data,
        LessonEnd(LESSONS["coalescing"]),
        step=data.lesson.step_count - 1,
        progress=LessonProgress(is_exercised=True),
    )
    assert QApplication.focusWidget() is page.findChild(QPushButton, "lessonNextLesson")
    assert page.findChild(PlainLabel, "lessonAttemptKeys").text() == "Enter or → begins the next lesson."
    page.setFocus()  # as after a click on the background
    with qtbot.waitSignal(page.lesson_asked) as asked, qtbot.assertNotEmitted(page.run_asked):
        qtbot.keyClick(page, Qt.Key.Key_Return)
    assert asked.args == ["coalescing"]


def test_that_the_last_step_has_its_run_under_enter_and_the_next_lesson_under_the_arrow(
    qtbot: QtBot, page: LessonPage
) -> None:
    following = LESSONS["tree"]
    page.show_lesson(data_of("bank-conflicts")[1], LessonEnd(following), step=page.steps - 1)
    run, forth = page.findChild(QPushButton, "lessonRecord"), page.findChild(QPushButton, "lessonNext")
    assert QApplication.focusWidget() is run, "without a GPU, recordings teach what times do not"
    assert not forth.isVisible(), "the next lesson has one button"
    keys = page.findChild(PlainLabel, "lessonAttemptKeys").text()
    assert keys == "Enter starts the recording; → begins the next lesson."
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        with qtbot.waitSignal(page.record_asked):
            qtbot.keyClick(run, key)
    page.setFocus()  # as after a click on the background
    with qtbot.waitSignal(page.record_asked), qtbot.assertNotEmitted(page.lesson_asked):
        qtbot.keyClick(page, Qt.Key.Key_Return)
    run.setFocus()
    reached = []
    for _ in range(3):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget().objectName())
    assert reached == ["lessonRun", "lessonNextLesson", "lessonOverview"]
    with qtbot.waitSignal(page.lesson_asked) as asked:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert asked.args == [following.id]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Left)
    assert page.step == page.steps - 2
    assert forth.isVisible()


@pytest.mark.parametrize(("is_on_gpu", "first"), [(False, "lessonRecord"), (True, "lessonRun")])
def test_that_the_last_step_offers_first_what_teaches_something_on_this_machine(
    page: LessonPage, is_on_gpu: bool, first: str
) -> None:
    page.run_here = lambda _: RunHere(is_on_gpu)
    page.show_lesson(data_of("coalescing")[1], step=page.steps - 1)
    record, run = (page.findChild(QPushButton, name) for name in ("lessonRecord", "lessonRun"))
    assert record.text() == "Record both and compare their sectors"
    assert QApplication.focusWidget().objectName() == first
    roles = {button.objectName(): button.property("role") for button in (record, run)}
    assert [name for name, role in roles.items() if role == "primary"] == [first]
    QApplication.processEvents()
    assert (record.y() < run.y()) is not is_on_gpu
    page.show_lesson(data_of("tiling")[1], step=99)
    assert record.isHidden(), "its times teach something on a CPU, too"
    assert QApplication.focusWidget() is run


def test_that_the_next_lesson_is_the_filled_button_once_a_lesson_is_done(qtbot: QtBot) -> None:
    scene = AttemptScene(LIGHT)
    qtbot.addWidget(scene)
    lesson, following = LESSONS["tiling"], LESSONS["coalescing"]
    for is_done in (False, True, False):
        scene.show_attempt(lesson, following, is_exercised=is_done)
        filled = [one.objectName() for one in scene.findChildren(QPushButton) if one.property("role") == "primary"]
        assert filled == (["lessonNextLesson"] if is_done else ["lessonRun"])


def test_that_no_key_leads_on_behind_the_last_lesson(qtbot: QtBot, page: LessonPage) -> None:
    page.show_lesson(data_of("bank-conflicts")[1], step=page.steps - 1)
    assert not page.findChild(QPushButton, "lessonNext").isVisible()
    assert "→" not in page.findChild(PlainLabel, "lessonAttemptKeys").text()
    with qtbot.assertNotEmitted(page.lesson_asked):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert page.step == page.steps - 1
