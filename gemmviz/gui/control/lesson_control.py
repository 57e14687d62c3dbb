"""Opens lessons: reads their files off the window's thread, keeps the page at them, and runs their last step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance, Slot

from gemmviz.catalogue.lessons import Lesson, LessonAttempt
from gemmviz.catalogue.presets import Preset
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.charts.timing_chart import TimingView
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.commands.entries import Entry, lesson_entries
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.file_notices import COPY, EXAMPLE
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.lessons.attempt_result import result_words
from gemmviz.gui.lessons.full_screen import FullScreen
from gemmviz.gui.lessons.kernel_copy import save_copy
from gemmviz.gui.lessons.lesson_data import LessonData, read_lesson_data
from gemmviz.gui.lessons.mending import is_mended
from gemmviz.gui.notices.notice import BUSY, HAZARDS, REFUSED, NoticeAction, NoticeKind
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.tasks.background import Background

CAUSE = "lesson"
"""The cause of the message that leads back to a lesson."""


class LessonControl(QObject):
    """Between the first page, the lesson page and the window."""

    attempt_asked = Signal(object, str)
    """The Preset to set up and run, and the page that shows what comes of it."""
    kernel_asked = Signal(object)
    """The paths of kernel files that are to be taken in; `take_kernel` runs what comes of them."""
    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""

    def __init__(
        self,
        lessons: Sequence[Lesson],
        parts: Parts,
        layout: WindowLayout,
        memory: Preferences,
        actions: Actions,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.lessons, self._memory = tuple(lessons), memory
        self._page, self._first_page = parts.lesson_page, parts.first_page
        self._memory_page, self._timing = parts.memory_page, parts.timing
        self._layout, self._notices = layout, parts.notices
        self._full_screen = FullScreen(layout.window)
        actions["fullScreenAction"].triggered.connect(self.toggle_full_screen)
        layout.window.addAction(actions["fullScreenAction"])  # its key works also where the menus are hidden
        self._read: dict[str, LessonData] = {}
        self._background = Background(self, threads=1)
        self._wanted = ""
        self.opens = ""
        """The lesson that is being read, as the subject of a sentence; "" for none."""
        self._attempted: Lesson | None = None
        self._saved: tuple[Path, Lesson] | None = None
        self._document: SessionDocument | None = None
        self._runs_before = 0
        self._measured: dict[str, str] = {}
        self._to_mend: tuple[str, Lesson] | None = None
        self._is_mended = False
        self._traces_before: tuple[TraceRun, ...] = ()
        self._is_busy = False
        layout.centre.currentChanged.connect(self._on_page_changed)
        parts.first_page.lesson_asked.connect(self.open)
        for lesson in self.lessons:
            self._show_progress(lesson)
        self._page.step_shown.connect(self._on_step)
        self._page.answered.connect(self._on_answered)
        self._page.left.connect(self.leave)
        self._page.escaped.connect(self._on_escape)
        self._page.lesson_asked.connect(self.open)
        self._page.run_asked.connect(self._on_run)
        self._page.full_screen_asked.connect(self.toggle_full_screen)
        self._page.failed.connect(lambda words: self.notified.emit(NoticeKind.ERROR, words, ""))

    def connect_window(
        self, ended: SignalInstance, motion_reduced: SignalInstance, busy: SignalInstance, document: SessionDocument
    ) -> None:
        """Stop with the window, move as little as it does, and say what to know of a run once it is over."""
        self._document = document
        document.replaced.connect(self._forget_attempt)
        document.replaced.connect(self._forget_mending)
        document.changed.connect(self._on_session)
        ended.connect(self._on_end)
        motion_reduced.connect(self._page.set_reduced_motion)
        busy.connect(self._on_busy)

    def connect_kernels(self, set_up: ExperimentControl) -> None:
        """Have the kernel file of a lesson taken in, and go on once it is; praise no other kernel for being mended."""
        self.kernel_asked.connect(set_up.add_kernels)
        set_up.file_taken.connect(self.take_kernel)
        set_up.changed.connect(lambda: self._on_kernel(set_up.kernel.id))

    def entries(self) -> list[Entry]:
        """The lessons, for the command palette."""
        return lesson_entries(self.lessons, self.open)

    @Slot(str)
    def open(self, lesson_id: str) -> None:
        """Show a lesson, at the step at which it was left; an id that is not there is left alone."""
        lesson = next((each for each in self.lessons if each.id == lesson_id), None)
        if lesson is None:
            return
        self._wanted = lesson_id
        if lesson_id in self._read:
            self._show(self._read[lesson_id])
        else:
            self._show_opening(lesson_id)
            self._background.start(lambda: read_lesson_data(lesson), self._on_read, self._on_failed)

    @Slot()
    def leave(self) -> None:
        """Stop any lesson and go back to where lessons are chosen."""
        self.stop()
        self._layout.show_first_page()
        self._first_page.show_lessons()

    @Slot()
    def toggle_full_screen(self) -> None:
        """Take the whole screen, a lesson without the parts of the window around it, or give the screen back."""
        if self._full_screen.is_on:
            self._full_screen.leave()
            return
        self._full_screen.enter()
        if self._page.lesson is not None:
            self._full_screen.hide_bars()

    @Slot()
    def _on_escape(self) -> None:
        """Esc leaves one thing at a time."""
        if self._full_screen.is_on:
            self._full_screen.leave()
        else:
            self.leave()

    def stop(self) -> None:
        """Nothing plays any more; a window on the whole screen stays there, with its menus."""
        self._wanted, self._saved = "", None
        self._show_opening("")
        self._background.cancel_all()
        self._page.stop()
        self._full_screen.show_bars()

    @Slot()
    def _on_end(self) -> None:
        """The window ends: it is remembered as a window, not as a whole screen."""
        self.stop()
        self._full_screen.leave()

    def _on_read(self, data: LessonData) -> None:
        self._read[data.lesson.id] = data
        if self._wanted == data.lesson.id:
            self._show(data)

    def _on_failed(self, error: Exception) -> None:
        self._show_opening("")
        self.notified.emit(NoticeKind.ERROR, f"The lesson cannot be opened: {error}", "")

    def _show_opening(self, lesson_id: str) -> None:
        """Say at once that a lesson is being read; "" once it is."""
        self.opens = next((f"The lesson “{each.title}”" for each in self.lessons if each.id == lesson_id), "")
        self._first_page.show_opening(lesson_id)
        window = self._layout.window
        window.setCursor(Qt.CursorShape.BusyCursor) if lesson_id else window.unsetCursor()

    def _show(self, data: LessonData) -> None:
        self._show_opening("")
        place = self.lessons.index(data.lesson)
        following = self.lessons[place + 1] if place + 1 < len(self.lessons) else None
        for cause in (EXAMPLE, COPY, REFUSED, BUSY):  # which are not about a lesson
            self._notices.settle(cause)
        self._forget_attempt()
        self._forget_mending()
        self._notices.fold()
        self._layout.show_lesson()
        self._full_screen.hide_bars()
        progress = self._memory.lesson_progress(data.lesson)
        measured = self._measured.get(data.lesson.id, "")
        self._page.show_lesson(data, following, progress.step, progress.open_questions, measured)

    @Slot(object, int)
    def _on_step(self, lesson: Lesson, step: int) -> None:
        self._memory.use_lesson(lesson, step)
        self._show_progress(lesson)

    @Slot(object, int)
    def _on_answered(self, lesson: Lesson, step: int) -> None:
        self._memory.answer_question(lesson, step)
        self._show_progress(lesson)

    def _show_progress(self, lesson: Lesson) -> None:
        self._first_page.show_progress(lesson.id, self._memory.lesson_progress(lesson))

    @Slot(object)
    def _on_run(self, lesson: Lesson) -> None:
        """Run the last step; where it is of a file, once a copy of that is saved and taken in."""
        if not lesson.attempt.file:
            self._run(lesson, lesson.attempt.kernels)
            return
        try:
            path = save_copy(self._page.window(), lesson.attempt.file_path, self._memory.folder("open"))
        except OSError as error:
            self.notified.emit(NoticeKind.ERROR, str(error), "")
            return
        if path is not None:
            self._saved = path, lesson
            self.kernel_asked.emit((path,))

    @Slot(str, str)
    def take_kernel(self, path: str, kernel_id: str) -> None:
        """Run the last step of the lesson whose file was taken in; what was found in a text before is withdrawn."""
        if self._to_mend is not None and self._to_mend[0] == kernel_id:
            self._withdraw_praise()
        saved = self._saved
        if saved is not None and saved[0] == Path(path):
            self._saved = None
            self._run(saved[1], (kernel_id,))

    def _run(self, lesson: Lesson, kernels: tuple[str, ...]) -> None:
        self.stop()
        self._layout.show_tab(lesson.attempt.page)
        self._memory_page.show_animation()  # the text speaks of the picture, or of times
        self._timing.set_view(TimingView.KERNEL)
        was_busy = self._is_busy
        session = self._document.session if self._document is not None else None
        runs_before = len(session.runs) if session is not None else 0
        self._traces_before = session.traces if session is not None else ()
        self._to_mend, self._is_mended = ((kernels[0], lesson) if lesson.attempt.file else None), False
        self.attempt_asked.emit(preset_of(lesson, kernels), lesson.attempt.page)
        if was_busy or not self._is_busy:
            self._tell_attempt(lesson, not_started_words(lesson))
            return
        self._attempted, self._runs_before = lesson, runs_before
        self._tell_attempt(lesson, attempt_head(lesson, is_over=False))

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:
        """While a run goes on, its progress needs the room that the whole of the words would take; a run that begins
        is another one than a lesson's, until that lesson says that it is its own.
        """
        self._is_busy = busy
        lesson = self._attempted
        if busy:
            self._forget_attempt()
        elif lesson is not None:
            self._attempted = None
            session = self._document.session if self._document is not None else None
            runs = session.runs[self._runs_before :] if session is not None else ()
            is_recorded = session is not None and session.traces != self._traces_before
            if lesson.attempt.page == "Memory" and not is_recorded:
                self._tell_attempt(lesson, not_recorded_words(lesson))
            else:
                if measured := result_words(runs, lesson.attempt.kernels):
                    self._measured[lesson.id] = measured
                self._tell_attempt(lesson, attempt_words(lesson, runs))

    @Slot()
    def _on_session(self) -> None:
        """Praise a reader who has mended the kernel, by Record or in the editor; its message has been followed. The
        praise goes once the newest recording is of a text that is not mended.
        """
        if self._to_mend is None or self._document is None:
            return
        kernel, lesson = self._to_mend
        if not is_mended(self._document.session, kernel, self._traces_before):
            self._withdraw_praise()
        elif not self._is_mended:
            self._attempted, self._is_mended = None, True
            if not self._is_busy:  # the editor found it: the message of the last recording is not true any more
                self._notices.settle(HAZARDS)
            self._tell_attempt(lesson, mended_words(lesson, kernel))

    @Slot()
    def _forget_mending(self) -> None:
        """What is shown is not the kernel of a lesson any more."""
        self._to_mend, self._is_mended = None, False

    def _on_kernel(self, kernel: str) -> None:
        """Another kernel may be chosen, of which the praise says nothing."""
        if self._to_mend is not None and self._to_mend[0] != kernel:
            self._withdraw_praise()

    def _withdraw_praise(self) -> None:
        """Recordings that are there by now are no reason to praise again."""
        if self._is_mended:
            self._is_mended = False
            self._traces_before = self._document.session.traces if self._document is not None else ()
            self._notices.settle(CAUSE)

    @Slot()
    def _forget_attempt(self) -> None:
        """The run of a lesson is not what is shown any more."""
        self._attempted = None
        self._notices.settle(CAUSE)

    def _tell_attempt(self, lesson: Lesson, words: str) -> None:
        back = NoticeAction("Back to the lesson", partial(self._go_back_to, lesson), "Show the last step again")
        self._notices.show_notice(NoticeKind.HINT, words, actions=(back,), cause=CAUSE)

    def _on_page_changed(self) -> None:
        """Another page has come to the front: the lesson is over, and where lessons are, messages step back."""
        if self._layout.centre.currentIndex() != 1:
            self._notices.fold()
        if self._page.lesson is not None and self._layout.centre.currentWidget() is not self._page:
            self.stop()

    def _go_back_to(self, lesson: Lesson) -> None:
        self._show(self._read[lesson.id])
        self._page.go(self._page.steps)


def attempt_head(lesson: Lesson, *, is_over: bool = True) -> str:
    """What the page of a lesson's attempt shows, or will show once it `is_over`."""
    if lesson.attempt.page == "Memory":
        number = lesson.number
        return f"This is the recording of lesson {number}." if is_over else f"Recording the kernel of lesson {number} …"
    return f"This is the run of lesson {lesson.number}, with Quick on."


