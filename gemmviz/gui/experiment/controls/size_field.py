"""M, N and K."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gemmviz.domain.shape import MAX_DIMENSION, Shape
from gemmviz.gui.experiment.controls.dimension import Dimension
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

KEPT_MS = 8000
"""How long it is said that a number was kept, once nothing of what was typed is left."""
GAP = 4
"""Pixels between the numbers and what is said of them."""
_MEANINGS = (("M", "Rows of A and of C"), ("N", "Columns of B and of C"), ("K", "Columns of A, rows of B"))


class SizeField(QWidget):
    """Three numbers side by side; `size_changed` has all three when one of them was changed.

    Why a number is refused is laid over what stands below, so that nothing moves; clicks go through it.
    """

    size_changed = Signal(int, int, int)

    def __init__(self, parent: QWidget | None = None, kept_ms: int = KEPT_MS) -> None:
        super().__init__(parent)
        self.setObjectName("sizeField")
        column, row = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        self._refusal = named(PlainLabel(parent=self, wordWrap=True), "sizeRefusal", role="refusal")
        self._refusal.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._refusal.hide()
        self._settle = QTimer(self, singleShot=True, interval=kept_ms)
        self._settle.timeout.connect(lambda: self._on_refused(""))
        row.setSpacing(0)
        self._spins: list[Dimension] = []
        for name, meaning in _MEANINGS:
            tooltip = f"{meaning}: C[M,N] = A[M,K] · B[K,N]"
            spin = Dimension(
                f"size{name}", f"Matrix size {name}: {meaning[:1].lower()}{meaning[1:]}", tooltip, 1, MAX_DIMENSION
            )
            label = PlainLabel(f"&{name}")
            label.setFont(words(SMALL))
            label.setProperty("role", "muted")
            label.setBuddy(spin)
            spin.valueChanged.connect(self._on_changed)
            spin.refused.connect(self._on_refused)
            spin.kept.connect(self._on_kept)
            if self._spins:
                row.addSpacing(6)
            row.addWidget(label)
            row.addSpacing(3)
            row.addWidget(spin, 1)
            self._spins.append(spin)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        return tuple(self._spins)

    def show_shape(self, shape: Shape) -> None:
        """Show a size; nothing is emitted."""
        is_another = (shape.m, shape.n, shape.k) != tuple(spin.value() for spin in self._spins)
        if is_another or all(spin.hasAcceptableInput() for spin in self._spins):
            self._on_refused("")
        for spin, value in zip(self._spins, (shape.m, shape.n, shape.k), strict=True):
            was_blocked = spin.blockSignals(True)
            spin.setValue(value)
            spin.blockSignals(was_blocked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_refusal()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._place_refusal()

    @Slot(str)
    def _on_refused(self, words: str) -> None:
        self._refusal.setText(words)
        if words:
            self._refusal.setParent(self.parentWidget() or self)
            self._place_refusal()
        self._refusal.setVisible(bool(words))
        self._settle.stop()

    def _place_refusal(self) -> None:
        said, over = self._refusal, self._refusal.parentWidget()
        if over is not None:
            place = self.mapTo(over, QPoint(0, self.height() + GAP))
            said.setGeometry(QRect(place, QSize(self.width(), said.heightForWidth(self.width()))))
            said.raise_()

    @Slot(str)
    def _on_kept(self, words: str) -> None:
        self._on_refused(words)
        self._settle.start()

    @Slot()
    def _on_changed(self) -> None:
        m, n, k = (spin.value() for spin in self._spins)
        self.size_changed.emit(m, n, k)
