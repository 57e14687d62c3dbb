"""The page of a lesson for pictures of it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.looks.theme import Theme


class StillPage(LessonPage):
    """It has no buttons, and makes its scenes in this thread, so that each moment is there at once."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._scenes.keep_still()
        self._question.is_to_answer = False
        turning = self._back, self._next, self._play
        for button in (self._large, self._restart, self._leave, *turning, self._question.show_button):
            button.put_away()

    def show_title(self, title: str) -> None:
        """Have another title than the lesson's."""
        self._title.setText(title)
