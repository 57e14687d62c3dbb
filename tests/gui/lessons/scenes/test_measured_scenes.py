"""Scenes of measurements in lessons: charts of runs, schedules of launches."""

from __future__ import annotations

import pytest
from lesson_scenes import LESSONS, data_of, shown
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lessons import Lesson
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.figure import Tone
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.roofline.plot import RooflinePlot
from gemmviz.gui.lessons.scenes.chart_scene import ChartScene
from gemmviz.gui.lessons.scenes.schedule_scene import ScheduleScene
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def words_until(lesson: Lesson) -> str:
    """All that lessons say up to and with this one, with the titles of their pictures."""
    steps = [step for each in LESSONS.values() if each.number <= lesson.number for step in each.steps]
    titles = [title for step in steps if step.pictures is not None for title in step.pictures.titles]
    return " ".join((*(f"{step.text} {step.more}" for step in steps), *titles))


@pytest.mark.parametrize("lesson_id", LESSONS)
def test_that_the_charts_of_a_lesson_speak_of_nothing_that_they_do_not_show(qtbot: QtBot, lesson_id: str) -> None:
    lesson, data = data_of(lesson_id)
    scene = shown(qtbot, ChartScene(LIGHT), 1232, 500)
    for step in lesson.steps:
        if step.chart is None:
            continue
        scene.show_chart(step.chart, data)
        figure = scene.chart.figure
        assert figure is not None
        said = " ".join((*(f"{row.detail} {row.value} {row.note}" for row in figure.rows), *figure.notes))
        assert "cold" not in said
        assert "separate series" not in said
        assert "cannot be ranked" not in said.lower() or any(row.tone is Tone.OPEN for row in figure.rows)
        shown_words = [label.text() for label in scene.chart.findChildren(QLabel) if label.isVisible()]
        assert not set(Evidence) & set(shown_words)
        words = words_until(lesson)
        for kernel in step.chart.kernels:
            family = kernel.split("_", 1)[0]
            assert kernel in words or f"kernels with {family}" in words or kernel.startswith(("cublas", "cpu_")), kernel


def test_that_a_chart_compares_with_its_own_baseline_whatever_was_shown_before(qtbot: QtBot) -> None:
    scene = shown(qtbot, ChartScene(LIGHT), 1232, 500)
    ladder, data = data_of("gpu")
    wanted = next(step.chart for step in ladder.steps if step.chart is not None and step.chart.view == "speedup")
    scene.show_chart(wanted, data)
    alone = scene.chart.figure
    other, data_before = data_of("bank-conflicts")
    scene.show_chart(next(step.chart for step in other.steps if step.chart is not None), data_before)
    scene.show_chart(wanted, data)
    assert scene.chart.figure is not None
    assert alone is not None
    assert scene.chart.figure.subtitle == alone.subtitle


def test_that_a_step_on_accuracy_shows_the_errors_and_the_next_one_times_again(qtbot: QtBot) -> None:
    scene = shown(qtbot, ChartScene(LIGHT), 1232, 500)
    lesson, data = data_of("gpu")
    charts = [step.chart for step in lesson.steps if step.chart is not None]
    errors = next(each for each in charts if each.view == "error")
    for wanted, plot in ((charts[0], Plot.SPEEDUP), (errors, Plot.RELATIVE_ERROR), (charts[0], Plot.SPEEDUP)):
        scene.show_chart(wanted, data)
        assert scene.plots_shown == (plot,)
        assert scene.chart.figure is not None
        assert [row.name for row in scene.chart.figure.rows] == list(wanted.kernels)
        assert scene._magnified.isVisible()
        assert not any(each.isVisible() for each in (scene._of_times, scene._of_errors) if each is not scene._magnified)


def test_that_a_schedule_begins_at_its_first_row_whatever_was_shown_before(qtbot: QtBot) -> None:
    lesson, data = data_of("gpu")
    scene = shown(qtbot, ScheduleScene(LIGHT), 1232, 400)
    steps = [step.schedule for step in lesson.steps if step.schedule is not None]
    bar = scene.timeline.verticalScrollBar()
    scene.show_schedule(next(each for each in steps if each.idle), data)
    qtbot.waitUntil(lambda: bar.value() > 0)
    scene.show_schedule(next(each for each in steps if not each.idle), data)
    qtbot.waitUntil(lambda: bar.value() == 0)


def test_that_a_schedule_names_its_shades_and_its_hatching_in_type_as_large_as_words(qtbot: QtBot) -> None:
    lesson, data = data_of("gpu")
    scene = shown(qtbot, ScheduleScene(LIGHT), 1872, 760)
    scene.set_magnification(1.5)
    heights = []
    for wanted in (step.schedule for step in lesson.steps if step.schedule is not None):
        scene.show_schedule(wanted, data)
        assert scene.legend.hatching().startswith("tail: ")
        assert scene.legend.entries()
        assert "hatched: tail" in scene.legend.accessibleName()
        heights.append(scene.legend.height())
    assert set(heights) == {30}


def test_that_a_word_of_a_schedule_is_explained_in_the_step_that_first_shows_it() -> None:
    lesson = LESSONS["gpu"]
    first = next(step for step in lesson.steps if step.schedule is not None)
    assert "The tail is" in first.more


def test_that_a_time_is_written_in_one_unit_in_all_charts_of_rates_of_a_lesson(qtbot: QtBot) -> None:
    lesson, data = data_of("gpu")
    scene = shown(qtbot, ChartScene(LIGHT), 1232, 500)
    times: dict[str, set[str]] = {}
    for step in lesson.steps:
        if step.chart is None or step.chart.view != "rate":
            continue
        scene.show_chart(step.chart, data)
        figure = scene.chart.figure
        assert figure is not None
        for row in figure.rows:
            times.setdefault(row.name, set()).add(row.note.rpartition("· ")[2])
    assert "cublas_bf16" in times
    assert {name: said for name, said in times.items() if len(said) > 1} == {}


def test_that_the_marks_of_a_roofline_that_a_step_speaks_of_have_rings_and_those_of_the_step_before_none(
    qtbot: QtBot,
) -> None:
    scene = shown(qtbot, ChartScene(LIGHT), 1232, 500)
    lesson, data = data_of("registers")
    looks, ringed = [], []
    for chart in (step.chart for step in lesson.steps if step.chart is not None and step.chart.view == "roofline"):
        scene.show_chart(chart, data)
        plot = scene.findChild(RooflinePlot)
        assert isinstance(plot, RooflinePlot)
        assert plot._shown is not None
        looks.append(plot.grab().toImage())
        ringed.append([point.is_spoken_of for point in plot._shown.points])
    assert ringed == [[False] * 5, [True] * 5]
    assert looks[0] != looks[1]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_a_schedule_has_the_ground_of_its_card(qtbot: QtBot, theme: Theme) -> None:
    scene = shown(qtbot, ScheduleScene(LIGHT), 1232, 500)
    lesson, data = data_of("gpu")
    scene.show_schedule(next(step.schedule for step in lesson.steps if step.schedule is not None), data)
    scene.set_theme(theme)
    view = scene.timeline.viewport()
    assert view.grab().toImage().pixelColor(1, view.height() - 2).name() == theme.panel


def test_that_another_chart_needs_no_larger_window(qtbot: QtBot) -> None:
    lesson, data = data_of("gpu")
    scene = shown(qtbot, ChartScene(LIGHT), 1232, 520)
    for wanted in (step.chart for step in lesson.steps if step.chart is not None):
        scene.show_chart(wanted, data)
        assert scene.height() == 520, wanted.view
