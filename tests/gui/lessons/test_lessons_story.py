"""Every lesson from the first page to its last step, by clicks and keys, as a reader goes through it."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import act, part
from lesson_driving import begin, click, text_of
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QSlider, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.lessons import Lesson, LessonStep, load_lessons
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.unbroken_text import with_plain_spaces
from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.lessons.attempt_words import back_words
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.question_row import RIGHT, WRONG
from gemmviz.gui.lessons.scenes.chart_scene import ChartScene
from gemmviz.gui.lessons.scenes.loops_scene import LoopsScene
from gemmviz.gui.lessons.scenes.pictures_scene import PicturesScene
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.lessons.scenes.request_scene import BanksScene
from gemmviz.gui.lessons.scenes.schedule_scene import ScheduleScene
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.welcome.first_page import FirstPage
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.window.main_window import MainWindow

LESSONS = load_lessons()


def until_shown(qtbot: QtBot, page: LessonPage) -> None:
    """Wait until the scene shows something."""
    match page.scene:
        case PicturesScene() as pictures:
            qtbot.waitUntil(lambda: pictures.player.facts is not None)
            qtbot.waitUntil(lambda: all(pane.view.picture_state() for pane in pictures.panes if pane.isVisible()))
        case RepairScene() as repair:
            qtbot.waitUntil(lambda: repair.player.facts is not None)
        case ChartScene() as scene:
            assert scene.chart.figure is not None
            assert scene.chart.figure.rows
        case ScheduleScene() as scene:
            assert scene.timeline.geometry_now is not None
        case LoopsScene() as scene:
            assert scene.panes[0].figure


def answer(qtbot: QtBot, window: MainWindow, page: LessonPage, step: LessonStep) -> None:
    """Choose every wrong answer by the mouse, then the right one by its key: each has its reason, nothing moves."""
    question = step.question
    assert question is not None
    places = places_of(page)
    for place, choice in enumerate(question.choices):
        if place != question.right:
            click(qtbot, window, f"lessonChoice{place}")
            assert text_of(window, "lessonAnswer") == with_plain_spaces(f"Not quite. {choice.says}")
            assert places_of(page) == places
    assert not any(button.hasFocus() for button in page.findChildren(QPushButton))
    said = text_of(window, "lessonAnswer")
    for digit in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4):  # answers may be numbers themselves
        qtbot.keyClick(page, digit)
    assert text_of(window, "lessonAnswer") == said
    other = next(each for each in window.findChildren(QToolButton) if each.isVisible() and not page.isAncestorOf(each))
    other.setFocus()  # an answer's key works wherever the focus is
    qtbot.keyClick(other, Qt.Key(int(Qt.Key.Key_A) + question.right))
    assert text_of(window, "lessonAnswer") == with_plain_spaces(f"Right. {question.choices[question.right].says}")
    left = [place for place in places if place in places_of(page)]
    assert left == places_of(page)
    assert len(left) == len(places) - 1, "the offer to show the answer leaves, and nothing moves"
    buttons = [part(window, QPushButton, f"lessonChoice{place}") for place in range(len(question.choices))]
    assert [button.text()[-1] == "✓" for button in buttons] == [n == question.right for n in range(len(buttons))]
    assert question.choices[0].says in buttons[0].accessibleName()


def places_of(page: LessonPage) -> list[QRect]:
    """Where the scene, the words and the buttons of a step stand."""
    QApplication.sendPostedEvents()
    QApplication.processEvents()
    assert page.scene is not None
    parts: list[QWidget] = [page.scene, *page.findChildren(PlainLabel), *page.findChildren(QPushButton)]
    shown = [each for each in parts if each.isVisible() and not page.scene.isAncestorOf(each)]
    return [each.geometry() for each in shown]


def repair(qtbot: QtBot, window: MainWindow, page: LessonPage, step: LessonStep, scene: RepairScene) -> None:
    """Put the barrier into each wrong gap, then into the right one."""
    wanted, here = step.repair, page.step
    assert wanted is not None
    for place in [place for place in range(len(wanted.gaps)) if place != wanted.right] + [wanted.right]:
        places = places_of(page)
        click(qtbot, window, f"lessonGap{place}")
        assert places_of(page) == places
        says = f"{RIGHT if place == wanted.right else WRONG} {wanted.gaps[place].says}"
        assert text_of(window, "lessonGapReply") == with_plain_spaces(says)
        focused = QApplication.focusWidget()
        qtbot.keyClick(focused, Qt.Key.Key_Left)  # the lesson's keys go on working wherever a click left the focus
        assert page.step == here - 1
        qtbot.keyClick(page, Qt.Key.Key_Right)
        assert page.scene is scene
        if place != wanted.right:  # the right one stays filled
            click(qtbot, window, f"lessonGap{place}")
    assert not any(gap.isVisible() for gap in scene.gaps)
    assert scene.pane.title.text() == "With the barrier"
    qtbot.waitUntil(lambda: scene.player.facts is not None and not scene.player.facts.hazards)


def test_that_a_lesson_has_its_own_title_and_not_the_message_of_an_example(qtbot: QtBot, window: MainWindow) -> None:
    example = next(each for each in load_examples() if each.path.stem == "cpu-four")
    with qtbot.waitSignal(window.document.opened):
        window._examples.chosen.emit(example)
    of_session = window.windowTitle()
    assert example.title in of_session
    assert example.look in _notices(window)
    window._layout.show_first_page()
    page = begin(qtbot, window, LESSONS[2])
    assert window.windowTitle() == f"{LESSONS[2].title}[*] — gemmviz"
    assert example.look not in _notices(window)
    page.lesson_asked.emit(LESSONS[3].id)
    qtbot.waitUntil(lambda: window.windowTitle() == f"{LESSONS[3].title}[*] — gemmviz")
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert window.windowTitle() == of_session


def test_that_space_plays_the_lesson_and_not_the_window(qtbot: QtBot, window: MainWindow) -> None:
    page = begin(qtbot, window, LESSONS[0])
    page.go(1)
    scene = page.scene
    assert isinstance(scene, PicturesScene)
    qtbot.waitUntil(lambda: scene.is_playing)
    qtbot.keyClick(page, Qt.Key.Key_Space)
    assert not scene.is_playing
    assert part(window, QPushButton, "lessonPlay").text() == "Play"
    before = scene.player.index
    qtbot.keyClick(page, Qt.Key.Key_Period)
    assert scene.player.index == before + 1
    qtbot.keyClick(page, Qt.Key.Key_Space)
    assert scene.is_playing
    assert not window.player.playing


def test_that_the_counters_end_at_what_was_recorded(qtbot: QtBot, window: MainWindow) -> None:
    page = begin(qtbot, window, LESSONS[0])
    place = next(number for number, step in enumerate(LESSONS[0].steps) if "16× against 1×" in step.text)
    page.go(place)
    scene = page.scene
    assert isinstance(scene, PicturesScene)
    qtbot.waitUntil(lambda: scene.player.facts is not None and scene.player.facts.mode.value == "step")
    scene.player.seek(10_000)
    said = [pane.counters.accessibleName for pane in scene.panes]
    qtbot.waitUntil(lambda: "16 384 global memory loads" in said[0]().replace("\u202f", " "))
    qtbot.waitUntil(lambda: "1 024 global memory loads" in said[1]().replace("\u202f", " "))
    assert "16× each element of A and B" in said[0]()
    assert "1× each element of A and B" in said[1]()


def test_that_the_last_step_runs_for_real_and_leads_on(qtbot: QtBot, window: MainWindow) -> None:
    lesson = next(each for each in LESSONS if each.id == "tree")
    page = begin(qtbot, window, lesson)
    page.go(page.steps)
    click(qtbot, window, "lessonNextLesson")
    following = LESSONS[LESSONS.index(lesson) + 1]
    qtbot.waitUntil(lambda: page.lesson == following)
    page.left.emit()
    begin(qtbot, window, lesson).go(99)
    click(qtbot, window, "lessonRun")
    assert window.work.busy
    assert window.experiment.shape == lesson.attempt.size
    assert not page.isVisible()
    bar = part(window, NoticeBar, "noticeBar")
    assert bar.texts() == (
        "This is the run of lesson 6: each kernel is built, then measured until its time is steady, 12 s at most.",
    )
    window.work.cancel()
    qtbot.waitUntil(lambda: not window.work.busy)
    head = "This is the run of lesson 6: each kernel is built, then measured until its time is steady, 12 s at most."
    assert f"{head} {lesson.attempt.after}" in bar.texts()


def test_that_a_run_that_cannot_start_is_not_announced_as_the_lessons(qtbot: QtBot, window: MainWindow) -> None:
    """Another run is under way: one notice says so, the other what to do; its end brings no words of the lesson."""
    lesson = next(each for each in LESSONS if each.id == "tree")
    act(window, "runAction")
    assert window.work.busy
    window.open_lesson(lesson.id)
    page = part(window, LessonPage, "lessonPage")
    qtbot.waitUntil(lambda: page.lesson == lesson)
    page.go(99)
    click(qtbot, window, "lessonRun")
    waits = "Lesson 6 is set up, but not started. Press Run when the device is ready."
    assert waits in _notices(window)
    assert "is under way" in _notices(window)
    assert "This is the run" not in _notices(window)
    window.work.cancel()
    qtbot.waitUntil(lambda: not window.work.busy)
    assert lesson.attempt.after not in _notices(window)


def test_that_a_lesson_that_cannot_be_read_says_so(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_path: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr("gemmviz.gui.lessons.lesson_data.load_session", fail)
    click(qtbot, window, f"lessonCard_{LESSONS[0].id}")
    assert text_of(window, f"lessonProgress_{LESSONS[0].id}") == "Opening…"
    assert window.cursor().shape() is Qt.CursorShape.BusyCursor
    qtbot.waitUntil(lambda: "The lesson cannot be opened: the disk is gone" in _notices(window))
    assert text_of(window, f"lessonProgress_{LESSONS[0].id}") == ""
    assert window.cursor().shape() is not Qt.CursorShape.BusyCursor
    assert part(window, FirstPage, "firstPage").isVisible()


def test_that_a_new_session_leads_to_the_lessons(qtbot: QtBot, window: MainWindow) -> None:
    click(qtbot, window, "experimentCard")
    assert not part(window, FirstPage, "firstPage").isVisible()
    window.findChild(type(window._actions["newAction"]), "newAction").trigger()
    assert part(window, FirstPage, "firstPage").isVisible()


def _notices(window: MainWindow) -> str:
    return "\n".join(window._parts.notices.texts())


def test_that_keys_choose_the_gap_for_the_barrier_and_tab_reaches_it_first(qtbot: QtBot, window: MainWindow) -> None:
    lesson = next(each for each in LESSONS if any(step.repair is not None for step in each.steps))
    page = begin(qtbot, window, lesson)
    place, wanted = next((place, step.repair) for place, step in enumerate(lesson.steps) if step.repair is not None)
    page.go(place)
    assert isinstance(page.scene, RepairScene)
    by_line = sorted(wanted.gaps, key=lambda gap: gap.line)
    for number, gap in enumerate(by_line, 1):
        assert part(window, QPushButton, f"lessonGap{wanted.gaps.index(gap)}").text().startswith(f"{number} ")
    qtbot.keyClick(page, Qt.Key.Key_Tab)
    assert page.scene.choices[0].hasFocus()
    qtbot.keyClick(page, Qt.Key.Key_1)
    assert text_of(window, "lessonGapReply") == with_plain_spaces(f"Not quite. {by_line[0].says}")
    tried = part(window, QPushButton, f"lessonGap{wanted.gaps.index(by_line[0])}")
    assert tried.text() == "1   + __syncthreads();   ✗"
    assert tried.width() >= tried.sizeHint().width()
    assert tried.accessibleName() == "1: + __syncthreads(); Not quite."
    page.setFocus()
    qtbot.keyClick(page, Qt.Key(Qt.Key.Key_1 + by_line.index(wanted.gaps[wanted.right])))
    assert text_of(window, "lessonGapReply") == with_plain_spaces(f"Right. {wanted.gaps[wanted.right].says}")
    assert page.scene.choices == ()


def test_that_the_gap_for_the_barrier_is_shown_to_who_asks_for_it(qtbot: QtBot, window: MainWindow) -> None:
    lesson = next(each for each in LESSONS if any(step.repair is not None for step in each.steps))
    page = begin(qtbot, window, lesson)
    place, wanted = next((place, step.repair) for place, step in enumerate(lesson.steps) if step.repair is not None)
    page.go(place)
    scene = page.scene
    assert isinstance(scene, RepairScene)
    with qtbot.waitSignal(scene.answered):
        click(qtbot, window, "lessonShowGap")
    assert text_of(window, "lessonGapReply") == with_plain_spaces(
        f"This is the answer. {wanted.gaps[wanted.right].says}"
    )
    assert not part(window, QPushButton, "lessonShowGap").isVisible()
    assert scene.choices == ()
    page.go(0)
    page.go(place)
    assert not part(window, QPushButton, "lessonShowGap").isVisible(), "what was answered stays so"
    assert scene.choices == ()
    qtbot.keyClick(page, Qt.Key.Key_Home)
    page.go(place)
    assert part(window, QPushButton, "lessonShowGap").isVisible()
    assert len(scene.choices) == len(wanted.gaps)


def test_that_a_run_of_a_lesson_leads_back_to_it(qtbot: QtBot, window: MainWindow) -> None:
    lesson = next(each for each in LESSONS if each.id == "cpu")
    page = begin(qtbot, window, lesson)
    page.go(page.steps)
    click(qtbot, window, "lessonRun")
    window.work.cancel()
    qtbot.waitUntil(lambda: not window.work.busy)
    back = next(button for button in window.findChildren(QPushButton) if button.text() == back_words(lesson))
    back.click()
    assert page.isVisible()
    assert page.lesson == lesson
    assert page.step == page.steps - 1


def test_that_a_kernel_that_is_opened_leads_from_the_first_page_to_the_experiment(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "mine.cu"
    shipped = next(kernel for kernel in load_catalogue().kernels if kernel.id == "tiled")
    file.write_text(shipped.text, encoding="utf-8")
    assert part(window, FirstPage, "firstPage").isVisible()
    window.open_path(file)
    qtbot.waitUntil(lambda: part(window, ExperimentPanel, "experimentPanel").isVisible())
    assert window.experiment.kernel == "mine"


def test_that_a_lesson_is_stopped_where_a_kernel_is_chosen_by_name(qtbot: QtBot, window: MainWindow) -> None:
    page = begin(qtbot, window, LESSONS[0])
    entry = next(each for each in window._set_up.entries() if each.title == "dot")
    entry.do()
    assert part(window, ExperimentPanel, "experimentPanel").isVisible()
    assert not page.isVisible()
    assert page.lesson is None


def test_that_the_question_begins_in_the_layout_of_its_step_whatever_the_reader_has_tried(
    qtbot: QtBot, window: MainWindow
) -> None:
    lesson = next(each for each in LESSONS if each.id == "bank-conflicts")
    page = begin(qtbot, window, lesson)
    free = next(place for place, step in enumerate(lesson.steps) if step.banks is not None and step.banks.controls)
    page.go(free)
    scene = page.scene
    assert isinstance(scene, BanksScene)
    stage = scene.stage
    assert isinstance(stage, BankStage)
    qtbot.waitUntil(lambda: stage.request is not None)
    slider = stage.findChild(QSlider, "paddingSlider")
    assert isinstance(slider, QSlider)
    slider.setValue(2)
    assert stage.new_layout == NewLayout(2)
    page.go(next(iter(lesson.question_steps)))
    assert page.step > free
    assert stage.new_layout == NewLayout(), "the answer is not in sight"
    assert not slider.isVisible()
    click(qtbot, window, "lessonChoice0")
    assert not slider.isVisible()
    click(qtbot, window, "lessonChoice1")
    assert stage.new_layout == NewLayout(2)
    assert slider.value() == 2
    assert slider.isVisible()


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.id for lesson in LESSONS])
def test_that_a_lesson_is_gone_through(qtbot: QtBot, lasting_window: MainWindow, lesson: Lesson) -> None:
    window = lasting_window
    page = begin(qtbot, window, lesson)
    for number, step in enumerate(lesson.steps):
        assert page.step == number
        assert text_of(window, "lessonText") == with_plain_spaces(step.text)
        assert text_of(window, "lessonMore") == with_plain_spaces(step.more)
        until_shown(qtbot, page)
        if step.question is not None:
            answer(qtbot, window, page, step)
        if isinstance(page.scene, RepairScene):
            repair(qtbot, window, page, step, page.scene)
        if number % 2:
            click(qtbot, window, "lessonNext")
        else:
            page.setFocus()
            qtbot.keyClick(page, Qt.Key.Key_Right)
    assert page.step == len(lesson.steps)
    assert text_of(window, "lessonAttemptHead") == lesson.attempt.text
    assert part(window, QPushButton, "lessonRun").height() >= part(window, QPushButton, "lessonBack").height()
    assert all(
        kernel in part(window, QPushButton, "lessonRun").text()
        for kernel in lesson.attempt.kernels or (lesson.attempt.file,)
    )
    qtbot.keyClick(page, Qt.Key.Key_Left)
    assert page.step == len(lesson.steps) - 1
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert part(window, FirstPage, "firstPage").isVisible()
    assert page.lesson is None
