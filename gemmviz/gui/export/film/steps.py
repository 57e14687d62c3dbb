"""From a plan to files: each picture is painted once and given to every format."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from gemmviz.gui.export.film.choice import FilmChoice
from gemmviz.gui.export.film.folder import FolderWriter
from gemmviz.gui.export.film.formats import FilmFormat, film_name
from gemmviz.gui.export.film.gif import GifWriter
from gemmviz.gui.export.film.mp4 import mp4_writer
from gemmviz.gui.export.film.palette import Colours, colours_of, palette_of
from gemmviz.gui.export.film.plan import FilmPlan, plan_film
from gemmviz.gui.export.film.temp_output import film_export_errors, temporary_file, temporary_folder
from gemmviz.gui.export.film_source import FilmSource
from gemmviz.gui.export.pictures.memory_picture import MemoryPicture, unit_of
from gemmviz.gui.export.pictures.slide_picture import SlidePicture
from gemmviz.gui.export.tables import make_folder
from gemmviz.gui.looks.theme import Theme

SAMPLES = 16
"""Pictures whose colours make the palette of a GIF."""


@dataclass(frozen=True, slots=True)
class FilmStep:
    """How far a film is: pictures done, pictures in all; at the end what was written."""

    done: int
    total: int
    paths: tuple[Path, ...] = ()


FilmSteps = Generator[FilmStep, None, None]


Paint = Callable[[int, float], QImage]
"""Paints a frame, counted from 0, with what moves so far on its way."""


class FilmOutput(Protocol):
    """What a film is written as."""

    @property
    def formats(self) -> tuple[FilmFormat, ...]:
        """At most one file of each."""

    @property
    def fps(self) -> int: ...

    @property
    def size(self) -> tuple[int, int]:
        """Pixels across and down."""

    @property
    def loop(self) -> bool:
        """Whether a GIF begins again."""

    @property
    def every_picture(self) -> bool:
        """Whether there is a PNG of each picture of the film, else of each frame."""

    def paths(self, folder: Path, stem: str) -> tuple[Path, ...]:
        """What is made."""


class Writer(Protocol):
    def add(self, picture: NDArray[np.uint8], pictures: int) -> None:
        """Show a picture, RGBA, for as long as so many pictures take."""


def film_steps(
    source: FilmSource, choice: FilmChoice, folder: Path, stem: str, theme: Theme, may_replace: bool = True
) -> FilmSteps:
    """Make an animation, picture by picture; `choice` is sound for this source.

    All formats are written at once, under temporary names, and get their own at the end; a film that is given up or
    that fails leaves nothing behind. Touches no widget, so any thread may do it that alone uses the source.

    Raises:
        ExportError: the folder or a file cannot be written, or there is no ffmpeg.
    """
    plan = plan_film(
        choice.first, choice.last, choice.speed, choice.fps, choice.is_animated and not choice.is_frames_alone
    )
    picture, scale = _picture(source, choice, theme)
    make_folder(folder)
    yield FilmStep(0, plan.pictures)
    picture.keep_legend(
        range(choice.first - 1, choice.last), is_animated=any(shot.arrival < 1.0 for shot in plan.shots)
    )
    yield FilmStep(0, plan.pictures)
    yield from written_film(
        lambda frame, arrival: picture.image(frame, arrival, scale), plan, choice, folder, stem, may_replace
    )


def written_film(
    paint: Paint, plan: FilmPlan, choice: FilmOutput, folder: Path, stem: str, may_replace: bool = True
) -> FilmSteps:
    """Make an animation of what is painted, in a folder that is there.

    Raises:
        ExportError: a file cannot be written, or there is no ffmpeg.
    """
    samples: list[Colours] = []
    if FilmFormat.GIF in choice.formats:
        for shot in plan.samples(SAMPLES):
            samples.append(colours_of(_pixels(paint(shot.frame, shot.arrival))))
            yield FilmStep(0, plan.pictures)
    done = 0
    with ExitStack() as stack:
        paths = {form: folder / film_name(stem, form) for form in choice.formats}
        writers = {path: _open(stack, form, path, choice, samples, may_replace) for form, path in paths.items()}
        single = paths.pop(FilmFormat.FRAMES, None) if not choice.every_picture else None
        for place, shot in enumerate(plan.shots):
            pixels = _pixels(paint(shot.frame, shot.arrival))
            for path in paths.values():
                with film_export_errors(path):
                    writers[path].add(pixels, shot.pictures)
            if single is not None and (place + 1 == len(plan.shots) or plan.shots[place + 1].frame != shot.frame):
                at_rest = pixels if shot.arrival == 1.0 else _pixels(paint(shot.frame, 1.0))
                with film_export_errors(single):
                    writers[single].add(at_rest, 1)
            done += shot.pictures
            yield FilmStep(done, plan.pictures)
    yield FilmStep(done, plan.pictures, choice.paths(folder, stem))


def _picture(source: FilmSource, choice: FilmChoice, theme: Theme) -> tuple[MemoryPicture | SlidePicture, float]:
    """What paints the frames, and the pixels of its unit."""
    if choice.is_slide:
        slide = SlidePicture(source, *choice.size, theme, choice.heat, choice.selection, choice.beside)
        return slide, slide.scale
    scale = unit_of(choice.size)
    width, height = choice.size[0] / scale, choice.size[1] / scale
    return MemoryPicture(source, width, height, theme, choice.heat, choice.selection), scale


def _open(
    stack: ExitStack, form: FilmFormat, path: Path, choice: FilmOutput, samples: Sequence[Colours], may_replace: bool
) -> Writer:
    if form is FilmFormat.FRAMES:
        return stack.enter_context(FolderWriter(stack.enter_context(temporary_folder(path, may_replace))))
    part = stack.enter_context(temporary_file(path, may_replace))
    if form is FilmFormat.MP4:
        return stack.enter_context(mp4_writer(part, choice.size, choice.fps))
    return stack.enter_context(GifWriter(part, palette_of(samples), choice.fps, choice.loop))


def _pixels(image: QImage) -> NDArray[np.uint8]:
    """RGBA, shape (height, width, 4)."""
    rgba = image.convertToFormat(QImage.Format.Format_RGBA8888)
    shape = (rgba.height(), rgba.width(), 4)
    return np.frombuffer(rgba.constBits(), np.uint8).reshape(shape).copy()
