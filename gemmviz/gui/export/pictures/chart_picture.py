"""A chart that is on the screen as a picture or a page of any size, its letters as large as it has room for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QRegion
from PySide6.QtWidgets import QAbstractButton, QComboBox

from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.unbroken_text import words_of
from gemmviz.gui.charts.chart import LARGE_WIDTH, Chart
from gemmviz.gui.charts.page import Page
from gemmviz.gui.looks.fonts import words
from gemmviz.gui.looks.projector import projector_theme
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.text.text_item import lines_that_fit
from gemmviz.gui.pages.pages import charted_in_window
from gemmviz.gui.pages.table import chart_of
from gemmviz.gui.presentation.hint import STRIP
from gemmviz.gui.presentation.slide import DETAILS_BELOW, TITLE_UNITS, SlideText, paint_title, plan_slide, title_units
from gemmviz.gui.widgets.widget_image import EVERYTHING, check_size, render_image, set_density, settle

Size = tuple[int, int]

SMALL_LETTERS = 1.2
"""So much wider may a picture of a chart be before its rows get one line each."""
HEAD = 44.0
"""Units of a slide that a large title takes."""
LONG_UNITS, LONG_LINE, LONG_INSET = TITLE_UNITS[0], 30.0, 40.0
"""Units of the letters of a title that has more than one line, of a line, and of what is free at its sides: it stays
larger than the words of the chart.
"""
ABOVE_LONG, DETAILS_BELOW_LONG = 16.0, 24.0
"""Units that are free above such a title, and between its letters and those of its details in a line below it."""
_STEP = 20
"""Units between widths that are tried."""


def twin_of(live: Page, session: Session, chosen: tuple[RunResult, ...], theme: Theme) -> Page:
    """Another chart that shows the same, with the same choices made in it; never on a screen.

    Raises:
        ValueError: the chart is on no page of figures.
    """
    spec = chart_of(live)
    twin: Page = spec.make(theme)
    twin.setStyleSheet(style_sheet(theme))
    spec.fill_copy(live, twin, session, charted_in_window(session, chosen))
    for button in live.findChildren(QAbstractButton):
        same = twin.findChild(QAbstractButton, button.objectName()) if button.objectName() else None
        if same is not None and button.isCheckable() and button.isChecked() and not same.isChecked():
            same.click()
    for combo in live.findChildren(QComboBox):
        same_combo = twin.findChild(QComboBox, combo.objectName()) if combo.objectName() else None
        if same_combo is not None and combo.currentIndex() < same_combo.count():
            same_combo.setCurrentIndex(combo.currentIndex())
    return twin


def chart_image(
    live: Page,
    session: Session,
    chosen: tuple[RunResult, ...],
    size: Size,
    theme: Theme,
    title: str,
    *,
    large: bool = False,
    notes_key: str = "",
) -> QImage:
    """The chart as an image of a size, as `filled_twin` has it; a `large` one below the head of a slide. `notes_key` is
    the key that lists its notes, where one does.
    """
    theme = projector_theme(theme) if large else theme
    width, height = size
    band = head_height(size, title) if large and title else 0
    image = blank(size, theme)
    room = width, height - band
    with (
        filled_twin(live, session, chosen, room, theme, title, large=large, notes_key=notes_key) as (twin, scale),
        QPainter(image) as painter,
    ):
        painter.drawImage(0, band, fitted(render_image(twin, scale), room, theme))
        if band:
            head = SlideText(title, live.circumstances, live.evidence)
            _paint_head(painter, size, theme, head, twin.contents_left * scale)
    return image


def draw_chart(
    painter: QPainter,
    live: Page,
    session: Session,
    chosen: tuple[RunResult, ...],
    size: Size,
    theme: Theme,
    title: str,
    *,
    large: bool = False,
) -> None:
    """Paint the chart into the middle of a page of a size, as `filled_twin` has it; a `large` one below the head of a
    slide.
    """
    theme = projector_theme(theme) if large else theme
    band = head_height(size, title) if large and title else 0
    with filled_twin(live, session, chosen, (size[0], size[1] - band), theme, title, large=large) as (twin, scale):
        head = SlideText(title, live.circumstances, live.evidence) if band else None
        _draw_filled(painter, twin, scale, size, theme, head)


def draw_chart_slide(painter: QPainter, chart: Page, size: Size, theme: Theme) -> None:
    """Paint a chart that is never shown on a screen as a slide of a size: its title and circumstances in large type,
    and all its rows below. `theme` is the chart's, for a projector.
    """
    head = _head_of(chart)
    scale = _fill_size(chart, (size[0], size[1] - head_height(size, head.title)), chart.title, large=True)
    _draw_filled(painter, chart, scale, size, theme, head)


def chart_slide(chart: Page, size: Size, scale: float, theme: Theme) -> QImage:
    """The same as an image of that size times `scale`.

    Raises:
        PictureTooLargeError: it has too many pixels.
        MemoryError: it does not fit in memory.
    """
    head = _head_of(chart)
    whole = check_size(*size, scale)
    band = head_height(whole, head.title)
    of_chart = _fill_size(chart, (size[0], size[1] - head_height(size, head.title)), chart.title, large=True)
    image, room = blank(whole, theme), (whole[0], whole[1] - band)
    with QPainter(image) as painter:
        painter.drawImage(0, band, fitted(render_image(chart, of_chart * scale), room, theme))
        _paint_head(painter, whole, theme, head, chart.contents_left * of_chart * scale)
    set_density(image, scale)
    return image


def _head_of(chart: Page) -> SlideText:
    """What stands above a chart; of figures filled anew, since an earlier slide of it has hidden its heading."""
    chart.set_for_picture(False)
    chart.fill()
    return SlideText(chart.title, chart.circumstances, chart.evidence)


def _draw_filled(
    painter: QPainter, chart: Page, scale: float, size: Size, theme: Theme, head: SlideText | None
) -> None:
    """Paint a chart that fills a size into its middle, below a `head` where it has one."""
    width, height = size
    band = head_height(size, head.title) if head is not None else 0
    painter.fillRect(0, 0, width, height, QColor(theme.canvas))
    settle(chart)
    if head is not None:
        _paint_head(painter, size, theme, head, chart.contents_left * scale)
    scale = min(scale, width / chart.width(), (height - band) / chart.height())
    painter.translate((width - chart.width() * scale) / 2, band + (height - band - chart.height() * scale) / 2)
    painter.scale(scale, scale)
    chart.render(painter, QPoint(), QRegion(), EVERYTHING)


def head_height(size: Size, title: str = "") -> int:
    """Pixels of the title of a large chart in a picture of a size; one that is too long for a line has more."""
    plan = plan_slide(*size)
    further = len(_title_lines(title, plan.width)) - 1
    return round((HEAD + further * LONG_LINE + ABOVE_LONG * (further > 0)) * plan.scale)


def _long_type() -> QFont:
    font = words(weight=QFont.Weight.DemiBold)
    font.setPixelSize(LONG_UNITS)
    return font


def _title_lines(title: str, width: float) -> list[str]:
    """The lines of a title on a slide so many units wide: one, if it has room there in large letters."""
    measure = QFontMetricsF(_long_type()).horizontalAdvance
    return lines_that_fit(words_of(title), measure, width - 2 * LONG_INSET) or [""]


def _paint_head(painter: QPainter, size: Size, theme: Theme, text: SlideText, left: float) -> None:
    """Paint title, size, device and date of a chart in the letters of a slide, from so many pixels on."""
    plan = plan_slide(*size)
    x = left / plan.scale
    *lines, last = _title_lines(text.title, plan.width)
    room = Box(x, len(lines) * LONG_LINE + ABOVE_LONG * bool(lines), plan.width - 2 * x, HEAD)
    painter.save()
    painter.scale(plan.scale, plan.scale)
    units = LONG_UNITS if lines else title_units(text, room.width)
    shown, apart = (replace(text, title=last), DETAILS_BELOW_LONG) if lines else (text, DETAILS_BELOW)
    baseline = paint_title(painter, room, shown, units, theme, apart)
    painter.setFont(_long_type())
    painter.setPen(QColor(theme.text))
    for number, line in enumerate(reversed(lines), 1):
        painter.drawText(QPointF(x, baseline - number * LONG_LINE), line)
    painter.restore()


@contextmanager
def filled_twin(
    live: Page,
    session: Session,
    chosen: tuple[RunResult, ...],
    size: Size,
    theme: Theme,
    title: str,
    *,
    large: bool = False,
    notes_key: str = "",
) -> Iterator[tuple[Page, float]]:
    """Another chart that shows the same, so many units wide that all its rows fit into the height; and how many pixels
    a unit has.

    Letters are as large as in a presentation where all rows and notes have room, and larger where there are few; where
    that makes them small, rows have one line each. In a `large` one rows have one line sooner, muted words are as
    strong as for a projector, and notes get the room that is left.
    """
    twin = twin_of(live, session, chosen, theme)
    twin.notes_key = notes_key
    scale = _fill_size(twin, size, title, large=large)
    try:
        yield twin, scale
    finally:
        twin.deleteLater()


def _fill_size(twin: Page, size: Size, title: str, *, large: bool) -> float:
    """Fill a chart so that it has that size in pixels, see `filled_twin`; how many pixels its unit has."""
    width, height = size

    def fill(units: int, *, dense: bool, room: int = 0) -> int:
        """Fill a picture of that width, with more notes where it has `room` for them; the height it needs."""
        if isinstance(twin, Chart):
            twin.set_for_picture(
                True, units, dense=dense, large=large, height=room or (not large) * units * height // width
            )
        else:
            twin.set_for_picture(True, units, large=large)
        twin.show_title(title)
        if large and title:
            twin.hide_heading()  # it stands above the chart
        return twin.picture_height(units)

    least = LARGE_WIDTH
    needed = fill(least, dense=False)
    dense = needed * width / height > (1.0 if large else SMALL_LETTERS) * least
    if not dense and isinstance(twin, Chart):
        # Few rows leave room, and have it as larger letters.
        least = next(
            units
            for units in range(twin.least_width_of_picture(), LARGE_WIDTH + _STEP, _STEP)
            if units >= LARGE_WIDTH or fill(units, dense=False) * width <= units * height
        )
    needed = fill(least, dense=dense)
    units = max(least, math.ceil(needed * width / height))
    if not isinstance(twin, Chart):
        # Sentences take fewer lines the wider it is, so that all may have room in less than `units`.
        tried = range(least, units, _STEP)
        units = next((each for each in tried if fill(each, dense=dense) * width <= each * height), units)
    room = units * height // width
    asked = fill(units, dense=dense, room=room)
    # Rows take as much as they take; a plot that asks for more the wider it is does with less.
    twin.resize(units, asked if room < asked <= needed else room)
    return width / units


def screen_picture(paint: Callable[[Size], QImage], size: Size, theme: Theme) -> QImage:
    """What the whole screen shows, as a picture of a size: with an empty strip where keys are named there.

    Raises:
        MemoryError: it does not fit in memory.
    """
    width, height = size
    image = blank(size, theme)
    with QPainter(image) as painter:
        painter.drawImage(0, 0, paint((width, height - round(height * STRIP))))
    return image


def fitted(picture: QImage, size: Size, theme: Theme) -> QImage:
    """A picture in the middle of one of exactly this size, made smaller where it has to be."""
    image = blank(size, theme)
    picture.setDevicePixelRatio(1.0)
    if picture.width() > size[0] or picture.height() > size[1]:
        picture = picture.scaled(*size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    with QPainter(image) as painter:
        painter.drawImage(QPointF((size[0] - picture.width()) // 2, (size[1] - picture.height()) // 2), picture)
    return image


def blank(size: Size, theme: Theme) -> QImage:
    """A picture of nothing.

    Raises:
        MemoryError: it does not fit in memory.
    """
    image = QImage(*size, QImage.Format.Format_RGB32)
    if image.isNull():
        raise MemoryError(f"a picture of {size[0]} × {size[1]} pixels")
    set_density(image, 1.0)
    image.fill(QColor(theme.canvas))
    return image
