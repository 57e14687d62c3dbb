"""The ticks of the kernel list: how many there are, and those that do nothing or cannot be seen."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from gemmviz.domain.figures import counted
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import plain_text

_MOST_LETTERS = 20
"""As many as there is room for above the list."""


def compared_words(ticked: Collection[str]) -> str:
    """What runs beside the chosen kernel: "chosen + naive", of many or long ids "chosen + 3 ticked"."""
    if not ticked:
        return "tick to compare"
    named = f"chosen + {', '.join(sorted(ticked))}"
    return named if len(named) <= _MOST_LETTERS else f"chosen + {len(ticked)} ticked"


class TickNote(QWidget):
    """One line below the list, hidden while every tick is in sight and can run; one click removes the others."""

    cleared = Signal(object)
    """The ids of the kernels to untick."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tickNote")
        self._ids: tuple[str, ...] = ()
        self._words = named(ElidedLabel(self, Qt.TextElideMode.ElideRight), "tickNoteText", role="muted")
        self._words.setFont(words(SMALL))
        self._clear = named(QPushButton("Untick", self), "tickNoteClear", role="quiet")
        self._clear.setFont(words(SMALL))
        self._clear.clicked.connect(self._on_clear)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._words, 1)
        row.addWidget(self._clear)
        self.hide()

    def show_ticks(self, cannot_run: Sequence[str], out_of_sight: Collection[str]) -> None:
        """`cannot_run` are ticked kernels that Run leaves out, `out_of_sight` ticked ones that the list hides."""
        hidden = [kernel for kernel in out_of_sight if kernel not in cannot_run]
        parts = []
        if cannot_run:
            parts.append(f"{counted(len(cannot_run), 'ticked kernel')} cannot run")
        if hidden:
            parts.append(f"{counted(len(hidden), 'ticked kernel')} {'is' if len(hidden) == 1 else 'are'} hidden")
        self._ids = (*cannot_run, *hidden)
        self.setVisible(bool(parts))
        self._words.show_text(", ".join(parts))
        names = ", ".join(self._ids)
        details = []
        if cannot_run:
            details.append(f"Run leaves out {', '.join(cannot_run)}")
        if hidden:
            details.append(f"Run includes {', '.join(hidden)}, which the filter hides")
        self._words.setToolTip(plain_text("\n".join(details)))
        self._clear.setToolTip(plain_text(f"Remove the ticks of {names}"))
        self._clear.setAccessibleName(f"Untick {names}")

    @property
    def control(self) -> QPushButton:
        """What takes the keyboard."""
        return self._clear

    @Slot()
    def _on_clear(self) -> None:
        self.cleared.emit(self._ids)