def not_started_words(lesson: Lesson) -> str:
    """What to do where something else runs, or nothing can run: another notice says which."""
    button = "Record" if lesson.attempt.page == "Memory" else "Run"
    return f"Lesson {lesson.number} is set up, but not started. Press {button} when the device is ready."


def not_recorded_words(lesson: Lesson) -> str:
    """What to do where the recording ended and there is nothing to see."""
    return f"The kernel of lesson {lesson.number} was not recorded. Press Record to record it."


def mended_words(lesson: Lesson, kernel: str) -> str:
    """What a reader hears who has mended the kernel of a lesson."""
    return f"Well done: the race is gone, and {kernel} has no hazard any more. Lesson {lesson.number} is complete."


def attempt_words(lesson: Lesson, runs: Sequence[RunResult] = ()) -> str:
    """The same with the result, which the `runs` just made are, and what to know of it."""
    attempt = lesson.attempt
    known = attempt.note or ("" if attempt.page == "Memory" else attempt.more)
    result = result_words(runs, attempt.kernels)
    return " ".join(filter(None, (attempt_head(lesson), f"Here {result}." if result else "", known)))


def preset_of(lesson: Lesson, kernels: tuple[str, ...]) -> Preset:
    """A lesson's last step, of these kernels, as something that can be set up and run."""
    attempt: LessonAttempt = lesson.attempt
    return Preset(
        id=lesson.id,
        title=lesson.title,
        shape=attempt.size,
        kernels=kernels,
        params=tuple(attempt.params.items()),
        fill=attempt.fill,
        origin=f"lesson {lesson.number}",
    )
