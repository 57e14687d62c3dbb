"""The scenes of lessons by themselves: loops, spotlight, the request a step names, what stops when a scene is left."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lesson_scenes import LESSONS, data_of, shown
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton, QSlider, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lesson_scenes import Banks, Pictures, Sectors
from gemmviz.domain.operands import make_operands
from gemmviz.explain.block.tree_values import sums_in_shared
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.pictures_scene import PicturesScene
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.lessons.scenes.request_scene import BanksScene, SectorsScene
from gemmviz.gui.lessons.scenes.result_table import GAP, LEAST_CELL
from gemmviz.gui.lessons.scenes.schedule_scene import ScheduleScene
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.painted import legend_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.help import LESSON_HELP
from gemmviz.gui.memory_view.text.labels import products_words, value_text
from gemmviz.gui.memory_view.text.onchip import onchip_words
from gemmviz.gui.memory_view.text.tag_places import tag_places
from gemmviz.gui.memory_view.text.text_layer import text_layer
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.stages.stage_canvas import StageCanvas
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Frame

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_that_the_spotlight_frames_what_the_step_speaks_of(qtbot: QtBot) -> None:
    _, data = data_of("tiling")
    scene = shown(qtbot, PicturesScene(LIGHT))
    view = scene.panes[0].view

    def spots() -> tuple[Box, ...]:
        state = view.picture_state()
        return state.spots if state is not None else ()

    def legend() -> set[str]:
        state = view.picture_state()
        return {entry.words for entry in legend_of(state)} if state is not None else set()

    scene.show_pictures(Pictures(("tiled_4",), ("tiled",), plays=False, spot=("As", "nothing such")), data)
    qtbot.waitUntil(lambda: len(spots()) == 1)
    assert "in the text" in legend()
    before = spots()[0]
    scene.resize(800, 500)
    qtbot.waitUntil(lambda: spots()[0] != before)
    scene.show_pictures(Pictures(("tiled_4",), ("tiled",), plays=False), data)
    assert spots() == ()
    assert "in the text" not in legend()


def test_that_the_banks_are_those_of_the_request_that_is_named(qtbot: QtBot) -> None:
    _, data = data_of("bank-conflicts")
    scene = shown(qtbot, BanksScene(LIGHT))
    for padding, wavefronts in ((0, 32), (1, 1), (2, 2)):
        scene.show_banks(Banks("transposed", "As", "As", "store", padding=padding, plays=False), data)
        qtbot.waitUntil(lambda: scene.stage.request is not None)
        assert isinstance(scene.stage, BankStage)
        assert len(scene.stage.cost.wavefronts) == wavefronts
    scene.show_banks(Banks("transposed", "Bs", "Bs", "store"), data)
    qtbot.waitUntil(lambda: scene.is_playing or scene.stage.player.index > 0)
    scene.stop()
    assert not scene.is_playing


def test_that_the_layouts_tried_in_the_order_of_the_text_need_the_wavefronts_it_names(qtbot: QtBot) -> None:
    lesson, data = data_of("bank-conflicts")
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    page.show_lesson(data, step=next(at for at, each in enumerate(lesson.steps) if each.banks and each.banks.controls))
    scene = page.scene
    assert isinstance(scene, BanksScene)
    stage = scene.stage
    assert isinstance(stage, BankStage)
    qtbot.waitUntil(lambda: stage.request is not None)
    padding = stage.findChild(QSlider, "paddingSlider")
    found = []
    for columns, swizzle in ((1, ""), (0, ""), (0, "swizzleColumn"), (0, "swizzle64"), (0, "swizzle128")):
        padding.setValue(columns)
        if swizzle:
            qtbot.mouseClick(stage.findChild(QPushButton, swizzle), Qt.MouseButton.LeftButton)
        found.append(len(stage.cost.wavefronts))
    assert found == [1, 32, 1, 8, 4]
    page.stop()


@pytest.mark.parametrize("kind", [BanksScene, SectorsScene])
def test_that_a_request_that_is_still_looked_for_is_said_to_be_loaded(
    qtbot: QtBot, kind: type[BanksScene | SectorsScene]
) -> None:
    _, data = data_of("bank-conflicts")
    scene = shown(qtbot, kind(LIGHT), 900, 500)
    run = data.traces["transposed"]
    scene.stage.show_block(run, run.blocks[0].trace(run.sites, run.arrays))
    (canvas,) = (each for each in scene.findChildren(QWidget) if isinstance(each, StageCanvas))
    assert scene.stage.is_busy
    assert canvas.instead == "Loading the picture…"
    ink = QColor(LIGHT.muted).rgb()
    image = scene.grab().toImage()
    assert any(image.pixel(x, y) == ink for x in range(image.width()) for y in range(image.height()))
    qtbot.waitUntil(lambda: canvas.request is not None)


def test_that_the_sectors_are_those_of_the_request_that_is_named(qtbot: QtBot) -> None:
    _, data = data_of("coalescing")
    scene = SectorsScene(LIGHT)
    qtbot.addWidget(scene)
    for name, array, says in (("rows", "B", "4 sectors"), ("columns", "A", "32 sectors")):
        scene.show_sectors(Sectors(name, array, array, "load", plays=False), data)
        qtbot.waitUntil(lambda: scene.stage.request is not None)
        assert says in scene.stage.sentence


def remarks(scene: PicturesScene) -> set[str]:
    """What is written in the picture at the left."""
    view = scene.panes[0].view
    picture = view.picture_state()
    assert picture is not None
    return {line.text for line in text_layer(picture, looks_of(LIGHT)).words}


def test_that_what_a_broken_kernel_stored_is_seen_beside_what_is_right(qtbot: QtBot) -> None:
    _, data = data_of("race")
    scene = shown(qtbot, PicturesScene(LIGHT))
    scene.show_pictures(Pictures(("broken",), ("broken",), plays=False, result=True), data)
    qtbot.waitUntil(lambda: bool(scene.result.elements))
    assert scene.result.summary == "C: nothing is stored yet"
    scene.player.seek(10_000)
    qtbot.waitUntil(lambda: scene.result.summary == "C as stored: 15 of 16 elements are wrong")
    assert scene.result.elements[0][0].sentence == "C[0,0] = 335, should be 1380"
    assert scene.result.elements[3][3].sentence == "C[3,3] = 7632, right"
    assert "C[0,0] = 335, should be 1380" in scene.result.accessibleDescription()
    picture = scene.panes[0].view.picture_state()
    assert picture is not None
    assert picture.sums.totals[0, 0] == 335
    assert "8 of 8 terms" in remarks(scene)
    scene.player.seek(3)
    qtbot.waitUntil(lambda: scene.result.summary == "C: nothing is stored yet")
    assert "as stored" not in remarks(scene), "nothing is"
    assert "0 of 8 terms" in remarks(scene), "no thread has read from shared memory"
    scene.player.seek(6)
    qtbot.waitUntil(lambda: "1 of 8 terms" in remarks(scene))
    assert scene.result.summary == "C: nothing is stored yet"
    scene.show_pictures(Pictures(("fixed",), ("fixed",), start=-1, plays=False, result=True), data)
    qtbot.waitUntil(lambda: scene.result.summary == "C as stored: 0 of 16 elements are wrong")
    scene.show_pictures(Pictures(("fixed",), ("fixed",), plays=False), data)
    assert not scene.beside.isVisible()


def test_that_the_slots_of_a_dot_product_show_their_sums_where_those_make_the_result() -> None:
    _, data = data_of("tree")
    serial, tree = data.traces["serial"], data.traces["tree"]
    operands = make_operands(serial.spec.shape, serial.spec.fill, serial.spec.seed)
    block = serial.blocks[0].trace(serial.sites, serial.arrays)
    products = {place: (place + 1) ** 2 for place in range(16)}
    found = sums_in_shared(block, operands.a, operands.b, serial.c)
    assert {slot: leaf.total for slot, leaf in found.items()} == products
    assert (products_words(found[15], value_text), found[15].total) == ("16·16", 256.0)
    of_two = replace(found[1], products=found[0].products + found[1].products, total=5.0)
    assert (products_words(of_two, value_text), of_two.total) == ("2 terms", 5.0)
    assert sums_in_shared(block, operands.a, operands.b, serial.c + 1) == {}
    of_tree = tree.blocks[0].trace(tree.sites, tree.arrays)
    assert sums_in_shared(of_tree, operands.a, operands.b, tree.c) == {}


def test_that_the_pictures_of_a_dot_product_write_every_number(qtbot: QtBot) -> None:
    _, data = data_of("tree")
    scene = shown(qtbot, PicturesScene(LIGHT))
    scene.show_pictures(Pictures(("serial", "tree"), ("serial", "tree"), start=-1, plays=False), data)

    def scene_in(place: int) -> Scene:
        found = scene.panes[place].view.picture_state()
        assert found is not None
        return found

    qtbot.waitUntil(lambda: 15 in scene_in(0).sums.in_shared)
    qtbot.waitUntil(lambda: scene_in(0).picture is not None)
    said = [line.text for line in onchip_words(scene_in(0), looks_of(LIGHT))]
    assert "products A[0,k] · B[k,0]" in said
    assert "computed values" not in said
    qtbot.waitUntil(lambda: scene_in(1).sums.tree is not None)
    values = scene_in(1).sums.tree
    assert values is not None
    assert values.outcome is not None
    assert values.outcome.value == 1496


@pytest.mark.parametrize("height", [380, 460, 700])
def test_that_no_row_is_cut_off_where_a_step_speaks_of_idle_units_near_the_last(qtbot: QtBot, height: int) -> None:
    lesson, data = data_of("gpu")
    wanted = next(step.schedule for step in lesson.steps if step.schedule is not None and step.schedule.idle)
    scene = shown(qtbot, ScheduleScene(LIGHT), 1232, height)
    scene.show_schedule(wanted, data)
    geometry = scene.timeline.geometry_now
    assert geometry is not None
    assert geometry.scroll / geometry.row == pytest.approx(round(geometry.scroll / geometry.row), abs=0.1)
    end = (geometry.scroll + geometry.plot_height) / geometry.row
    assert end == pytest.approx(round(end), abs=0.1)
    assert 124 <= round(end) <= 132, "the idle ones up to SM 123 are in sight"


def test_that_the_answer_on_blocks_shows_all_units(qtbot: QtBot) -> None:
    lesson, data = data_of("gpu")
    page = shown(qtbot, LessonPage(LIGHT), 1280, 690)
    step = next(n for n, each in enumerate(lesson.steps) if each.question is not None)
    page.show_lesson(data, step=step)
    scene = page.scene
    assert isinstance(scene, ScheduleScene)
    assert scene.timeline.geometry_now.most_scroll > 0
    page.findChild(QPushButton, "lessonChoice0").click()
    assert scene.timeline.geometry_now.most_scroll > 0, "a wrong answer shows nothing yet"
    page.findChild(QPushButton, "lessonChoice1").click()
    assert scene.timeline.geometry_now.most_scroll == 0
    assert page.findChild(PlainLabel, "lessonMore").text() == lesson.steps[step].question.answer.more
    page.stop()


def test_that_the_idle_units_a_step_speaks_of_are_in_sight(qtbot: QtBot) -> None:
    lesson, data = data_of("gpu")
    wanted = next(step.schedule for step in lesson.steps if step.schedule is not None and step.schedule.idle)
    scene = shown(qtbot, ScheduleScene(LIGHT), 1232, 500)
    scene.show_schedule(wanted, data)
    for size in ((1232, 500), (1232, 420), (1872, 780)):
        scene.resize(*size)
        qtbot.waitUntil(lambda width=size[0]: scene.width() == width)
        geometry = scene.timeline.geometry_now
        assert geometry is not None
        assert {117, 119, 121, 123} <= set(geometry.visible)
        assert geometry.row >= 12
    first = next(step.schedule for step in lesson.steps if step.schedule is not None)
    scene.show_schedule(first, data)
    assert scene.timeline.geometry_now is not None
    assert scene.timeline.geometry_now.stretch == 1.0


@pytest.mark.parametrize(("number", "figure"), [(0, "2"), (1, "1.125"), (2, "0.25")])
def test_that_a_counter_says_in_every_frame_how_many_loads_a_product_takes(
    qtbot: QtBot, number: int, figure: str
) -> None:
    lesson, data = data_of("registers")
    wanted = lesson.steps[number].pictures
    assert wanted is not None
    scene = shown(qtbot, PicturesScene(LIGHT))
    said: list[str] = []
    scene.player.totals_shown.connect(lambda *_: said.append(scene.panes[0].counters.accessibleName()))
    scene.show_pictures(replace(wanted, plays=False), data)
    qtbot.waitUntil(lambda: bool(said))
    assert scene.player.facts is not None
    for frame in range(scene.player.facts.count):
        said.clear()
        scene.player.seek(frame)
        qtbot.waitUntil(lambda frame=frame: bool(said) or frame == 0)
        assert {each.split()[0] for each in said} <= ({"–"} if frame == 0 else {"–", figure})
    assert said[-1] == f"{figure} values loaded from shared memory per product"


def test_that_counters_are_empty_until_their_own_recording_is_there(qtbot: QtBot) -> None:
    lesson, data = data_of("tiling")
    scene = shown(qtbot, PicturesScene(LIGHT))
    small, large = lesson.steps[4].pictures, lesson.steps[5].pictures
    assert small is not None
    assert large is not None
    scene.show_pictures(replace(small, start=-1, plays=False), data)
    said = [pane.counters.accessibleName for pane in scene.panes]
    qtbot.waitUntil(lambda: said[0]().startswith("256 ") and said[1]().startswith("64 "))
    loads: list[int] = []
    scene.player.totals_shown.connect(lambda _, totals: loads.append(totals.loads))
    scene.show_pictures(replace(large, start=-1, plays=False), data)
    assert [each() for each in said] == ["", ""]
    qtbot.waitUntil(lambda: said[1]().startswith("1\u202f024 "))
    assert min(loads) >= 512


def test_that_the_tree_is_done_after_its_rounds_while_the_serial_sum_goes_on(qtbot: QtBot) -> None:
    lesson, data = data_of("tree")
    wanted = lesson.steps[2].pictures
    assert wanted is not None
    scene = shown(qtbot, PicturesScene(LIGHT))
    frames = {0: -1, 1: -1}
    scene.player.frame_shown.connect(lambda place, frame: frames.update({place: frame.index}))
    scene.show_pictures(replace(wanted, plays=False), data)
    qtbot.waitUntil(lambda: frames == {0: 0, 1: 0})
    for tick, round_shown in ((4, 4), (5, 5), (16, 5)):
        scene.player.seek(tick)
        qtbot.waitUntil(lambda tick=tick, shown=round_shown: frames == {0: tick, 1: shown})


@pytest.mark.parametrize("number", [0, 1, 2])
def test_that_the_race_is_marked_once_the_text_speaks_of_it(qtbot: QtBot, number: int) -> None:
    lesson, data = data_of("race")
    wanted = lesson.steps[number].pictures
    assert wanted is not None
    scene = shown(qtbot, PicturesScene(LIGHT))
    frames: list[Frame] = []
    scene.player.frame_shown.connect(lambda _, frame: frames.append(frame))
    scene.show_pictures(replace(wanted, start=lesson.steps[2].pictures.start, plays=False), data)
    qtbot.waitUntil(lambda: bool(frames))
    state = scene.panes[0].view.picture_state()
    assert state is not None
    assert state.picture is not None
    assert any(mark.about("As", 0, 1) for mark in state.picture.hazards) == (number == 2)


def test_that_the_step_on_the_race_shows_what_the_thread_read_in_its_own_frame_alone(qtbot: QtBot) -> None:
    lesson, data = data_of("race")
    wanted = lesson.steps[2].pictures
    assert wanted is not None
    scene = shown(qtbot, PicturesScene(LIGHT))
    view = scene.panes[0].view
    frames: list[int] = []
    scene.player.frame_shown.connect(lambda _, frame: frames.append(frame.index))
    scene.show_pictures(wanted, data)
    qtbot.waitUntil(lambda: wanted.start in frames)
    state = view.picture_state()
    assert state is not None
    assert state.picture is not None
    ((name, row, column, said),) = state.notes.spoken_of.tags
    assert (name, row, column, said) == ("As", 0, 1, "found 2, not 6")
    assert any(mark.about("As", 0, 1) for mark in state.picture.hazards)
    assert state.pointed.thread == 0
    cell = state.part("As", Rectangle(0, 1, 1, 2))
    assert cell is not None
    looks = looks_of(LIGHT)
    ((_, _, plate),) = tag_places(state, looks)
    assert not any(line.box.meets(plate) for line in text_layer(state, looks))
    above = QPoint(round(cell.middle_x * view.magnification), round((cell.y - 14) * view.magnification))
    assert view.grab().toImage().pixelColor(above) == QColor(LIGHT.hazard)
    scene.player.step(1)
    qtbot.waitUntil(lambda: frames[-1] == wanted.start + 1)
    state = view.picture_state()
    assert state is not None
    assert state.notes.spoken_of.tags == ()


@pytest.mark.parametrize("height", [640, 690])
def test_that_the_repair_shows_every_row_of_the_result_before_and_after_its_answer(qtbot: QtBot, height: int) -> None:
    lesson, data = data_of("race")
    page = shown(qtbot, LessonPage(LIGHT), 1280, height)
    page.show_lesson(data, step=next(at for at, step in enumerate(lesson.steps) if step.repair is not None))
    scene = page.scene
    assert isinstance(scene, RepairScene)
    for _ in ("without the barrier", "with it"):
        qtbot.waitUntil(lambda: len(scene.result.elements) == 4)
        rows = [scene.result.cell(row, 0) for row in range(4)]
        assert min(box.height() for box in rows) >= LEAST_CELL - GAP
        assert scene.result.rect().toRectF().contains(rows[-1])
        assert scene.beside.rect().contains(scene.result.geometry())
        scene.reveal()
    page.stop()


def test_that_pictures_of_lessons_offer_no_keys_and_clicks_that_the_lesson_has_itself(qtbot: QtBot) -> None:
    lesson, data = data_of("race")
    page = shown(qtbot, LessonPage(LIGHT), 1280, 690)
    for step in (0, next(at for at, step in enumerate(lesson.steps) if step.repair is not None)):
        page.show_lesson(data, step=step)
        (view,) = [each for each in page.findChildren(MemoryView) if each.isVisible()]
        assert view.statusTip() == LESSON_HELP
        assert "Drag: move." in LESSON_HELP
        assert "Drag or arrow keys" not in LESSON_HELP
        assert "block of C" not in LESSON_HELP
        qtbot.waitUntil(lambda view=view: view.picture_state() is not None)
        qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        assert "Shift+arrow keys: choose an element." in LESSON_HELP
        assert view.picture_state().pointed.chosen is not None
        assert page.step == step
    page.stop()


def test_that_the_last_step_says_what_to_know_of_its_result(qtbot: QtBot) -> None:
    lesson = LESSONS["tiling"]
    assert "On a CPU your factor is not a GPU's: " in lesson.attempt.more
    page = shown(qtbot, LessonPage(LIGHT), 1280, 692)
    _, data = data_of("tiling")
    page.show_lesson(data, step=lesson.step_count - 1)
    assert page.findChild(QLabel, "lessonAttemptText").text() == lesson.attempt.more
    page.stop()
