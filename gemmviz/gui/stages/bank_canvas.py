"""The picture of the bank stage: 32 lanes above 32 banks, and each lane's words falling into their banks."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QEvent, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from gemmviz.domain.terms import Evidence
from gemmviz.explain.requests.machine_cost import NO_CONFLICT, MachineCost
from gemmviz.explain.requests.machine_requests import RequestCode
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.request_words import word_tip
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import Theme, blend, ink_on
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.stages.bank_geometry import LABELS, NUMBER_HEIGHT, BankGeometry, BankToken, bank_geometry
from gemmviz.gui.stages.lane_row import lanes_number, number_words
from gemmviz.gui.stages.stage_canvas import LINE, SERVED_LANE, LegendItem, StageCanvas, rectangle, served_lane
from gemmviz.gui.stages.stage_words import in_machine_words, wavefront_words
from gemmviz.trace.model.rules import BANKS, LANES, WORD_BYTES
from gemmviz.trace.model.wavefronts import NO_SHARED_COST, SharedCost

REFLOW_MS = 420
"""How long words take to their new places when the array is laid out otherwise."""
_DARKEST_BANK = 0.32
_NUMBERED_FROM, _EVERY_NUMBER_FROM = 9.0, 13.0
"""Wavefronts so high, and banks so wide, have their numbers beside and below them."""
_CHIP_HEIGHT = 13.0
_UPRIGHT = 80.0
"""The height that the title of the wavefronts takes at least, in small type."""
_NUMBER_POINTS, _BESIDE_NUMBERS, _TO_TITLE = 7.0, 6.0, 8.0
"""Points of the numbers of wavefronts, and units between them and the banks, and to their title at least."""
_NUMBER_EVERY = 8
"""Of wavefronts that are too low for numbers, every so many have one."""


def bank_shades(theme: Theme) -> tuple[str, ...]:
    """The colour of each bank, from pale (bank 0) to strong, that of no matrix; the slots of an array have the same."""
    return tuple(blend(theme.field, theme.host, _DARKEST_BANK * bank / (BANKS - 1)) for bank in range(BANKS))


class BankCanvas(StageCanvas):
    """Wavefront by wavefront, from the bottom up; red words waited because their bank was busy."""

    gutters = 66.0, 26.0
    longest_title, title_inset = "banks 0 to 31", LABELS - 8.0

    bank_pointed = Signal(object)
    """The bank the pointer is on, or None."""

    def __init__(self, theme: Theme, is_small: bool = False, parent: QWidget | None = None) -> None:
        self._cost, self._before = NO_SHARED_COST, NO_SHARED_COST
        self._pointed: int | None = None
        self._machine: MachineCost | None = None
        self._is_merged = False
        super().__init__(theme, is_small, parent)
        self._reflow = QVariantAnimation(self)
        self._reflow.setStartValue(0.0)
        self._reflow.setEndValue(1.0)
        self._reflow.setDuration(REFLOW_MS)
        self._reflow.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._reflow.valueChanged.connect(lambda _: self.update())
        self.setMouseTracking(not is_small)

    @property
    def cost(self) -> SharedCost:
        """What the request costs in the layout shown."""
        return self._cost

    @property
    def steps(self) -> int:
        return len(self._cost.wavefronts)

    @property
    def count_words(self) -> tuple[str, str, bool]:
        cost = self._cost
        if not cost.wavefronts:
            return "", "", False
        if self._machine is not None:
            said = wavefront_words(int(self._progress), self.steps)
            return *in_machine_words(self._machine, said), cost.excess > 0 and self._machine.is_known
        ideal = f"without conflicts it would be {cost.ideal}" if cost.excess else NO_CONFLICT
        derived = f" ({Evidence.DERIVED})" if self._is_merged else ""
        return wavefront_words(int(self._progress), self.steps), f"{ideal}{derived}", cost.excess > 0

    @property
    def code(self) -> str:
        return RequestCode.SASS if self._is_merged else RequestCode.PTX if self._machine is not None else ""

    def show_request(
        self,
        request: LaneRequest | None,
        cost: SharedCost,
        machine: MachineCost | None = None,
        is_merged: bool = False,
    ) -> None:
        """Show a request before its first wavefront, or in the small form after its last; None: empty banks. `machine`:
        what a GPU makes of it where its machine code has other requests; `is_merged`: it is one of these.
        """
        self._reflow.stop()
        self._request, self._cost, self._machine, self._is_merged = request, cost, machine, is_merged
        self.set_progress(self.steps if self._is_small else 0.0)

    def show_layout(
        self,
        request: LaneRequest,
        cost: SharedCost,
        at_once: bool,
        machine: MachineCost | None = None,
        is_merged: bool = False,
    ) -> None:
        """Show the finished picture of the same request in another layout; words move there unless `at_once`."""
        self._before, self._request, self._cost = self._cost, request, cost
        self._machine, self._is_merged = machine, is_merged
        self.set_progress(self.steps)
        self._reflow.stop()
        if not at_once:
            self._reflow.start()

    @property
    def is_reflowing(self) -> bool:
        """Whether words are on their way to another layout."""
        return self._reflow.state() is QVariantAnimation.State.Running

    def place_of(self, number: int) -> Box:
        """Where a word is seen now, by its number among the words; between two layouts while these change."""
        return self._reflowed(self.geometry_now().tokens[number])

    def geometry_now(self) -> BankGeometry:
        """Where everything lies now, from the left upper corner of `area`."""
        return bank_geometry(self._cost, self.area.width, self.area.height, not self._is_small)

    def tip_at(self, x: float, y: float) -> str:
        geometry = self.geometry_now()
        token = geometry.token_at(x, y)
        if self._request is None:
            return ""
        if token is not None:
            lane, which = token.key
            element = self._request.element_at(int(self._request.addresses[lane]) + which * WORD_BYTES)
            return word_tip(element, token.word, token.wavefront)
        bank = geometry.bank_at(x, y)
        return f"bank {bank}" if bank is not None else ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.point(self.geometry_now().bank_at(*self.place_at(event.position())))

    def leaveEvent(self, _event: QEvent) -> None:
        self.point(None)

    def point(self, bank: int | None) -> None:
        """Mark a bank as if the pointer was on it; None: no bank."""
        if bank != self._pointed:
            self._pointed = bank
            self.bank_pointed.emit(bank)
            self.update()

    def paint_request(self, painter: QPainter) -> None:
        geometry = self.geometry_now()
        self._banks(painter, geometry)
        if geometry.lanes:
            self._ways(painter, geometry)
        for token in geometry.tokens:
            self._token(painter, token)
        self._rows(painter, geometry)
        if geometry.lanes:
            self._lanes(painter, geometry)
            for token in geometry.tokens:
                self._flying(painter, geometry, token)
            self._titles(painter, geometry)
            self.legend(painter)

    @property
    def legend_items(self) -> list[LegendItem]:
        theme, cost = self._theme, self._cost
        numbers = [(token.box, lanes_number(token.word.lanes)) for token in self.geometry_now().tokens]
        items = [
            LegendItem(theme.accent, f"word served at once{number_words(numbers, self.least_number)}", "served at once")
        ]
        pale = blend(theme.field, theme.hazard, 0.10)
        if cost.excess:
            items.append(LegendItem(theme.hazard, "word that waited for its bank", "waited"))
            items.append(LegendItem(pale, "bank with a conflict", "conflict", edge=theme.hazard))
        waiting = [token for token in self.geometry_now().tokens if self._part(token) < 1.0 and _is_outlined(token.box)]
        if waiting:
            ground = pale if any(token.is_excess for token in waiting) else theme.field
            items.append(LegendItem(ground, "not served yet", "not yet", line=Qt.PenStyle.DotLine))
        if any(last + 1 <= self._progress < self.steps for last in self.geometry_now().last_of_lane.values()):
            items.append(LegendItem(served_lane(theme, theme.accent), SERVED_LANE, SERVED_LANE))
        if len(cost.lanes) < LANES:
            items.append(LegendItem(theme.field, "inactive lane", "inactive"))
        return items

    def _titles(self, painter: QPainter, geometry: BankGeometry) -> None:
        """What lanes, banks and wavefronts are, left of them."""
        left = geometry.banks[0].x
        lanes, banks = ("lanes", "banks") if self.is_narrow else ("lanes 0 to 31", "banks 0 to 31")
        self.title(painter, lanes, left - 8, geometry.lanes[0].middle_y)
        self.title(painter, banks, left - 8, geometry.banks[0].bottom + NUMBER_HEIGHT / 2)
        if geometry.rows:
            bottom = geometry.banks[0].bottom - (self.line - LINE) / 2
            high = _UPRIGHT * self.words_points(SMALL) / SMALL
            top = max(min(geometry.rows[-1].box.y, bottom - high), geometry.banks[0].y)
            numbers = figures(self.points(_NUMBER_POINTS))
            wide = QFontMetricsF(numbers).horizontalAdvance(str(len(geometry.rows)))
            clear = wide + _BESIDE_NUMBERS + _TO_TITLE + QFontMetricsF(words(self.words_points(SMALL))).ascent() / 2
            self.upright_title(painter, "wavefronts", left - max(clear, LABELS + 10), top, bottom)

    def _part(self, token: BankToken) -> float:
        """How much of a word's own time is over: 0 while it waits, 1 in its bank."""
        return min(max(self._progress - token.wavefront, 0.0), 1.0)

    def _banks(self, painter: QPainter, geometry: BankGeometry) -> None:
        theme, shades = self._theme, bank_shades(self._theme)
        painter.setFont(figures(self.points(6.5 if geometry.banks[0].width < 18 else 8.0)))
        wide = QFontMetricsF(painter.font()).horizontalAdvance(str(BANKS - 1))
        every = 1 if geometry.banks[0].width >= max(wide, _EVERY_NUMBER_FROM) else 4
        for bank, box in enumerate(geometry.banks):
            is_busy = bank in geometry.conflicts
            painter.setBrush(QColor(shades[bank]))
            painter.setPen(QPen(QColor(theme.text), 1.0) if bank == self._pointed else Qt.PenStyle.NoPen)
            painter.drawRect(rectangle(box))
            if is_busy:  # no higher than its words, else it would look as if some were missing
                painter.setBrush(QColor(blend(theme.field, theme.hazard, 0.10)))
                painter.setPen(QPen(QColor(theme.hazard), 1.0))
                painter.drawRect(rectangle(geometry.stack(bank)))
            if bank % every == 0 or bank == BANKS - 1:
                painter.setPen(QColor(theme.hazard if is_busy else theme.muted))
                below = Box(box.middle_x - 16, box.bottom, 32, NUMBER_HEIGHT)
                painter.drawText(rectangle(below), int(Qt.AlignmentFlag.AlignCenter), str(bank))

    def _ways(self, painter: QPainter, geometry: BankGeometry) -> None:
        """Served lanes' ways stay as traces, those of waiting lanes are plain."""
        is_over = self._progress >= self.steps
        for token in geometry.tokens:
            strength = 0.5 if is_over else 0.14 if self._part(token) >= 1 else 0.5
            colour = self._theme.hazard if token.is_excess else self._theme.accent
            for lane in token.word.lanes:
                box = geometry.lanes[lane]
                self.way(painter, (box.middle_x, box.bottom), geometry.mouth(token.word.bank), colour, strength)

    def _token(self, painter: QPainter, token: BankToken) -> None:
        """A word in its bank, or the empty place that it will have."""
        theme, part = self._theme, self._part(token)
        box = self._reflowed(token)
        if part < 1.0:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.faint), 1.0, Qt.PenStyle.DotLine))
            if _is_outlined(box):
                painter.drawRect(rectangle(box.grown(-1)))
            return
        colour = theme.hazard if token.is_excess else theme.accent
        is_past = self._progress < self.steps and token.wavefront + 1 < self._progress
        painter.setPen(Qt.PenStyle.NoPen)
        ground = blend(theme.field, colour, 0.6) if is_past else colour
        painter.setBrush(QColor(ground))
        painter.drawRect(rectangle(box))
        self._label(painter, box, token, ink_on(theme, ground))

    def _label(self, painter: QPainter, box: Box, token: BankToken, colour: str) -> None:
        lanes = token.word.lanes
        if not self._is_small:
            self.number(painter, box, lanes_number(lanes), colour)
        elif len(lanes) > 1 and box.height >= 5 and box.width >= 5:
            painter.setBrush(QColor(colour))
            painter.drawEllipse(rectangle(box).center(), 1.75, 1.75)

    def _reflowed(self, token: BankToken) -> Box:
        """The place of a word on its way from the layout before."""
        if not self.is_reflowing:
            return token.box
        before = bank_geometry(self._before, self.area.width, self.area.height, not self._is_small)
        start = next((each.box for each in before.tokens if each.key == token.key), token.box)
        share = float(self._reflow.currentValue())
        return Box(
            *(
                one + (other - one) * share
                for one, other in zip(
                    (start.x, start.y, start.width, start.height),
                    (token.box.x, token.box.y, token.box.width, token.box.height),
                    strict=True,
                )
            )
        )

    def _rows(self, painter: QPainter, geometry: BankGeometry) -> None:
        """The number of each wavefront where there is room, else of some."""
        painter.setFont(figures(self.points(_NUMBER_POINTS)))
        numbered = max(_NUMBERED_FROM, QFontMetricsF(painter.font()).capHeight() + 2.0)
        for number, row in enumerate(geometry.rows):
            is_round = (number + 1) % _NUMBER_EVERY == 0
            if row.box.height >= numbered or is_round or number + 1 == len(geometry.rows):
                painter.setPen(QColor(self._theme.hazard if row.is_excess else self._theme.muted))
                place = Box(geometry.banks[0].x - LABELS, row.box.middle_y - 8, LABELS - _BESIDE_NUMBERS, 16)
                right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                painter.drawText(rectangle(place), right, str(number + 1))

    def _lanes(self, painter: QPainter, geometry: BankGeometry) -> None:
        theme = self._theme
        colours = list[tuple[str, str]]()
        for lane in range(len(geometry.lanes)):
            last = geometry.last_of_lane.get(lane)
            if last is None:
                colours.append((theme.field, theme.muted))
            elif last + 1 <= self._progress < self.steps:
                colours.append((served_lane(theme, theme.accent), theme.text))
            else:
                colours.append((theme.accent, theme.on_accent))
        self.paint_lanes(painter, geometry.lanes, colours)

    def _flying(self, painter: QPainter, geometry: BankGeometry, token: BankToken) -> None:
        """What its lanes ask for, on its way into the bank."""
        part = self._part(token)
        if not 0.0 < part < 1.0:
            return
        wide, high = min(token.box.width, 1.4 * _CHIP_HEIGHT), _CHIP_HEIGHT
        colour = self._theme.hazard if token.is_excess else self._theme.accent
        for lane in token.word.lanes:
            x, y = geometry.on_the_way(token, lane, part)
            box = Box(x - wide / 2, y - high / 2, wide, high)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(rectangle(box), 2, 2)
            self.number(painter, box, str(lane), self._theme.on_accent)


def _is_outlined(box: Box) -> bool:
    """Whether the place of a word that is not served yet is so high that its outline is drawn."""
    return box.height >= _NUMBERED_FROM
