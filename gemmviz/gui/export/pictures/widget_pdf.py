"""A widget as a PDF file. The widget itself paints it, as in `widget_image`, so that both look alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPoint, QSize, QSizeF
from PySide6.QtGui import QPageLayout, QPageSize, QPainter, QPdfWriter, QRegion
from PySide6.QtWidgets import QWidget

from gemmviz.domain.visible_text import visible
from gemmviz.gui.widgets.widget_image import BASE_DPI, EVERYTHING, check_size, settle

_POINTS = 72.0
"""So many points has an inch of paper."""


def render_pdf(widget: QWidget, scale: float = 1.0, title: str = "") -> bytes:
    """A widget as a PDF file, one page of its size times `scale` at 96 pixels an inch: shapes, and text as text.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    width, height = check_size(widget.width(), widget.height(), scale)
    settle(widget)
    return pdf_bytes(
        lambda painter: widget.render(painter, QPoint(), QRegion(), EVERYTHING),
        widget.size(),
        QSize(width, height),
        title or widget.accessibleName() or widget.windowTitle() or "gemmviz",
    )


def pdf_bytes(paint: Callable[[QPainter], object], view: QSize, canvas: QSize, title: str) -> bytes:
    """What `paint` paints in units of `view`, as a PDF file of one page, which is `canvas` at 96 pixels an inch.

    Safe in any thread, if `paint` is.
    """
    points = QSizeF(canvas) * (_POINTS / BASE_DPI)
    page = QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    return pdf_of_pages((paint,), page, QSizeF(view), title)


def pdf_of_pages(paints: Iterable[Callable[[QPainter], object]], page: QPageSize, view: QSizeF, title: str) -> bytes:
    """What each of `paints` paints in units of `view`, as a PDF file with a page for each."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(visible(title))
    writer.setCreator("gemmviz")
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    writer.setResolution(round(BASE_DPI))  # fonts are then as many units high as on the screen
    with QPainter(writer) as painter:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        whole = page.sizePoints()  # a page has whole points: what is painted covers it to its edges
        pixels = BASE_DPI / _POINTS
        for number, paint in enumerate(paints):
            if number:
                writer.newPage()
            painter.save()
            painter.scale(whole.width() * pixels / view.width(), whole.height() * pixels / view.height())
            paint(painter)
            painter.restore()
    return bytes(buffer.data().data())
