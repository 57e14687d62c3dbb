"""The memory view as PNG and SVG: which frame, its words, tiles as rectangles, what a reader of SVG makes of it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage, QPainter
from svg_fonts import svg_renderer

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.frame_facts import facts_of
from gemmviz.explain.source.recordings_beside import names_beside
from gemmviz.gui.export.film_source import FilmSource, counted, film_source_of, telling_frame
from gemmviz.gui.export.pictures.memory_picture import MemoryPicture
from gemmviz.gui.export.pictures.still import still_bytes, still_frame
from gemmviz.gui.export.pictures.still_choice import StillChoice
from gemmviz.gui.export.steps import ExportError, export_session
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.memory.hazard_sentences import warning_of
from gemmviz.gui.player.caption_label import split_caption
from gemmviz.gui.recording.block_names import block_words, file_title, file_word, recorded_block_names
from gemmviz.gui.widgets.widget_image import PictureTooLargeError
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

SVG = "{http://www.w3.org/2000/svg}"
SIZE = (900, 560)

pytestmark = pytest.mark.usefixtures("qapp")


def pixels(image: QImage) -> NDArray[np.uint8]:
    rgb = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.width(), 4)[:, :, :3].copy()


def png(film_source: FilmSource, index: int, theme: Theme = LIGHT, scale: float = 1.0) -> QImage:
    return QImage.fromData(still_bytes(film_source, index, HeatKind.NONE, "png", SIZE, scale, theme))


def test_that_recorded_blocks_are_named(recorded: Session) -> None:
    names = recorded_block_names(recorded)
    assert [name.stem for name in names] == ["tiled_9x7x10_memory_block_1_2", "naive_9x7x10_memory_block_0_0"]
    assert [name.title for name in names] == [
        "tiled TILE=4, 9×7×10, block (1, 2)",
        "naive THREAD=4, 9×7×10, block (0, 0)",
    ]
    assert block_words(recorded.traces[0], (3, 0, 2)) == ("tiled TILE=4", "9×7×10", "block (3, 0, 2)")
    assert file_word("../é/mine") == "_____mine"
    assert recorded_block_names(replace(recorded, traces=())) == ()


def test_that_a_proposed_name_says_kernels_size_and_what_it_shows(recorded: Session) -> None:
    run = recorded.traces[0]
    size = str(run.spec.shape)
    assert file_title(run, None, "banks") == f"{run.spec.kernel}_{size}_banks"
    other = replace(run, spec=replace(run.spec, kernel="naive"))
    assert (
        file_title(other, names_beside(other, run, VersionNames()), "frame_3")
        == f"naive_and_{run.spec.kernel}_{size}_frame_3"
    )
    long = replace(run, spec=replace(run.spec, kernel="k" * 300))
    assert len(file_title(long, names_beside(long, other, VersionNames()), "frame_1000000")) <= 80


def test_that_the_telling_frame_is_the_middle_one_that_loads(recorded: Session, film_source: FilmSource) -> None:
    """Phases load, read, load, read, load, read, store: the third is the second of three that load."""
    assert counted(recorded.traces[0]) == (FrameMode.PHASE, 7, 3)
    assert telling_frame(film_source.frames) == 2
    assert (
        "load row 8, columns 4–7 of A and rows 4–7, columns 4–6 of B into shared memory"
        in film_source.frames.frame(2).caption
    )
    assert counted(recorded.traces[0], 0, FrameMode.REQUEST)[0] is FrameMode.REQUEST
    assert counted(recorded.traces[1])[0] is FrameMode.STEP


@pytest.mark.parametrize(("frames", "expected"), [(None, 2), ((1, 7), 2), ((5, 7), 4), ((1, 2), 1), ((6, 6), 5)])
def test_that_the_frame_can_be_chosen(film_source: FilmSource, frames: tuple[int, int] | None, expected: int) -> None:
    assert still_frame(film_source, frames) == expected


@pytest.mark.parametrize("frames", [(0, 3), (4, 3), (6, 8)])
def test_that_a_frame_that_is_not_there_is_refused(film_source: FilmSource, frames: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="has frames 1 to 7"):
        still_frame(film_source, frames)


def test_that_one_block_may_have_a_frame_of_its_own() -> None:
    choice = StillChoice(frames=(2, 5), frame=("tiled_9x7x10_memory_block_1_2", 6))
    assert choice.frames_of("tiled_9x7x10_memory_block_1_2") == (6, 6)
    assert choice.frames_of("naive_9x7x10_memory_block_0_0") == (2, 5)


@pytest.mark.parametrize("scale", [1.0, 2.0, 0.5])
def test_that_a_png_has_the_pixels_asked_for(film_source: FilmSource, scale: float) -> None:
    image = png(film_source, 2, DARK, scale)
    assert (image.width(), image.height()) == (round(SIZE[0] * scale), round(SIZE[1] * scale))
    assert image.pixelColor(1, 1).name() == DARK.canvas
    assert image.pixelColor(1, image.height() - 2).name() == DARK.panel
    assert image.dotsPerMeterX() == pytest.approx(96 * scale / 0.0254, rel=0.001)


def test_that_an_svg_is_a_drawing_with_real_words(film_source: FilmSource) -> None:
    root = ET.fromstring(still_bytes(film_source, 2, HeatKind.NONE, "svg", SIZE, 1.5, LIGHT))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("1350", "840", "0 0 900 560")
    assert root.find(f".//{SVG}image") is None
    texts = {(text.text or "").strip() for text in root.iter(f"{SVG}text")}
    assert {"A", "B", "C", "As", "Bs", "recorded", "Barrier interval 3 of 7"} <= texts
    assert "load row 8, columns 4–7 of A and rows 4–7, columns 4–6 of B into shared memory" in texts
    assert any(text.startswith("tiled TILE=4 · Shared-memory tiles · 9×7×10 · block (1, 2) · on ") for text in texts)
    fills = {group.get("fill") for group in root.iter(f"{SVG}g") if group.find(f"{SVG}rect") is not None}
    assert {LIGHT.canvas, LIGHT.field} <= fills
    title = root.findtext(f"{SVG}title") or ""
    assert "barrier interval 3 of 7" in title


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("heat", [HeatKind.NONE, HeatKind.SO_FAR, HeatKind.BANKS])
def test_that_an_svg_looks_like_the_png(film_source: FilmSource, tmp_path: Path, theme: Theme, heat: HeatKind) -> None:
    path = tmp_path / "a.svg"
    path.write_bytes(still_bytes(film_source, 2, heat, "svg", SIZE, 1.0, theme))
    renderer = svg_renderer(path)
    assert renderer.isValid()
    drawn = QImage(*SIZE, QImage.Format.Format_RGB32)
    drawn.fill(0)
    with QPainter(drawn) as painter:
        renderer.render(painter)
    painted = QImage.fromData(still_bytes(film_source, 2, heat, "png", SIZE, 1.0, theme))
    apart = np.abs(pixels(drawn).astype(int) - pixels(painted)).max(axis=2)
    assert (apart > 60).mean() < 0.025, "edges of lines and letters may differ"


def test_that_a_picture_too_large_is_refused(film_source: FilmSource) -> None:
    with pytest.raises(PictureTooLargeError, match="choose a scale below 100"):
        still_bytes(film_source, 2, HeatKind.NONE, "png", SIZE, 100.0, LIGHT)


def test_that_every_recorded_block_becomes_a_picture(recorded: Session, tmp_path: Path) -> None:
    paths = export_session(recorded, tmp_path, ("png", "svg", "csv"), names=["memory"])
    pictures = [path.name for path in paths if path.suffix != ".csv"]
    stems = "tiled_9x7x10_memory_block_1_2", "naive_9x7x10_memory_block_0_0"
    assert pictures == [f"{stem}.{suffix}" for stem in stems for suffix in ("png", "svg")]
    image = QImage(str(tmp_path / "tiled_9x7x10_memory_block_1_2.png"))
    assert (image.width(), image.height()) == (1200, 750)


def test_that_blocks_frames_and_heat_can_be_chosen(recorded: Session, tmp_path: Path) -> None:
    stem = "tiled_9x7x10_memory_block_1_2"
    choice = StillChoice(FrameMode.REQUEST, HeatKind.SECTORS, stems=(stem,), frame=(stem, 4))
    (path,) = export_session(recorded, tmp_path, ("svg",), size=(800, 500), names=["memory"], still=choice)
    assert path.name == f"{stem}_frame_4.svg"
    root = ET.parse(path).getroot()
    assert root.get("width") == "800"
    texts = {(text.text or "").strip() for text in root.iter(f"{SVG}text")}
    count = len(Frames(film_source_of(recorded.traces[0]).block, FrameMode.REQUEST))
    assert {f"Warp request 4 of {count}", "Sectors per request"} <= texts


def test_that_stems_of_alike_blocks_tell_what_differs(recorded: Session) -> None:
    run = recorded.traces[0]
    coarser = replace(run, spec=replace(run.spec, params=(("TILE", 8),)))
    again = replace(recorded, traces=(run, coarser, run))
    assert [name.stem for name in recorded_block_names(again)] == [
        "tiled_TILE4_9x7x10_as_written_memory_block_1_2",
        "tiled_TILE8_9x7x10_as_written_memory_block_1_2",
        "tiled_TILE4_9x7x10_as_written_memory_block_1_2_2",
    ]


def test_that_a_picture_that_cannot_be_written_is_told(recorded: Session, tmp_path: Path) -> None:
    (tmp_path / "tiled_9x7x10_memory_block_1_2.png").mkdir()
    with pytest.raises(ExportError, match=r"not an ordinary file\. Choose another name"):
        export_session(recorded, tmp_path, ("png",), names=["memory"])
    with pytest.raises(ValueError, match="has frames 1 to 7"):
        export_session(recorded, tmp_path, ("png",), names=["memory"], still=StillChoice(frames=(8, 8)))


def test_that_section_heads_are_capitals_in_an_svg_as_in_a_png(film_source: FilmSource) -> None:
    drawn = ET.fromstring(still_bytes(film_source, 2, HeatKind.NONE, "svg", SIZE, 1.0, LIGHT))
    said = ["".join(text.itertext()).strip() for text in drawn.iter(f"{SVG}text")]
    assert any(text.startswith("SHARED MEMORY") for text in said), said
    assert not any(text.startswith("Shared memory") for text in said)


@pytest.mark.parametrize("width", [700, 1200, 1900])
def test_that_a_long_sentence_on_copies_stands_there_whole(width: int) -> None:
    session = load_session(examples_folder() / "gpu-feeding.gemmviz")
    (trace,) = [trace for trace in session.traces if trace.spec.kernel == "wgmma_tf32"]
    film_source = film_source_of(trace)
    drawn = still_bytes(film_source, 5, HeatKind.NONE, "svg", (width, 700), 1.0, LIGHT)
    shown = " ".join("".join(text.itertext()).strip() for text in ET.fromstring(drawn).iter(f"{SVG}text"))
    _, sentence = split_caption(film_source.frames.frame(5).caption)
    assert " ".join(sentence.split()) in " ".join(shown.split())


@pytest.mark.parametrize("width", [700, 1200])
def test_that_a_race_and_the_whole_sentence_of_its_frame_stand_below_a_picture_and_below_all_of_a_film(
    width: int,
) -> None:
    run = load_session(examples_folder().parent / "lessons" / "race.gemmviz").traces[0]
    film_source = film_source_of(run)
    drawn = still_bytes(film_source, 1, HeatKind.NONE, "svg", (width, 700), 1.0, LIGHT)
    shown = " ".join("".join(text.itertext()).strip() for text in ET.fromstring(drawn).iter(f"{SVG}text"))
    frame = film_source.frames.frame(1)
    wrong = warning_of(frame, run, facts_of(film_source.frames, run.hazards))
    assert wrong.startswith("! Race, line")
    assert wrong in shown
    assert " ".join(split_caption(frame.caption)[1].split()) in " ".join(shown.split())
    picture = MemoryPicture(film_source, width, 700, LIGHT)
    picture.keep_legend(range(len(film_source.frames)))
    edges = {pixels(picture.image(index, 1.0))[:, 0].tobytes() for index in range(len(film_source.frames))}
    assert len(edges) == 1, "the strip is as high in every frame"


@pytest.mark.parametrize("width", [700, 1200])
def test_that_what_was_recorded_stands_still_below_sentences_of_any_length(width: int) -> None:
    """In a film of copies one frame's sentence has two lines, another's one."""
    session = load_session(examples_folder() / "gpu-feeding.gemmviz")
    (trace,) = [trace for trace in session.traces if trace.spec.kernel == "wgmma_tf32"]
    picture = MemoryPicture(film_source_of(trace), width, 700, LIGHT)
    feet = [pixels(picture.image(index, 1.0))[-28:] for index in (0, 5, 9)]
    assert all(np.array_equal(foot, feet[0]) for foot in feet)
    assert len(np.unique(feet[0])) > 2, "there is writing"
