"""A lesson on the first page: its drawing, number and length, how far a person has come, title, and one sentence."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.catalogue.lessons import Lesson
from gemmviz.gui.lessons.progress import LessonProgress, progress_words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.welcome.lesson_picture import LessonPicture
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

LEAST_WIDTH = 300
OPENING = "Opening…"


def length_words(lesson: Lesson, is_next: bool, has_begun: bool) -> str:
    """ "Lesson 2 · 3 min"; "Next: lesson 2 · 3 min" for the one to take next, "Start here · 3 min" for the first where
    nobody has begun it.
    """
    if is_next:
        is_start = lesson.number == 1 and not has_begun
        return f"{'Start here' if is_start else f'Next: lesson {lesson.number}'} · {lesson.minutes} min"
    return f"Lesson {lesson.number} · {lesson.minutes} min"


class LessonCard(QPushButton):
    """The card as a button; that of the lesson to take next stands out."""

    def __init__(self, lesson: Lesson, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lesson, self._progress_text, self.progress = lesson, "", LessonProgress()
        named(self, f"lessonCard_{lesson.id}", f"{lesson.title}: {lesson.summary}", lesson.title, "card")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAutoDefault(True)
        self._picture = LessonPicture(lesson.picture, theme)
        self._progress = named(PlainLabel(), f"lessonProgress_{lesson.id}", role="progress")
        self._progress.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._length = named(PlainLabel(), f"lessonLength_{lesson.id}", role="head")
        self._length.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.show_is_next(False)
        head, column = QHBoxLayout(), QVBoxLayout()
        head.addWidget(self._length, 1)
        head.addWidget(self._progress)
        column.setSpacing(2)
        column.addLayout(head)
        for words, role in (
            (lesson.title, "strong"),
            (lesson.summary, "muted"),
        ):
            label = named(PlainLabel(words, wordWrap=True), role=role)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(label)
        column.addStretch(1)
        self._picture.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 7, 16, 7)
        row.setSpacing(16)
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)

    def show_progress(self, progress: LessonProgress) -> None:
        """Show at which step the lesson was left, that it is read, or that it is done."""
        words = progress_words(self.lesson, progress)
        self.progress, self._progress_text = progress, f"✓ {words}" if progress.is_done else words
        self._progress.setText(self._progress_text)
        self.setAccessibleName(f"{self.lesson.title}, {words}" if words else self.lesson.title)

    def show_is_next(self, is_next: bool) -> None:
        """Mark the lesson as the one to take next, or not."""
        words = length_words(self.lesson, is_next, bool(self._progress_text))
        self._length.setText(words)
        self.setAccessibleDescription(f"{words}. {self.lesson.summary}")
        self.setProperty("leads", is_next)
        self.style().unpolish(self)
        self.style().polish(self)

    def show_opening(self, is_opening: bool) -> None:
        """Say that the lesson is being opened, in place of how far a person has come."""
        self._progress.setText(OPENING if is_opening else self._progress_text)

    def set_theme(self, theme: Theme) -> None:
        self._picture.set_theme(theme)

    def sizeHint(self) -> QSize:
        return QSize(LEAST_WIDTH, self._height_at(max(self.width(), LEAST_WIDTH)))

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_WIDTH // 2, self._height_at(max(self.width(), LEAST_WIDTH)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _height_at(self, width: int) -> int:
        layout = self.layout()
        return layout.heightForWidth(width) if layout is not None else 0
