"""A lesson on the whole screen of a projector: sizes and colours of its words, and what a change of theme keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lesson_scenes import data_of
from PySide6.QtGui import QFontInfo, QFontMetricsF
from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton, QStyle, QStyleOptionButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lessons import load_lessons
from gemmviz.explain.block.running_totals import NONE
from gemmviz.explain.figures.figure import Look
from gemmviz.gui.lessons.counters import CounterRow
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.magnification import magnification_for
from gemmviz.gui.lessons.scenes.chart_scene import ChartScene
from gemmviz.gui.lessons.scenes.code_excerpt import CodeExcerpt
from gemmviz.gui.lessons.scenes.pictures_scene import PicturesScene
from gemmviz.gui.lessons.scenes.result_table import BESIDE, GAP, NUMBER, ResultTable, StoredElement
from gemmviz.gui.looks.appearance import apply_theme
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.projector import LEAST_LABEL, least_label, picture_magnification, projector_theme
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme, contrast
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.text.tree import tree_words
from gemmviz.gui.widgets.plain_label import PlainLabel

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
CHARTS = [
    (lesson.id, place) for lesson in load_lessons() for place, step in enumerate(lesson.steps) if step.chart is not None
]
SCREEN = magnification_for(1920, 1080, is_full_screen=True)
PIXELS_OF_A_POINT = 96 / 72


@pytest.fixture
def page(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> LessonPage:
    window = QWidget()
    apply_theme(qapp, window, LIGHT)
    monkeypatch.setattr(window, "isFullScreen", lambda: True, raising=False)  # there is no screen of this size
    qtbot.addWidget(window)
    made = LessonPage(LIGHT, window)
    made.resize(1920, 1080)
    window.resize(1920, 1080)
    window.show()
    assert made._magnification == SCREEN
    return made


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_the_words_of_a_lesson_are_read_from_the_back_of_a_room(
    page: LessonPage, qapp: QApplication, theme: Theme
) -> None:
    apply_theme(qapp, page.window(), theme)
    page.set_theme(theme)
    _, data = data_of("coalescing")
    page.show_lesson(data, step=5)
    for name, least in (("lessonText", 34), ("lessonMore", 28), ("lessonNumber", 28)):
        label = page.findChild(PlainLabel, name)
        label.ensurePolished()
        assert label.font().pointSizeF() * PIXELS_OF_A_POINT >= least, name
        assert contrast(label.palette().windowText().color().name(), theme.window) >= 7.0, name
    explanation = page.findChild(PlainLabel, "lessonMore")
    assert explanation.palette().windowText().color().name() == theme.text.lower(), "not grey"
    scene = page.scene
    assert isinstance(scene, ChartScene)
    assert page.theme is projector_theme(theme)
    assert scene.chart._theme == replace(page.theme, canvas=page.theme.panel)
    page.stop()


@pytest.mark.parametrize(("lesson", "step"), CHARTS)
def test_that_the_words_of_a_charts_rows_have_28_pixels_or_less_where_only_so_all_rows_are_seen(
    page: LessonPage, qapp: QApplication, lesson: str, step: int
) -> None:
    _, data = data_of(lesson)
    page.show_lesson(data, step=step)
    qapp.processEvents()
    scene = page.scene
    assert isinstance(scene, ChartScene)
    assert scene._magnified._factor * SMALL * PIXELS_OF_A_POINT >= (21 if len(scene.chart.figure.rows) > 7 else 28)
    assert scene.chart.plot.scroll_bar.maximum() == 0, "every row"
    page.stop()


@pytest.mark.parametrize(("lesson", "step"), CHARTS)
def test_that_the_words_in_a_bar_are_no_higher_than_the_bar(
    page: LessonPage, qapp: QApplication, lesson: str, step: int
) -> None:
    _, data = data_of(lesson)
    page.show_lesson(data, step=step)
    qapp.processEvents()
    assert isinstance(page.scene, ChartScene)
    plot, figure = page.scene.chart.plot, page.scene.chart.figure
    bars = plot.items_shown.item("bars", Look.SPOKEN_OF)
    for label in figure.labels:
        metrics = QFontMetricsF(plot.text.fonts(tight=plot._is_tight()).value)
        high = float((bars.opts["y1"] - bars.opts["y0"])[0]) * plot.plot_layout().cell
        assert high >= metrics.tightBoundingRect(label.words).height(), label.words
    page.stop()


@pytest.mark.parametrize("has_been_in_window", [True, False])
def test_that_a_picture_on_the_whole_screen_is_the_same_whether_the_scene_was_made_in_a_window_before(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, has_been_in_window: bool
) -> None:
    window, page = QMainWindow(), LessonPage(LIGHT)
    window.menuBar().addMenu("File")
    window.setCentralWidget(page)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    _, data = data_of("tiling")
    if has_been_in_window:
        page.show_lesson(data, step=3)
    monkeypatch.setattr(window, "isFullScreen", lambda: True)
    page.fit_window()  # told of the screen while the menus are still there
    window.menuBar().hide()
    qtbot.waitUntil(lambda: page.height() == 800)
    page.show_lesson(data, step=3)
    assert isinstance(page.scene, PicturesScene)
    view = page.scene.panes[0].view
    qtbot.waitUntil(lambda: (state := view.picture_state()) is not None and state.analysis is not None, timeout=90_000)
    state = view.picture_state()
    assert state is not None
    assert state.notes.least_label > 0.0
    assert view.magnification == picture_magnification(LEAST_LABEL)
    assert state.onchip.sums is not None, "the registers have room on a screen of 1280 × 800"
    page.stop()


@pytest.mark.parametrize("step", [1, 4])
def test_that_the_smallest_words_of_a_picture_are_as_large_as_labels_and_its_sums_stay(
    page: LessonPage, qtbot: QtBot, step: int
) -> None:
    _, data = data_of("tiling")
    page.show_lesson(data, step=step)
    scene = page.scene
    assert isinstance(scene, PicturesScene)
    for pane in scene.panes:
        if pane.isVisible():
            qtbot.waitUntil(lambda view=pane.view: view.picture_state() is not None, timeout=90_000)
            qtbot.waitUntil(lambda view=pane.view: view.picture_state().analysis is not None, timeout=90_000)
            state = pane.view.picture_state()
            assert state is not None
            assert (
                pane.view.magnification * QFontInfo(words(SMALL)).pixelSize()
                >= least_label(pane.view, is_in_lesson=True)
                >= 20
            )
            assert state.onchip.registers is not None
            assert state.notes.names_device
    page.stop()


@pytest.mark.parametrize(("lesson", "step"), CHARTS)
def test_that_the_words_below_a_chart_are_as_large_as_its_small_words(
    page: LessonPage, qapp: QApplication, lesson: str, step: int
) -> None:
    _, data = data_of(lesson)
    page.show_lesson(data, step=step)
    qapp.processEvents()
    scene = page.scene
    assert isinstance(scene, ChartScene)
    headline, more = (page.findChild(PlainLabel, name) for name in ("lessonText", "lessonMore"))
    small = scene._magnified._factor * SMALL
    assert headline.font().pointSizeF() > more.font().pointSizeF() >= small
    for label in (headline, more):
        assert label.height() >= label.heightForWidth(label.width()), label.text()
    page.stop()


def test_that_the_words_of_counters_beside_each_other_are_whole(page: LessonPage, qtbot: QtBot) -> None:
    _, data = data_of("tiling")
    page.show_lesson(data, step=6)
    rows = [row for row in page.findChildren(CounterRow) if row.isVisible()]
    assert len(rows) == 2
    qtbot.waitUntil(lambda: all(label.text() != NONE for row in rows for label in row._figures))
    page.stop()
    for row in rows:
        row._figures[0].setText("16\u2009384")  # the most that it comes to
        row._figures[1].setText("16×")

    def check() -> None:
        for row in rows:
            assert row.width() >= row._row.minimumSize().width()
            for label in (*row._words, *row._figures):
                assert label.width() >= label.fontMetrics().horizontalAdvance(label.text()), label.text()

    qtbot.waitUntil(check)  # layouts follow a text within two turns of the event loop


def test_that_a_change_of_theme_cuts_no_note_and_keeps_the_buttons(
    page: LessonPage, qapp: QApplication, qtbot: QtBot
) -> None:
    _, data = data_of("coalescing")
    page.show_lesson(data, step=5)
    scene = page.scene
    assert isinstance(scene, ChartScene)
    button = page.findChild(QPushButton, "lessonNext")
    qtbot.waitUntil(lambda: button.height() == round(36 * SCREEN))
    size, head = button.size(), page.findChild(QPushButton, "lessonFullScreen")
    for theme in (DARK, LIGHT):
        apply_theme(qapp, page.window(), theme)
        page.set_theme(theme)
        scene._magnified.grab()
        qapp.processEvents()
        assert scene.notes.isVisible()
        assert scene.notes.height() >= scene.notes.heightForWidth(scene.notes.width())
        assert button.size() == size
        assert head.minimumHeight() >= head.sizeHint().height(), "or the page below it moves"
    page.stop()


def test_that_the_buttons_of_the_last_step_keep_their_height_in_another_theme(
    page: LessonPage, qapp: QApplication, qtbot: QtBot
) -> None:
    lesson, data = data_of("race")
    page.show_lesson(data, step=len(lesson.steps))
    framed = [page.findChild(QPushButton, name) for name in ("lessonRun", "lessonAnswerOpen", "lessonNextLesson")]
    qtbot.waitUntil(lambda: all(button.height() > 1.2 * 36 * SCREEN for button in framed))
    heights = [button.height() for button in framed]
    for theme in (DARK, LIGHT):
        apply_theme(qapp, page.window(), theme)
        page.set_theme(theme)
        qapp.sendPostedEvents()
        qapp.processEvents()
        assert [button.height() for button in framed] == heights
    assert len(set(heights)) == 1
    page.stop()


@pytest.mark.usefixtures("qapp")
def test_that_all_verdicts_have_one_size_that_is_read_from_afar() -> None:
    table, wrong, right = ResultTable(LIGHT), StoredElement(4, 0, 179848.0, 145800.0), StoredElement(0, 0, 8.0, 8.0)
    table.show_elements(((right, wrong),))
    assert wrong.verdicts == ("should be 145\u202f800", "\u2260 145\u202f800", "145\u202f800")
    assert right.verdicts == ("right", "right", "")
    sizes = (90.0, 90.0), (60.0, 67.0)  # eight rows and columns beside a picture, at 1920 × 1080 and at 1280 × 800
    for (width, height), expected in zip(sizes, (1, NUMBER), strict=True):
        font, form = table.verdict_type(width, height)
        assert form == expected
        assert font.pixelSize() >= 14
    assert table.verdict_type(400.0, 90.0)[1] == 0
    assert table.number_summary == "C: 1 of 2 wrong, right values below"
    table.deleteLater()


@pytest.mark.parametrize(("width", "height"), [(90.0, 90.0), (70.0, 60.0), (52.0, 80.0), (58.0, 120.0), (113.0, 135.0)])
@pytest.mark.usefixtures("qapp")
def test_that_what_is_right_is_written_no_larger_than_what_was_stored_and_touches_no_neighbour(
    width: float, height: float
) -> None:
    table = ResultTable(LIGHT)
    table.show_elements((tuple(StoredElement(3, column, 4236.0, 3236.0) for column in range(4)),))
    value, (verdict, form) = table.value_type(width, height), table.verdict_type(width, height)
    assert verdict.pixelSize() <= value.pixelSize()
    room = width - 2 * (8.0 if width > 100.0 else BESIDE)
    assert QFontMetricsF(value).horizontalAdvance("4236") <= room
    said = table.elements[0][0].verdicts[form]
    assert QFontMetricsF(verdict).horizontalAdvance(said) <= room
    table.deleteLater()


@pytest.mark.usefixtures("qapp")
def test_that_a_table_of_eight_columns_asks_for_the_width_of_verdicts_that_are_read() -> None:
    table = ResultTable(LIGHT)
    table.show_elements((tuple(StoredElement(4, column, 179848.0, 145800.0) for column in range(8)),) * 8)
    table.resize(table.minimumSizeHint())
    cell = table.cell(0, 0)
    verdict, form = table.verdict_type(cell.width(), cell.height())
    assert verdict.pixelSize() >= 11
    assert QFontMetricsF(verdict).horizontalAdvance(table.elements[0][0].verdicts[form]) <= cell.width()
    table.deleteLater()


@pytest.mark.parametrize(("step", "least"), [(0, 16), (2, 16)])
def test_that_lines_of_code_are_read_from_afar_where_they_have_room(page: LessonPage, step: int, least: int) -> None:
    page.window().resize(1280, 800)
    page.resize(1280, 800)
    page.show_lesson(data_of("race")[1], step=step)
    code = next(each for each in page.findChildren(CodeExcerpt) if each.isVisible())
    assert QFontInfo(code._font).pixelSize() >= least
    assert code.sizeHint().width() <= code.width()
    page.stop()


@pytest.mark.parametrize(("size", "least"), [((1280, 800), 16), ((1920, 1080), 24)])
def test_that_a_table_of_eight_columns_is_read_from_afar(page: LessonPage, size: tuple[int, int], least: int) -> None:
    page.window().resize(*size)
    table = ResultTable(LIGHT, page)
    table.set_magnification(1.0)
    table.show_elements((tuple(StoredElement(4, column, 179848.0, 145800.0) for column in range(8)),) * 8)
    table.resize(table.minimumSizeHint().width(), size[1] // 2)
    cell = table.cell(0, 0)
    assert table.value_type(cell.width(), cell.height()).pixelSize() >= least
    verdict, form = table.verdict_type(cell.width(), cell.height())
    assert verdict.pixelSize() >= 0.85 * least
    between = cell.width() + GAP - QFontMetricsF(verdict).horizontalAdvance(table.elements[0][0].verdicts[form])
    assert between >= 0.5 * verdict.pixelSize(), "wider than the space between thousands"


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_that_the_widest_choice_is_not_cut(page: LessonPage, qapp: QApplication, size: tuple[int, int]) -> None:
    page.resize(*size)
    lesson, data = data_of("race")
    page.show_lesson(data, step=lesson.question_steps[-1])
    for _ in range(3):
        qapp.sendPostedEvents()
        qapp.processEvents()
    question = page.findChild(QWidget, "lessonQuestion")
    choices = [page.findChild(QPushButton, f"lessonChoice{number}") for number in range(3)]
    assert max(choice.geometry().right() for choice in choices) < question.width()
    page.stop()


@pytest.mark.parametrize(("step", "name"), [(4, "lessonShowAnswer"), (7, "lessonOverview")])
def test_that_the_words_of_a_button_without_a_frame_begin_where_other_lines_do(
    page: LessonPage, step: int, name: str
) -> None:
    page.show_lesson(data_of("bank-conflicts")[1], step=step)
    button, option = page.findChild(QPushButton, name), QStyleOptionButton()
    button.ensurePolished()
    button.initStyleOption(option)
    contents = button.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, button)
    assert contents.left() <= 1
    page.stop()


def numbers_of_tree(page: LessonPage) -> set[str]:
    drawn = page.findChildren(MemoryView)[-1].picture_state()
    return {item.text for item in tree_words(drawn, looks_of(page.theme))} if drawn is not None else set()


def test_that_a_tree_on_the_whole_screen_has_the_values_that_are_added(page: LessonPage, qtbot: QtBot) -> None:
    _, data = data_of("tree")
    page.show_lesson(data, step=2)
    qtbot.waitUntil(lambda: {"1", "4", "9", "256"} <= numbers_of_tree(page))
    page.stop()


def test_that_a_sum_beside_its_slot_has_the_name_of_the_slot(page: LessonPage, qtbot: QtBot) -> None:
    """Where a small screen leaves no room in the slot: it would seem to be what lies in the next one."""
    page.window().resize(1280, 800)
    page.resize(1280, 800)
    page.show_lesson(data_of("tree")[1], step=2)
    qtbot.waitUntil(lambda: {"1", "4", "9", "256"} <= numbers_of_tree(page))

    def is_added_up() -> bool:
        page.scene.step(1)
        return "sums[0] = 1496" in numbers_of_tree(page)

    qtbot.waitUntil(is_added_up)
    assert "1496" not in numbers_of_tree(page)
    page.stop()


def test_that_a_lesson_has_the_type_of_a_window_again_where_no_new_size_tells_that_it_is_one(
    page: LessonPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A maximised window without menus may be as large as the whole screen."""
    page.show_lesson(data_of("tiling")[1])
    monkeypatch.setattr(page.window(), "isFullScreen", lambda: False)
    page.fit_window()
    assert page._magnification == magnification_for(1920, 1080, is_full_screen=False) < SCREEN
    assert page.theme is LIGHT
    assert page.findChild(QPushButton, "lessonFullScreen").text() == "Full screen"
    page.stop()


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("width", [480, 740])
def test_that_a_source_that_fills_a_panel_is_larger_and_whole(width: int) -> None:
    code = CodeExcerpt(LIGHT)
    code.show_source(
        "race.cu", "\n".join(f"As[ty][tx] = A[row * K + k0 + tx]; // {number}" for number in range(12)), 1, 12
    )
    code.resize(width, 100)
    code.fit(700)
    usual = code.sizeHint()
    code.fit(700, fills=True)
    assert usual.height() < code.sizeHint().height() <= 700
    assert usual.width() <= code.sizeHint().width() <= width
    assert (code.sizeHint().width() > usual.width()) == (width > 1.1 * usual.width())
    code.fit(700)
    assert code.sizeHint() == usual
    code.deleteLater()
