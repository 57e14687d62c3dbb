"""A source beside the code that was made of it: a line chosen in one marks the lines that belong to it in the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QWidget

from gemmviz.domain.figures import counted
from gemmviz.domain.terms import Language
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.source.code_pane import CodePane


class LinkedCode(QSplitter):
    """Signals:
    linked(str): which line is chosen, and how many instructions came from it.
    """

    linked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setChildrenCollapsible(False)
        self.source = CodePane("machineCodeSource", "Source, to read only", theme)
        self.code = CodePane("machineCodeText", "Machine code, to read only", theme)
        self._lines: Sequence[int] = ()
        self._line = 0
        for pane in (self.source, self.code):
            self.addWidget(pane)
            pane.setMinimumWidth(240)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 1)
        self.source.line_chosen.connect(self._on_source)
        self.code.line_chosen.connect(self._on_code)

    def show_source(self, text: str) -> None:
        """Show a source; without one the code has all the room."""
        self.source.setVisible(bool(text))
        self._line = 0
        self.source.show_source(text, Language.CUDA)

    def show_code(self, text: str, lines: Sequence[int]) -> None:
        """Show code, of which each line comes from a line of the source, 0 from none. The chosen line stays chosen."""
        self._lines = lines
        of_source = {line for line in lines if line}
        self.source.link(of_source)
        self.code.show_text(text)
        self.code.link(place for place, line in enumerate(lines, 1) if line)
        if self._line in of_source:
            self._on_source(self._line)
            return
        self._mark(0)
        if of_source:
            self.source.bring_into_view(min(of_source))
        self.linked.emit("Choose a line to see what belongs to it on the other side." if of_source else "")

    @Slot(int)
    def _on_source(self, line: int) -> None:
        places = self._mark(line)
        if places:
            self.code.bring_into_view(places[0])

    @Slot(int)
    def _on_code(self, place: int) -> None:
        line = self._lines[place - 1] if place <= len(self._lines) else 0
        self._mark(line)
        if line:
            self.source.bring_into_view(line)

    def _mark(self, line: int) -> list[int]:
        """Mark a line of the source and the lines of code that came from it; those lines."""
        self._line = line
        places = [place for place, of in enumerate(self._lines, 1) if of == line] if line else []
        self.source.mark((line,) if places else ())
        self.code.mark(places)
        if places:
            self.linked.emit(f"Line {line} of the source: {counted(len(places), 'instruction')}")
        else:
            self.linked.emit("No instruction belongs to this line." if any(self._lines) else "")
        return places
