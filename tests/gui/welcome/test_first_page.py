"""The first page: one click to a lesson, by mouse or by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.lessons import load_lessons
from gemmviz.gui.files.recent_files import RecentFile
from gemmviz.gui.kernels.kernel_list import KernelList
from gemmviz.gui.kernels.model import ROW_ROLE
from gemmviz.gui.lessons.progress import LessonProgress
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.welcome.card import CardButton
from gemmviz.gui.welcome.examples import HEAD
from gemmviz.gui.welcome.first_page import MOST_RECENT, NARROW, FirstPage
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
LESSONS = load_lessons()
DONE = LessonProgress(is_read=True, is_done=True)


@pytest.fixture
def page(qtbot: QtBot) -> FirstPage:
    made = FirstPage(LESSONS, LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    return made


def card(page: FirstPage, name: str) -> QPushButton:
    found = page.findChild(QPushButton, name)
    assert isinstance(found, QPushButton), name
    return found


def cards(page: FirstPage) -> list[QPushButton]:
    return [button for button in page.findChildren(QPushButton) if button.property("role") == "card"]


def test_that_every_lesson_has_a_card_that_asks_for_it(qtbot: QtBot, page: FirstPage) -> None:
    for lesson in LESSONS:
        with qtbot.waitSignal(page.lesson_asked) as asked:
            qtbot.mouseClick(card(page, f"lessonCard_{lesson.id}"), Qt.MouseButton.LeftButton)
        assert asked.args == [lesson.id]


def test_that_the_first_lesson_is_where_to_start(qtbot: QtBot, page: FirstPage) -> None:
    first = card(page, f"lessonCard_{LESSONS[0].id}")
    assert any(label.text().startswith("Start here") for label in first.findChildren(QLabel))
    assert [each for each in cards(page) if each.property("leads")] == [first]
    page.activateWindow()
    qtbot.waitUntil(lambda: page.focusWidget() is first)


def test_that_the_other_cards_ask_for_files(qtbot: QtBot, page: FirstPage) -> None:
    with qtbot.waitSignal(page.open_asked):
        qtbot.keyClick(card(page, "openCard"), Qt.Key.Key_Space)
    with qtbot.waitSignal(page.kernel_asked):
        qtbot.keyClick(card(page, "kernelCard"), Qt.Key.Key_Return)
    with qtbot.waitSignal(page.experiment_asked):
        qtbot.mouseClick(card(page, "experimentCard"), Qt.MouseButton.LeftButton)


def test_that_the_cards_are_reached_with_tab_in_order(qtbot: QtBot, page: FirstPage) -> None:
    page.activateWindow()
    names = [*(f"lessonCard_{lesson.id}" for lesson in LESSONS), "kernelCard", "experimentCard", "openCard"]
    card(page, names[0]).setFocus()
    order = []
    for _ in names:
        focus = page.focusWidget()
        order.append(focus.objectName() if focus else "")
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    assert order == names


def test_that_a_card_is_high_enough_for_its_words(qtbot: QtBot, page: FirstPage) -> None:
    for width in (900, 420):
        page.resize(width, 700)
        for button in cards(page):
            qtbot.waitUntil(lambda button=button: button.height() >= button.layout().heightForWidth(button.width()))
            for label in button.findChildren(QLabel):
                assert button.rect().contains(label.geometry()), (button.objectName(), label.text())


def test_that_words_are_what_a_screen_reader_says(page: FirstPage) -> None:
    lesson = LESSONS[1]
    button = card(page, f"lessonCard_{lesson.id}")
    assert button.accessibleName() == lesson.title
    assert button.accessibleDescription() == f"Lesson 2 · {lesson.minutes} min. {lesson.summary}"


def test_that_recent_files_are_offered_and_missing_ones_only_named(qtbot: QtBot, page: FirstPage) -> None:
    rows = [RecentFile(f"/w/{n}.gemmviz", f"{n}.gemmviz", "/w", exists=n != 1) for n in range(7)]
    for _ in range(2):
        page.show_recent(rows)
    buttons = [page.findChild(QPushButton, f"firstRecent{n}") for n in range(1, MOST_RECENT + 1)]
    assert [button.isEnabled() for button in buttons] == [True, False, True, True]
    assert "no longer there" in buttons[1].text()
    assert page.findChild(QPushButton, f"firstRecent{MOST_RECENT + 1}") is None
    with qtbot.waitSignal(page.recent_asked) as asked:
        qtbot.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    assert asked.args == ["/w/2.gemmviz"]


def test_that_no_recent_files_leave_no_heading(page: FirstPage) -> None:
    page.show_recent([RecentFile("/w/a", "a", "/w", True)])
    page.show_recent([])
    assert not [label for label in page.findChildren(QLabel) if label.text() == "Recent:" and label.isVisible()]


def test_that_cards_of_a_narrow_page_stand_one_below_the_other(qtbot: QtBot, page: FirstPage) -> None:
    first, second = (card(page, f"lessonCard_{lesson.id}") for lesson in LESSONS[:2])
    for width, are_beside in ((NARROW + 80, True), (NARROW - 80, False), (NARROW + 80, True)):
        page.resize(width, 700)
        qtbot.waitUntil(lambda beside=are_beside: (first.y() == second.y()) is beside)


def test_that_a_theme_reaches_picture_and_cards(page: FirstPage) -> None:
    before = page.grab().toImage()
    page.set_theme(DARK)
    assert page.grab().toImage() != before


def test_that_a_card_says_how_far_its_lesson_has_come(page: FirstPage) -> None:
    lesson = LESSONS[1]
    button = card(page, f"lessonCard_{lesson.id}")
    assert button.accessibleName() == lesson.title
    page.show_progress(lesson.id, LessonProgress(3))
    said = f"Continue at step 4 of {lesson.step_count}"
    assert said in [label.text() for label in button.findChildren(QLabel)]
    assert button.accessibleName() == f"{lesson.title}, {said}"
    page.show_opening(lesson.id)
    assert "Opening…" in [label.text() for label in button.findChildren(QLabel)]
    page.show_opening("")
    assert said in [label.text() for label in button.findChildren(QLabel)]
    page.show_progress(lesson.id, DONE)
    assert "✓ done" in [label.text() for label in button.findChildren(QLabel)]
    assert button.accessibleName() == f"{lesson.title}, done"
    page.show_progress(lesson.id, LessonProgress(3, is_read=True, open_questions=(3,)))
    assert "read, open question in step 4" in [label.text() for label in button.findChildren(QLabel)]
    page.show_progress(lesson.id, LessonProgress())
    assert button.accessibleName() == lesson.title


def test_that_the_first_lesson_that_is_not_done_is_the_next(page: FirstPage) -> None:
    def marked() -> list[tuple[str, str]]:
        leading = [each for each in cards(page) if each.property("leads")]
        return [(each.objectName(), each.accessibleDescription().partition(" · ")[0]) for each in leading]

    first, second, third, *others = LESSONS
    page.show_progress(second.id, DONE)
    assert marked() == [(f"lessonCard_{first.id}", "Start here")]
    page.show_progress(first.id, LessonProgress(6, is_read=True, open_questions=(6,)))
    assert marked() == [(f"lessonCard_{third.id}", "Next: lesson 3")]
    page.show_lessons()
    assert page.focusWidget() is card(page, f"lessonCard_{third.id}")
    for lesson in (third, *others):
        page.show_progress(lesson.id, DONE)
    assert marked() == [(f"lessonCard_{first.id}", "Next: lesson 1")], "read, but a question is open"
    page.show_progress(first.id, DONE)
    assert marked() == []


def test_that_the_titles_of_cards_side_by_side_stand_at_one_height(page: FirstPage) -> None:
    page.show_session("It holds 1 run.")
    page.resize(1400, 900)
    QApplication.processEvents()
    buttons = [button for button in cards(page) if isinstance(button, CardButton)]
    titles = [next(label for label in each.findChildren(QLabel) if label.text() == each.card.title) for each in buttons]
    assert len(titles) == 4
    assert len({label.mapTo(page, label.rect().topLeft()).y() + label.height() // 2 for label in titles}) == 1


def test_that_all_that_can_be_done_here_is_found_by_name(qtbot: QtBot, page: FirstPage) -> None:
    assert [entry.title for entry in page.entries()] == ["Your own kernel", "New experiment", "Open results"]
    assert [entry.title for entry in page.entries() if "experiment" in entry.keywords] == ["New experiment"]
    page.show_session("2 runs")
    page.show_recent([RecentFile("/a/kept.gemmviz", "kept.gemmviz", "/a", True), RecentFile("/a/b", "b", "/a", False)])
    found = {entry.title: entry for entry in page.entries()}
    assert [*found] == ["Back to your session", "Your own kernel", "New experiment", "Open results", "kept.gemmviz"]
    for title, asked in (
        ("Back to your session", page.session_asked),
        ("Your own kernel", page.kernel_asked),
        ("New experiment", page.experiment_asked),
        ("Open results", page.open_asked),
        ("kept.gemmviz", page.recent_asked),
    ):
        with qtbot.waitSignal(asked):
            found[title].do()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_the_card_with_the_focus_does_not_look_like_the_one_to_start_with(theme: Theme) -> None:
    rules = style_sheet(theme)
    states = ('[leads="true"]', '[byKeys="true"]')
    edges = [rules.split(f'QPushButton[role="card"]{state} {{')[1].split("}")[0] for state in states]
    assert theme.accent in edges[0]
    assert theme.accent not in edges[1]
    assert theme.text in edges[1]


@pytest.mark.parametrize("recent", [0, 1])
def test_that_the_lower_edge_of_the_page_cuts_no_letters_of_a_heading(qtbot: QtBot, recent: int) -> None:
    page = FirstPage(LESSONS, LIGHT, load_examples())
    qtbot.addWidget(page)
    page.show_recent([RecentFile("/a/b.gemmviz", "b.gemmviz", "/a", True)] * recent)
    page.show()
    (head,) = [label for label in page.findChildren(QLabel) if label.text() == HEAD]
    for height in range(600, 800, 5):
        page.resize(1268, height)
        QApplication.processEvents()
        top = head.mapTo(page.viewport(), QPoint()).y()
        assert top >= page.viewport().height() or top + head.height() <= page.viewport().height(), height
        card = page.examples.buttons[0]
        seen = page.viewport().height() - card.mapTo(page.viewport(), QPoint()).y()
        assert top >= page.viewport().height() or seen >= card.height_of_first_lines, height


@pytest.mark.parametrize("recent", [0, 1])
def test_that_the_examples_are_announced_in_a_window_of_1280_by_800(
    qtbot: QtBot, window: MainWindow, recent: int
) -> None:
    window.resize(1280, 800)
    page = window.findChild(FirstPage)
    page.show_recent([RecentFile("/a/b.gemmviz", "b.gemmviz", "/a", True)] * recent)
    (head,) = [label for label in page.findChildren(QLabel) if label.text() == HEAD]
    qtbot.waitUntil(lambda: page.width() > 1200 and head.y() > 0)
    QApplication.processEvents()
    assert head.mapTo(page.viewport(), QPoint()).y() + head.height() < page.viewport().height()
    for card in page.examples.buttons[:4]:
        title = card.findChildren(QLabel)[0]
        assert title.text() == card.example.title
        assert title.mapTo(page.viewport(), QPoint(0, title.height())).y() < page.viewport().height()


def test_that_a_new_experiment_shows_what_is_chosen_and_what_is_ticked(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 800)
    window.findChild(QPushButton, "experimentCard").click()
    kernels = window.findChild(KernelList, "kernelList")
    qtbot.waitUntil(kernels.isVisible)

    def places() -> dict[str, QRect]:
        model = kernels.model()
        found = [model.index(row, 0) for row in range(model.rowCount())]
        return {index.data(ROW_ROLE).id: kernels.visualRect(index) for index in found}

    qtbot.waitUntil(lambda: kernels.viewport().rect().contains(places()["tiled"]))
    qtbot.waitUntil(lambda: kernels.viewport().rect().contains(places()["naive"]))


def test_that_the_page_opens_at_its_top(qtbot: QtBot, page: FirstPage) -> None:
    page.resize(900, 400)
    bar = page.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    page.hide()
    page.show()
    assert bar.value() == 0
