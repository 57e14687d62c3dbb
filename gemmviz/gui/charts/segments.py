"""A segmented switch: a few choices side by side, one of them taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QPushButton, QWidget

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_text import action_text, plain_text


@dataclass(frozen=True, slots=True)
class Segment:
    """One choice: the name of its button, its words and its tooltip."""

    object_name: str
    words: str
    tooltip: str


class Segments(QWidget):
    """Tab reaches the chosen segment, the arrow keys change it.

    Signals:
        chosen(int): the place of the segment a person chose.
    """

    chosen = Signal(int)

    def __init__(self, segments: Sequence[Segment], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._segments = tuple(segments)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for place, segment in enumerate(segments):
            button = QPushButton(segment.words)
            button.setObjectName(segment.object_name)
            button.setToolTip(plain_text(segment.tooltip))
            button.setAccessibleName(segment.words)
            button.setAccessibleDescription(segment.tooltip)
            button.setCheckable(True)
            button.setChecked(place == 0)
            button.setAutoDefault(False)
            # The ends are rounded, what lies between is not.
            ends = ("first" if place == 0 else "") + ("last" if place == len(segments) - 1 else "")
            button.setProperty("ends", ends or "none")
            self._group.addButton(button, place)
            layout.addWidget(button)
        self._group.buttonToggled.connect(self._on_toggled)
        self.set_theme(theme)

    @property
    def current(self) -> int:
        """The place of the chosen segment."""
        return self._group.checkedId()

    @property
    def buttons(self) -> tuple[QAbstractButton, ...]:
        """The buttons, from left to right."""
        return tuple(self._group.buttons())

    def choose(self, place: int) -> None:
        """Choose a segment; emits `chosen` where it was another."""
        self._group.button(place).setChecked(True)

    def set_words(self, place: int, words: str) -> None:
        """Give a segment other words."""
        button = self._group.button(place)
        button.setText(action_text(words))
        button.setAccessibleName(words)

    def set_reason(self, place: int, reason: str) -> None:
        """Disable a segment and say why in its tooltip; "" enables it."""
        button, tooltip = self._group.button(place), self._segments[place].tooltip
        button.setEnabled(not reason)
        button.setToolTip(plain_text(f"{tooltip}\n{reason}" if reason else tooltip))
        button.setAccessibleDescription(reason or tooltip)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self.setStyleSheet(
            f"QPushButton {{ background: {theme.field}; color: {theme.muted}; border: 1px solid {theme.line};"
            f" border-left-width: 0; border-radius: 0; padding: 4px 12px; min-height: 18px; min-width: 0; }}"
            f"QPushButton:hover {{ color: {theme.text}; }}"
            f"QPushButton:disabled {{ color: {theme.faint}; }}"
            f"QPushButton:checked {{ background: {theme.accent}; color: {theme.on_accent};"
            f" border-color: {theme.accent}; }}"
            f"QPushButton:focus {{ border-color: {theme.text}; text-decoration: underline; }}"
            "QPushButton[ends^=first] { border-left-width: 1px; border-top-left-radius: 4px;"
            " border-bottom-left-radius: 4px; }"
            "QPushButton[ends$=last] { border-top-right-radius: 4px; border-bottom-right-radius: 4px; }"
        )

    @Slot(QAbstractButton, bool)
    def _on_toggled(self, button: QAbstractButton, checked: bool) -> None:
        if checked:
            self.chosen.emit(self._group.id(button))
