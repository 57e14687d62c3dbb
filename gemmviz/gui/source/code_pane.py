"""A source with a bar below that moves its code sideways; line numbers and figures stay."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QScrollBar, QVBoxLayout, QWidget

from gemmviz.gui.named import named
from gemmviz.gui.source.code_table import CodeTable


class CodePane(QWidget):
    """Shows `table` and, where its longest line does not fit, the bar."""

    def __init__(self, table: CodeTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._bar = named(
            QScrollBar(Qt.Orientation.Horizontal), "sourceScroll",
            "Move the code sideways (Shift+Left, Shift+Right, Shift+wheel); the figures stay",
            "Move the code sideways",
        )  # fmt: skip
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(table, 1)
        column.addWidget(self._bar)
        self._bar.valueChanged.connect(table.set_offset)
        table.overflow_changed.connect(self._on_overflow)
        table.sideways_asked.connect(self._on_sideways)
        self._on_overflow(table.overflow)

    @Slot(int)
    def _on_overflow(self, pixels: int) -> None:
        self._bar.setRange(0, pixels)
        self._bar.setPageStep(max(self._table.columnWidth(1), 1))
        self._bar.setSingleStep(16)
        self._bar.setVisible(pixels > 0)
        self._table.set_offset(self._bar.value())

    @Slot(int)
    def _on_sideways(self, pixels: int) -> None:
        self._bar.setValue(self._bar.value() + pixels)
