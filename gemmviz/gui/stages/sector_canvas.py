"""The picture of the coalescing stage: 32 lanes above the sectors and lines of memory that their bytes lie in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from gemmviz.domain.recordings.access import INACTIVE, SECTOR_BYTES, AccessKind
from gemmviz.domain.visible_text import visible
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.request_words import sector_tip
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import Theme, blend, ink_on
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.stages.lane_row import lanes_number, number_words
from gemmviz.gui.stages.sector_geometry import (
    LABEL_HEIGHT,
    CoalescingGeometry,
    SectorBox,
    coalescing_geometry,
)
from gemmviz.gui.stages.stage_canvas import LegendItem, StageCanvas, rectangle
from gemmviz.gui.stages.stage_words import bytes_words, sector_words
from gemmviz.trace.model.rules import LINE_BYTES
from gemmviz.trace.model.sectors import NO_GLOBAL_COST, GlobalCost

_CHIP_WIDTH, _CHIP_HEIGHT = 16.0, 12.0
_LABEL_GAP = 12.0
_EDGED_FROM = 5.0
"""Sectors at least so wide have an edge."""


class SectorCanvas(StageCanvas):
    """Sector by sector; used bytes are filled, bytes that are fetched and not used are hatched."""

    longest_title, title_inset = f"{LINE_BYTES}-byte lines", -10.0

    def __init__(self, theme: Theme, is_small: bool = False, parent: QWidget | None = None) -> None:
        self._cost = NO_GLOBAL_COST
        super().__init__(theme, is_small, parent)

    @property
    def cost(self) -> GlobalCost:
        """What the request costs."""
        return self._cost

    @property
    def steps(self) -> int:
        return len(self._cost.sectors)

    @property
    def count_words(self) -> tuple[str, str, bool]:
        if self._request is None or not self._cost.sectors:
            return "", "", False
        done = int(self._progress)
        used = sum(len(sector.used) for sector in self._cost.sectors[:done])
        below = bytes_words(used, done, self._is_store) if done else ""
        # Rows of a block that lie far apart need a sector each; one that serves many lanes is no waste of theirs.
        asked = self._request.lanes * self._request.site.width_bytes
        is_wasteful = self._cost.bytes_used <= (self.steps - 1) * SECTOR_BYTES and asked < self.steps * SECTOR_BYTES
        return sector_words(done, self.steps), below, is_wasteful

    @property
    def _is_store(self) -> bool:
        return self._request is not None and self._request.site.kind is AccessKind.STORE

    def show_request(self, request: LaneRequest | None, cost: GlobalCost) -> None:
        """Show a request before its first sector, or in the small form after its last; None: nothing."""
        self._request, self._cost = request, cost
        self.set_progress(self.steps if self._is_small else 0.0)

    def geometry_now(self) -> CoalescingGeometry | None:
        """Where everything lies now, from the left upper corner of `area`; None while nothing is shown."""
        request, area = self._request, self.area
        if request is None:
            return None
        width, small = request.site.width_bytes, self._is_small
        return coalescing_geometry(self._cost, request.addresses, width, area.width, area.height, not small)

    def tip_at(self, x: float, y: float) -> str:
        geometry = self.geometry_now()
        box = geometry.sector_at(x, y) if geometry is not None else None
        if box is None or self._request is None:
            return ""
        return (
            sector_tip(self._request, box.sector)
            if box.sector is not None
            else "an untouched sector, drawn narrower although it also has 32 bytes"
        )

    def paint_request(self, painter: QPainter) -> None:
        geometry = self.geometry_now()
        if geometry is None:
            return
        colour = self._colour()
        for place, sector in enumerate(geometry.order):
            if geometry.lanes:
                self._ways(painter, geometry, sector, place, colour)
        for line in geometry.lines:
            for sector in line.sectors:
                if sector.sector is None:
                    painter.setPen(QPen(QColor(self._theme.faint), 1.0))
                    painter.setBrush(QColor(self._theme.panel))
                    painter.drawRect(rectangle(sector.box))
        for place, sector in enumerate(geometry.order):
            self._sector(painter, sector, self._part(place), colour)
        self._lines(painter, geometry)
        if geometry.lanes:
            self._lanes(painter, geometry, colour)
            for place, sector in enumerate(geometry.order):
                self._flying(painter, geometry, sector, self._part(place), colour)
            self._titles(painter, geometry)
            self.legend(painter)

    def _titles(self, painter: QPainter, geometry: CoalescingGeometry) -> None:
        """What lanes, sectors and lines are, and how large, left of them."""
        lines = geometry.lines
        self.title(painter, "lanes" if self.is_narrow else "lanes 0 to 31", -10, geometry.lanes[0].middle_y)
        if lines:
            self.title(painter, f"{SECTOR_BYTES}-byte sectors", -10, lines[0].box.middle_y)
            said = f"{LINE_BYTES}-byte line{'s'[: len(lines) != 1]}"
            self.title(painter, said, -10, lines[0].box.bottom + LABEL_HEIGHT / 2 + (6 if self.is_narrow else 0))

    def _part(self, place: int) -> float:
        """How much of a sector's own time is over."""
        return min(max(self._progress - place, 0.0), 1.0)

    def _ways(
        self, painter: QPainter, geometry: CoalescingGeometry, sector: SectorBox, place: int, colour: str
    ) -> None:
        strength = 0.42 if self._progress >= self.steps else 0.16 if self._part(place) >= 1 else 0.5
        for part in sector.parts:
            for lane in part.lanes:
                box = geometry.lanes[lane]
                self.way(painter, (box.middle_x, box.bottom), (part.box.middle_x, sector.box.y), colour, strength)

    def _sector(self, painter: QPainter, sector: SectorBox, done: float, colour: str) -> None:
        theme, area = self._theme, rectangle(sector.box)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.fillRect(area, QColor(theme.field))
        if done >= 1.0:
            painter.fillRect(area, QBrush(QColor(unused_colour(theme)), Qt.BrushStyle.BDiagPattern))
            for part in sector.parts:
                painter.fillRect(rectangle(part.box), QColor(colour))
        if sector.box.width >= _EDGED_FROM:
            style = Qt.PenStyle.SolidLine if done >= 1.0 else Qt.PenStyle.DotLine
            painter.setPen(QPen(QColor(theme.panel if done >= 1.0 else theme.faint), 1.0, style))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if done >= 1.0 and not self._is_small:
            for part in sector.parts:
                self.number(painter, part.box, lanes_number(part.lanes), ink_on(theme, colour))
        if sector.sector is not None and sector.sector.sent > 1 and done >= 1.0 and not self._is_small:
            above = Box(sector.box.x, sector.box.y - 14, max(sector.box.width, 16), 12)
            painter.fillRect(rectangle(above), QColor(theme.panel))
            self.number(painter, above, f"×{sector.sector.sent}", theme.hazard)

    def _lines(self, painter: QPainter, geometry: CoalescingGeometry) -> None:
        """A bracket below each line, and below the first bytes that are used of it their element."""
        theme = self._theme
        painter.setFont(words(self.points(SMALL)))
        for line in geometry.lines:
            painter.setPen(QPen(QColor(theme.muted), 1.5))
            y = line.box.bottom + 3
            painter.drawLine(
                rectangle(Box(line.box.x, y, line.box.width, 0)).topLeft(),
                rectangle(Box(line.box.right, y, 0, 0)).topLeft(),
            )
        painter.setPen(QColor(theme.muted))
        for box, says in self.element_labels(geometry, QFontMetricsF(painter.font())):
            painter.drawText(rectangle(box), _LEFT, says)

    def element_labels(self, geometry: CoalescingGeometry, metrics: QFontMetricsF) -> list[tuple[Box, str]]:
        """The first used element of lines and where it is written, below where it lies: of each line, or where these
        have no room of every second, fourth or eighth.
        """
        if self._request is None or self._is_small:
            return []
        labels = list[tuple[Box, str]]()
        for line in geometry.lines:
            first = next(each for each in line.sectors if each.sector is not None)
            assert first.sector is not None
            says = visible(self._request.element_at(first.sector.begin + first.sector.used[0]))
            wide = metrics.horizontalAdvance(says)
            left = min((part.box.x for part in first.parts), default=first.box.x)
            x = min(max(left, 0.0), self.area.width - wide)
            labels.append((Box(x, line.box.bottom + 3, wide + 2, self.line), says))
        step = 1
        while not _have_room(labels[::step]):
            step *= 2
        return labels[::step]

    def _lanes(self, painter: QPainter, geometry: CoalescingGeometry, colour: str) -> None:
        assert self._request is not None
        theme, last = self._theme, dict[int, int]()
        for place, sector in enumerate(geometry.order):
            last.update({lane: place for part in sector.parts for lane in part.lanes})
        colours = list[tuple[str, str]]()
        for lane in range(len(geometry.lanes)):
            if self._request.addresses[lane] == INACTIVE:
                colours.append((theme.field, theme.muted))
            elif last.get(lane, 0) + 1 <= self._progress < self.steps:
                colours.append((blend(theme.panel, colour, 0.35), theme.text))
            else:
                colours.append((colour, ink_on(theme, colour)))
        self.paint_lanes(painter, geometry.lanes, colours)

    def _flying(
        self, painter: QPainter, geometry: CoalescingGeometry, sector: SectorBox, done: float, colour: str
    ) -> None:
        if not 0.0 < done < 1.0:
            return
        for part in sector.parts:
            for lane in part.lanes:
                x, y = geometry.on_the_way(sector, part, lane, done)
                box = Box(x - _CHIP_WIDTH / 2, y - _CHIP_HEIGHT / 2, _CHIP_WIDTH, _CHIP_HEIGHT)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colour))
                painter.drawRoundedRect(rectangle(box), 2, 2)
                self.number(painter, box, str(lane), ink_on(self._theme, colour))

    @property
    def legend_items(self) -> list[LegendItem]:
        theme, geometry = self._theme, self.geometry_now()
        if geometry is None or self._request is None:
            return []
        used, unused = ("written", "not written") if self._is_store else ("used", "fetched, not used")
        parts = (part for sector in geometry.order for part in sector.parts)
        numbers = number_words(((part.box, lanes_number(part.lanes)) for part in parts), self.least_number)
        items = [LegendItem(self._colour(), f"{used}{numbers}", used)]
        if self._cost.bytes_used < self.steps * SECTOR_BYTES:
            items.append(LegendItem(unused_colour(theme), unused, unused, Qt.BrushStyle.BDiagPattern))
        if self._progress < self.steps:
            said = f"not {'written' if self._is_store else 'fetched'} yet"
            items.append(LegendItem(theme.field, said, "not yet", line=Qt.PenStyle.DotLine))
        if any(sector.sector is None for line in geometry.lines for sector in line.sectors):
            items.append(
                LegendItem(theme.panel, "untouched sector, drawn narrower", "untouched: narrower", edge=theme.faint)
            )
        if (most := max((sector.sent for sector in self._cost.sectors), default=1)) > 1:
            items.append(LegendItem(theme.hazard, f"×{most}: L2 sends the sector {most} times", f"×{most}: times sent"))
        if INACTIVE in self._request.addresses:
            items.append(LegendItem(theme.field, "inactive lane", "inactive"))
        return items

    def _colour(self) -> str:
        """That of the matrix, else the accent."""
        name = self._request.array.name if self._request and self._request.array else ""
        theme = self._theme
        return {"A": theme.a, "B": theme.b, "C": theme.c, "D": theme.c}.get(name, theme.accent)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def unused_colour(theme: Theme) -> str:
    """The hatch of bytes that are fetched and not used: thin lines, which a dark ground would swallow."""
    return theme.muted if theme.dark else theme.faint


def _have_room(labels: Sequence[tuple[Box, str]]) -> bool:
    """Whether labels from left to right are apart."""
    return all(after.x >= before.right - 2 + _LABEL_GAP for (before, _), (after, _) in pairwise(labels))
