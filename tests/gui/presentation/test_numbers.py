"""A presentation, and a slide in a file, have letters that are read from the back of a room, or none."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QBuffer, QRectF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtSvg import QSvgGenerator
from pytestqt.qtbot import QtBot

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.explain.source.recordings_beside import names_beside
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.export.pictures.slide_picture import SlidePicture
from gemmviz.gui.looks.fonts import figures, words
from gemmviz.gui.looks.projector import SCARCE
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.playing.linked_view import LinkedView
from gemmviz.gui.memory.playing.making import make
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.places.legend import picture_legend
from gemmviz.gui.presentation.slide import picture_units
from gemmviz.gui.presentation.stage import PresentationStage
from gemmviz.gui.recording.block_names import Beside
from gemmviz.trace.frames.frames import natural_mode

Record = Callable[..., TraceRun]
Opened = Callable[..., tuple[PresentationStage, list[LinkedView]]]
LEAST = 16.0
"""Pixels of capitals and figures on a screen of 1080."""
WIDTH, HEIGHT = 1920, 1080


@pytest.fixture
def opened(qtbot: QtBot) -> Opened:
    """A stage of a full HD screen with pictures of runs."""

    def made(*runs: TraceRun) -> tuple[PresentationStage, list[LinkedView]]:
        views = []
        for run in runs:
            trace = run.blocks[0].trace(run.sites, run.arrays)
            view, found = LinkedView(LIGHT), make(run, trace, natural_mode(trace))
            view.show_recording(run, trace, found.frames, found.analysis)
            view.set_values(found.a, found.b, found.c)
            view.show_frame(found.frames.frame(len(found.frames) // 2))
            views.append(view)
        if len(views) > 1:
            views[0].stand_beside(views[1])
        stage = PresentationStage(views, [run.spec.shape for run in runs])
        qtbot.addWidget(stage)
        stage.resize(WIDTH, HEIGHT)
        stage.show()
        return stage, views

    return made


def slide_of(run: TraceRun, other: TraceRun | None = None) -> SlidePicture:
    beside = None
    if other is not None:
        beside = Beside(other, 0, None, PairStep.WORK, names_beside(run, other, VersionNames()))
    return SlidePicture(film_source_of(run), WIDTH, HEIGHT, LIGHT, beside=beside)


def letters_of(slide: SlidePicture, frame: int, arrival: float) -> list[tuple[str, float]]:
    """All that is written on a slide, and the pixels of its capitals and figures."""
    buffer, generator = QBuffer(), QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(WIDTH, HEIGHT))
    generator.setViewBox(QRectF(0, 0, WIDTH, HEIGHT))
    generator.setResolution(96)
    with QPainter(generator) as painter:
        painter.scale(slide.scale, slide.scale)
        slide.draw(painter, frame, arrival)
    found = []

    def collect(element: ElementTree.Element, scale: float, family: str, size: float) -> None:
        if matrix := re.match(r"matrix\(([^,]+),", element.get("transform", "")):
            scale *= float(matrix[1])
        family, size = element.get("font-family", family), float(element.get("font-size", size))
        if (text := (element.text or "").strip()) and element.tag.endswith("text"):
            font: QFont = figures() if "Mono" in family else words()
            font.setPixelSize(round(size))
            found.append((text, QFontMetricsF(font).capHeight() * scale))
        for child in element:
            collect(child, scale, family, size)

    collect(ElementTree.fromstring(buffer.data().data()), 1.0, "", 0.0)
    return found


@pytest.mark.parametrize("size", [4, 8, 16])
@pytest.mark.parametrize("is_compared", [False, True])
@pytest.mark.usefixtures("qtbot")
def test_that_nothing_on_a_slide_is_too_small_to_be_read_from_afar(
    recorded: Record, size: int, is_compared: bool
) -> None:
    shape = f"{size}x{size}x{size}"
    run = recorded("tiled", shape, (0, 0), TILE=size // 2)
    slide = slide_of(run, recorded("naive", shape, (0, 0), THREAD=size) if is_compared else None)
    for frame in range(len(film_source_of(run).frames)):
        for arrival in (0.5, 1.0):
            for text, pixels in letters_of(slide, frame, arrival):
                least = LEAST * SCARCE if re.fullmatch(r"≈?[-\d.]+(e-?\d+)?", text) else LEAST
                assert pixels >= least - 0.35, text  # whole pixels of fonts


@pytest.mark.parametrize("is_compared", [False, True])
@pytest.mark.usefixtures("qtbot")
def test_that_loads_and_the_caption_of_a_slide_have_figures_of_20_pixels(recorded: Record, is_compared: bool) -> None:
    run = recorded("tiled", "64x64x64", (0, 0), TILE=16)
    slide = slide_of(run, recorded("naive", "64x64x64", (0, 0), THREAD=16) if is_compared else None)
    frame = slide.count // 2
    scene = slide._scenes[0].scene(slide._sources[0][1][frame], 1.0)
    assert scene.load_counters is not None
    found = letters_of(slide, frame, 1.0)
    loads = [group for line in scene.load_counters.lines for group in f"{line.loads:,}".split(",")]
    head = [part for part, _ in found if part.startswith(slide.texts(frame)[0].head.split()[0])]
    assert head
    for wanted in (*loads, *head):
        assert max(pixels for text, pixels in found if text == wanted) >= 20.0, wanted
    assert not [text for text, _ in found if text.endswith("…")]


@pytest.mark.usefixtures("qtbot")
def test_that_compared_small_matrices_have_their_numbers_on_a_slide(recorded: Record) -> None:
    run, other = recorded("tiled", "4x4x4", (0, 0), TILE=2), recorded("naive", "4x4x4", (0, 0), THREAD=4)
    slide = slide_of(run, other)
    texts = [text for text, _ in letters_of(slide, slide.count - 1, 1.0)]
    numbers = [text for text in texts if re.fullmatch(r"\d\.\d+|\de-\d", text)]
    assert len(numbers) >= 2 * 16 + 2 * 16 + 4 + 16  # A and B of both, and what each has stored in C


@pytest.mark.usefixtures("qtbot")
def test_that_a_slide_of_one_small_picture_has_the_sum_of_a_thread(recorded: Record) -> None:
    run = recorded("tiled", "8x8x8", (0, 0), TILE=4)
    texts = [text for text, _ in letters_of(slide_of(run), len(film_source_of(run).frames) // 2, 1.0)]
    assert "THREAD 0" in texts


def test_that_pictures_have_words_as_large_as_labels(opened: Opened, recorded: Record) -> None:
    runs = recorded("tiled", "8x8x8", (0, 0), TILE=4), recorded("naive", "8x8x8", (0, 0), THREAD=8)
    stage, views = opened(*runs)
    factor = stage.plan.scale * picture_units([run.spec.shape for run in runs])
    assert [view.magnification for view in views] == [pytest.approx(factor)] * 2
    least = min(metrics.capHeight() for face, metrics in looks_of(LIGHT).metrics.items() if face.name != "TINY")
    assert least * factor >= LEAST - 0.1
    for view, pane in zip(views, stage.plan.panes, strict=True):
        words_at = picture_legend(view.picture_state(), looks_of(LIGHT)).swatches[0].box.x * factor + view.x()
        assert words_at == pytest.approx(pane.title.x * stage.plan.scale, abs=1.0)  # the legend stands below the title


def test_that_a_picture_given_back_has_its_own_size_again(opened: Opened, recorded: Record) -> None:
    stage, (view,) = opened(recorded("naive", "8x8x8", (0, 0), THREAD=8))
    stage.release()
    assert view.magnification == 1.0


def test_that_a_slide_in_a_file_is_as_the_screen(opened: Opened, recorded: Record) -> None:
    run = recorded("tiled", "8x8x8", (0, 0), TILE=4)
    _, (view,) = opened(run)
    slide = slide_of(run)
    assert slide._magnification * slide.scale == pytest.approx(view.magnification, abs=0.01)
