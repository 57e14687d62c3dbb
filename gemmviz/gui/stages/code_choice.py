"""Which code's requests are drawn: those of SASS, which a GPU runs, or those of the recorded PTX."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gemmviz.explain.requests.machine_requests import RequestCode
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.own_keys import Keys
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.segments import Segment, Segments

CODE_KEYS = "M  SASS or PTX"
IN_OTHER_LAYOUT = "How ptxas would merge requests in another layout is not known: choose no padding and no swizzle."
_TIPS = {
    RequestCode.SASS: "Requests as a GPU makes them: ptxas merged some, which is derived from the recording (M)",
    RequestCode.PTX: "Requests as recorded, before ptxas merged some (M)",
}


class CodeChoice(QWidget):
    """Says which code a person wants; hidden where the requests of one code alone are known."""

    changed = Signal(object)
    """The RequestCode a person chose."""

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._codes = tuple(RequestCode)
        self._segments = Segments([Segment(f"{name}{code}", code.value, _TIPS[code]) for code in self._codes], theme)
        self._segments.setObjectName(f"{name}Code")
        self._segments.setAccessibleName("Code whose requests are drawn")
        self._segments.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        label = named(PlainLabel("Requests"), f"{name}CodeWords")
        label.setBuddy(self._segments)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self._segments)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._segments.chosen.connect(self._on_chosen)
        self.setVisible(False)

    def show_code(self, code: RequestCode, why_not: str = "") -> None:
        """Show which code's requests are drawn; nothing is emitted. `why_not`: why those of SASS cannot be, or ""."""
        self._segments.show_current(self._codes.index(code))
        self._segments.set_reason(self._codes.index(RequestCode.SASS), why_not)

    @property
    def keys(self) -> Keys:
        """What key changes the code; CODE_KEYS names it."""
        return {(Qt.Key.Key_M, False): self.step}

    @Slot()
    def step(self) -> None:
        """Choose the other code, where it can be chosen."""
        place = 1 - self._segments.current
        if not self.isHidden() and self._segments.buttons[place].isEnabled():
            self._segments.choose(place)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._segments.set_theme(theme)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        self.changed.emit(self._codes[place])
