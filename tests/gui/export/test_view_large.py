"""A chart exported in the type of a presentation, and as high as its rows need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QFontInfo, QFontMetricsF, QImage
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.chart import LARGE_WIDTH
from gemmviz.gui.charts.notes_label import FIRST
from gemmviz.gui.charts.plot.fonts import SMALL_ON_SCREEN, plot_fonts
from gemmviz.gui.charts.plot.layout import AXIS_DENSE, DENSE_ROW, HEAD
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.export.on_screen import ViewOnScreen
from gemmviz.gui.export.pictures.chart_picture import LONG_UNITS, chart_image, filled_twin, head_height
from gemmviz.gui.export.view_dialog import ALWAYS_LARGE, ALWAYS_LARGE_OF_TWO, SIZES, ViewExportDialog
from gemmviz.gui.looks.theme import LIGHT, Theme


def test_that_a_chart_is_exported_in_the_large_type_of_a_presentation_where_that_is_ticked(
    qtbot: QtBot, tmp_path: Path
) -> None:
    painted_sizes: list[tuple[str, tuple[int, int]]] = []

    def paint(name: str) -> Callable[..., QImage]:
        def painted(_made: object, size: tuple[int, int], _theme: Theme, _title: str) -> QImage:
            image = QImage(*size, QImage.Format.Format_RGB32)
            painted_sizes.append((name, size))
            return image

        return painted

    for large in (None, paint("large")):
        dialog = ViewExportDialog(ViewOnScreen("x", "Rate", paint("usual"), paint_large=large), LIGHT, tmp_path)
        qtbot.addWidget(dialog)
        dialog.show()
        qtbot.waitUntil(lambda dialog=dialog: dialog.image is not None)
        box = dialog.findChild(QCheckBox, "viewLarge")
        assert (box is not None and box.isVisible()) == (large is not None)
        assert dialog.image is not None
        assert painted_sizes[-1] == ("usual", SIZES[0])
        if box is not None:
            box.setChecked(True)
            assert painted_sizes[-1] == ("large", (1920, 1028))
            assert (dialog.image.width(), dialog.image.height()) == SIZES[0]


@pytest.mark.parametrize(("is_of_two", "why"), [(False, ALWAYS_LARGE), (True, ALWAYS_LARGE_OF_TWO)])
def test_that_a_view_that_is_a_slide_says_so_with_a_tick_that_stays(
    is_of_two: bool, why: str, qtbot: QtBot, tmp_path: Path
) -> None:
    image = QImage(*SIZES[0], QImage.Format.Format_RGB32)
    both = (lambda *_: image) if is_of_two else None
    view = ViewOnScreen("x", "", lambda *_: image, is_slide=True, paint_both=both)
    dialog = ViewExportDialog(view, LIGHT, tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.image is not None)
    tick = dialog.findChild(QCheckBox, "viewLarge")
    assert tick.isVisible()
    assert tick.isChecked()
    assert not tick.isEnabled()
    assert why in tick.toolTip()
    beside = dialog.findChild(QLabel, "viewWhyLarge")
    assert beside.isVisible()
    assert beside.text() == why
    with qtbot.waitSignal(dialog.more_asked) as asked:
        dialog.findChild(QPushButton, "viewMore").click()
    assert asked.args[1] is True


def test_that_the_preview_has_no_empty_band_above_it(qtbot: QtBot, tmp_path: Path) -> None:
    image = QImage(*SIZES[0], QImage.Format.Format_RGB32)
    dialog = ViewExportDialog(ViewOnScreen("x", "", lambda *_: image), LIGHT, tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.image is not None)
    preview = dialog.findChild(QLabel, "viewPreview")
    assert preview.height() - preview.pixmap().deviceIndependentSize().height() <= 12


@pytest.mark.parametrize("example", [each.id for each in load_examples()])
def test_that_a_roofline_on_a_slide_has_two_lines_of_notes_at_most(qtbot: QtBot, example: str) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == example))
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs(session.runs, session.roofs, session.traces)
    chart.set_view(TimingView.ROOFLINE)
    chart.set_for_picture(True, 960, dense=True, large=True, height=517)
    notes, inner = chart._notes, chart._inner(960)
    assert notes.whole_height(inner) <= 2 * notes.fontMetrics().lineSpacing()
    doubts = [first for first in FIRST if any(note.startswith(first) for note in chart.figure.notes)]
    assert all(note.partition(";")[0][1:] in notes.text() for note in doubts), "not what to do about it"
    said = [note[1:] in notes.text() for note in chart.figure.essential]
    assert said == sorted(said, reverse=True), "what is left out is what matters least"
    assert all(said) or "in gemmviz" in notes.text()


@pytest.mark.parametrize("view", [view for view in TimingView if view is not TimingView.ROOFLINE])
@pytest.mark.parametrize("example", ["gpu-ladder", "cpu-four"])
def test_that_a_slide_of_times_has_all_notes_where_rows_leave_room_and_else_two_lines(
    qtbot: QtBot, view: TimingView, example: str
) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == example))
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs(session.runs, session.roofs, session.traces)
    chart.set_view(view)
    notes = chart._notes
    for dense in (False, True):
        chart.set_for_picture(True, 960, dense=dense, large=True, height=2000)
        assert "in gemmviz" not in notes.text()
        assert notes.text().count("\n") + 1 >= len(chart.figure.notes)
        chart.set_for_picture(True, 960, dense=dense, large=True)
        assert notes.whole_height(chart._inner(960)) <= 2 * notes.fontMetrics().lineSpacing(), notes.text()


def test_that_notes_are_as_large_in_a_wide_slide_as_in_a_usual_one_where_all_have_room(qtbot: QtBot) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "cpu-four"))
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs(session.runs, session.roofs, session.traces)
    width = LARGE_WIDTH * 3 // 2
    points = []
    for height in (1200, round(chart.height_without_notes(width)) + 40):
        chart.set_for_picture(True, width, large=True, height=height)
        points.append(chart._notes.font().pointSizeF())
    assert points == pytest.approx([SMALL_ON_SCREEN * 1.5, SMALL_ON_SCREEN])


def test_that_the_smallest_capitals_of_charts_of_times_on_a_slide_have_20_pixels_of_1080(qtbot: QtBot) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs(session.runs, session.roofs, session.traces, folds=True)
    size = 1920, 1028 - head_height((1920, 1028))
    for view in TimingView:
        chart.set_view(view)
        with filled_twin(chart, session, (), size, LIGHT, chart.title, large=True) as (twin, scale):
            assert isinstance(twin, TimingChart)
            smallest = plot_fonts(small=True, large=True)
            fonts = (smallest.note, smallest.head, smallest.tick, twin._notes.font(), twin._legend._font)
            assert min(QFontMetricsF(font).capHeight() * scale for font in fonts) >= 20, view


def test_that_the_rows_of_a_chart_on_the_whole_screen_are_as_high_as_there_is_room_for(qtbot: QtBot) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs(session.runs, session.roofs, session.traces)
    chart.set_view(TimingView.RATE)
    assert len(session.runs) >= 27
    seen = {}
    for large in (False, True):
        chart.set_for_picture(True, 1067, dense=True, large=large)
        seen[large] = chart.picture_height(1067)
    assert seen[True] + 2 * len(session.runs) <= seen[False]
    doubts = [first for first in FIRST if any(note.startswith(first) for note in chart.figure.notes)]
    assert doubts
    assert all(note.partition(";")[0][1:] in chart._notes.text() for note in doubts)
    chart.set_view(TimingView.ROOFLINE)
    chart.set_for_picture(True, 1067, dense=True, large=True)
    said = chart._notes.text()
    assert "Roofs with !: measured at a lowered clock" in said
    assert "naive" not in said  # no list of kernels
    assert "caches serve a kernel above the slope" in said
    assert "power limit" not in said  # the window says so


def test_that_rows_on_a_small_screen_are_roomy_before_notes_take_more_than_two_lines(qtbot: QtBot) -> None:
    session = load_session(next(each.path for each in load_examples() if each.id == "gpu-ladder"))
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs(session.runs, session.roofs, session.traces, folds=True)
    chart.set_view(TimingView.KERNEL)
    size = 1280, 760 - head_height((1280, 760))
    with filled_twin(chart, session, (), size, LIGHT, chart.title, large=True) as (twin, _):
        assert isinstance(twin, TimingChart)
        assert twin.figure is not None
        notes = twin._notes
        assert notes.whole_height(twin._inner(twin.width())) <= 2 * notes.fontMetrics().lineSpacing()
        others = twin.height_without_notes(twin.width()) - twin.plot.natural_height()
        room = twin.height() - others - notes.whole_height(twin._inner(twin.width())) - HEAD - AXIS_DENSE
        assert room / len(twin.figure.rows) >= DENSE_ROW


def test_that_a_long_title_has_two_lines_of_the_largest_letters(qtbot: QtBot) -> None:
    """What a lesson found is the headline of its chart: larger than the names and axes below it."""
    session = load_session(next(each.path for each in load_examples() if each.id == "cpu-four"))
    chart = TimingChart(LIGHT)
    qtbot.addWidget(chart)
    chart.show_runs(session.runs, session.roofs, session.traces)
    size, found = (1280, 760), "cpu_ikj is about 50 times as fast as cpu_ijk"
    short, long = f"Lesson 8: {found}.", f"Lesson 8: {found}, and cpu_transposed is about 3 times as fast as cpu_ijk."
    assert head_height(size, short) == head_height(size) < head_height(size, long)
    image = chart_image(chart, session, (), size, LIGHT, long, large=True)
    ground = image.pixelColor(0, 0)
    rows = [any(image.pixelColor(x, y) != ground for x in range(60, 400)) for y in range(head_height(size, long))]
    lines = "".join("x" if is_inked else " " for is_inked in rows).split()
    assert len(lines) == 2
    assert rows.index(True) >= 10, "apart from the edge of the screen"
    unit = size[1] / 600
    with filled_twin(chart, session, (), size, LIGHT, long, large=True) as (_, scale):
        pixels = QFontInfo(plot_fonts(small=False, large=True).name).pixelSize() * scale
    assert LONG_UNITS * unit > pixels
