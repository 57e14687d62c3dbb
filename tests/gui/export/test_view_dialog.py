"""Exporting what is on the screen, from the real window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from driving import act
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollBar,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import save_session
from gemmviz.domain.spec import RunSpec
from gemmviz.explain.figures.circumstances import subtitle_of
from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.export import on_screen
from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.export.on_screen import ViewOnScreen
from gemmviz.gui.export.pictures import chart_picture
from gemmviz.gui.export.view_dialog import SIZES, ViewExportDialog
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.looks.fonts import SMALL
from gemmviz.gui.looks.theme import LIGHT, Theme, ThemeChoice
from gemmviz.gui.presentation.hint import FadingHint
from gemmviz.gui.presentation.picture_screen import PictureScreen
from gemmviz.gui.presentation.slide import SlidePlan, SlideText, paint_words
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.widget_image import render_image
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def opened(window: MainWindow, recorded: Session, make_result, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    runs = (make_result("naive"), make_result("tiled"))
    save_session(replace(recorded, runs=runs), tmp_path / "s.gemmviz")
    with qtbot.waitSignal(window.document.opened):
        window.open_path(tmp_path / "s.gemmviz")
    return window


def shown_dialog(window: MainWindow, qtbot: QtBot) -> ViewExportDialog:
    act(window, "exportViewAction")
    dialog = window.findChildren(ViewExportDialog)[-1]
    qtbot.waitUntil(lambda: dialog.image is not None)
    return dialog


def is_plain(image: QImage) -> bool:
    small = image.scaled(64, 36, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    return len({small.pixelColor(x, y).name() for x in range(64) for y in range(36)}) < 4


def test_that_the_picture_is_exactly_as_large_as_chosen_and_shows_the_chart(
    opened: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(opened, "tabTimingAction")
    dialog = shown_dialog(opened, qtbot)
    assert SIZES[0] == (1920, 1080)
    assert (dialog.image.width(), dialog.image.height()) == (1920, 1080)
    assert not is_plain(dialog.image)
    assert not dialog.findChild(QLabel, "viewPreview").pixmap().isNull()
    dialog.findChild(ComboBox, "viewSize").setCurrentIndex(1)
    assert (dialog.image.width(), dialog.image.height()) == (1280, 720)
    plain = dialog.image.copy()
    dialog.findChild(QLineEdit, "viewTitle").setText("Tiles win")
    assert dialog.image != plain
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(tmp_path / "picture"))
    dialog.findChild(QPushButton, "viewSave").click()
    assert QImage(str(tmp_path / "picture.png")).size() == dialog.image.size()
    assert dialog.findChild(QPushButton, "viewOpenFolder").isEnabled()
    dialog.findChild(QPushButton, "viewCopy").click()
    assert QGuiApplication.clipboard().image().size() == dialog.image.size()
    dialog.close()


def test_that_an_exported_roofline_knows_the_recordings_that_the_one_on_the_screen_knows(opened: MainWindow) -> None:
    session, live = opened.document.session, opened._parts.timing
    run = replace(session.runs[0], spec=replace(session.runs[0].spec, **same_work(session.traces[0].spec)))
    live.show_runs([run], session.roofs, session.traces)
    live.set_view(TimingView.ROOFLINE)
    twin = chart_picture.twin_of(live, session, (run,), LIGHT)
    assert isinstance(twin, TimingChart)
    plain = [note.partition(", and it is not here")[0] for note in live.figure.notes]  # that is not for a file
    assert list(twin.figure.notes) == plain != list(live.figure.notes)
    assert twin.tables() == live.tables()
    assert any("recorded at 9×7×10" in note for note in twin.figure.notes)
    twin.deleteLater()


def same_work(spec: RunSpec) -> dict[str, Any]:
    return {"kernel": spec.kernel, "params": spec.params, "shape": spec.shape}


def test_that_the_frame_of_the_player_is_the_one_in_the_picture(opened: MainWindow, qtbot: QtBot) -> None:
    act(opened, "tabMemoryAction")
    qtbot.waitUntil(lambda: opened._player.watched is not None)
    pictures = []
    for frame in (0, 2):
        opened.player.seek(frame)
        qtbot.waitUntil(lambda frame=frame: opened._player.watched.index == frame)
        dialog = shown_dialog(opened, qtbot)
        file = f"naive_{opened._player.watched.run.spec.shape}_memory_block_0_0_frame_{frame + 1}"
        assert dialog._view.name == file
        assert dialog.findChild(QLineEdit, "viewTitle").text() == "naive THREAD=4"
        pictures.append(dialog.image.copy())
        dialog.findChild(QAbstractButton, "viewMore").click()
        large = opened.findChildren(ExportDialog)[-1]
        qtbot.waitUntil(lambda large=large: large.film.counted)
        assert f"{file}.png" in [path.name for path in large.choice().paths], "the same name in both dialogs"
        large.close()
    assert pictures[0] != pictures[1]


def test_that_the_large_dialog_ticks_what_is_on_the_screen_and_nothing_else(opened: MainWindow, qtbot: QtBot) -> None:
    for tab, ticked in (("Accuracy", ["error_bound"]), ("Traffic", ["traffic"])):
        act(opened, f"tab{tab}Action")
        dialog = shown_dialog(opened, qtbot)
        for name in ("viewTheme_light", "viewLarge", "viewMore"):
            dialog.findChild(QAbstractButton, name).click()
        choice = (large := opened.findChildren(ExportDialog)[-1]).choice()
        assert choice.still.is_slide, "as it was ticked"
        assert ([item.name for item in choice.items], choice.theme) == (ticked, ThemeChoice.LIGHT), "as before"
        for name, fewest, most in (("exportAll", 6, 100), ("exportNone", 0, 0)):
            large.findChild(QPushButton, name).click()
            assert fewest <= len(large.choice().items) <= most
        large.close()


def test_that_a_view_that_fails_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    def fail() -> None:
        raise MemoryError("too large")

    dialog = ViewExportDialog(ViewOnScreen("x", "", lambda *_: QImage(), fail), LIGHT, tmp_path)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: "too large" in dialog.findChild(QLabel, "viewMessage").text())
    assert not dialog.findChild(QPushButton, "viewSave").isEnabled()


def test_that_a_title_is_text_and_is_painted_by_the_picture_itself(qtbot: QtBot, tmp_path: Path) -> None:
    def paint(_made: object, size: tuple[int, int], _theme: object, title: str) -> QImage:
        asked.append((size, title))
        image = QImage(*size, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.red)
        return image

    asked: list[tuple[tuple[int, int], str]] = []
    dialog = ViewExportDialog(ViewOnScreen("x", "Kernel time", paint), LIGHT, tmp_path)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.image is not None)
    for title in ("", "  <b>Bold</b> \x1b "):
        dialog.findChild(QLineEdit, "viewTitle").setText(title)
        assert dialog.image.size().width() == 1920
    assert [title for _, title in asked] == ["Kernel time", "", "<b>Bold</b> \\x1b"]
    assert {size for size, _ in asked} == {(1920, 1080)}


@pytest.mark.parametrize("stage", ["memoryBanks", "memorySectors"])
def test_that_a_request_is_exported_as_a_slide_without_controls(
    opened: MainWindow, qtbot: QtBot, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[SlideText] = []

    def paint(painter: QPainter, plan: SlidePlan, texts: tuple[SlideText, ...], theme: Theme) -> None:
        painted.extend(texts)
        paint_words(painter, plan, texts, theme)

    monkeypatch.setattr(on_screen, "paint_words", paint)
    act(opened, "tabMemoryAction")
    page = opened._parts.memory_page
    tiled = next(grid for grid in page._grids if grid.runs[0].spec.kernel == "tiled")
    page.playable_chosen.emit(0, tiled.newest)
    page.findChild(QPushButton, stage).click()
    shown = page.stages.in_front
    assert shown is not None
    qtbot.waitUntil(lambda: shown.request is not None)
    if isinstance(shown, BankStage):
        shown.set_layout(NewLayout(3))
        qtbot.waitUntil(lambda: shown.effect is not None)
    dialog = shown_dialog(opened, qtbot)
    assert not is_plain(dialog.image)
    assert dialog.findChild(QLineEdit, "viewTitle").text() == painted[-1].title == "tiled TILE=4"
    text = painted[-1]
    assert (text.size, text.about) == ("M×N×K = 9×7×10  ·  block (1, 2)", "Shared-memory tiles")
    assert text.note.startswith("modelled from accesses " if isinstance(shown, BankStage) else "recorded as ")
    assert shown.sentence in text.sentence
    assert ("With 3 columns of padding" in text.sentence) == isinstance(shown, BankStage)
    picture = dialog.image
    dialog.close()
    act(opened, "copyAction")
    copied = QGuiApplication.clipboard().image()
    assert copied.size() == picture.size()
    assert not is_plain(copied)
    assert painted[-1] == text


def test_that_the_bank_under_the_pointer_is_marked_in_the_picture_of_banks(opened: MainWindow, qtbot: QtBot) -> None:
    act(opened, "tabMemoryAction")
    page = opened._parts.memory_page
    tiled = next(grid for grid in page._grids if grid.runs[0].spec.kernel == "tiled")
    page.playable_chosen.emit(0, tiled.newest)
    page.findChild(QPushButton, "memoryBanks").click()
    shown = page.stages.in_front
    assert isinstance(shown, BankStage)
    qtbot.waitUntil(lambda: shown.request is not None)
    plain = shown_dialog(opened, qtbot)
    unmarked = plain.image
    plain.close()
    shown.point(9)
    dialog = shown_dialog(opened, qtbot)
    shown.point(None)  # the dialog takes the pointer away
    assert dialog.image != unmarked
    dialog.findChild(ComboBox, "viewSize").setCurrentIndex(1)
    small = dialog.image
    dialog.findChild(ComboBox, "viewSize").setCurrentIndex(0)
    assert small != dialog.image != unmarked
    dialog.close()


def test_that_f11_shows_a_chart_alone_as_large_as_the_screen_and_leaves_again(opened: MainWindow, qtbot: QtBot) -> None:
    act(opened, "tabTimingAction")
    act(opened, "presentAction")
    (screen,) = opened.findChildren(PictureScreen)
    assert screen.isFullScreen()
    screen.resize(1920, 1080)
    assert not is_plain(screen.grab().toImage())
    assert screen._image is not None
    hint = screen.findChild(FadingHint)
    assert screen._image.width() == 1920
    assert screen._image.height() < hint.geometry().top()  # the line of keys covers nothing of the chart
    assert hint.geometry().bottom() < 1080
    qtbot.keyClick(screen, Qt.Key.Key_F11)
    assert not screen.isVisible()
    act(opened, "tabScheduleAction")
    act(opened, "tabMemoryAction")
    act(opened, "presentAction")
    assert not [each for each in opened.findChildren(PictureScreen) if each.isVisible()]
    opened._player.presentation.end()


def test_that_f11_presents_totals_and_hazards_where_they_are_in_front(opened: MainWindow, qtbot: QtBot) -> None:
    act(opened, "tabMemoryAction")
    opened.findChild(QPushButton, "memoryTotals").click()
    act(opened, "presentAction")
    assert opened._player.presentation.screen is None  # not the animation, which is behind
    (screen,) = [each for each in opened.findChildren(PictureScreen) if each.isVisible()]
    screen.resize(1920, 1080)
    assert not is_plain(screen.grab().toImage())
    qtbot.keyClick(screen, Qt.Key.Key_Escape)
    assert not screen.isVisible()


@pytest.mark.parametrize("tab", ["Timing", "Accuracy", "Schedule"])
def test_that_small_letters_of_a_chart_on_the_whole_screen_are_large_enough_to_read(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tab: str
) -> None:
    seen: list[tuple[float, int]] = []
    rendered = render_image

    def render(widget: QWidget, scale: float = 1.0) -> QImage:
        seen.append((scale, widget.height()))
        return rendered(widget, scale)

    monkeypatch.setattr(chart_picture, "render_image", render)
    opened.open_path(next(each.path for each in load_examples() if each.id == "gpu-waves"))
    qtbot.waitUntil(lambda: len(opened.document.session.schedules) > 0)
    if tab == "Timing":
        act(opened, "tabTimingAction")
        opened._parts.timing.set_view(TimingView.ROOFLINE)
    act(opened, f"tab{tab}Action")
    act(opened, "presentAction")
    (screen,) = opened.findChildren(PictureScreen)
    screen.resize(1920, 1080)
    screen.grab()
    scale, height = seen[-1]
    assert scale * SMALL * 96 / 72 > 22  # pixels
    assert scale * height + chart_picture.head_height((1920, 1028)) > 1000  # nothing is left empty below
    screen.close()


def test_that_totals_and_hazards_are_exported_as_a_slide_without_controls(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(opened, "tabMemoryAction")
    opened.findChild(QPushButton, "memoryTotals").click()
    drawn: list[QWidget] = []
    rendered = render_image

    def render(widget: QWidget, *more: float) -> QImage:
        drawn.append(widget)
        controls = widget.findChildren(QComboBox) + widget.findChildren(QScrollBar)
        assert not [each for each in controls if each.isVisibleTo(widget)]
        assert widget.findChild(QTableView, "recordingSource").model().rowCount() > 3
        return rendered(widget, *more)

    monkeypatch.setattr(on_screen, "render_image", render)
    dialog = shown_dialog(opened, qtbot)
    shown = opened.findChild(RecordingView).shown()
    assert dialog.findChild(QLineEdit, "viewTitle").text().startswith(shown.spec.kernel)
    assert not is_plain(dialog.image)
    assert isinstance(drawn[-1], RecordingView)
    assert drawn[-1] is not opened.findChild(RecordingView)
    dialog.close()


def test_that_two_compared_recordings_are_one_slide(opened: MainWindow, qtbot: QtBot) -> None:
    act(opened, "tabMemoryAction")
    page = opened._parts.memory_page
    qtbot.waitUntil(lambda: opened._player.watched is not None)
    other = next(grid for grid in page._grids if grid.runs[0] is not opened._player.watched.run)
    page.playable_chosen.emit(1, other.newest)
    qtbot.waitUntil(lambda: opened._player.watched is not None and opened._player.watched.beside is not None)
    dialog = shown_dialog(opened, qtbot)
    titles = [dialog.findChild(QLineEdit, name).text() for name in ("viewTitle", "viewBesideTitle")]
    assert sorted(titles) == ["naive THREAD=4", "tiled TILE=4"]
    before = dialog.image
    dialog.findChild(QLineEdit, "viewBesideTitle").setText("Before")
    assert dialog.image != before
    film_source, partner = dialog._made
    assert partner is not None
    assert partner[0].run is other.runs[0]
    own, others = partner[1:]  # at each moment of both
    assert set(own) == set(range(len(film_source.frames)))
    assert set(others) == set(range(len(partner[0].frames)))
    assert not is_plain(dialog.image)
    dialog.close()


@pytest.mark.parametrize(("lesson", "step"), [("bank-conflicts", 2), ("registers", 2)])
def test_that_a_lesson_is_exported_as_a_slide_without_its_controls(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, lesson: str, step: int
) -> None:
    seen: list[tuple[SlideText, set[str]]] = []
    page = window._parts.lesson_page
    window.open_lesson(lesson)
    qtbot.waitUntil(lambda: page.lesson is not None)
    page.go(step)
    paint, render = paint_words, render_image

    def names() -> set[str]:
        scene = page.scene
        assert scene is not None
        return {each.objectName() for each in scene.findChildren(QWidget) if each.isVisibleTo(scene)}

    shown: list[set[str]] = []
    monkeypatch.setattr(
        on_screen,
        "paint_words",
        lambda painter, plan, texts, theme: seen.append((texts[0], shown[-1])) or paint(painter, plan, texts, theme),
    )
    monkeypatch.setattr(on_screen, "render_image", lambda *args: shown.append(names()) or render(*args))
    before = names()
    dialog = shown_dialog(window, qtbot)
    text, painted = seen[-1]
    assert page.lesson is not None
    shown_step = page.lesson.steps[step]
    assert (text.title, text.head) == (page.lesson.title, shown_step.text)
    assert text.sentence.startswith(shown_step.more)
    (trace, *_) = page.contents.traces
    assert text.note.startswith(trace.spec.kernel)
    assert kernel_name(trace.spec.kernel).title in text.note
    assert f"recorded: {subtitle_of(page.contents.traces)}" in text.note, "size, device and day"
    assert ("paddingSlider" in before) == (lesson == "bank-conflicts")
    assert "paddingSlider" not in painted
    assert (dialog.image.width(), dialog.image.height()) == (1920, 1080)
    assert not is_plain(dialog.image)
    light = dialog.image.pixelColor(960, 1070).lightness()
    dialog.findChild(QPushButton, "viewTheme_dark").click()
    assert dialog.image.pixelColor(960, 1070).lightness() < light
    assert ("paddingSlider" in names()) == ("paddingSlider" in before), "the controls are back"
    dialog.close()
