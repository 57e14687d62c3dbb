"""The field that filters a list of kernels, and the button that leaves out those that cannot run."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QWidget

from gemmviz.gui.widgets.named import named


class KernelFilter(QWidget):
    """`changed` tells that `query` or `only_runnable` is another; `went_down` that a person goes on to the list, and
    `entered` that the first kernel found is wanted.
    """

    changed = Signal()
    went_down = Signal()
    entered = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = named(
            QLineEdit(placeholderText="Filter by id, title or topic", clearButtonEnabled=True),
            f"{name}Filter",
            "Show only kernels with these words in their id, title or description (Enter chooses the first)",
            "Filter kernels",
        )
        self.runnable = named(
            QCheckBox("Can run"),
            f"{name}Runnable",
            "Show only kernels that can run on this device with these settings",
            "Only kernels that can run here",
        )
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        line.addWidget(self.field, 1)
        line.addWidget(self.runnable)
        self.field.textChanged.connect(lambda _: self.changed.emit())
        self.runnable.toggled.connect(lambda _: self.changed.emit())
        self.field.installEventFilter(self)

    @property
    def query(self) -> str:
        """What was typed."""
        return self.field.text()

    @property
    def only_runnable(self) -> bool:
        """Whether kernels that cannot run are left out."""
        return self.runnable.isChecked()

    def clear(self) -> None:
        """Show all kernels again."""
        self.field.clear()
        self.runnable.setChecked(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            match event.key():
                case Qt.Key.Key_Down:
                    self.went_down.emit()
                    return True
                case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self.entered.emit()
                    return True
                case Qt.Key.Key_Escape if self.query:
                    self.field.clear()
                    return True
        return super().eventFilter(watched, event)
