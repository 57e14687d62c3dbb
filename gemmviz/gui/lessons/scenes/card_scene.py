"""A picture of a lesson in a card, below its title and where it was measured."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel


def on_card(theme: Theme) -> Theme:
    """A theme whose pictures have the ground of the card that they lie on."""
    return replace(theme, canvas=theme.panel)


class CardScene(LessonScene):
    """Shows one picture, below its `legend` if it has none of its own; `name` is the scene's, "lessonSchedule", and
    begins those of its words.
    """

    def __init__(
        self, theme: Theme, name: str, picture: QWidget, parent: QWidget | None = None, legend: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.setObjectName(name)
        self._title = named(PlainLabel(), f"{name}Title", role="title")
        self._subtitle = named(PlainLabel(wordWrap=True), f"{name}Subtitle", role="evidence")
        card = QFrame()
        card.setProperty("role", "card")
        column = QVBoxLayout(card)
        column.setContentsMargins(16, 10, 16, 12)
        column.setSpacing(4)
        column.addWidget(self._title)
        column.addWidget(self._subtitle)
        if legend is not None:
            column.addWidget(legend)
        column.addWidget(picture, 1)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(card)

    def show_words(self, title: str, subtitle: str) -> None:
        """Say what the picture is, and its size, device and day."""
        self._title.setText(title)
        self._subtitle.setText(subtitle)
