"""The last step of a lesson: what the reader can run here, and what to read next."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.catalogue.lessons import Lesson, LessonAttempt
from gemmviz.gui.lessons.progress import end_words
from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.lessons.shown_step import ANYWHERE, RunHere
from gemmviz.gui.looks.lesson_style import high_buttons, lesson_style
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text

WIDEST = 860
"""Pixels of what the card says, before it is magnified; the card has the size of every other scene."""
LARGER, MOST_SHARE = 1.35, 0.97
"""The card is alone on its page: on the whole screen its type is so much larger than the page's, up to this share of
the page's width."""


def run_words(attempt: LessonAttempt, time: str = "") -> str:
    """What the button says: "Run naive and tiled at 512 × 512 × 512 (about 25 s to 50 s in all)", "Save race_broken.cu
    and record it at …".
    """
    if attempt.file:
        return f"Save {attempt.file} and record it at {attempt.size.m} × {attempt.size.n} × {attempt.size.k}"
    *first, last = attempt.kernels
    names = f"{', '.join(first)} and {last}" if first else last
    size = f"{attempt.size.m} × {attempt.size.n} × {attempt.size.k}"
    how_long = f" ({time}{' in all' if first else ''})" if time else ""
    return f"Record {names} at {size}" if attempt.page == MEMORY else f"Run {names} at {size}{how_long}"


