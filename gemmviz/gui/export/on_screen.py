"""The view that is on the screen, made ready to be painted in any size."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QAbstractButton, QComboBox, QWidget

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain.result import RunResult, Session
from gemmviz.domain.visible_text import visible
from gemmviz.gui.charts.accuracy_chart import AccuracyChart
from gemmviz.gui.charts.error_map_view import ErrorMapView
from gemmviz.gui.charts.sweep_chart import SweepChart
from gemmviz.gui.charts.timing_chart import TimingChart
from gemmviz.gui.charts.traffic_chart import TrafficChart
from gemmviz.gui.export.memory_picture import MemoryPicture
from gemmviz.gui.export.pictures import ACCURACY, TIMING
from gemmviz.gui.export.plan import Plot
from gemmviz.gui.export.reel import reel_of
from gemmviz.gui.export.reel_names import Watched
from gemmviz.gui.export.render import render_image, set_density
from gemmviz.gui.export.side_by_side import named_pictures
from gemmviz.gui.looks.fonts import words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.parts import Parts
from gemmviz.gui.results.chosen_runs import comparable_runs, comparable_traces
from gemmviz.gui.schedule.page import SchedulePage

AnyChart = TimingChart | AccuracyChart | ErrorMapView | SweepChart | TrafficChart | SchedulePage
Size = tuple[int, int]

LOGICAL_WIDTH = 1280
"""Units that a picture is wide, so that its letters are as large beside it as on a screen of that width."""
_TITLE_BAND, _TITLE_HEIGHT = 0.085, 0.036
"""Shares of a picture's height: the strip of the title, and its letters."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What is on the screen. `name` is the stem of a file, `title` is proposed above the picture.

    `prepare` may take a while and touches no widget; `paint` gets what it returned, a size in pixels and a theme.
    """

    name: str
    title: str
    paint: Callable[[Any, Size, Theme], QImage]
    prepare: Callable[[], Any] = lambda: None


def plots_on_screen(parts: Parts, tab: str) -> tuple[Plot, ...]:
    """The charts that a tab shows, by the names of their files; none for the first page."""
    match tab:
        case "Memory":
            return (Plot.MEMORY,)
        case "Timing":
            return tuple(plot for plot, view in TIMING.items() if view is parts.timing.view)
        case "Accuracy" if parts.accuracy_page.shows_map:
            return (Plot.ERROR_MAP,)
        case "Accuracy":
            return tuple(plot for plot, view in ACCURACY.items() if view is parts.accuracy.view)
        case "Sweep":
            return (Plot.SWEEP,)
        case "Traffic":
            return (Plot.TRAFFIC,)
        case "Schedule":
            return (Plot.SCHEDULE,)
    return ()


def view_on_screen(
    centre: QWidget, parts: Parts, tab: str, session: Session, chosen: tuple[RunResult, ...], watched: Watched | None
) -> View:
    """What a person sees in the middle of the window; `centre` is shown there where there is no tab.

    `chosen` are the runs chosen in the table, `watched` is what plays on the page of memory.
    """
    plot = next(iter(plots_on_screen(parts, tab)), None)
    live = _live_chart(parts, plot)
    if live is not None and plot is not None:
        return View(plot.value, "", lambda _made, size, theme: _chart_image(live, session, chosen, size, theme))
    page = parts.memory_page
    if plot is Plot.MEMORY and watched is not None and parts.memory.isVisible() and not page.is_compared:
        return _memory_view(watched)
    if plot is Plot.MEMORY and page.is_compared:
        name = " and ".join(name for _, name in page.named_panes)
        return View("memory", name, lambda _made, size, theme: _pair_image(parts, size, theme))
    shown = page.shown if plot is Plot.MEMORY else centre
    return View(plot.value if plot else "view", "", lambda _made, size, theme: _widget_image(shown, size, theme))


def with_title(view: View, made: Any, title: str, size: Size, theme: Theme) -> QImage:
    """The picture of a view in exactly this size, in pixels, below its title if it has one.

    Raises:
        PictureTooLargeError, MemoryError: it does not fit in memory.
    """
    width, height = size
    title = visible(title.strip())
    band = round(height * _TITLE_BAND) if title else 0
    image = _blank(size, theme)
    with QPainter(image) as painter:
        painter.drawImage(0, band, view.paint(made, (width, height - band), theme))
        if title:
            font = words(weight=QFont.Weight.DemiBold)
            font.setPixelSize(max(round(height * _TITLE_HEIGHT), 8))
            painter.setFont(font)
            painter.setPen(QColor(theme.text))
            edge = width / LOGICAL_WIDTH * 24
            room = QRectF(edge, edge / 2, width - 2 * edge, band - edge / 2)
            shown = QFontMetricsF(font).elidedText(title, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
    return image


def _live_chart(parts: Parts, plot: Plot | None) -> AnyChart | None:
    if plot in TIMING:
        return parts.timing
    if plot in ACCURACY:
        return parts.accuracy
    charts: dict[Plot | None, AnyChart] = {
        Plot.ERROR_MAP: parts.error_map, Plot.SWEEP: parts.sweep, Plot.TRAFFIC: parts.traffic,
        Plot.SCHEDULE: parts.schedule,
    }  # fmt: skip
    return charts.get(plot)


def _twin(live: AnyChart, session: Session, chosen: tuple[RunResult, ...], theme: Theme) -> AnyChart:
    """Another chart that shows the same, with the same choices made in it; never on a screen."""
    twin: AnyChart = type(live)(theme)
    runs = chosen or comparable_runs(session)
    match twin:
        case TimingChart():
            twin.show_runs(runs)
            twin.show_roofs(session.roofs)
        case AccuracyChart() | ErrorMapView():
            twin.show_runs(runs)
        case SweepChart():
            twin.show_runs(session.runs)
        case TrafficChart():
            twin.show_traces(comparable_traces(session))
        case SchedulePage():
            twin.show_schedules(session.schedules)
    for button in live.findChildren(QAbstractButton):
        same = twin.findChild(QAbstractButton, button.objectName()) if button.objectName() else None
        if same is not None and button.isCheckable() and button.isChecked() and not same.isChecked():
            same.click()
    for combo in live.findChildren(QComboBox):
        same_combo = twin.findChild(QComboBox, combo.objectName()) if combo.objectName() else None
        if same_combo is not None and combo.currentIndex() < same_combo.count():
            same_combo.setCurrentIndex(combo.currentIndex())
    return twin


def _chart_image(
    live: AnyChart, session: Session, chosen: tuple[RunResult, ...], size: Size, theme: Theme
) -> QImage:  # fmt: skip
    """The chart, so many units wide that all its rows fit into the height."""
    width, height = size
    twin = _twin(live, session, chosen, theme)
    twin.set_for_picture(True, LOGICAL_WIDTH)
    needed = twin.picture_height(LOGICAL_WIDTH)
    units = max(LOGICAL_WIDTH, math.ceil(needed * width / height))
    twin.set_for_picture(True, units)
    room = units * height // width
    asked = twin.picture_height(units)
    # Rows take as much as they take; a plot that asks for more the wider it is does with less.
    twin.resize(units, asked if room < asked <= needed else room)
    try:
        return _fitted(render_image(twin, width / units), size, theme)
    finally:
        twin.deleteLater()


def _memory_view(watched: Watched) -> View:
    spec = watched.run.spec

    def paint(reel: Any, size: Size, theme: Theme) -> QImage:
        width, height = size
        scale = max(width / LOGICAL_WIDTH, 0.5)
        picture = MemoryPicture(reel, width / scale, height / scale, theme, watched.heat, watched.selection)
        return _fitted(picture.image(watched.index, 1.0, scale), size, theme)

    return View(
        f"memory_frame_{watched.index + 1}", f"{kernel_name(spec.kernel).words}, {spec.shape}", paint,
        lambda: reel_of(watched.run, watched.place, watched.mode),
    )  # fmt: skip


def _pair_image(parts: Parts, size: Size, theme: Theme) -> QImage:
    page = parts.memory_page
    scale = min(size[0] / page.pictures.width(), size[1] / page.pictures.height())
    return _fitted(named_pictures(page.pictures, page.named_panes, parts.memory.theme, scale), size, theme)


def _widget_image(widget: QWidget, size: Size, theme: Theme) -> QImage:
    scale = min(size[0] / widget.width(), size[1] / widget.height())
    return _fitted(render_image(widget, scale), size, theme)


def _fitted(picture: QImage, size: Size, theme: Theme) -> QImage:
    """A picture in the middle of one of exactly this size, made smaller where it has to be."""
    image = _blank(size, theme)
    picture.setDevicePixelRatio(1.0)
    if picture.width() > size[0] or picture.height() > size[1]:
        picture = picture.scaled(*size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    with QPainter(image) as painter:
        painter.drawImage(QPointF((size[0] - picture.width()) // 2, (size[1] - picture.height()) // 2), picture)
    return image


def _blank(size: Size, theme: Theme) -> QImage:
    image = QImage(*size, QImage.Format.Format_RGB32)
    if image.isNull():
        raise MemoryError(f"a picture of {size[0]} x {size[1]} pixels")
    set_density(image, 1.0)
    image.fill(QColor(theme.canvas))
    return image
