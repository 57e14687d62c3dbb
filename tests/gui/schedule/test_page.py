"""The page of block schedules: both pictures in step, colours, keys, what it says while it is empty, pictures of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from scheduling import simulated, written

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import Conditions, Finished, Job, ScheduleRequest
from gemmviz.explain.runs.block_schedule import NO_BLOCK, ColourBy, ScheduleFigure
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.schedule.colours import group_colours
from gemmviz.gui.schedule.legend import wave_words
from gemmviz.gui.schedule.page import SchedulePage
from gemmviz.gui.schedule.timeline_paint import PaintedTimeline
from gemmviz.gui.widgets.allowed import allow_action
from gemmviz.gui.work.last_work import after, begun


@pytest.fixture
def page(qtbot: QtBot) -> SchedulePage:
    made = SchedulePage(LIGHT)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    return made


def shown(page: SchedulePage, qtbot: QtBot) -> SchedulePage:
    """With a schedule of 512 blocks on 132 SMs."""
    page.show_schedules((simulated(),))
    assert page.figure is not None
    qtbot.waitUntil(lambda: page.timeline.isVisible() and page.grid.width() > 100)
    return page


def point(view: QWidget, position: QPointF) -> None:
    QTest.mouseMove(view, position.toPoint())


def test_that_an_empty_page_says_what_it_shows_and_once_why_that_needs_a_gpu(page: SchedulePage) -> None:
    action = QAction("Record schedule")
    page.offer(action)
    allow_action(action, "no GPU is found")
    page.set_readiness("no GPU is found")
    page.refresh()
    assert not page.timeline.isVisible()
    assert "Only an NVIDIA GPU tells this" in page.empty_words
    said = [label for label in page.findChildren(QLabel) if label.isVisible() and "no GPU is found" in label.text()]
    assert len(said) == 1
    assert [one.text() for one in page.findChildren(QPushButton) if one.isVisible()] == ["Record schedule"]
    assert not page.record.isEnabled()
    assert "no GPU is found" in page.record.toolTip()
    page.show_schedules((simulated(),))
    page.refresh()
    assert page.record.isVisible(), "another one can be recorded"


def test_that_a_picture_of_an_empty_page_says_so_in_one_sentence(page: SchedulePage) -> None:
    page.refresh()
    page.set_for_picture(True, 1280, large=True)
    assert page._empty.words.text() == "No schedule is recorded in this session."
    page.set_for_picture(False)
    assert "press Record block schedule" in page._empty.words.text()


def test_that_a_page_that_waits_says_what_for(page: SchedulePage) -> None:
    kernel = load_catalogue().get("tiled")
    asked = begun(ScheduleRequest(3, Job(kernel, kernel.params({})), Conditions(Shape(64, 64, 64))))
    page.show_work(asked)
    page.refresh()
    words = "The block schedule of tiled 64×64×64 is being recorded. It appears here when it is done."
    assert page._empty.words.text() == words
    page.show_work(after(asked, Finished(3, reason="tiled: too many blocks")))
    page.refresh()
    assert page._empty.words.text() == "The block schedule of tiled 64×64×64 failed."
    page.show_work(after(asked, Finished(3, cancelled=True)))
    page.refresh()
    assert "Press Record schedule to start it again" in page._empty.words.text()


def test_that_a_sentence_says_what_happened(page: SchedulePage, qtbot: QtBot) -> None:
    shown(page, qtbot)
    assert page.sentence.text().startswith("512 blocks in 1.94 waves on 132 SMs, up to 2 at a time on each; tail: in ")
    assert page.accessibleDescription().startswith(
        "Block schedule: tiled TILE=16. Shared-memory tiles  ·  M×N×K = 512×1024×512"
    )
    assert page.grid.accessibleName() == "Grid of 512 blocks"
    assert page.timeline.accessibleName() == "Timeline of 132 SMs"


@pytest.mark.parametrize("block", [0, 77, 511])
def test_that_a_block_pointed_at_in_the_grid_is_lit_in_the_timeline(
    page: SchedulePage, qtbot: QtBot, block: int
) -> None:
    shown(page, qtbot)
    assert page.grid.block_at(page.grid.cell_area(block).center()) == block
    with qtbot.waitSignal(page.grid.pointed):
        point(page.grid, page.grid.cell_area(block).center())
    assert page.timeline._lit == page.grid._lit == block
    assert page.pointed_words.text() == page.timeline.accessibleDescription() == page.grid.accessibleDescription()
    assert page.pointed_words.text().startswith(f"block {block % 32},{block // 32}  ·  SM ")


def test_that_a_block_pointed_at_in_the_timeline_is_lit_in_the_grid(page: SchedulePage, qtbot: QtBot) -> None:
    shown(page, qtbot)
    geometry, figure = page.timeline.geometry_now, page.figure
    assert geometry is not None
    assert figure is not None
    for block in (3, 40, 300):
        if int(figure.schedule.unit[block]) not in geometry.visible[2:-2]:
            continue
        area = PaintedTimeline(figure, geometry, LIGHT, ColourBy.WAVE).area_of(block)
        assert page.timeline.block_at(area.center()) == block
        point(page.timeline.viewport(), area.center())
        assert page.grid._lit == block
    point(page.timeline.viewport(), QPointF(4, 4))
    assert page.grid._lit == NO_BLOCK
    assert page.pointed_words.text() == " "


TWO_OF_FOUR = [(0, 0, 60_000), (2, 0, 80_000)]
EQUALLY_LONG = [(0, 0, 80_000), (2, 0, 80_000)]


@pytest.mark.parametrize("rows", [TWO_OF_FOUR, EQUALLY_LONG])
def test_that_an_sm_without_any_block_is_hatched_over_the_whole_time(
    page: SchedulePage, rows: list[tuple[int, int, int]]
) -> None:
    page.show_schedules((written(rows, units=4, slots=1),))
    figure, geometry = page.figure, page.timeline.geometry_now
    assert figure is not None
    assert geometry is not None
    areas = PaintedTimeline(figure, geometry, LIGHT, ColourBy.WAVE).hatched()
    picture = page.timeline.viewport().grab().toImage()
    for unit, is_idle in enumerate((False, True, False, True)):
        middle = geometry.y_of(unit) + geometry.bar / 2
        for ns in (1_000.0, 40_000.0, 79_000.0):
            at = QPointF(geometry.x_of(ns), middle)
            in_tail = rows is TWO_OF_FOUR and ns > 60_000
            assert any(area.contains(at) for area in areas) == (is_idle or in_tail)
        early = {picture.pixelColor(int(geometry.x_of(1_000.0)) + i, int(middle)).name() for i in range(24)}
        assert (len(early) > 1) == is_idle


def test_that_hatching_never_covers_a_bar_or_itself(page: SchedulePage) -> None:
    page.show_schedules((written(TWO_OF_FOUR, units=4, slots=1),))
    figure, geometry = page.figure, page.timeline.geometry_now
    assert figure is not None
    assert geometry is not None
    drawn = PaintedTimeline(figure, geometry, LIGHT, ColourBy.WAVE)
    areas = drawn.hatched()
    assert len(areas) == 3
    assert not any(one.intersects(other) for one in areas for other in areas if one is not other)
    assert not any(area.intersects(drawn.area_of(0).adjusted(0.5, 0.5, -0.5, -0.5)) for area in areas)


def test_that_the_legend_says_what_hatching_stands_for(page: SchedulePage) -> None:
    words = {
        "tail: an SM has no work left": written([(0, 0, 60), (1, 0, 80)]),
        "tail: an SM has no work left, or never had any": written(TWO_OF_FOUR, units=4),
        "an SM that never had any work": written(EQUALLY_LONG, units=4),
        "": written([(0, 0, 80), (1, 0, 80)]),
    }
    for said, schedule in words.items():
        page.legend.show_figure(ScheduleFigure(schedule), ColourBy.WAVE)
        assert page.legend.hatching() == said
        assert page.legend.accessibleName().endswith(f", hatched: {said}" if said else "wave 1")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_bars_and_cells_have_the_colours_of_their_waves(page: SchedulePage, theme: object) -> None:
    page.set_theme(theme)  # type: ignore[arg-type]
    page.show_schedules((written([(0, 0, 40_000), (1, 0, 50_000), (0, 40_000, 90_000)], (3, 1, 1), slots=1),))
    figure, geometry = page.figure, page.timeline.geometry_now
    assert figure is not None
    assert geometry is not None
    wanted = group_colours(theme, ColourBy.WAVE, 2)  # type: ignore[arg-type]
    picture, rows = page.grid.grab().toImage(), page.timeline.viewport().grab().toImage()
    for block, wave in ((0, 0), (1, 0), (2, 1)):
        cell = page.grid.cell_area(block).center().toPoint()
        assert picture.pixelColor(cell) == QColor(wanted[wave])
        bar = PaintedTimeline(figure, geometry, LIGHT, ColourBy.WAVE).area_of(block)
        assert rows.pixelColor(bar.center().toPoint()) == QColor(wanted[wave])


def test_that_colours_can_stand_for_sms(page: SchedulePage, qtbot: QtBot) -> None:
    shown(page, qtbot)
    before = page.grid.grab().toImage()
    qtbot.mouseClick(page.colour.buttons[1], Qt.MouseButton.LeftButton)
    assert page.colour_by is ColourBy.UNIT
    assert [words for _, words in page.legend.entries()] == ["SM 0 to SM 131"]
    after_it = page.grid.grab().toImage()
    assert before != after_it
    figure = page.figure
    assert figure is not None
    cell = page.grid.cell_area(0).center().toPoint()
    colours = group_colours(LIGHT, ColourBy.UNIT, 132)
    assert after_it.pixelColor(cell) == QColor(colours[int(figure.schedule.unit[0])])


def test_that_arrow_keys_go_from_block_to_block(page: SchedulePage, qtbot: QtBot) -> None:
    shown(page, qtbot)
    for key, lit in (
        (Qt.Key.Key_Right, 0),
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Down, 33),
        (Qt.Key.Key_Left, 32),
        (Qt.Key.Key_Left, 32),
        (Qt.Key.Key_Up, 0),
    ):
        QTest.keyClick(page.grid, key)
        assert page.grid._lit == lit
    figure = page.figure
    assert figure is not None
    QTest.keyClick(page.timeline, Qt.Key.Key_Right)
    later = page.grid._lit
    assert figure.schedule.unit[later] == figure.schedule.unit[0]
    assert figure.found.waves.wave[later] == figure.found.waves.wave[0] + 1
    QTest.keyClick(page.timeline, Qt.Key.Key_Left)
    assert page.grid._lit == 0
    QTest.keyClick(page.timeline, Qt.Key.Key_Down)
    assert page.grid._lit != 0


def test_that_keys_bring_the_row_of_a_block_into_sight(page: SchedulePage, qtbot: QtBot) -> None:
    page.resize(800, 420)
    shown(page, qtbot)
    bar = page.timeline.verticalScrollBar()
    assert bar.maximum() > 0
    for _ in range(280):
        QTest.keyClick(page.timeline, Qt.Key.Key_Down)
    figure, geometry = page.figure, page.timeline.geometry_now
    assert figure is not None
    assert geometry is not None
    assert int(figure.schedule.unit[page.timeline._lit]) == 131
    assert bar.value() == bar.maximum()


def test_that_the_time_can_be_stretched_dragged_and_seen_whole_again(page: SchedulePage, qtbot: QtBot) -> None:
    shown(page, qtbot)
    whole = page.timeline.range_ns
    QTest.keyClick(page.timeline, Qt.Key.Key_Plus)
    low, high = page.timeline.range_ns
    assert (high - low) == pytest.approx((whole[1] - whole[0]) / 1.25)
    view = page.timeline.viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(200, 100))
    QTest.mouseMove(view, QPoint(150, 100))
    assert page.timeline.range_ns[0] > low
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(150, 100))
    QTest.keyClick(page.timeline, Qt.Key.Key_0)
    assert page.timeline.range_ns == whole
    page.timeline.zoom(1e9)
    low, high = page.timeline.range_ns
    assert high - low == pytest.approx(64.0)
    page.timeline.zoom(1e-9)
    assert page.timeline.range_ns == whole


def test_that_the_newest_schedule_is_shown_and_an_older_one_can_be_chosen(page: SchedulePage) -> None:
    first, second = written([(0, 0, 9)]), simulated()
    page.show_schedules((first,))
    page.show_schedules((first, second))
    assert page.figure is not None
    assert page.figure.schedule is second
    assert page.combo.isVisibleTo(page)
    page.combo.setCurrentIndex(0)
    assert page.figure is not None
    assert page.figure.schedule is first
    page.show_schedules((first, second))
    assert page.figure.schedule is first
    page.show_schedules(())
    assert page.figure is None


def test_that_bars_are_painted_once_for_as_long_as_nothing_of_them_changes(page: SchedulePage, qtbot: QtBot) -> None:
    shown(page, qtbot)
    page.timeline.viewport().grab()
    first = page.timeline._painted
    assert first is not None
    page._light(9)
    page.timeline.viewport().grab()
    assert page.timeline._painted is first
    for change in (lambda: page.timeline.zoom(2.0), lambda: page.colour.choose(1), lambda: page.set_theme(DARK)):
        change()
        page.timeline.viewport().grab()
        assert page.timeline._painted is not first
        first = page.timeline._painted


def test_that_many_short_blocks_are_painted(page: SchedulePage) -> None:
    page.show_schedules((simulated((512, 128, 1), slots=8, block_ns=900),))
    assert page.figure is not None
    assert not page.grab().isNull()


def test_that_a_picture_has_every_row_and_no_controls(page: SchedulePage, qtbot: QtBot) -> None:
    shown(page, qtbot)
    page.set_for_picture(True, 1200)
    page.resize(1200, page.picture_height(1200))
    page.grab()
    geometry = page.timeline.geometry_now
    assert geometry is not None
    assert geometry.most_scroll == 0.0
    assert len(geometry.visible) == 132
    assert not page.controls.isVisible()
    assert not page.pointed_words.isVisible()
    (table,) = page.tables()
    assert len(table.rows) == 512
    page.set_for_picture(False)
    assert page.controls.isVisible()


def test_that_the_choice_of_colours_keeps_its_words_beside_a_long_list(page: SchedulePage, qtbot: QtBot) -> None:
    one = simulated()
    long = replace(one, spec=replace(one.spec, params=tuple((f"PARAMETER{i}", 100 + i) for i in range(6))))
    page.resize(620, 600)
    page.show_schedules((one, long))
    qtbot.waitUntil(lambda: page.timeline.isVisible())
    for button in page.colour.buttons:
        assert button.width() >= button.sizeHint().width()
    assert page.combo.width() >= 160
    assert page.record.geometry().right() <= page.controls.width()


def test_that_the_legend_names_the_waves_of_each_shade() -> None:
    assert [wave_words(first, 2, 3) for first in (1, 2)] == ["wave 1", "wave 2"]
    assert [wave_words(first, 5, 3) for first in (1, 2, 3)] == ["waves 1 and 4", "waves 2 and 5", "wave 3"]
    assert [wave_words(1, count, 3) for count in (7, 16)] == ["waves 1, 4, 7", "waves 1, 4, 7, …"]
