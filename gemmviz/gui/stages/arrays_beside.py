"""The array of a request beside its banks: as recorded and, where another layout is tried, as it would lie."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.what_if import AS_RECORDED, ArrayRequests, NewLayout
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.array_map import ArrayMap
from gemmviz.gui.stages.longest_words import longest_layout_title
from gemmviz.gui.stages.slot_banks import SlotUse, slot_banks
from gemmviz.gui.stages.slot_legend import SlotLegend
from gemmviz.gui.stages.stage_words import layout_title
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.roomy_label import RoomyLabel
from gemmviz.trace.model.wavefronts import SharedCost, busiest_bank, conflicted_banks, shared_cost

_BETWEEN_ARRAYS = 6
"""Pixels between an array and the name of the next, beside the spacing of the column."""
_LEAST_OF_TWO = 0.6
"""Slots of two arrays have at least this part of the width of those of one; where they would be smaller, the array as
recorded gives way."""


class ArraysBeside(QWidget):
    """Shows in which bank each element lies, and which of them a request needs."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.compares = True
        """Whether the array as recorded stays in sight beside another layout where both can be read; else the other
        layout has the room of both."""
        self._is_other = False
        self._conflicts: tuple[frozenset[int], ...] = ()
        """The banks with a conflict, as recorded and in the layout."""
        self._maps = ArrayMap(theme, "bankMapRecorded"), ArrayMap(theme, "bankMapNow")
        self._maps[0].compare_with(self._maps[1])
        self._names = named(PlainLabel(), role="strong"), named(RoomyLabel(), role="strong")
        self._names[1].keep_room_for([longest_layout_title()])
        self._names[1].setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)  # next to its array
        self._legend = named(SlotLegend(), "bankMapLegend", role="evidence")
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 16, 8)
        column.setSpacing(4)
        for place, (name, each) in enumerate(zip(self._names, self._maps, strict=True)):
            column.addSpacing(_BETWEEN_ARRAYS * place)
            column.addWidget(name)
            column.addWidget(each, 20)  # all the height it wants, up to its most
        column.addWidget(self._legend)
        column.addStretch(1)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for each in self._maps:
            each.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._choose_arrays()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):  # names take more or less of the height
            self._choose_arrays()

    def _choose_arrays(self) -> None:
        """Show the array as recorded, another layout of it, or both where both can be read."""
        is_recorded_seen = not self._is_other or (self.compares and self._has_room_for_both())
        was_seen = not self._maps[0].isHidden()
        for at, is_seen in enumerate((is_recorded_seen, self._is_other)):
            self._maps[at].setVisible(is_seen)
            self._names[at].setVisible(is_seen)
        if is_recorded_seen != was_seen:
            self._show_legend()

    def _has_room_for_both(self) -> bool:
        margins, column = self.contentsMargins() + self._column.contentsMargins(), self._column
        wide = self.width() - margins.left() - margins.right()
        first, second = (each.heightForWidth(wide) for each in self._names)
        left = self.height() - margins.top() - margins.bottom() - self._legend.heightForWidth(wide)
        alone = left - second - _BETWEEN_ARRAYS - 2 * column.spacing()
        both = alone - first - 2 * column.spacing()
        if both < sum(each.least_height(wide) for each in self._maps):
            return False
        return self._maps[1].edge_in(wide, both / 2) >= _LEAST_OF_TWO * self._maps[1].edge_in(wide, alone)

    def show_request(
        self,
        request: LaneRequest | None,
        found: ArrayRequests | None,
        layout: NewLayout,
        cost: SharedCost,
        pointed: int | None,
    ) -> None:
        """Show the array of a request, None for none; `found` is known where it can be laid out otherwise, `cost` is
        what the request costs in the layout, and `pointed` the bank to mark, None for the busiest.
        """
        if request is None or request.array is None:
            for each in self._maps:
                each.show_slots(None, 0, (), "")
            return
        array, width = request.array, request.site.width_bytes
        recorded = shared_cost(request.addresses, width, request.site.kind)
        marked = pointed if pointed is not None else busiest_bank(recorded if recorded.excess else cost)
        conflicts = [conflicted_banks(each) for each in (recorded, cost)]
        is_other = found is not None and not layout.is_as_recorded
        in_source = found.source_padding if found is not None else 0
        titles = f"{array.name}, as recorded", layout_title(layout, in_source)
        layouts = AS_RECORDED, layout if found is not None else AS_RECORDED
        shown_as = zip(self._maps, self._names, titles, layouts, conflicts, strict=True)
        for each, name, title, lies, banks in shown_as:
            slots = slot_banks(array, lies, found.piece if found is not None else 1, request.addresses, width)
            each.show_slots(slots, marked, banks, title)
            name.setText(title)
        self._is_other, self._conflicts = is_other, tuple(conflicts)
        self._choose_arrays()
        self._show_legend()

    def _show_legend(self) -> None:
        """Explain the colours of the arrays that are seen."""
        shown = self._maps[0].slots
        if shown is None:
            return
        rows = (shown.first_row, shown.first_row + shown.rows - 1) if shown.is_part else None
        marked = self._maps[0].marked
        seen = [
            (each.slots, banks)
            for each, banks in zip(self._maps, self._conflicts, strict=True)
            if not each.isHidden() and each.slots is not None
        ]
        uses = {use for slots, banks in seen for use in SlotUse if slots.used_as(use, marked, banks).any()}
        has_padding = any(slots.padding for slots, _ in seen)
        self._legend.show_uses(uses, marked, rows, self._theme, has_padding=has_padding)
