"""The icons: line drawings on a 16 x 16 grid that take the theme's colours, and the application's own mark."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from gemmviz.gui.looks.theme import Theme
from gemmviz.resources import resource_folder

APPLICATION = "gemmviz"
SIZES = (16, 20, 24, 32, 40, 48)
"""Pixels: 16, 20 and 24 at once and at twice the density."""
APPLICATION_SIZES = (16, 20, 24, 32, 48, 64, 128, 256)


def icon_names() -> tuple[str, ...]:
    """The names of the line icons."""
    return tuple(sorted(path.stem for path in _folder().glob("*.svg") if path.stem != APPLICATION))


def icon(name: str, theme: Theme, colour: str = "") -> QIcon:
    """The line icon `name`: in `colour` (the theme's text if "") and, where a control is disabled, in the faint grey.

    Raises:
        KeyError: there is no such icon.
    """
    made = QIcon()
    for mode, shade in ((QIcon.Mode.Normal, colour or theme.text), (QIcon.Mode.Disabled, theme.faint)):
        for size in SIZES:
            made.addPixmap(_line_icon(name, shade, size), mode)
    return made


def icon_pixmap(name: str, colour: str, size: int, density: float) -> QPixmap:
    """The line icon `name` in `colour`, `size` logical pixels wide on a screen of `density` pixels to each of them."""
    pixmap = _line_icon(name, colour, round(size * density))
    pixmap.setDevicePixelRatio(density)
    return pixmap


def application_icon() -> QIcon:
    """The mark of gemmviz: a tile of A and a tile of B that meet in C, as on paper."""
    made = QIcon()
    renderer = QSvgRenderer(QByteArray(_source(APPLICATION).encode()))
    for size in APPLICATION_SIZES:
        made.addPixmap(_drawn(renderer, size))
    return made


def style_icon_folder(theme: Theme) -> Path:
    """Where the few icons lie that the style sheet names, already in the theme's colours."""
    return _folder() / ("dark" if theme.dark else "light")


def _line_icon(name: str, colour: str, size: int) -> QPixmap:
    """A line icon, `size` pixels wide; drawn once as long as Qt's cache has room for it."""
    key, pixmap = f"gemmviz/{name}/{colour}/{size}", QPixmap()
    if not QPixmapCache.find(key, pixmap):
        renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))
        pixmap = _drawn(renderer, size)
        QPixmapCache.insert(key, pixmap)
    return pixmap


def _drawn(renderer: QSvgRenderer, size: int) -> QPixmap:
    pixmap = QPixmap(QSize(size, size))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


def _folder() -> Path:
    return resource_folder("assets") / "icons"


@cache
def _source(name: str) -> str:
    path = _folder() / f"{name}.svg"
    if not path.is_file():
        raise KeyError(f"no icon {name!r}; there are {', '.join(icon_names())}")
    return path.read_text(encoding="utf-8")
