"""Opens lessons: reads their files off the window's thread, keeps the page at them, and has their last step run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance, Slot

from gemmviz.catalogue.lessons import Lesson
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.commands.entries import Entry, lesson_entries
from gemmviz.gui.control.editor_control import EditorControl
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.lessons.attempt_control import AttemptControl
from gemmviz.gui.control.lessons.lesson_work import LessonWork
from gemmviz.gui.control.lessons.run_here import run_here
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.files.file_notices import CLOSED, COPY, EXAMPLE
from gemmviz.gui.files.session_control import SessionControl
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.lessons.attempt_words import back_words
from gemmviz.gui.lessons.full_screen import FullScreen
from gemmviz.gui.lessons.kernel_copy import save_copy
from gemmviz.gui.lessons.lesson_data import LessonData, read_lesson_data
from gemmviz.gui.lessons.shown_step import LessonEnd, RunHere
from gemmviz.gui.notices.notice import BUSY, REFUSED, NoticeKind
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.presentation.picture_screen import PictureScreen
from gemmviz.gui.tasks.background import Background
from gemmviz.gui.tasks.deferred import deferred

EXPORTS = "exportViewAction", "exportAction", "handoutAction"
"""Commands of the menus that a lesson has, too."""


class LessonControl(QObject):
    """Between the first page, the lesson page and the window."""

    kernel_asked = Signal(object)
    """The paths of kernel files that are to be taken in; `take_kernel` runs what comes of them."""
    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""
    slide_asked = Signal(str, str)
    """A title and words that are to be shown alone on the whole screen."""

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
        self._page.addActions([actions[name] for name in EXPORTS])  # their keys work also where the menus are hidden
        self._layout, self._notices, self._pages = layout, parts.notices, parts.pages
        layout.tabs.currentChanged.connect(parts.notices.review)
        parts.memory_page.turned.connect(parts.notices.review)
        self._present_later = deferred(self, actions["presentAction"].trigger)
        self._tell_later = deferred(self, self._tell_slide)
        self._full_screen = FullScreen(layout.window)
        self._full_screen.changed.connect(self._page.fit_window)
        actions["fullScreenAction"].triggered.connect(self.toggle_full_screen)
        layout.window.addAction(actions["fullScreenAction"])  # its key works also where the menus are hidden
        self._read: dict[str, LessonData] = {}
        self._background = Background(self, threads=1)
        self._wanted = ""
        self.opens = ""
        """The lesson that is being read, as the subject of a sentence; "" for none."""
        self._saved: tuple[Path, Lesson] | None = None
        self._set_up: ExperimentControl | None = None
        self.attempts = AttemptControl(parts, layout, actions, self)
        self._work = LessonWork(self._page, layout, self._full_screen, self)
        self.attempts.asked.connect(self._work.ask)
        self._work.cancelled.connect(self._on_cancelled)
        self.attempts.back_asked.connect(self._go_back_to)
        self.attempts.exercise_done.connect(self._on_exercise_done)
        layout.centre.currentChanged.connect(self._on_page_changed)
        parts.first_page.lesson_asked.connect(self.open)
        for lesson in self.lessons:
            self._show_progress(lesson)
        self._page.step_shown.connect(self._on_step)
        self._page.answered.connect(self._on_answered)
        self._page.left.connect(self.leave)
        self._page.escaped.connect(self._on_escape)
        self._page.lesson_asked.connect(self.open)
        self._page.end_asked.connect(lambda lesson_id: self._go_back_to(self._read[lesson_id].lesson))
        self._page.run_asked.connect(self._on_run)
        self._page.record_asked.connect(self._on_record)
        self._page.full_screen_asked.connect(self.toggle_full_screen)
        self._page.failed.connect(lambda words: self.notified.emit(NoticeKind.ERROR, words, ""))

    def connect_window(
        self, ended: SignalInstance, motion_reduced: SignalInstance, busy: SignalInstance, files: SessionControl
    ) -> None:
        """Stop with the window, move as little as it does, and say what to know of a run once it is over."""
        self.attempts.connect_window(busy, files)
        busy.connect(self._present_result)  # once the attempts know what came of it
        ended.connect(self._on_end)
        files.document.replaced.connect(self._leave_settings)
        motion_reduced.connect(self._page.set_reduced_motion)

    def connect_kernels(self, set_up: ExperimentControl, run: RunControl, editor: EditorControl) -> None:
        """Have the kernel file of a lesson taken in, and go on once it is; praise no other kernel for being mended;
        know where kernels run, and how long. What a person has set up comes back when a lesson is left, and the editor
        with another kernel makes room for the source of the one that runs.
        """

        def here(lesson: Lesson) -> RunHere:
            now = set_up.experiment
            return run_here(lesson, now, set_up.catalogue, run.devices, run.device_of(now), self.attempts.runs)

        self._page.run_here = here
        self._work.connect_run(run)
        self._set_up = set_up
        self.attempts.set_up_asked.connect(set_up.use_for_lesson)
        self.attempts.asked.connect(lambda *_: None if editor.is_modified else editor.leave())
        self.kernel_asked.connect(set_up.add_kernels)
        set_up.file_taken.connect(self.take_kernel)
        set_up.changed.connect(lambda: self.attempts.choose_kernel(set_up.kernel.id))

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

    @Slot(bool)
    def _present_result(self, busy: bool) -> None:
        """Present the chart that a lesson's last step has filled, or what it has found where there is no chart of that,
        where the lesson had the whole screen: what is read from afar stays so.
        """
        if busy or not self._full_screen.is_on:
            return
        if self._has_verdict:
            self._present_later.start()
        elif self._layout.tab and self.attempts.results_of.slide is not None:
            self._tell_later.start()

    @Slot()
    def _tell_slide(self) -> None:
        """Show what a lesson has found on a slide of words, unless something else was begun meanwhile."""
        if (slide := self.attempts.results_of.slide) is not None:
            self.slide_asked.emit(*slide)

    @property
    def _has_verdict(self) -> bool:
        """Whether the chart in front says what the exercise of a lesson has shown."""
        chart = self._pages.in_front(self._layout.tab)
        return chart is not None and bool(chart.lesson_verdict)

    @Slot(str)
    def _on_cancelled(self, lesson_id: str) -> None:
        """Work that was cancelled on the whole screen and has shown nothing leads back to the step that began it."""
        if not self._has_verdict:
            self._go_back_to(self._read[lesson_id].lesson)

    @Slot(object)
    def offer_way_back(self, screen: PictureScreen) -> None:
        """Give a chart on the whole screen a key that leads back to the lesson whose verdict stands above a chart."""
        lesson = self.attempts.results_of.concluded
        if lesson is None:
            screen.set_way_back("", None)
        else:
            screen.set_way_back(back_words(lesson), partial(self._go_back_to, lesson))

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
        for cause in (EXAMPLE, COPY, CLOSED, REFUSED, BUSY):  # which are not about a lesson
            self._notices.settle(cause)
        self.attempts.step_back()
        self._notices.fold()
        self._layout.show_lesson()
        self._full_screen.hide_bars()
        progress = self._memory.lesson_progress(data.lesson)
        measured = self.attempts.measured.get(data.lesson.id, "")
        left = tuple(each.number for each in self.lessons if each != data.lesson and not self._is_done(each))
        self._page.show_lesson(data, LessonEnd(following, measured, left), progress.step, progress)

    @Slot(object, int)
    def _on_step(self, lesson: Lesson, step: int) -> None:
        self._memory.use_lesson(lesson, step)
        self._show_progress(lesson)

    @Slot(object, int)
    def _on_answered(self, lesson: Lesson, step: int) -> None:
        self._memory.answer_question(lesson, step)
        self._show_progress(lesson)

    @Slot(object)
    def _on_exercise_done(self, lesson: Lesson) -> None:
        self._memory.finish_exercise(lesson)
        self._show_progress(lesson)

    def _is_done(self, lesson: Lesson) -> bool:
        return self._memory.lesson_progress(lesson).is_done

    def _show_progress(self, lesson: Lesson) -> None:
        self._first_page.show_progress(lesson.id, self._memory.lesson_progress(lesson))

    @Slot(object)
    def _on_run(self, lesson: Lesson) -> None:
        """Run the last step, once unsaved work is safe: asked while the lesson has the screen."""
        self.attempts.once_allowed(lesson, partial(self._run, lesson))

    def _run(self, lesson: Lesson) -> None:
        """Run the last step; where it is of a file, once a copy of that is saved and taken in."""
        self._keep_settings()
        if not lesson.attempt.file:
            self._attempt(lesson, lesson.attempt.kernels)
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
        self.attempts.withdraw_praise_of(kernel_id)
        saved = self._saved
        if saved is not None and saved[0] == Path(path):
            self._saved = None
            self._attempt(saved[1], (kernel_id,))

    @Slot(object)
    def _on_record(self, lesson: Lesson) -> None:
        """Record the kernels of the last step, and compare them, once unsaved work is safe."""
        self.attempts.once_allowed(lesson, partial(self._record, lesson))

    def _record(self, lesson: Lesson) -> None:
        self._keep_settings()
        self.stop()
        self.attempts.record_all(lesson)

    def _keep_settings(self) -> None:
        if self._set_up is not None:
            self._set_up.keep_own()

    @Slot()
    def _leave_settings(self) -> None:
        """A lesson is left: what a person has set up comes back, and the charts compare all results again."""
        self.attempts.compare_all()
        if self._set_up is not None:
            self._set_up.bring_own_back()

    def _attempt(self, lesson: Lesson, kernels: tuple[str, ...]) -> None:
        self.stop()
        self.attempts.run(lesson, kernels)

    def _on_page_changed(self) -> None:
        """Another page has come to the front: the lesson is over, and where lessons are, messages step back; in a
        lesson nothing says how many there are.
        """
        self._notices.set_quiet(self._layout.centre.currentWidget() is self._page)
        if self._layout.centre.currentIndex() != 1:
            self._notices.fold()
            self._leave_settings()
        else:
            self.attempts.come_back()
        if self._page.lesson is not None and self._layout.centre.currentWidget() is not self._page:
            self.stop()

    @Slot(object)
    def _go_back_to(self, lesson: Lesson) -> None:
        self._show(self._read[lesson.id])
        self._page.go(self._page.steps)
