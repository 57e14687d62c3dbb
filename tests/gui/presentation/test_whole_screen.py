"""Charts and slides on the whole screen: type and colours that are read from the back of a room."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.export.film.choice import SLIDE_SIZE
from gemmviz.gui.export.on_screen import ViewOnScreen
from gemmviz.gui.export.pictures import chart_picture
from gemmviz.gui.export.pictures.chart_picture import chart_image, head_height, screen_picture
from gemmviz.gui.export.presented import presented_on_screen
from gemmviz.gui.looks.appearance import apply_theme
from gemmviz.gui.looks.projector import projector_theme
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme, contrast
from gemmviz.gui.presentation import slide
from gemmviz.gui.presentation.hint import LEAVE, STRIP, FadingHint
from gemmviz.gui.presentation.screen import ENDS, OF_PICTURES, PLAYING, SWAP, VIEWS
from gemmviz.gui.presentation.slide import NOTE_UNITS, SlideText, note_height, paint_words, plan_slide
from gemmviz.gui.widgets.widget_image import render_image

PIXELS_OF_A_POINT = 96 / 72


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[TimingChart, float]]:
    """The charts that are painted for the whole screen, laid out, and the pixels of a unit of each."""
    found: list[tuple[TimingChart, float]] = []

    def render(widget: QWidget, scale: float = 1.0) -> QImage:
        image = render_image(widget, scale)
        assert isinstance(widget, TimingChart)
        found.append((widget, scale))
        return image

    monkeypatch.setattr(chart_picture, "render_image", render)
    return found


def chart_of(qtbot: QtBot, session: Session, view: TimingView) -> TimingChart:
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs(session.runs, session.roofs, session.traces)
    chart.set_view(view)
    return chart


@pytest.mark.parametrize("view", [TimingView.KERNEL, TimingView.RATE])
def test_that_a_chart_of_two_rows_fills_the_screen_and_stands_in_its_middle(
    qtbot: QtBot, painted: list[tuple[TimingChart, float]], view: TimingView
) -> None:
    session = load_session(examples_folder() / "cpu-four.gemmviz")
    size = 1920, 1028
    chart_image(chart_of(qtbot, session, view), session, (), size, LIGHT, "", large=True)
    twin, scale = painted[-1]
    layout = twin.plot.plot_layout()
    assert twin.height() * scale == pytest.approx(size[1], abs=scale)
    assert layout.cell * scale > 0.1 * size[1]
    assert layout.cell <= 0.2 * twin.height(), "no row is thicker than a fifth of the picture"
    assert twin.plot.text.fonts(tight=False).note.pointSizeF() * PIXELS_OF_A_POINT * scale > 30
    above, below = (twin._layout.itemAt(place).geometry().height() for place in (0, twin._layout.count() - 1))
    assert abs(above - below) <= 2, "as much is empty above as below"
    assert above < 0.15 * twin.height()


@pytest.mark.parametrize(
    ("example", "view"),
    [
        ("gpu-ladder", TimingView.SPEEDUP),
        ("gpu-ladder", TimingView.ROOFLINE),
        ("cpu-four", TimingView.SPEEDUP),
    ],
)
def test_that_words_of_rows_have_22_pixels_and_notes_18(
    qtbot: QtBot, painted: list[tuple[TimingChart, float]], example: str, view: TimingView
) -> None:
    session = load_session(examples_folder() / f"{example}.gemmviz")
    chart_image(chart_of(qtbot, session, view), session, (), (1920, 1028), LIGHT, "", large=True)
    twin, scale = painted[-1]
    fonts = twin.plot.text.fonts(tight=twin.plot._is_tight())
    least = min(font.pointSizeF() for font in (fonts.name, fonts.detail, fonts.value, fonts.note))
    assert least * PIXELS_OF_A_POINT * scale >= 22
    assert twin._notes.font().pointSizeF() * PIXELS_OF_A_POINT * scale >= 18


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_muted_words_have_a_contrast_of_7_and_faint_ones_of_4_5(theme: Theme) -> None:
    strong = projector_theme(theme)
    for ground in (strong.window, strong.canvas, strong.panel):
        assert contrast(strong.text, ground) >= contrast(strong.muted, ground) >= 7.0
        assert contrast(strong.faint, ground) >= 4.5
    assert strong.accent == theme.accent
    assert projector_theme(theme) is strong
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)


def test_that_a_chart_on_the_whole_screen_is_painted_in_these_colours(
    qtbot: QtBot, painted: list[tuple[TimingChart, float]]
) -> None:
    session = load_session(examples_folder() / "cpu-four.gemmviz")
    chart = chart_of(qtbot, session, TimingView.RATE)
    chart_image(chart, session, (), (1920, 1028), LIGHT, "", large=True)
    chart_image(chart, session, (), (1920, 1028), LIGHT, "")
    (large, _), (usual, _) = painted
    assert projector_theme(LIGHT).muted in large._notes.styleSheet()
    assert LIGHT.muted in usual._notes.styleSheet()


def test_that_an_exported_chart_has_the_room_of_the_one_on_the_screen(qtbot: QtBot) -> None:
    screen = QWidget()
    qtbot.addWidget(screen)
    apply_theme(qtbot._request.getfixturevalue("qapp"), screen, LIGHT)
    room = FadingHint(LEAVE, screen).place(QRect(0, 0, *SLIDE_SIZE))
    asked: list[tuple[int, int]] = []

    def paint(size: tuple[int, int]) -> QImage:
        asked.append(size)
        return QImage(*size, QImage.Format.Format_RGB32)

    image = screen_picture(paint, SLIDE_SIZE, LIGHT)
    assert asked == [(room.width(), room.height())] == [(1920, round(1080 * (1 - STRIP)))]
    assert (image.width(), image.height()) == SLIDE_SIZE


def test_that_the_line_of_keys_grows_with_the_screen(qtbot: QtBot) -> None:
    screen = QWidget()
    qtbot.addWidget(screen)
    apply_theme(qtbot._request.getfixturevalue("qapp"), screen, LIGHT)
    hint = FadingHint(LEAVE, screen)
    parts = []
    for width, height in ((1280, 800), SLIDE_SIZE):
        hint.place(QRect(0, 0, width, height))
        parts.append(hint.fontMetrics().height() / height)
    assert parts[1] == pytest.approx(parts[0], rel=0.08)


def test_that_a_slide_has_type_that_is_read_from_afar() -> None:
    film = plan_slide(*SLIDE_SIZE)
    assert min(slide.CAPTION_UNITS) * film.scale >= 22
    assert NOTE_UNITS[0] * film.scale >= 21
    assert min(NOTE_UNITS) * film.scale >= 18


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080)])
def test_that_keys_over_a_slide_cover_no_more_than_its_note(qtbot: QtBot, width: int, height: int) -> None:
    screen = QWidget()
    qtbot.addWidget(screen)
    apply_theme(qtbot._request.getfixturevalue("qapp"), screen, LIGHT)
    keys = FadingHint((*PLAYING, SWAP, *OF_PICTURES, VIEWS, ENDS, "Alt+1 … 7  page", *LEAVE), screen)
    keys.place_over(QRect(0, 0, width, height))
    plan = plan_slide(width, height, 2)
    note = note_height(NOTE_UNITS[0], ["recorded on an NVIDIA H200"]) * plan.scale
    assert QRect(0, 0, width, height).contains(keys.geometry())
    assert keys.y() >= height - note - 1
    assert keys.width() >= width * 0.9, "no part of the note is left beside it"
    for key in (*PLAYING, SWAP, *LEAVE):
        assert key in keys.text()
    alone, units = plan_slide(width, height), slide.CAPTION_UNITS[0]
    two_lines = alone.panes[0].caption.y + units * (1.1 + slide._LEADING) + QFontMetricsF(slide._type(units)).descent()
    assert two_lines * alone.scale <= keys.y() - 6, "a gap below a caption of two lines"


def test_that_words_of_a_slide_are_painted_in_these_colours() -> None:
    image = QImage(1920, 1080, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.canvas))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing, False)
        paint_words(painter, plan_slide(*SLIDE_SIZE), (SlideText("a", "b", note="c"),), LIGHT)
    seen = {image.pixelColor(x, y).name() for y in range(image.height()) for x in range(200)}
    assert projector_theme(LIGHT).muted in seen
    assert LIGHT.muted not in seen


def test_that_a_large_chart_has_its_title_in_the_letters_of_a_slide_and_not_twice(
    qtbot: QtBot, painted: list[tuple[TimingChart, float]]
) -> None:
    session = load_session(examples_folder() / "cpu-four.gemmviz")
    chart = chart_of(qtbot, session, TimingView.KERNEL)
    assert re.fullmatch(r"M×N×K = 4×4×4  ·  .+  ·  \d{4}-\d\d-\d\d", chart.circumstances)
    image = chart_image(chart, session, (), (1920, 1080), LIGHT, "Kernel time", large=True)
    twin, scale = painted[-1]
    band = head_height((1920, 1080))
    assert twin.height() * scale <= 1080 - band + scale
    assert not any(part.text() for part in (twin._title, twin._subtitle, twin._evidence))
    inked = [row for row in range(band) if any(image.pixel(x, row) != image.pixel(0, 0) for x in range(30, 300))]
    assert inked[-1] - inked[0] > 0.025 * 1080, "letters of a title are read across a room"


def test_that_what_a_lesson_has_shown_is_the_headline_of_its_chart(
    qtbot: QtBot,
) -> None:
    session = load_session(examples_folder() / "cpu-four.gemmviz")
    chart = chart_of(qtbot, session, TimingView.KERNEL)
    view = ViewOnScreen("time", "Kernel time", lambda *_: QImage())
    assert presented_on_screen(view, chart, "Timing", session, ()).title == "Kernel time"
    chart.show_verdict("Lesson 1: tiled is 14 times as fast as naive.")
    assert presented_on_screen(view, chart, "Timing", session, ()).title == chart.lesson_verdict
    assert chart.lesson_verdict.startswith("Lesson 1:")