class AttemptScene(LessonScene):
    """A card with the run, and beside it the way to the next lesson."""

    run_asked = Signal()
    record_asked = Signal()
    """To record every kernel, instead of running them."""
    step_asked = Signal(int)
    """The step, from 0, of a question without an answer."""
    next_asked = Signal()
    """The next lesson."""
    overview_asked = Signal()
    """All lessons."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("lessonAttempt")
        card = self._card = QFrame()
        card.setProperty("role", "card")
        self._head = named(PlainLabel(wordWrap=True), "lessonAttemptHead", role="headline")
        self._text = named(PlainLabel(wordWrap=True), "lessonAttemptText", role="step")
        self._run = named(QPushButton(), "lessonRun", "Leave the lesson and do this for real", role="primary")
        tip = "Leave the lesson, record each kernel and open what compares them"
        self._record = named(QPushButton(), "lessonRecord", tip, role="secondary")
        self._is_recording_first = self._is_done = False
        self._next = named(QPushButton(), "lessonNextLesson", "Begin the next lesson", role="secondary")
        self._overview = named(
            QPushButton("All lessons"), "lessonOverview", "Go to the first page", "All lessons", "quiet"
        )
        self._overview.setProperty("flush", True)
        self._keys = named(PlainLabel(wordWrap=True), "lessonAttemptKeys", role="muted")
        self._measured = named(PlainLabel(wordWrap=True), "lessonMeasured", role="strong")
        self._open = named(PlainLabel(wordWrap=True), "lessonOpenQuestions", role="strong")
        self._answer = named(QPushButton("Answer it"), "lessonAnswerOpen", "Go back to the question")
        self._open_steps: tuple[int, ...] = ()
        self._answer.clicked.connect(lambda: self._go_to_question())
        for button in self._buttons:
            button.setAutoDefault(True)  # Enter presses the one that has the focus
        self._run.clicked.connect(lambda: self.run_asked.emit())
        self._record.clicked.connect(lambda: self.record_asked.emit())
        self._next.clicked.connect(lambda: self.next_asked.emit())
        self._overview.clicked.connect(lambda: self.overview_asked.emit())
        self._inside = QWidget()
        inner, buttons, questions = QVBoxLayout(self._inside), QHBoxLayout(), QHBoxLayout()
        self._works = QVBoxLayout()
        self._works.setSpacing(12)
        for button in (self._run, self._record):
            self._works.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        questions.setSpacing(12)
        questions.addWidget(self._open, 1)
        questions.addWidget(self._answer, 0, Qt.AlignmentFlag.AlignTop)
        inner.setContentsMargins(32, 28, 32, 28)
        inner.setSpacing(20)
        buttons.setSpacing(12)
        for button in (self._next, self._overview):
            buttons.addWidget(button)
        buttons.addStretch(1)
        inner.addWidget(self._head)
        inner.addWidget(self._text)
        inner.addLayout(self._works)
        inner.addWidget(self._measured)
        inner.addLayout(questions)
        inner.addLayout(buttons)
        inner.addWidget(self._keys)
        middle, around = QGridLayout(card), QVBoxLayout(self)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.addWidget(self._inside, 1, 1)
        for place, stretch in enumerate((2, 0, 3)):
            middle.setRowStretch(place, stretch)
        for place, stretch in enumerate((1, 20, 1)):
            middle.setColumnStretch(place, stretch)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(card)
        self._factor = 1.0
        self._fit()

    def _go_to_question(self) -> None:
        if self._open_steps:
            self.step_asked.emit(self._open_steps[0])

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        return self._buttons

    @property
    def first_focus(self) -> QWidget:
        return self._next if self._is_done else self._buttons[0]

    @property
    def controls(self) -> tuple[QWidget, ...]:
        return *self._buttons, self._keys, self._open

    @property
    def _buttons(self) -> tuple[QPushButton, ...]:
        works = (self._record, self._run) if self._is_recording_first else (self._run, self._record)
        return *works, self._answer, self._next, self._overview

    def set_magnification(self, factor: float) -> None:
        self._factor = factor
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _arrange_works(self, *, is_recording_first: bool, is_done: bool) -> None:
        """Put the button first that does the more useful thing here, and fill it; in a lesson that is done the one that
        leads on.
        """
        self._is_recording_first, self._is_done = is_recording_first, is_done
        direction = QBoxLayout.Direction.BottomToTop if is_recording_first else QBoxLayout.Direction.TopToBottom
        self._works.setDirection(direction)
        first, second, filled = *self._buttons[:2], "secondary" if is_done else "primary"
        next_role = "primary" if is_done else "secondary"
        for button, role in ((first, filled), (second, "secondary"), (self._next, next_role)):
            if button.property("role") != role:
                button.setProperty("role", role)
                button.style().unpolish(button)
                button.style().polish(button)

    def _fit(self) -> None:
        """Be as large as the type of the page, on the whole screen larger where there is room."""
        most = LARGER if self.window().isFullScreen() else 1.0
        factor = max(self._factor, min(self._factor * most, self.width() * MOST_SHARE / WIDEST))
        style = f"{lesson_style(factor) if factor > 1.0 else ''}\n{high_buttons(factor)}"
        if style != self._card.styleSheet():
            self._card.setStyleSheet(style)
        self._inside.setMaximumWidth(round(WIDEST * factor))

    def show_attempt(
        self,
        lesson: Lesson,
        following: Lesson | None,
        open_questions: tuple[int, ...] = (),
        measured: str = "",
        *,
        is_exercised: bool = False,
        here: RunHere = ANYWHERE,
        lessons_left: tuple[int, ...] = (),
    ) -> None:
        """Offer the lesson's run, the first of its steps whose questions are open, and the lesson that follows; say
        whether the lesson is done, for which its run must be `is_exercised`, and the sentence with what the reader has
        `measured`, "" for nothing. Recordings that a lesson has come before its run, unless that goes on a GPU `here`.
        Where no lesson follows, `lessons_left` are the numbers of those that are not done.
        """
        attempt = lesson.attempt
        self._head.setText(attempt.text)
        self._text.setText(attempt.more)
        run = run_words(attempt, here.time)
        self._run.setText(action_text(run))
        record = attempt.sequel.record_all if attempt.sequel is not None else ""
        self._record.setText(action_text(record))
        is_done = is_exercised and not open_questions and following is not None
        self._arrange_works(is_recording_first=bool(record) and not here.is_on_gpu, is_done=is_done)
        self._record.setVisible(bool(record))
        self._measured.setText(measured)
        self._measured.setVisible(bool(measured))
        leads_on = "; →\u00a0begins the next lesson" if following is not None else ""
        begun = "recording" if self._is_recording_first else "run"
        pressed = f"Enter starts the {begun}{leads_on}."
        self._keys.setText("Enter or → begins the next lesson." if is_done else pressed)
        self._open_steps = open_questions
        is_last = following is None
        self._open.setText(
            end_words(lesson, open_questions, is_last=is_last, is_exercised=is_exercised, lessons_left=lessons_left)
        )
        self._answer.setText("Answer it" if len(open_questions) == 1 else "Answer the first")
        self._answer.setVisible(bool(open_questions))
        self._next.setVisible(following is not None)
        if following is not None:
            self._next.setText(action_text(f"Next lesson: {following.title}"))
