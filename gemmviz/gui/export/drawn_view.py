"""A view made ready to be painted in any size, and what it is drawn with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter

from gemmviz.explain.figures.figure import PlotTable
from gemmviz.gui.export.pictures.chart_picture import Size, blank
from gemmviz.gui.export.pictures.widget_pdf import pdf_bytes
from gemmviz.gui.export.pictures.widget_svg import svg_bytes
from gemmviz.gui.export.tables import as_csv
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.widget_image import png_bytes, set_density


@dataclass(frozen=True, slots=True)
class DrawnLook:
    """How a view is drawn: its size in pixels, its theme, and its titles, "" for none; `is_large` as for the screen."""

    size: Size
    theme: Theme
    title: str
    beside_title: str = ""
    is_large: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ViewOnScreen:
    """What is on the screen. `name` is the stem of a file, `title` is proposed for the picture.

    `prepare` may take a while and touches no widget; `paint` gets what it returned, a size in pixels, a theme, and the
    title, "" for none. It raises PictureTooLargeError or MemoryError where the picture does not fit in memory.
    `paint_large` does the same for the whole screen, in type as large as it can be. Of two pictures `beside_title` is
    proposed for the one beside, which is at the left if `beside_is_left`; `paint_both` gets the titles of both.
    Of what plays, `moments` are the same view at those moments that can be chosen, this one among them.
    `tables` are the data of a view that the large dialog does not offer, none for others. `draw` gets what
    `prepare` returned and paints what can be drawn as SVG and PDF, too. A view that `is_slide` always has the form of a
    presentation.
    """

    name: str
    title: str
    paint: Callable[[Any, Size, Theme, str], QImage]
    prepare: Callable[[], Any] = lambda: None
    paint_large: Callable[[Any, Size, Theme, str], QImage] | None = None
    beside_title: str = ""
    beside_is_left: bool = False
    paint_both: Callable[[Any, Size, Theme, str, str], QImage] | None = None
    tables: Callable[[], tuple[PlotTable, ...]] = tuple
    draw: Callable[[Any, QPainter, DrawnLook], None] | None = None
    is_slide: bool = False
    moments: tuple[ViewMoment, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ViewMoment:
    """A view at a moment: its `name` is one word, its `title` says which moment that is."""

    name: str
    title: str
    view: ViewOnScreen


def view_bytes(view: ViewOnScreen, form: str, size: Size, scale: int, theme: Theme) -> bytes:
    """What a view that needs nothing prepared draws as a "png", "svg" or "pdf", `size` times `scale` pixels large, or
    plots as "csv".

    Raises:
        ValueError: the view cannot be drawn.
        MemoryError: it does not fit in memory.
    """
    if form == "csv":
        return as_csv(view.tables()).encode("utf-8", errors="backslashreplace")
    draw, whole = view.draw, (size[0] * scale, size[1] * scale)
    if draw is None:
        raise ValueError(f"{view.name} cannot be drawn: save it as a picture by Export this view")
    look = DrawnLook(size, theme, view.title)
    if form != "png":
        make = pdf_bytes if form == "pdf" else svg_bytes
        return make(lambda painter: draw(None, painter, look), QSize(*size), QSize(*whole), view.title)
    image = blank(whole, theme)
    with QPainter(image) as painter:
        painter.scale(scale, scale)
        draw(None, painter, look)
    set_density(image, scale)
    return png_bytes(image)
