"""Stills and films in the form of a presentation: 1920x1080, title, size and caption, one picture or two."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from gemmviz.cli.app import run_app
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import save_session
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.explain.requests.selection import Selection
from gemmviz.explain.source.recordings_beside import names_beside
from gemmviz.gui.export.choice import ExportChoice, ExportItem
from gemmviz.gui.export.film.choice import FilmChoice
from gemmviz.gui.export.film.form import FilmForm
from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.export.film.request import FilmRequest
from gemmviz.gui.export.film.steps import film_steps
from gemmviz.gui.export.film_source import FilmSource, counted, film_source_of
from gemmviz.gui.export.pictures import slide_picture
from gemmviz.gui.export.pictures.slide_picture import SlidePicture
from gemmviz.gui.export.pictures.still import slide_bytes
from gemmviz.gui.export.pictures.still_choice import StillChoice
from gemmviz.gui.export.steps import export_steps
from gemmviz.gui.export.targets import export_targets
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme, ThemeChoice
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.painted import legend_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.legend import picture_legend
from gemmviz.gui.memory_view.text.signs import Sign
from gemmviz.gui.presentation import slide as slides
from gemmviz.gui.presentation.paint_ratios import RATIOS_HEIGHT, SO_FAR
from gemmviz.gui.presentation.slide import SlideText
from gemmviz.gui.recording.block_names import (
    SIZES_DIFFER,
    Beside,
    file_title,
    picture_title,
    recorded_block_names,
    stem_beside,
)
from gemmviz.gui.widgets.widget_image import PictureTooLargeError
from gemmviz.trace.frames.plan import FrameMode

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def beside(recorded: Session) -> Beside:
    """`naive` beside `tiled`."""
    names = names_beside(recorded.traces[0], recorded.traces[1], VersionNames())
    return Beside(recorded.traces[1], 0, None, PairStep.WORK, names)


def test_that_a_slide_has_the_words_of_its_frame(film_source: FilmSource) -> None:
    (text,) = SlidePicture(film_source, 1920, 1080, LIGHT).texts(2)
    assert text.title == "tiled TILE=4"
    assert text.size == "M×N×K = 9×7×10  ·  block (1, 2)"
    assert text.head == "Barrier interval 3 of 7"
    assert text.note.startswith("recorded as written on ")


def test_that_both_are_in_step_from_the_first_frame_to_the_last(film_source: FilmSource, beside: Beside) -> None:
    slide = SlidePicture(film_source, 1920, 1080, LIGHT, beside=beside)
    first, last = slide.texts(0), slide.texts(slide.count - 1)
    assert [text.title for text in first] == ["tiled TILE=4", "naive THREAD=4"]
    _, _, of = last[1].head.partition(" of ")
    assert last[1].head.endswith(f"{of} of {of}")  # the last goes with the last
    left = replace(beside, is_left=True)
    assert [text.title for text in SlidePicture(film_source, 1920, 1080, LIGHT, beside=left).texts(0)] == [
        "naive THREAD=4",
        "tiled TILE=4",
    ]


@pytest.mark.parametrize("is_left", [False, True])
@pytest.mark.parametrize("step", list(PairStep))
def test_that_slides_have_every_frame_of_both_whichever_has_more(
    recorded: Session, beside: Beside, step: PairStep, *, is_left: bool
) -> None:
    for run, other in (recorded.traces[:2], recorded.traces[1::-1]):
        source = film_source_of(run)
        slide = SlidePicture(
            source, 1280, 720, LIGHT, beside=replace(beside, run=other, step=step, is_left=is_left, mode=None)
        )
        for each, frames in slide._sources:
            assert sorted(set(frames)) == list(range(len(each.frames)))
            assert len(frames) == slide.count
        assert counted(run, 0, None, replace(beside, run=other, step=step, is_left=is_left))[1] == slide.count


@pytest.mark.parametrize("is_left", [False, True])
def test_that_each_of_two_pictures_marks_what_is_chosen_in_it(
    film_source: FilmSource, beside: Beside, *, is_left: bool
) -> None:
    here, there = Selection(("A", 1, 2), 3), Selection(("C", 4, 5), 6)
    other = replace(beside, is_left=is_left, selection=there)
    slide = SlidePicture(film_source, 1920, 1080, LIGHT, selection=here, beside=other)
    marked = [scenes.scene(0, 1.0).pointed for scenes in slide._scenes]
    found = [(pointed.chosen, pointed.thread) for pointed in marked]
    wanted = [(each.element, each.thread) for each in (here, there)]
    assert found == (wanted[::-1] if is_left else wanted)


def test_that_pictures_of_both_forms_of_a_kernel_say_which_is_which(film_source: FilmSource) -> None:
    compiled = replace(film_source.run, instrumented_text=".target sm_90a\n")
    assert compiled.form is CodeForm.AS_COMPILED
    names = names_beside(film_source.run, compiled, VersionNames())
    slide = SlidePicture(film_source, 1920, 1080, LIGHT, beside=Beside(compiled, 0, None, PairStep.WORK, names))
    assert [text.title for text in slide.texts(0)] == ["tiled TILE=4  ·  as written", "tiled TILE=4  ·  as compiled"]
    assert picture_title(film_source.run) == "tiled TILE=4"


def test_that_pictures_of_two_versions_of_a_kernel_say_which_is_which(recorded: Session) -> None:
    first = recorded.traces[0]
    second = replace(first, source_text=f"{first.source_text}// edited", finished="2026-02-02T10:00:00+00:00")
    names = names_beside(second, first, VersionNames(traces=(first, second)))
    beside = Beside(first, 0, None, PairStep.WORK, names, is_left=True)
    slide = SlidePicture(film_source_of(second), 1920, 1080, LIGHT, beside=beside)
    titles = ["tiled TILE=4  ·  version 1", "tiled TILE=4  ·  version 2"]
    assert [text.title for text in slide.texts(0)] == titles
    assert stem_beside("block", beside) == "tiled_version_1_and_block", "in the order of the pictures"
    assert stem_beside("block", replace(beside, is_left=False)) == "block_and_version_1"
    size = str(first.spec.shape)
    assert file_title(second, names, "frame_3") == f"tiled_version_2_and_version_1_{size}_frame_3"


def test_that_two_pictures_have_a_line_of_figures_below_them(film_source: FilmSource, beside: Beside) -> None:
    assert SlidePicture(film_source, 1920, 1080, LIGHT).totals == ()
    slide = SlidePicture(film_source, 1920, 1080, LIGHT, beside=beside, title="one", beside_title="other")
    assert [text.title for text in slide.texts(0)] == ["one", "other"]
    assert [totals.loads_per_element for totals in slide.totals] == [1.0, 4.0]  # each thread of a row loads it
    pane = slide._plan.panes[1]
    assert pane.figures.height == RATIOS_HEIGHT
    assert pane.picture.bottom == pane.figures.y
    assert pane.figures.bottom == pane.caption.y
    room = slide._plan.ratios
    line = slide.image(0, 1.0).copy(*(round(each) for each in (room.x, room.y, room.width, room.height)))
    assert any(line.pixelColor(x, y).name() == LIGHT.accent for x in range(line.width()) for y in range(line.height()))


def test_that_all_frames_of_a_film_have_captions_in_one_type(
    film_source: FilmSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    slide, painted = SlidePicture(film_source, 1920, 1080, LIGHT), list[int]()
    real = slides._paint_caption

    def paint(painter: QPainter, room: Box, text: SlideText, theme: Theme, largest: int) -> None:
        painted.append(slides.caption_lines(text, room.width, room.height, largest)[0])
        real(painter, room, text, theme, largest)

    monkeypatch.setattr(slides, "_paint_caption", paint)
    texts = slide.texts

    def longer(index: int) -> tuple[SlideText, ...]:
        return tuple(replace(text, sentence="load " * (200 if index == 1 else 2)) for text in texts(index))

    monkeypatch.setattr(slide, "texts", longer)
    for is_film in (False, True):
        painted.clear()
        if is_film:
            slide.keep_legend(range(len(film_source.frames)))
        for index in range(len(film_source.frames)):
            slide.image(index, 1.0)
        assert (len(set(painted)) == 1) is is_film


def test_that_pictures_of_other_sizes_are_not_compared(
    film_source: FilmSource, beside: Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slide_picture, "totals_words", lambda *_: SIZES_DIFFER)
    slide = SlidePicture(film_source, 1920, 1080, LIGHT, beside=beside)
    assert slide.totals == ()
    assert slide._plan.panes[0].figures.height == 0.0


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_a_still_is_a_screen_large(film_source: FilmSource, beside: Beside, theme: Theme) -> None:
    data = slide_bytes(film_source, 2, HeatKind.NONE, "png", theme, beside=beside)
    image = QImage.fromData(data)
    assert (image.width(), image.height()) == (1920, 1080)
    assert image.pixelColor(2, 1078).name() == theme.canvas


def test_that_a_still_is_as_many_times_as_large_as_asked_for(film_source: FilmSource) -> None:
    image = QImage.fromData(slide_bytes(film_source, 2, HeatKind.NONE, "png", LIGHT, scale=2.0))
    assert (image.width(), image.height()) == (3840, 2160)
    assert 'width="3840" height="2160"' in slide_bytes(film_source, 2, HeatKind.NONE, "svg", LIGHT, scale=2.0).decode()
    with pytest.raises(PictureTooLargeError):
        slide_bytes(film_source, 2, HeatKind.NONE, "png", LIGHT, scale=100.0)


def test_that_an_svg_has_the_size_and_the_title_too(film_source: FilmSource) -> None:
    drawn = slide_bytes(film_source, 2, HeatKind.NONE, "svg", LIGHT).decode()
    assert 'width="1920" height="1080"' in drawn
    assert "barrier interval 3 of 7" in drawn


def test_that_a_film_has_the_form_too(film_source: FilmSource, beside: Beside, tmp_path: Path) -> None:
    choice = FilmChoice(
        (FilmFormat.FRAMES,),
        3,
        3,
        size=(640, 360),
        is_animated=False,
        is_slide=True,
        beside=beside,
    )
    *_, last = film_steps(film_source, choice, tmp_path, "film", LIGHT)
    (picture,) = last.paths[0].iterdir()
    shown = QImage(str(picture))
    slide = SlidePicture(film_source, 640, 360, LIGHT, beside=beside)
    assert shown.convertToFormat(QImage.Format.Format_RGB32) == slide.image(2, 1.0, slide.scale)


def test_that_the_dialog_offers_it_with_what_is_compared(recorded: Session, beside: Beside, qtbot: QtBot) -> None:
    form = FilmForm(recorded_block_names(recorded))
    qtbot.addWidget(form)
    beside = replace(beside, moment=4, moments=9)
    form.look_at(recorded_block_names(recorded)[0], 3, 7, *_mode_and_heat(), beside=beside)
    form.show_frames(_mode_and_heat()[0], 7, 3)
    assert not form.still().is_slide
    assert not form._with_beside.isEnabled()
    form.slide.click()
    assert not form.counted, "two pictures have moments, one has frames"
    form.show_frames(_mode_and_heat()[0], 9, 3)
    assert form.still_words == "moment 5 of 9", "the moment on the screen"
    form._formats[FilmFormat.GIF].click()
    still, request = form.still(), form.request()
    assert still.is_slide
    assert still.beside_of(recorded_block_names(recorded)[0].stem) is beside
    assert still.beside_of(recorded_block_names(recorded)[1].stem) is None
    assert request is not None
    assert request.choice.is_slide
    assert request.choice.beside is beside
    assert request.choice.size == (1920, 1080)
    form._with_beside.click()
    assert form.still().beside is None


def test_that_a_still_of_two_pictures_is_named_as_their_film(recorded: Session, beside: Beside, tmp_path: Path) -> None:
    name, *others = recorded_block_names(recorded)
    still = StillChoice(stems=(name.stem,), frame=(name.stem, 3), is_slide=True, beside=beside)
    film = FilmRequest(name, FilmChoice((FilmFormat.GIF,), 1, 3, is_slide=True, beside=beside))
    path = tmp_path / f"{film.stem}_moment_3.png"
    assert path.name == "tiled_9x7x10_memory_block_1_2_and_naive_moment_3.png"
    assert export_targets(recorded, tmp_path, ("png",), {"memory"}, still) == (path,)
    item = ExportItem("memory", "Memory", ("png",), tuple(f"{each.stem}.png" for each in (name, *others)))
    choice = ExportChoice((item,), ("png",), 1, None, ThemeChoice.LIGHT, tmp_path, still=still)
    assert choice.paths == (path, *(tmp_path / f"{other.stem}.png" for other in others))
    list(export_steps(recorded, tmp_path, ("png",), names={"memory"}, still=still))
    assert list(tmp_path.iterdir()) == [path]
    alone = replace(still, beside=None)
    assert export_targets(recorded, tmp_path, ("png",), {"memory"}, alone) == (tmp_path / f"{name.stem}_frame_3.png",)


def _mode_and_heat() -> tuple[FrameMode, HeatKind]:
    return FrameMode.PHASE, HeatKind.NONE


def test_that_the_command_line_makes_slides(recorded: Session, tmp_path: Path) -> None:
    session, out = tmp_path / "some.gemmviz", tmp_path / "out"
    save_session(recorded, session)
    arguments = ["export", str(session), "--out", str(out), "--format", "png", "--plot", "memory", "--block", "1,2"]
    assert run_app([*arguments, "--presentation"]) == 0
    image = QImage(str(out / "tiled_9x7x10_memory_block_1_2.png"))
    assert (image.width(), image.height()) == (1920, 1080)


def test_that_slides_count_and_have_the_result_at_the_end_of_both(film_source: FilmSource, beside: Beside) -> None:
    slide = SlidePicture(film_source, 1920, 1080, LIGHT, beside=beside)
    last = slide.count - 1
    assert last > len(film_source.frames) - 1, "the other one has more frames"

    def said(index: int) -> str:
        return " ".join(part.words for part in slide._ratios(index, slide.texts(index)))

    assert "whole block" in said(last)
    earlier = [said(index) for index in range(last)]
    assert all(SO_FAR in one and "whole block" not in one for one in earlier)
    assert len(set(earlier)) > 2, "it counts"


def test_that_legends_of_two_pictures_begin_at_one_height(film_source: FilmSource, beside: Beside) -> None:
    looks, differ = looks_of(LIGHT), 0
    for width in range(900, 1921, 60):
        slide = SlidePicture(film_source, width, 600, LIGHT, beside=beside)
        for index in (0, slide.count // 2):
            alone = [
                scenes.scene(frames[index]) for scenes, (_, frames) in zip(slide._scenes, slide._sources, strict=True)
            ]
            differ += len({picture_legend(scene, looks).lines for scene in alone}) > 1
            legends = [picture_legend(scene, looks) for scene in slide._scenes_of(index, 1.0)]
            assert len({legend.top for legend in legends}) == 1
            assert len({legend.words[0].box.y for legend in legends}) == 1
    assert differ, "in some of them one would need more lines than the other"


def test_that_every_frame_names_what_it_paints_and_nothing_else_also_in_a_film(
    film_source: FilmSource,
) -> None:
    slide, looks = SlidePicture(film_source, 1920, 1080, LIGHT), looks_of(LIGHT)
    frames = range(len(film_source.frames))

    def signs(index: int) -> set[Sign]:
        return {each.sign for each in picture_legend(slide._scenes[0].scene(index, 1.0), looks).swatches}

    alone = [signs(index) for index in frames]
    for index in frames:
        assert alone[index] == {entry.sign for entry in legend_of(slide._scenes[0].scene(index, 1.0))}
    assert len({frozenset(each) for each in alone}) > 1
    slide.keep_legend(frames, is_animated=False)
    assert [signs(index) for index in frames] == alone
    assert Sign.TO_COME not in signs(frames[-1]), "nothing comes after the end"
