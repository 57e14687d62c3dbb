"""The lines of a kernel at which something is wrong, one below the other, of which each leads to the source."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from gemmviz.domain.figures import counted
from gemmviz.domain.shape import with_times_signs
from gemmviz.gui.looks.fonts import NORMAL, SMALL, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.referee.finding import LineFault

SHOWN = 4
"""Lines that are shown while the others are folded."""


class FaultList(QWidget):
    """Lists lines at fault, the gravest first; the others than the first SHOWN are folded. `line_asked` brings the
    number of a line that was clicked.
    """

    line_asked = Signal(int)

    def __init__(self, faults: Sequence[LineFault], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("refereeFaults")
        self.setAccessibleName("Hazards by line")
        self.places: list[QPushButton | PlainLabel] = []
        self.sentences: list[PlainLabel] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, fault in enumerate(faults):
            place, sentence = self._place_of(fault), PlainLabel(with_times_signs(fault.words), wordWrap=True)
            sentence.setFont(words(NORMAL))
            sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            grid.addWidget(place, row, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(sentence, row, 1, Qt.AlignmentFlag.AlignVCenter)
            self.places.append(place)
            self.sentences.append(sentence)
        rest = max(len(faults) - SHOWN, 0)
        self._folded = f"Show {counted(rest, 'more hazard')} ▾"
        self.fold = named(QPushButton(self._folded), "refereeFold", role="quiet")
        self.fold.setCheckable(True)
        self.fold.setAutoDefault(False)
        self.fold.setFont(words(SMALL))
        self.fold.toggled.connect(self._on_fold)
        only_on_screen(self.fold)
        self._more = PlainLabel(f"and {counted(rest, 'more hazard')}")
        self._more.hide()
        grid.addWidget(self.fold, len(faults), 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self._more, len(faults) + 1, 1)
        self.fold.setVisible(bool(rest))
        self._on_fold(False)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for sentence in self.sentences:
            sentence.set_colour(theme.text)
        link = f"background: transparent; color: {theme.accent}; text-align: left; padding: 0px"
        self.setStyleSheet(  # its own, since an exported page has no style of the window
            f"#refereeLine {{ {link}; border: none; }} #refereeLine:hover {{ text-decoration: underline; }}"
            f"#refereeLine[byKeys='true'] {{ {link}; border: 1px solid {theme.accent}; }}"
        )
        self._more.set_colour(theme.muted)

    def set_for_picture(self, wanted: bool) -> None:
        """Name how many are folded in place of the button."""
        rest = len(self.sentences) > SHOWN
        self.fold.setVisible(rest and not wanted)
        self._more.setVisible(rest and wanted and not self.fold.isChecked())

    def _place_of(self, fault: LineFault) -> QPushButton | PlainLabel:
        if not fault.line:
            return PlainLabel("–")
        button = named(QPushButton(fault.place), "refereeLine")
        button.setFont(words(NORMAL, QFont.Weight.DemiBold))
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setAccessibleName(f"Show {fault.place}: {fault.kind}")
        button.setToolTip("Show this line of the source")
        button.setAutoDefault(False)
        button.clicked.connect(partial(self._on_line, fault.line))
        return button

    def _on_line(self, line: int, _checked: bool = False) -> None:
        self.line_asked.emit(line)

    @Slot(bool)
    def _on_fold(self, is_open: bool) -> None:
        for row, parts in enumerate(zip(self.places, self.sentences, strict=True)):
            for part in parts:
                part.setVisible(is_open or row < SHOWN)
        self.fold.setText("Show fewer ▴" if is_open else self._folded)
