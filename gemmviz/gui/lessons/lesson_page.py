"""The page of a lesson: the scene large, the words below it, Back and Next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from gemmviz.catalogue.lesson_scenes import Pictures, Repair, Scene
from gemmviz.catalogue.lessons import Lesson, LessonStep
from gemmviz.domain.runs.result import Session
from gemmviz.gui.lessons.frames_ahead import FramesAhead
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.lesson_keys import LessonKeys, add_shortcuts, order_tabs
from gemmviz.gui.lessons.magnification import magnification_for
from gemmviz.gui.lessons.page_button import page_button
from gemmviz.gui.lessons.progress import NO_PROGRESS, LessonProgress
from gemmviz.gui.lessons.question_row import QuestionRow
from gemmviz.gui.lessons.scene_stack import SceneStack
from gemmviz.gui.lessons.scenes.attempt_scene import AttemptScene
from gemmviz.gui.lessons.scenes.played_scene import PlayedScene
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.lessons.scenes.request_scene import BanksScene
from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.lessons.scenes.step_scene import show_scene
from gemmviz.gui.lessons.shown_step import NO_END, LessonEnd, RunHere, ShownStep
from gemmviz.gui.lessons.step_bar import StepBar
from gemmviz.gui.lessons.step_text import StepText
from gemmviz.gui.lessons.step_words import StepWords
from gemmviz.gui.looks.lesson_style import lesson_style
from gemmviz.gui.looks.projector import least_label, projector_theme
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.own_keys import Action, action_of
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.roomy_label import RoomyLabel

MARGIN = 24
PLAY, PAUSE = "Play", "Pause"
FULL_SCREEN, LEAVE_SCREEN = "Full screen", "Leave full screen"
FULL_TIP, LEAVE_TIP = "Show the lesson alone, in large type (F11)", "Show the window again (Esc or F11)"


class LessonPage(QWidget):
    """Shows one lesson, step by step. Keys: → and ← for the steps, → also for the next lesson, Space to play, Home to
    begin again, letters for the answers to a question (before keys of the scene), digits for what is chosen in a scene,
    F11 for the whole screen, Esc to leave the whole screen, then the lesson.
    """

    left = Signal()
    """The reader wants to leave."""
    record_asked = Signal(object)
    """The Lesson whose kernels are to be recorded."""
    run_asked = Signal(object)
    """The Lesson whose attempt is to be run."""
    lesson_asked = Signal(str)
    """The id of the lesson that is to be shown next."""
    end_asked = Signal(str)
    """The id of a lesson that was shown before, whose last step is to be shown again."""
    full_screen_asked = Signal()
    """The whole screen is wanted, or is to be given back."""
    escaped = Signal()
    """Esc: the reader wants to leave the whole screen, or the lesson where there is none to leave."""
    step_shown = Signal(object, int)
    """The Lesson, and the step that is shown from now on, from 0."""
    answered = Signal(object, int)
    """The Lesson, and the step, from 0, whose question was answered, or whose answer was shown."""
    failed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lessonPage")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._theme = theme
        self._data: LessonData | None = None
        self._end, self._progress, self._current = NO_END, NO_PROGRESS, 0
        self._went_on: tuple[str, str] = "", ""
        """The lesson that a reader went on from at its end, and the one that followed."""
        self.run_here: Callable[[Lesson], RunHere] = lambda _: RunHere()
        """Whether kernels run on a GPU here, as far as it is known yet."""
        self._shown: Scene | None = None
        self._number = named(PlainLabel(), "lessonNumber", role="head")
        self._title = named(PlainLabel(), "lessonTitle", role="title")
        self._bar = StepBar(theme)
        self._large = page_button(FULL_SCREEN, "lessonFullScreen", FULL_TIP, "quiet")
        self._restart = page_button("Restart", "lessonRestart", "Begin the lesson again (Home)", "quiet")
        self._leave = page_button("Leave the lesson", "lessonLeave", "Leave the lesson (Esc)", "quiet")
        self._text = named(PlainLabel(wordWrap=True), "lessonText", role="headline")
        self._more = named(RoomyLabel(), "lessonMore", role="step")
        self._question = QuestionRow()
        self._back = page_button("Back", "lessonBack", "Previous step (←)", "")
        self._next = page_button("Next", "lessonNext", "Next step (→)", "primary")
        self._play = page_button(PLAY, "lessonPlay", "Play or pause (Space)", "")
        buttons = self._play, self._back, self._next
        self._words = StepWords(self._text, self._more, self._question, buttons, self._next)
        self._ahead = FramesAhead(self)
        self._scenes = SceneStack(theme)
        self._is_full, self._magnification = False, 1.0
        self._least_label = 0.0
        """That of the screen for which the scenes were made ready: 0 while the window has its menus."""
        self._lay_out()
        self._connect()
        self.installEventFilter(LessonKeys(self, lambda event: self.does(event) is not None))
        add_shortcuts(self, (self._go_on, self._go_back), self._choose, self._question.choose)

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is shown."""
        return self._data.lesson if self._data is not None else None

    @property
    def step(self) -> int:
        """The step that is shown, from 0; the attempt is the one after the last of the file."""
        return self._current

    @property
    def steps(self) -> int:
        """How many steps the lesson has, with the attempt."""
        return self._data.lesson.step_count if self._data is not None else 0

    @property
    def selected_text(self) -> str:
        """What is selected of the words; "" for nothing."""
        return next((text for label in self.findChildren(PlainLabel) if (text := label.selectedText())), "")

    @property
    def words(self) -> StepText:
        """What the step says and asks."""
        return StepText(self._text.text(), self._more.text(), *self._question.words)

    @property
    def scene(self) -> LessonScene | None:
        """What is shown."""
        return self._scenes.front

    @property
    def contents(self) -> Session | None:
        """What the step shows as a session of its own; None where that is no recording and no measurement."""
        return self._data.session_of(self._shown) if self._data is not None else None

    @property
    def shown(self) -> ShownStep | None:
        """The step that is shown, so that another page can show it, too; None while no lesson is shown."""
        if self._data is None:
            return None
        layout = self.scene.layout_tried if isinstance(self.scene, BanksScene) else None
        return ShownStep(self._data, self._current, self._progress, self._end, self.run_here, layout)

    @property
    def theme(self) -> Theme:
        """The colours of the page; on the whole screen, those for a projector."""
        return projector_theme(self._theme) if self._is_full else self._theme

    def show_lesson(
        self,
        data: LessonData,
        end: LessonEnd = NO_END,
        step: int = 0,
        progress: LessonProgress = NO_PROGRESS,
    ) -> None:
        """Begin a lesson at a step, from 0, with the answers given before; its last step tells what is known of its
        `end`, and what is left of the lesson.
        """
        self._data, self._end, self._progress = data, end, progress
        self._number.setText(f"Lesson {data.lesson.number}")
        self._title.setText(data.lesson.title)
        self.go(step)

    def go(self, step: int) -> None:
        """Show a step; the nearest there is."""
        if self._data is None:
            return
        lesson = self._data.lesson
        self._current = min(max(step, 0), self.steps - 1)
        is_last = self._current == self.steps - 1
        now = lesson.steps[self._current] if not is_last else LessonStep("")
        self._text.setText(now.text)
        self._more.setText(now.more)
        self._more.keep_room_for([now.more_once_answered, *lesson.texts_beside_chart(self._current)])
        self._more.setVisible(bool(now.more))
        self._question.show_question(now.question)
        self._words.arrange()
        self._bar.show_step(self._current, self.steps)
        allow(self._back, "" if self._current or self._lesson_before else "This is the first step.")
        self._next.setVisible(not is_last)  # the last step has a button of its own that names the next lesson
        if is_last:
            self._scenes.use(AttemptScene).show_attempt(
                lesson,
                self._end.following,
                self._progress.open_questions,
                self._end.measured,
                is_exercised=self._progress.is_exercised,
                here=self.run_here(lesson),
                lessons_left=self._end.lessons_left,
            )
            self._shown = None
        else:
            self._ahead.go(self._data, self._current)
            scene = lesson.scene_at(self._current)
            if now.scene is not None or scene is not self._shown:
                show_scene(scene, self._data, self._scenes.use)
            self._shown = scene
        if self._current in self._progress.answered:
            self._show_answer()
        order_tabs(self, self.scene)
        self._show_play()
        self.step_shown.emit(lesson, self._current)
        focused = self.scene.first_focus if self.scene is not None else None
        (focused or self).setFocus(Qt.FocusReason.TabFocusReason if focused else Qt.FocusReason.OtherFocusReason)

    def stop(self) -> None:
        """Leave what is shown: nothing plays and nothing is computed any more."""
        self._scenes.stop()
        self._ahead.stop()
        self._data = self._shown = None

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._dress()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Whether things jump to their places instead of moving there."""
        self._scenes.set_reduced_motion(is_reduced)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        (self.does(event) or partial(super().keyPressEvent, event))()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_window()

    def fit_window(self) -> None:
        """Have the type and the colours of the whole screen where the window has that, and else those of a window."""
        is_full = self.window().isFullScreen()
        self._large.setText(LEAVE_SCREEN if is_full else FULL_SCREEN)
        self._large.setToolTip(LEAVE_TIP if is_full else FULL_TIP)
        self._magnify(magnification_for(self.width(), self.height(), is_full_screen=is_full), is_full=is_full)

    def _magnify(self, factor: float, *, is_full: bool = False) -> None:
        wanted = factor, is_full, least_label(self)
        if wanted == (self._magnification, self._is_full, self._least_label):
            return
        self._magnification, self._is_full, self._least_label = wanted
        self._dress()
        self._scenes.set_magnification(factor)

    def _dress(self) -> None:
        """Give the page and its scenes their type and colours."""
        style = lesson_style(self._magnification, self.theme if self._is_full else None)
        self.setStyleSheet(style if self._magnification > 1.0 or self._is_full else "")
        self._bar.set_theme(self.theme)
        self._scenes.set_theme(self.theme)

    def does(self, event: QKeyEvent) -> Action | None:
        """What a key does here; None for a key that is not the lesson's."""
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            return None
        key = event.key()
        if Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            return partial(self._choose, key - Qt.Key.Key_1)
        if 0 <= key - Qt.Key.Key_A < len(self._question.buttons):
            return partial(self._question.choose, key - Qt.Key.Key_A)
        acts: dict[int, Action] = {
            **dict.fromkeys((Qt.Key.Key_Right, Qt.Key.Key_PageDown), self._go_on),
            **dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter), self._enter),
            **dict.fromkeys((Qt.Key.Key_Left, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace), self._go_back),
            Qt.Key.Key_Space: self._toggle,
            Qt.Key.Key_Home: self._begin_again,
            Qt.Key.Key_Period: lambda: self._step_frames(1),
            Qt.Key.Key_Comma: lambda: self._step_frames(-1),
            Qt.Key.Key_Escape: self.escaped.emit,
            Qt.Key.Key_F11: self.full_screen_asked.emit,
        }
        return acts.get(key) or (action_of(self.scene.keys, event) if self.scene is not None else None)

    def _choose(self, number: int) -> None:
        """Choose in the scene; a number without a choice does nothing."""
        if self.scene is not None and number < len(self.scene.choices):
            self.scene.choices[number].click()

    def _on_answered(self) -> None:
        """Tell of it; show the scene that a question has for its answer, and say what belongs to the answer."""
        if self._data is None:
            return
        lesson, step, before = self._data.lesson, self._current, self._progress
        if step not in before.answered:
            self._progress = before.with_answer(step)
            self.answered.emit(lesson, step)
        now = lesson.steps[step]
        self._more.setText(now.more_once_answered or now.more)
        if now.answer_scene is not None:
            self._shown = now.answer_scene
            show_scene(self._shown, self._data, self._scenes.use)
            order_tabs(self, self.scene)
            self._show_play()

    def _show_answer(self) -> None:
        """Show what the step that was answered before has for its answer."""
        self._question.reveal()
        if isinstance(self.scene, RepairScene):
            self.scene.reveal()

    def _begin_again(self) -> None:
        """Show the first step, and ask every question afresh."""
        self._progress = replace(self._progress, answered=())
        self.go(0)

    def _go_on(self) -> None:
        """The next step, or the next lesson behind the last one."""
        if self._current < self.steps - 1:
            self.go(self._current + 1)
        else:
            self._ask_following()

    def _enter(self) -> None:
        """What Enter does wherever the focus is: it presses the first button of the last step, else it goes on."""
        first = self.scene.first_focus if self.scene is not None else None
        if isinstance(first, QAbstractButton):
            first.click()
        else:
            self._go_on()

    def _ask_following(self) -> None:
        following = self._end.following
        if self._data is not None and following is not None:
            self._went_on = self._data.lesson.id, following.id
            self.lesson_asked.emit(following.id)

    @property
    def _lesson_before(self) -> str:
        """The lesson whose end led to this one; "" where a reader came another way."""
        before, following = self._went_on
        return before if self._data is not None and self._data.lesson.id == following else ""

    def _go_back(self) -> None:
        """The step before; at the first one, the end of the lesson that led here: one step too many is undone."""
        if self._current:  # the first step stays as it is, and does not begin again
            self.go(self._current - 1)
        elif self._lesson_before:
            self.end_asked.emit(self._lesson_before)

    def _toggle(self) -> None:
        if self.scene is not None:
            self.scene.toggle()

    def _step_frames(self, frames: int) -> None:
        if self.scene is not None:
            self.scene.step(frames)

    def _prepare(self, scene: LessonScene) -> None:
        """A scene is there that was not before: hear it, and give it frames ahead of their step."""
        scene.playing_changed.connect(lambda _: self._show_play())
        scene.answered.connect(self._on_answered)
        scene.failed.connect(self.failed)
        if isinstance(scene, PlayedScene):
            scene.player.prepare = partial(self._ahead.of, Repair if isinstance(scene, RepairScene) else Pictures)
        if isinstance(scene, AttemptScene):
            scene.run_asked.connect(lambda: self.run_asked.emit(self.lesson))
            scene.record_asked.connect(lambda: self.record_asked.emit(self.lesson))
            scene.overview_asked.connect(self.left)
            scene.step_asked.connect(self.go)
            scene.next_asked.connect(lambda: self._ask_following())

    def _show_play(self) -> None:
        scene = self.scene
        self._play.setVisible(scene is not None and scene.can_play)
        self._play.setText(PAUSE if scene is not None and scene.is_playing else PLAY)
        self._words.updateGeometry()  # beside another row of buttons the words may need another height

    def _connect(self) -> None:
        self._back.clicked.connect(lambda: self._go_back())
        self._next.clicked.connect(lambda: self._go_on())
        self._restart.clicked.connect(lambda: self._begin_again())
        self._leave.clicked.connect(lambda: self.left.emit())
        self._large.clicked.connect(lambda: self.full_screen_asked.emit())
        self._play.clicked.connect(lambda: self._toggle())
        self._bar.chosen.connect(self.go)
        self._scenes.made.connect(self._prepare)
        self._question.answered.connect(self._on_answered)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(12)
        for widget in (self._number, self._title, self._bar):
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addStretch(1)
        for button in (self._large, self._restart, self._leave):
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 12, MARGIN, 16)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self._scenes, 1)
        column.addWidget(self._words)
