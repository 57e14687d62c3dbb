"""A list of accesses of the source, whose closed box never cuts the word for what an access does."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.domain.recordings.access import Site
from gemmviz.domain.visible_text import visible
from gemmviz.explain.requests.request_words import access_words, short_access_words
from gemmviz.gui.widgets.allowed import set_tip
from gemmviz.gui.widgets.fields import SHORT, ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import plain_text

LEAST_WIDTH, MOST_WIDTH = 104, 340
"""Pixels of the box where there is hardly any room, and those that it asks for at most."""
_LEAST_LETTERS = 3
"""Of the text of an access that is cut."""
_ROUNDED = 2
"""Pixels by which a text may need more room than its rounded width."""


class SiteCombo(ComboBox):
    """Offers accesses, as wide as the longest where there is room. A text without room is cut at its end; where it
    would hardly be seen, line and noun stand alone: "54  load". The tooltip has all.
    """

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, name, tip, "Access")
        self._tip, self._tips = tip, tuple[str, ...]()
        self.setMinimumWidth(LEAST_WIDTH)
        self.setMaximumWidth(MOST_WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.currentIndexChanged.connect(self._on_changed)

    def show_sites(self, sites: Iterable[tuple[Site, str]]) -> None:
        """Offer these, each with its tooltip."""
        sites = tuple(sites)
        self._tips = tuple(tip for _, tip in sites)
        self.clear()
        for place, (site, tip) in enumerate(sites):
            self.addItem(visible(access_words(site)), site.index)
            self.setItemData(place, visible(short_access_words(site)), SHORT)
            self.setItemData(place, plain_text(tip), Qt.ItemDataRole.ToolTipRole)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        widest = max((self.fontMetrics().horizontalAdvance(self.itemText(at)) for at in range(self.count())), default=0)
        frame = self.width() - self.text_room()
        return QSize(min(widest + _ROUNDED + frame, MOST_WIDTH), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), super().minimumSizeHint().height())

    def shown_text(self) -> str:
        metrics, room, short = self.fontMetrics(), self.text_room(), str(self.currentData(SHORT) or "")
        cut = metrics.elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)
        if cut == self.currentText() or len(cut) > len(short) + _LEAST_LETTERS:
            return cut
        return metrics.elidedText(short, Qt.TextElideMode.ElideRight, room)

    @Slot(int)
    def _on_changed(self, place: int) -> None:
        set_tip(self, "\n".join((*self._tips[place : place + 1], self._tip) if place >= 0 else (self._tip,)))
