"""What is chosen on the screen, a thread, a warp or an element, is chosen in what is exported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import Session
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.gui.export.film.choice import FilmChoice
from gemmviz.gui.export.film.form import FilmForm
from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.export.film.steps import film_steps
from gemmviz.gui.export.film_source import FilmSource
from gemmviz.gui.export.pictures.memory_picture import MemoryPicture
from gemmviz.gui.export.pictures.still import still_bytes
from gemmviz.gui.export.pictures.still_choice import StillChoice
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.recording.block_names import recorded_block_names
from gemmviz.trace.frames.plan import FrameMode

SIZE = (900, 560)
CHOICES = (Selection(thread=3), Selection(warp=0), Selection(element=("A", 8, 5)))

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("selection", CHOICES)
def test_that_a_still_shows_what_is_chosen(film_source: FilmSource, selection: Selection) -> None:
    wanted = MemoryPicture(film_source, *SIZE, LIGHT, selection=selection).image(2, 1.0)
    found = QImage.fromData(still_bytes(film_source, 2, HeatKind.NONE, "png", SIZE, 1.0, LIGHT, selection))
    plain = QImage.fromData(still_bytes(film_source, 2, HeatKind.NONE, "png", SIZE, 1.0, LIGHT))
    assert found.convertToFormat(QImage.Format.Format_RGB32) == wanted.convertToFormat(QImage.Format.Format_RGB32)
    assert found != plain


def test_that_the_picture_follows_the_chosen_thread(film_source: FilmSource) -> None:
    scene = MemoryPicture(film_source, *SIZE, LIGHT, selection=Selection(thread=3)).scene(2)
    assert scene.example is not None
    assert (scene.pointed.thread, scene.example.thread) == (3, 3)


def test_that_a_film_shows_the_chosen_thread(film_source: FilmSource, tmp_path: Path) -> None:
    choice = FilmChoice(
        (FilmFormat.FRAMES,), 3, 3, 2.0, 10, (800, 450), is_animated=False, selection=Selection(thread=3)
    )
    for _ in film_steps(film_source, choice, tmp_path, "film", LIGHT):
        pass
    last = QImage(str(max((tmp_path / "film_frames").iterdir()))).convertToFormat(QImage.Format.Format_RGB32)
    wanted, plain = (
        MemoryPicture(film_source, 800, 450, LIGHT, selection=chosen) for chosen in (Selection(thread=3), Selection())
    )
    for picture in (wanted, plain):
        picture.keep_legend([2], is_animated=False)  # a film keeps room for what its own frames show
    assert last == wanted.image(2, 1.0)
    assert last != plain.image(2, 1.0)


def test_that_the_dialog_hands_on_what_is_chosen_in_the_block_looked_at_alone(qtbot: QtBot, recorded: Session) -> None:
    block_names = recorded_block_names(recorded)
    form = FilmForm(block_names)
    qtbot.addWidget(form)
    form._formats[FilmFormat.GIF].setChecked(True)
    form.look_at(block_names[0], 3, 7, FrameMode.PHASE, HeatKind.NONE, Selection(thread=3))
    form.show_frames(FrameMode.PHASE, 7, 3)
    still, request = form.still(), form.request()
    assert request is not None
    assert still.selection == request.choice.selection == Selection(thread=3)
    assert still.selection_of(block_names[0].stem) == Selection(thread=3)
    assert still.selection_of(block_names[1].stem) == NOTHING
    form._blocks.show_place(1)
    form.show_frames(FrameMode.STEP, 9, 3)
    still, request = form.still(), form.request()
    assert request is not None
    assert still.selection == request.choice.selection == NOTHING
    assert StillChoice().selection_of(block_names[0].stem) == NOTHING


def test_that_of_a_kernel_in_both_forms_every_title_says_which_it_is(recorded: Session) -> None:
    first, second = recorded.traces
    other = replace(first, instrumented_text=".version 9.0\n.target sm_90a\n")
    titles = [one.title for one in recorded_block_names(replace(recorded, traces=(first, other, second)))]
    assert titles[0].endswith(f", {first.form}")
    assert titles[len(first.blocks)].endswith(f", {other.form}")
    assert (first.form, other.form) == (CodeForm.AS_WRITTEN, CodeForm.AS_COMPILED)
    assert not titles[-1].endswith(str(second.form))


def test_that_of_a_kernel_in_several_versions_every_title_and_file_says_which_it_is(recorded: Session) -> None:
    first, second = recorded.traces
    other = replace(first, source_text=f"{first.source_text}\n// mended\n")
    names = recorded_block_names(replace(recorded, traces=(first, other, second)))
    blocks = len(first.blocks)
    assert names[0].title.endswith(", version 1")
    assert names[blocks].title.endswith(", version 2")
    assert "_version_1_memory_block_" in names[0].stem
    assert "_version_2_memory_block_" in names[blocks].stem
    assert "version" not in names[-1].title + names[-1].stem
