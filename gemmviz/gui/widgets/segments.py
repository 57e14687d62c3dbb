"""A segmented switch: a few choices side by side, one of them taken. Tab reaches it, the arrow keys change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gemmviz.catalogue.term_words import with_terms
from gemmviz.gui.looks.own_sheet import set_sheet
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.key_focus import BY_KEYS, focus_by_keys
from gemmviz.gui.widgets.plain_text import action_text, plain_text

HEIGHT = 28
GAP = 4
"""Pixels between the buttons of a row."""
_PADDING = 10


@dataclass(frozen=True, slots=True)
class Segment:
    """One choice: the name of its button, its words, its tooltip, and its accessible name, "" for the words."""

    object_name: str
    words: str
    tooltip: str
    spoken: str = ""


class _Button(QPushButton):
    """One choice; the arrow keys choose a neighbour."""

    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if (step := steps.get(Qt.Key(event.key()))) is not None:
            self.stepped.emit(step)
        else:
            super().keyPressEvent(event)


class _NarrowButton(_Button):
    """As narrow as its text allows, whatever the style thinks of buttons."""

    def sizeHint(self) -> QSize:
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self.text()) + _PADDING, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class _Switch(QWidget):
    """Buttons of which one is chosen, -1 for none yet.

    Signals:
        chosen(int): the place of the segment that was chosen in the place of another.
    """

    chosen = Signal(int)

    def __init__(
        self,
        segments: Sequence[Segment],
        current: int,
        spacing: int,
        parent: QWidget | None,
        button: type[_Button] = _Button,
    ) -> None:
        super().__init__(parent)
        self._segments, self._current = tuple(segments), current
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(spacing)
        for place, segment in enumerate(segments):
            made = button(segment.words)
            made.setObjectName(segment.object_name)
            made.setToolTip(plain_text(with_terms(segment.tooltip, f"{segment.words}\n{segment.tooltip}")))
            made.setAccessibleName(segment.spoken or segment.words)
            made.setAccessibleDescription(segment.tooltip)
            made.setCheckable(True)
            made.setAutoDefault(False)
            made.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            made.stepped.connect(self._on_stepped)
            self._group.addButton(made, place)
            layout.addWidget(made)
        self._group.idToggled.connect(self._on_toggled)
        self.show_current(current)

    @property
    def current(self) -> int:
        """The place of the chosen segment."""
        return self._current

    @property
    def buttons(self) -> tuple[QAbstractButton, ...]:
        """The buttons, from left to right."""
        return tuple(self._group.button(place) for place in range(len(self._segments)))

    def choose(self, place: int) -> None:
        """Choose a segment; emits `chosen` where it was another."""
        self._group.button(place).setChecked(True)

    def show_current(self, place: int) -> None:
        """Choose a segment; nothing is emitted."""
        self._current = place
        if 0 <= place < len(self._segments):
            self._group.button(place).setChecked(True)

    @Slot(int)
    def _on_stepped(self, step: int) -> None:
        place = self._current + step
        while 0 <= place < len(self._segments):
            button = self._group.button(place)
            if button.isEnabled():
                button.setChecked(True)
                focus_by_keys(button)
                return
            place += step

    @Slot(int, bool)
    def _on_toggled(self, place: int, is_checked: bool) -> None:
        # One stop for Tab, as in a group of radio buttons; Qt itself sees to that only once a button had the focus.
        policy = Qt.FocusPolicy.StrongFocus if is_checked else Qt.FocusPolicy.ClickFocus
        self._group.button(place).setFocusPolicy(policy)
        if is_checked and self.window().focusWidget() in self.buttons:
            self._group.button(place).setFocus(Qt.FocusReason.OtherFocusReason)  # a key would act on the one before
        if is_checked and place != self._current:
            self._current = place
            self.chosen.emit(place)


class Segments(_Switch):
    """Joined to one piece in a theme's colours: a switch between views. The first segment is chosen."""

    def __init__(self, segments: Sequence[Segment], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(segments, 0, 0, parent)
        self._tooltips = [segment.tooltip for segment in segments]
        for place, button in enumerate(self.buttons):
            # The ends are rounded, what lies between is not.
            ends = ("first" if place == 0 else "") + ("last" if place == len(segments) - 1 else "")
            button.setProperty("ends", ends or "none")
        self.set_theme(theme)

    def set_words(self, place: int, words: str) -> None:
        """Give a segment other words."""
        button = self._group.button(place)
        button.setText(action_text(words))
        button.setAccessibleName(words)

    def set_reason(self, place: int, reason: str) -> None:
        """Disable a segment and say why in its tooltip; "" enables it."""
        button, tooltip = self._group.button(place), self._tooltips[place]
        button.setEnabled(not reason)
        tip = f"{tooltip}\n{reason}" if reason else with_terms(tooltip, f"{button.text()}\n{tooltip}")
        button.setToolTip(plain_text(tip))
        button.setAccessibleDescription(reason or tooltip)

    def set_tooltip(self, place: int, tooltip: str) -> None:
        """Give an enabled segment another tooltip; `set_reason` keeps it."""
        self._tooltips[place] = tooltip
        self.set_reason(place, "")

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        set_sheet(
            self,
            f"QPushButton {{ background: {theme.field}; color: {theme.muted}; border: 1px solid {theme.line};"
            f" border-left-width: 0; border-radius: 0; padding: 4px 12px; min-height: 18px; min-width: 0; }}"
            f"QPushButton:hover {{ color: {theme.text}; }}"
            f"QPushButton:disabled {{ color: {theme.faint}; }}"
            f"QPushButton:checked {{ background: {theme.accent}; color: {theme.on_accent};"
            f" border-color: {theme.accent}; }}"
            f'QPushButton[{BY_KEYS}="true"] {{ border-color: {theme.text}; text-decoration: underline; }}'
            "QPushButton[ends^=first] { border-left-width: 1px; border-top-left-radius: 4px;"
            " border-bottom-left-radius: 4px; }"
            "QPushButton[ends$=last] { border-top-right-radius: 4px; border-bottom-right-radius: 4px; }",
        )


class SegmentRow(_Switch):
    """Buttons apart from each other, as a field of a form."""

    def __init__(self, segments: Sequence[Segment], current: int = -1, parent: QWidget | None = None) -> None:
        super().__init__(segments, current, GAP, parent)
        for button in self.buttons:
            button.setProperty("role", "segment")


class NarrowRow(_Switch):
    """Buttons apart from each other that share the room, each as narrow as its text in a font. A refused choice has a
    dashed outline and says why in its tooltip, but can be chosen.
    """

    def __init__(
        self, segments: Sequence[Segment], font: QFont, height: int = HEIGHT, parent: QWidget | None = None
    ) -> None:
        super().__init__(segments, -1, GAP, parent, _NarrowButton)
        layout = self.layout()
        assert isinstance(layout, QHBoxLayout)
        for place, button in enumerate(self.buttons):
            button.setFont(font)
            button.setProperty("role", "segment")
            button.setProperty("refused", False)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setFixedHeight(height)
            layout.setStretch(place, 1)

    @staticmethod
    def width_for(texts: Sequence[str], font: QFont) -> int:
        """The pixels that a row with these texts takes at least."""
        widest = max(QFontMetrics(font).horizontalAdvance(text) for text in texts)
        return len(texts) * (widest + _PADDING) + (len(texts) - 1) * GAP

    def set_refused(self, tooltips: Sequence[str], refused: Sequence[bool]) -> None:
        """A tooltip for every button, and which are refused."""
        for button, tooltip, is_refused in zip(self.buttons, tooltips, refused, strict=True):
            button.setToolTip(plain_text(tooltip))
            button.setAccessibleDescription(tooltip)
            if button.property("refused") != is_refused:
                button.setProperty("refused", is_refused)
                button.style().unpolish(button)
                button.style().polish(button)
