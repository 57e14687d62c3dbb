"""How the experiment panel is laid out: settings that scroll, and below them what is always in sight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QScrollBar, QVBoxLayout, QWidget

from gemmviz.gui.experiment.controls.style import BAR_WIDTH

MARGIN = 16


def scrolled(parts: Iterable[tuple[QWidget, int]], wide: QWidget) -> tuple[QScrollArea, QWidget]:
    """Parts one below the other, each with the gap below it; `wide` takes the whole width, and what height is left. The
    area that scrolls, and what is in it.
    """
    body = QWidget()
    body.setObjectName("experimentBody")
    column = QVBoxLayout(body)
    column.setContentsMargins(0, 2, 0, 0)
    column.setSpacing(0)
    for part, gap in parts:
        if part is wide:
            column.addWidget(part, 1)
        else:
            inset = QVBoxLayout()
            inset.setContentsMargins(MARGIN, 0, MARGIN - BAR_WIDTH, 0)
            inset.addWidget(part)
            column.addLayout(inset)
        column.addSpacing(gap)
    scroll = QScrollArea()
    scroll.setObjectName("experimentScroll")
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    # A bar that came and went would shift everything beside it.
    scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    scroll.setVerticalScrollBar(_Bar(Qt.Orientation.Vertical))
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setWidgetResizable(True)
    scroll.setWidget(body)
    return scroll, body


def footer(launch: Sequence[QWidget], below: Sequence[QWidget]) -> QVBoxLayout:
    """The figures of the launch close together, and below them the rest."""
    column, together = QVBoxLayout(), QVBoxLayout()
    column.setContentsMargins(MARGIN, 6, MARGIN, 6)
    column.setSpacing(8)
    together.setSpacing(2)
    for part in launch:
        together.addWidget(part)
    column.addLayout(together)
    for part in below:
        column.addWidget(part)
    return column


def show_end(scroll: QScrollArea, body: QWidget, part: QWidget) -> None:
    """Scroll to the end of a part that has just become higher."""
    body.adjustSize()  # now, not when the layouts come to it: the part has its place only then
    scroll.ensureVisible(0, part.mapTo(body, part.rect().bottomLeft()).y(), 0, 8)


class _Bar(QScrollBar):
    """A scroll bar that is grey where there is nothing to scroll."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.rangeChanged.connect(self._on_range_changed)

    @Slot(int, int)
    def _on_range_changed(self, low: int, high: int) -> None:
        self.setEnabled(low < high)
