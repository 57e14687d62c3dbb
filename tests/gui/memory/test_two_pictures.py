"""Two pictures beside each other in a small window: nothing of importance is left out or cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.export.pictures.slide_picture import SlidePicture
from gemmviz.gui.layout.dock_widths import RIGHT_WIDTH
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.choices import STEPS, pair_note
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.places.legend import picture_legend
from gemmviz.gui.memory_view.text.onchip import onchip_words
from gemmviz.gui.player.caption_label import CaptionLabel
from gemmviz.gui.recording.grids import Playable
from gemmviz.gui.widgets.fields import ComboBox

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]


def put_beside(parts: Parts, words: str) -> None:
    """Choose what stands beside, as a person does."""
    combo = parts.memory_page.findChild(QComboBox, "compareCombo")
    place = next(i for i in range(combo.count()) if words in combo.itemText(i))
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


def frame_of(view: MemoryView) -> int:
    """The frame a picture shows, from 0; -1 for none."""
    scene = view.picture_state()
    return scene.picture.frame.index if scene is not None and scene.picture is not None else -1


def test_that_a_picture_alone_has_its_name(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    run = recorded("tiled", "17x33x5", (1, 0), TILE=16)
    parts.memory_page.show()
    control.show_session(session_of(run))
    qtbot.waitUntil(lambda: frame_of(parts.memory) == 0)
    title = parts.memory_page.findChild(QLabel, "memoryTitle")
    combo = parts.memory_page.findChild(QComboBox, "memoryCombo")
    assert title.isVisible()
    assert title.text() == "tiled TILE=16  ·  17×33×5  ·  block (1, 0)"
    control.show_session(session_of(run, recorded("naive", "17x33x5")))
    assert combo.isVisible()
    assert not title.isVisible()


def test_that_the_figures_are_those_of_the_recording_in_focus(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    naive, tiled = recorded("naive", "17x33x20"), recorded("tiled", "17x33x20", TILE=4)
    parts.figures.show_trace(tiled)
    assert parts.figures.text.startswith("Newest recording\ntiled")
    control.show_session(session_of(naive, tiled))
    qtbot.waitUntil(lambda: frame_of(parts.memory) == 0)
    control.play(naive)
    assert parts.figures.text.startswith("Recording on the Memory page\nnaive")
    parts.figures.show_trace(tiled)
    assert parts.figures.text.startswith("Recording on the Memory page\nnaive")
    put_beside(parts, "tiled")
    qtbot.waitUntil(lambda: frame_of(parts.beside) == 0)
    parts.memory_page.panes[1].focused.emit()
    assert parts.figures.text.startswith("Recording on the Memory page\ntiled")


def test_that_both_have_one_layout_and_one_alone_its_own(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    one, other = recorded("naive", "17x33x20"), recorded("tiled", "17x33x20", TILE=4)
    parts.memory_page.show()
    control.show_session(session_of(one, other))
    qtbot.waitUntil(lambda: frame_of(parts.memory) == 0)
    alone = parts.memory.picture_state()
    assert alone is not None
    put_beside(parts, "naive")
    qtbot.waitUntil(lambda: frame_of(parts.beside) == 0)
    for view in (parts.memory, parts.beside):
        view.resize(int(alone.layout.width), int(alone.layout.height))
    scenes = parts.memory.picture_state(), parts.beside.picture_state()
    assert scenes[0] is not None
    assert scenes[1] is not None
    assert scenes[0].layout == scenes[1].layout
    assert scenes[0].layout != alone.layout
    put_beside(parts, "none")
    parts.memory.resize(int(alone.layout.width), int(alone.layout.height))
    again = parts.memory.picture_state()
    assert again is not None
    assert again.layout == alone.layout


def test_that_blocks_of_different_sizes_are_told_in_words(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    alike, larger = recorded("naive", "40x36x33", (1, 1), THREAD=8), recorded("tiled", "40x36x33", (1, 1), TILE=16)
    control.show_session(session_of(alike, larger, recorded("tiled", "40x36x33", (1, 1), TILE=8)))
    note = parts.memory_page.findChild(QLabel, "compareNote")
    for kernel, words in (
        ("naive", ""),
        ("tiled TILE=16", "Each picture shows one block: 1 of 25 at the left, 1 of 9 at"),
    ):
        put_beside(parts, kernel)
        qtbot.waitUntil(lambda: frame_of(parts.beside) == 0)
        assert note.text().startswith(words)
        assert bool(note.text()) == bool(words)


def test_that_two_kernels_at_different_blocks_are_told_in_words(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    naive = recorded("naive", "40x36x33", (1, 1), THREAD=8)
    tiled = recorded("tiled", "40x36x33", (0, 1), (1, 1), TILE=8)
    control.show_session(session_of(naive, tiled))
    note = parts.memory_page.findChild(QLabel, "compareNote")
    put_beside(parts, "naive")
    qtbot.waitUntil(lambda: frame_of(parts.beside) == 0)
    assert note.text() == "The pictures show different blocks: block (0, 1) at the left, block (1, 1) at the right."
    control.play(tiled, 1)
    assert note.text() == ""
    put_beside(parts, "another block")
    assert note.text() == "", "two blocks of one launch were asked for"


def test_that_two_pictures_are_exchanged_with_their_frames_and_what_is_selected(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    naive, tiled = recorded("naive", "17x33x20", THREAD=4), recorded("tiled", "17x33x20", TILE=4)
    parts.memory_page.show()
    control.show_session(session_of(naive, tiled))
    qtbot.waitUntil(lambda: frame_of(parts.memory) == 0)
    swap = parts.memory_page.findChild(QPushButton, "swapPictures")
    assert swap.isHidden()
    put_beside(parts, "naive")
    qtbot.waitUntil(lambda: frame_of(parts.beside) == 0)
    assert swap.isVisible()
    control.player.seek(7)
    qtbot.waitUntil(lambda: frame_of(parts.memory) > 0 and frame_of(parts.beside) > 0)
    frames = frame_of(parts.memory), frame_of(parts.beside)
    parts.memory_page.panes[0].focused.emit()
    parts.memory.thread_chosen.emit(3)
    swap.click()
    qtbot.waitUntil(lambda: (frame_of(parts.beside), frame_of(parts.memory)) == frames)
    kernels = [playable.run.spec.kernel for playable in control.played if playable is not None]
    assert kernels == ["naive", "tiled"]
    assert parts.memory_page.panes[1].is_active, "the panels stay with tiled"
    watched = control.watched
    assert watched is not None
    assert (watched.run, watched.selection.thread) == (tiled, 3)
    put_beside(parts, "none")
    put_beside(parts, "tiled")
    assert [each.run for each in control.played if each is not None] == [naive, tiled], "the order of Swap stays"
    qtbot.waitUntil(lambda: min(frame_of(parts.memory), frame_of(parts.beside)) >= 0)
    saved = replace(session_of(naive, tiled), shown=control.shown)
    control.show_session(session_of(tiled))
    control.show_session(saved)
    assert [each.run for each in control.played if each is not None] == [naive, tiled], "and in the file"


def test_that_a_note_says_where_two_pictures_are_of_different_gpus(recorded: Record) -> None:
    one = recorded("tiled", "16x16x16", TILE=4)
    older = replace(one, device=replace(one.device, id="machine:sm_80"))
    gpu = replace(one, device=replace(one.device, id="cuda:0", name="NVIDIA H200", backend="cuda"))
    assert pair_note(Playable(one), Playable(one)) == ""
    said = pair_note(Playable(one), Playable(older))
    assert said == "The target GPUs differ: sm_90a at the left, sm_80 at the right."
    said = pair_note(Playable(gpu), Playable(older))
    assert said.startswith("Recorded on different devices: NVIDIA H200 at the left, the PTX machine (sm_80")


def test_that_a_note_says_where_two_pictures_are_of_different_forms(recorded: Record) -> None:
    tiled, naive = recorded("tiled", "16x16x16", TILE=16), recorded("naive", "16x16x16", THREAD=16)
    compiled = replace(tiled, instrumented_text=".target sm_90a\n")
    assert pair_note(Playable(tiled), Playable(naive)) == ""
    said = pair_note(Playable(compiled), Playable(naive))
    assert said.startswith("The forms differ: as compiled at the left, as written at the right. ")
    assert said.endswith("to compare kernels, record both in one form.")
    said = pair_note(Playable(tiled), Playable(compiled))
    assert said == "The forms differ: as written at the left, as compiled at the right.", "nothing to be mended"


def test_that_a_note_says_which_of_two_stands_at_its_end_step_by_phase(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    one, other = recorded("naive", "17x33x20", THREAD=4), recorded("tiled", "17x33x20", TILE=4)
    parts.memory_page.show()
    control.show_session(session_of(one, other))
    qtbot.waitUntil(lambda: frame_of(parts.memory) == 0)
    put_beside(parts, "naive")
    qtbot.waitUntil(lambda: frame_of(parts.beside) == 0)
    note = parts.memory_page.findChild(QLabel, "compareNote")
    assert note.isHidden()
    parts.memory_page.options.step_chosen.emit(PairStep.PHASE)
    assert note.text().startswith("naive has no barrier and waits at its end")
    assert not note.isHidden()
    parts.memory_page.options.step_chosen.emit(PairStep.WORK)
    assert note.isHidden()


def test_that_at_1280_by_800_both_pictures_show_their_sums_and_no_caption_of_theirs_is_cut(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    """The page is then 982 x 690, as the docks at the right give way."""
    one, other = recorded("naive", "256x256x256", (1, 1)), recorded("tiled", "256x256x256", (1, 1))
    page = parts.memory_page
    page.resize(982, 690)
    page.show()
    control.show_session(session_of(one, other))
    qtbot.waitUntil(lambda: frame_of(parts.memory) == 0)
    put_beside(parts, "naive")
    qtbot.waitUntil(lambda: frame_of(parts.beside) == 0)
    control.player.seek(control.player.count // 2)
    qtbot.waitUntil(lambda: frame_of(parts.memory) > 0 and frame_of(parts.beside) > 0)
    for view in (parts.memory, parts.beside):
        scene = view.picture_state()
        assert scene is not None
        assert scene.onchip.sums is not None
        assert not [said.text for said in onchip_words(scene, looks_of(LIGHT)) if "…" in said.text]
    for name in ("memoryPane", "memoryPaneBeside"):
        caption, sign = page.findChild(CaptionLabel, f"{name}Caption"), page.findChild(QLabel, f"{name}Sign")
        assert not caption.is_cut
        assert not caption.geometry().intersects(sign.geometry())
    assert page.findChild(QLabel, "memoryPaneSign").isVisible()
    scenes = [view.picture_state() for view in (parts.memory, parts.beside)]
    legends = [
        {words.text for words in picture_legend(scene, looks_of(LIGHT)).words} for scene in scenes if scene is not None
    ]
    assert {"next", "sum so far", "block"} <= legends[0] & legends[1]


def test_that_two_pictures_have_their_sentences_above_them_and_one_has_it_at_the_player(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    parts.memory_page.show()
    control.show_session(session_of(recorded("naive", "4x4x4", (0, 0)), recorded("tiled", "4x4x4", (0, 0), TILE=2)))
    qtbot.waitUntil(lambda: frame_of(parts.memory) == 0)
    put_beside(parts, "naive")
    qtbot.waitUntil(lambda: frame_of(parts.beside) >= 0)
    sentence = parts.player_bar.findChild(QLabel, "frameCaption")
    assert not sentence.isVisible()
    parts.player_bar.set_busy(True)
    assert sentence.isVisible()
    parts.player_bar.set_busy(False)
    put_beside(parts, "none")
    assert sentence.isVisible()


def test_that_the_lists_of_two_pictures_fit_into_a_window_of_1280_with_its_docks(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    page, heat = parts.memory_page, parts.memory_page.findChild(ComboBox, "heatCombo")
    page.resize(676, 650)
    page.show()
    control.show_session(session_of(recorded("naive", "4x4x4", (0, 0)), recorded("tiled", "4x4x4", (0, 0), TILE=2)))
    qtbot.waitUntil(lambda: frame_of(parts.memory) == 0)
    longest = max(heat.fontMetrics().horizontalAdvance(heat.itemText(i)) for i in range(heat.count()))
    assert heat.width() > longest + 20, "no name of a heat is cut"
    put_beside(parts, "naive")
    qtbot.waitUntil(lambda: frame_of(parts.beside) >= 0)
    assert page.minimumSizeHint().width() <= 676
    page.resize(982, 650)
    for combo in (heat, page.findChild(ComboBox, "stepByCombo")):
        qtbot.waitUntil(lambda combo=combo: combo.width() >= combo.sizeHint().width())
        for place in range(combo.count()):
            combo.setCurrentIndex(place)
            assert "…" not in combo.shown_text()


def test_that_the_panel_of_a_frame_fits_beside_its_scroll_bar(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled_transposed", "64x64x64", (0, 0))))
    qtbot.waitUntil(lambda: frame_of(parts.memory) == 0)
    bar = parts.frame_panel.verticalScrollBar().sizeHint().width()
    assert parts.frame_panel.widget().minimumSizeHint().width() <= RIGHT_WIDTH - bar


def test_that_captions_of_two_pictures_begin_at_one_height_and_have_one_width(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    page = parts.memory_page
    page.resize(1200, 700)
    page.show()
    control.show_session(session_of(recorded("naive", "4x4x4", (0, 0)), recorded("tiled", "4x4x4", (0, 0), TILE=2)))
    qtbot.waitUntil(lambda: frame_of(parts.memory) == 0)
    put_beside(parts, "naive")
    qtbot.waitUntil(lambda: frame_of(parts.beside) == 0)
    captions = [page.findChild(CaptionLabel, f"{pane.objectName()}Caption") for pane in page.panes]
    for active in (0, 1):
        page.show_active(active)
        qtbot.waitUntil(lambda: abs(captions[0].width() - captions[1].width()) <= 1)
    captions[0].show_caption("Step 1 of 4", "load A")
    captions[1].show_caption("Step 1 of 4", "load A and B " * 12)
    inked = []
    for caption in captions:
        image = caption.grab().toImage()
        ground = image.pixel(image.width() - 1, image.height() - 1)
        rows = range(image.height())
        inked.append(next(y for y in rows if any(image.pixel(x, y) != ground for x in range(40))))
    assert inked[0] == inked[1]


@pytest.mark.parametrize("is_left_longer", [True, False])
@pytest.mark.parametrize("focus", [0, 1])
@pytest.mark.parametrize("step", [step for step, _, _ in STEPS])
def test_that_the_exported_slide_shows_what_the_screen_shows_at_every_moment(
    qtbot: QtBot,
    parts: Parts,
    control: MemoryControl,
    recorded: Record,
    session_of: SessionOf,
    step: PairStep,
    focus: int,
    is_left_longer: bool,
) -> None:
    long, short = recorded("tiled", "16x16x16", TILE=4), recorded("tiled", "16x16x16", TILE=8)
    runs = (long, short) if is_left_longer else (short, long)
    parts.memory_page.show()
    control.show_session(session_of(*runs[::-1]))
    control.play(runs[0])
    control.play(runs[1], place=1)
    qtbot.waitUntil(lambda: frame_of(parts.memory) == frame_of(parts.beside) == 0)
    control._sync.use_step(step)
    control.turn_to(focus)
    assert control.watched is not None
    count = control.watched.shown_of
    source = film_source_of(runs[focus], 0, control.watched.mode)
    slide = SlidePicture(source, 1280, 720, LIGHT, beside=control.watched.beside)
    assert slide.count == count >= 9, "a film has all moments"
    for moment in range(count):
        control.player.seek(moment)
        watched = control.watched
        assert watched is not None
        assert watched.shown == moment
        heads = [text.head for text in slide.texts(watched.shown)]
        qtbot.waitUntil(partial(has_heads, parts, heads))


def has_heads(parts: Parts, heads: list[str]) -> bool:
    """Whether the captions of both pictures begin so."""
    captions = [each.findChild(QLabel, f"{each.objectName()}Caption") for each in parts.memory_page.panes]
    return [label.text().partition(":")[0] for label in captions] == heads
