"""One frame of the memory view as a PNG, an SVG or a PDF."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter

from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.gui.export.film.choice import SLIDE_SIZE
from gemmviz.gui.export.film_source import FilmSource, telling_frame
from gemmviz.gui.export.pictures.memory_picture import MemoryPicture, unit_of
from gemmviz.gui.export.pictures.slide_picture import SlidePicture
from gemmviz.gui.export.pictures.widget_pdf import pdf_bytes
from gemmviz.gui.export.pictures.widget_svg import svg_bytes
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.recording.block_names import Beside
from gemmviz.gui.widgets.widget_image import check_size, png_bytes, set_density


def still_frame(source: FilmSource, frames: tuple[int, int] | None = None) -> int:
    """The frame to be shown, counted from 0: the telling one, or the nearest to it of those asked for.

    Raises:
        ValueError: the block has no such frames.
    """
    count, telling = len(source.frames), telling_frame(source.frames)
    if frames is None:
        return telling
    first, last = frames
    if not 1 <= first <= last <= count:
        raise ValueError(f"frames {first} to {last}: {source.words} has frames 1 to {count}")
    return min(max(telling, first - 1), last - 1)


def slide_bytes(
    source: FilmSource,
    index: int,
    heat: HeatKind,
    form: str,
    theme: Theme,
    selection: Selection = NOTHING,
    beside: Beside | None = None,
    scale: float = 1.0,
) -> bytes:
    """A frame, counted from 0, as a file in the form of a presentation, SLIDE_SIZE times `scale` pixels large.

    Raises:
        IndexError: there is no such frame.
        PictureTooLargeError: it has no pixel, or too many.
        MemoryError: it does not fit in memory.
    """
    width, height = check_size(*SLIDE_SIZE, scale)
    picture = SlidePicture(source, *SLIDE_SIZE, theme, heat, selection, beside)
    if form != "png":

        def draw(painter: QPainter) -> None:
            painter.scale(picture.scale, picture.scale)
            picture.draw(painter, index)

        title = f"{picture.words}: {picture.caption(index)}"
        return _drawing(draw, form, QSize(*SLIDE_SIZE), QSize(width, height), title)
    image = picture.image(index, 1.0, picture.scale * scale)
    set_density(image, scale)
    return png_bytes(image)


def still_bytes(
    source: FilmSource,
    index: int,
    heat: HeatKind,
    form: str,
    size: tuple[int, int],
    scale: float,
    theme: Theme,
    selection: Selection = NOTHING,
) -> bytes:
    """A frame, counted from 0, as a file. Touches no widget, so any thread may do it that alone uses the source.

    Raises:
        IndexError: there is no such frame.
        PictureTooLargeError: it has no pixel, or too many.
        MemoryError: it does not fit in memory.
    """
    width, height = check_size(*size, scale)
    unit = unit_of(size)
    picture = MemoryPicture(source, size[0] / unit, size[1] / unit, theme, heat, selection)
    if form != "png":

        def draw(painter: QPainter) -> None:
            painter.scale(unit, unit)
            picture.draw(painter, index)

        return _drawing(draw, form, QSize(*size), QSize(width, height), f"{source.words}: {picture.caption(index)}")
    image = picture.image(index, 1.0, unit, scale)
    set_density(image, scale)
    return png_bytes(image)


def _drawing(draw: Callable[[QPainter], object], form: str, view: QSize, canvas: QSize, title: str) -> bytes:
    return (pdf_bytes if form == "pdf" else svg_bytes)(draw, view, canvas, title)
