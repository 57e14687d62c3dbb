"""Runs the last step of a lesson and says beside the result what to know of it, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from gemmviz.catalogue.lessons import Lesson
from gemmviz.catalogue.presets import Preset
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.charts.timing_chart import TimingView
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.lessons.attempt_preset import preset_of_attempt
from gemmviz.gui.control.lessons.lesson_results import LessonResults
from gemmviz.gui.control.lessons.lesson_session import LessonSession
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.session_control import SessionControl
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.lessons.attempt_result import result_words
from gemmviz.gui.lessons.attempt_words import (
    attempt_head,
    attempt_words,
    back_words,
    figure_words,
    mended_words,
    newest_recordings,
    next_to_record,
    not_recorded_words,
    not_started_words,
    recorded_words,
    recording_words,
    result_cause,
)
from gemmviz.gui.lessons.mending import achieved_words, is_mended
from gemmviz.gui.memory.memory_views import VIEW_BY_WORDS
from gemmviz.gui.notices.notice import HAZARDS, NoticeAction, NoticeKind
from gemmviz.gui.recording.outcome import outcome_of
from gemmviz.gui.tasks.deferred import deferred

CAUSE = "lesson"
"""The cause of the message that a lesson's work goes on, or did not begin."""


class AttemptControl(QObject):
    """From the last step of a lesson through its run, and the recordings that may follow, back to the lesson."""

    asked = Signal(object, str)
    """The Preset to set up and run, and the page that shows what comes of it."""
    compared_changed = Signal()
    """The charts are to compare other results of the session."""
    set_up_asked = Signal(object)
    """The Preset to set up, without running it."""
    exercise_done = Signal(object)
    """The Lesson whose last step was done: its kernels ran or were recorded, or its kernel is mended."""
    recordings_asked = Signal(object)
    """The TraceRuns of a lesson of which one is to be in view."""
    back_asked = Signal(object)
    """The Lesson whose last step is to be shown again."""

    def __init__(self, parts: Parts, layout: WindowLayout, actions: Actions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory_page, self._timing, self._notices = parts.memory_page, parts.timing, parts.notices
        self._layout, self._actions, self._editor = layout, actions, parts.editor
        self._document: SessionDocument | None = None
        self._apart: LessonSession | None = None
        self._results_of = LessonResults(parts.pages, layout.strips)
        self._is_busy = False
        self._attempted: Lesson | None = None
        self._recording = ""
        """The kernel that is recorded after the run of the lesson that is attempted; "" for the run itself."""
        self._records_all = False
        """Whether the next kernel is recorded without being asked for, once one is."""
        self._next_later = deferred(self, self._record_next)
        self._followed: Lesson | None = None
        """The lesson whose run is over, and whose kernels may be recorded."""
        self._runs_before = 0
        self._traces_before: tuple[TraceRun, ...] = ()
        self._to_mend: tuple[str, Lesson] | None = None
        """The kernel that a reader is to mend, and the lesson that says so, until a session is opened."""
        self._before_mending: tuple[TraceRun, ...] = ()
        self._is_mended = False
        self._results: set[str] = set()
        """The causes of the messages with results."""
        self.measured: dict[str, str] = {}
        """What the reader measured or recorded in each lesson, as a sentence, by its id."""

    def connect_window(self, busy: SignalInstance, files: SessionControl) -> None:
        """Follow what runs, and what comes into the session."""
        document = files.document
        self._apart, self._document = LessonSession(files, self._notices), document
        for forget in (self.forget, self._drop_results, self.forget_mending):
            document.replaced.connect(forget)
        document.changed.connect(self._on_session)
        busy.connect(self._on_busy)

    def run(self, lesson: Lesson, kernels: tuple[str, ...]) -> None:
        """Set up the last step of a lesson, of these kernels, and start it, in a session that lessons began."""
        self._once_apart(lesson, partial(self._run, lesson, kernels))

    def once_allowed(self, lesson: Lesson, work: Callable[[], None]) -> None:
        """Begin the last step of a lesson once unsaved work is safe or given up: asked while the lesson is in sight."""
        if self._apart is None or self._is_busy:
            work()
        else:
            self._apart.once_allowed(lesson, work)

    def _once_apart(self, lesson: Lesson, work: Callable[[], None]) -> None:
        """Do a lesson's work in a session that lessons began."""
        if self._apart is None or self._is_busy:
            work()
        else:
            self._apart.once_apart(lesson, work)

    def _run(self, lesson: Lesson, kernels: tuple[str, ...]) -> None:
        self._compare_only(lesson)
        self._layout.show_tab(lesson.attempt.page)
        self._memory_page.show_animation()  # the text speaks of the picture, or of times
        self._timing.set_view(TimingView.KERNEL)
        self._runs_before, self._traces_before = len(self.runs), self._traces
        self._records_all = False
        if lesson.attempt.file:
            self._to_mend, self._is_mended, self._before_mending = (kernels[0], lesson), False, self._traces
        has_begun = self._start(lesson, preset_of_attempt(lesson, kernels), lesson.attempt.page)
        self._results_of.stand_alone(lesson)  # once an editor of another kernel has given way to the source
        words = attempt_head(lesson, is_over=False) if has_begun else not_started_words(lesson)
        self._tell(lesson, words, is_result=False)

    def record_all(self, lesson: Lesson) -> None:
        """Record the kernels of a lesson's last step by turns, in a session of lessons, and open what compares them."""
        self._once_apart(lesson, partial(self._record_all, lesson))

    def _record_all(self, lesson: Lesson) -> None:
        self._compare_only(lesson)
        self._runs_before, self._traces_before = len(self.runs), self._traces
        self._followed, self._records_all = lesson, True
        self._record(lesson, lesson.attempt.kernels[0])
        self._results_of.stand_alone(lesson)

    def _compare_only(self, lesson: Lesson) -> None:
        """Leave what other lessons ran out of the charts."""
        if self._document is not None:
            self._results_of.begin(lesson.id, self._document.session)
            self.compared_changed.emit()

    def compare_all(self) -> None:
        """The charts compare the results of all lessons again."""
        if self._document is not None and self._results_of.end(self._document.session):
            self.compared_changed.emit()

    def _record_next(self) -> None:
        """Go on with the first kernel that is not recorded."""
        if self._followed is not None and self._records_all:
            recorded = newest_recordings(self._followed, self._traces, self._traces_before)
            kernel, _ = next_to_record(self._followed, tuple(recorded))
            self._results_of.keep_alone(partial(self._record, self._followed, kernel))  # else the source would show

    @property
    def results_of(self) -> LessonResults:
        """Which results belong to which lesson, and what was found in them."""
        return self._results_of

    def withdraw_praise_of(self, kernel_id: str) -> None:
        """What was found in the text of a kernel before is not said of the text that was read now."""
        if self._to_mend is not None and self._to_mend[0] == kernel_id:
            self._withdraw_praise()

    def choose_kernel(self, kernel_id: str) -> None:
        """Another kernel may be chosen, of which the praise says nothing."""
        if self._to_mend is not None and self._to_mend[0] != kernel_id:
            self._withdraw_praise()

    @Slot()
    def forget(self) -> None:
        """The run of a lesson is not of the session that is shown any more."""
        self._attempted = self._followed = None
        self._records_all = False
        self.step_back()

    @Slot()
    def forget_mending(self) -> None:
        """What is shown is not the kernel of a lesson any more."""
        self._to_mend, self._is_mended = None, False

    @property
    def runs(self) -> tuple[RunResult, ...]:
        """The runs of the session that is open."""
        return self._document.session.runs if self._document is not None else ()

    @property
    def _traces(self) -> tuple[TraceRun, ...]:
        return self._document.session.traces if self._document is not None else ()

    def _start(self, lesson: Lesson, preset: Preset, page: str, recording: str = "") -> bool:
        """Start what a lesson sets up; whether it has begun."""
        was_busy = self._is_busy
        self.asked.emit(preset, page)
        if was_busy or not self._is_busy:
            return False
        self._attempted, self._recording = lesson, recording
        return True

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:
        """While something goes on, its progress needs the room that the words would take; what begins is not a
        lesson's until the lesson says that it is its own.
        """
        self._is_busy = busy
        if busy:
            self._attempted = None
            self._results_of.hide_verdicts()
            self.step_back()
            return
        lesson, self._attempted = self._attempted, None
        self._tell_end(lesson)
        self.come_back()

    def _tell_end(self, lesson: Lesson | None) -> None:
        """What is over was the work of a lesson, or of none."""
        if lesson is None:
            self._go_on_with(self._followed)
        elif self._recording:
            self._go_on_with(lesson, self._recording)
        elif lesson.attempt.page == TABS[0] and self._traces == self._traces_before:
            self._tell(lesson, not_recorded_words(lesson), is_result=False)
        else:
            self._tell_result(lesson)

    def _tell_result(self, lesson: Lesson) -> None:
        runs = self.runs[self._runs_before :]
        kernels = lesson.attempt.kernels
        if measured := result_words(runs, kernels):
            self._keep_measured(lesson, f"You measured: {result_words(runs, kernels, with_doubts=True)}.")
            self._results_of.show_verdict(lesson, measured)
        elif new := [trace for trace in self._traces if all(trace is not old for old in self._traces_before)]:
            self._keep_measured(lesson, f"You recorded: {outcome_of(new[-1])}")
        self._followed, self._runs_before = lesson, len(self.runs)
        offers = self._offers(lesson, ())
        if ran := tuple(dict.fromkeys(run.spec.kernel for run in runs)):
            offers.append(NoticeAction("Run again", partial(self.run, lesson, ran), "Time the same kernels once more"))
        self._tell(lesson, attempt_words(lesson, runs), offers)

    def _keep_measured(self, lesson: Lesson, words: str) -> None:
        """Keep what a reader measured; that is the whole exercise, unless a kernel is to be mended."""
        self.measured[lesson.id] = words
        if not lesson.attempt.file:
            self.exercise_done.emit(lesson)

    def _go_on_with(self, lesson: Lesson | None, asked: str = "") -> None:
        """After anything that ran: say what is left to record, where that recorded a kernel of the lesson; `asked` is
        the kernel that a button of it recorded.
        """
        sequel = lesson.attempt.sequel if lesson is not None else None
        if lesson is None or sequel is None or not sequel.records or len(self.runs) != self._runs_before:
            self._followed = None
            return
        recordings = newest_recordings(lesson, self._traces, self._traces_before)
        recorded = tuple(recordings)
        is_in_view, is_complete = bool(self._layout.tab), len(recorded) == len(lesson.attempt.kernels)
        if self._records_all and asked in recorded and is_in_view and not is_complete:
            self._next_later.start()  # once everybody knows that this one is over
            return
        if self._records_all and asked in recorded and is_complete:
            found = figure_words(sequel, recordings) or listed(recorded)
            said = f"You recorded: {found}.", sequel.because, sequel.aside
            self._keep_measured(lesson, " ".join(filter(None, said)))
            self._results_of.show_verdict(lesson, found, sequel.view, sequel.because)
            if is_in_view:  # else a lesson, or the first page, is read: it stays
                self._show(lesson, sequel.view)
                self._results_of.stand_alone_late(lesson)
        self._records_all = False
        if asked and asked not in recorded:
            self._tell(lesson, not_recorded_words(lesson, asked), self._offers(lesson, recorded), is_result=False)
        elif recorded:
            self._tell(lesson, recorded_words(lesson, sequel, recorded, recordings), self._offers(lesson, recorded))

    def _offers(self, lesson: Lesson, recorded: tuple[str, ...]) -> list[NoticeAction]:
        """What a reader may do next: record what is left, open what shows it, edit the kernel."""
        sequel, offers = lesson.attempt.sequel, []
        if sequel is None:
            return []
        kernel, words = next_to_record(lesson, recorded) if sequel.records else ("", "")
        if kernel:
            record, tip = partial(self._record, lesson, kernel), f"Record the memory accesses of {kernel}, to compare"
            offers.append(NoticeAction(words, record, tip))
        if sequel.edit_line:
            edit = partial(self._edit, sequel.edit_line)
            offers.append(NoticeAction("Edit the kernel", edit, "Open the kernel in the editor", keeps=True))
        if recorded or not sequel.records:
            show, is_there = partial(self._show, lesson, sequel.view), partial(self._is_in_front, sequel.view)
            offers.append(NoticeAction(f"Open {sequel.view}", show, f"Show {sequel.view}", True, is_there))
        return offers

    def _is_in_front(self, view: str) -> bool:
        """Whether a page, or a part of the page of memory, is what the window shows."""
        if view in VIEW_BY_WORDS:
            return self._layout.tab == TABS[0] and self._memory_page.view_in_front == VIEW_BY_WORDS[view]
        return self._layout.tab == view

    def _record(self, lesson: Lesson, kernel: str) -> None:
        """Record one kernel of a lesson; the others stay ticked, to be compared with it."""
        others = tuple(each for each in lesson.attempt.kernels if each != kernel)
        self._layout.show_tab(TABS[0])
        self._memory_page.show_animation()
        has_begun = self._start(lesson, preset_of_attempt(lesson, (kernel, *others)), TABS[0], kernel)
        self._records_all &= has_begun
        words = recording_words(lesson, kernel) if has_begun else not_started_words(lesson, records=True)
        self._tell(lesson, words, is_result=False)

    def _edit(self, line: int) -> None:
        """Open the kernel in the editor, at the line that the lesson speaks of; another one may be chosen by now."""
        if self._to_mend is not None:
            kernel, lesson = self._to_mend
            self.set_up_asked.emit(preset_of_attempt(lesson, (kernel,)))
        self._actions["editKernelAction"].trigger()
        if self._to_mend is not None and Path(self._editor.file_name).stem == self._to_mend[0]:
            self._editor.edit.go_to(line)

    def _show(self, lesson: Lesson, view: str) -> None:
        """Open a page, or a part of the page of memory with what the lesson recorded: another kernel may be chosen by
        now, and another recording in view.
        """
        if view in VIEW_BY_WORDS:
            self._layout.show_tab(TABS[0])
            recorded = tuple(newest_recordings(lesson, self._traces, self._traces_before).values())
            if self._to_mend is not None and self._to_mend[1] == lesson:
                self.set_up_asked.emit(preset_of_attempt(lesson, self._to_mend[:1]))
                recorded = tuple(each for each in self._traces if each.spec.kernel == self._to_mend[0])[-1:]
            self.recordings_asked.emit(recorded)
            self._memory_page.show_view(VIEW_BY_WORDS[view])
        else:
            self._results_of.keep_alone(partial(self._layout.show_tab, view))

    @Slot()
    def _on_session(self) -> None:
        """Praise a reader who has mended the kernel, by Record or in the editor; its message has been followed. The
        praise goes once the newest recording is of a text that is not mended.
        """
        if self._to_mend is None or self._document is None:
            return
        kernel, lesson = self._to_mend
        if not is_mended(self._document.session, kernel, self._before_mending):
            if self._is_mended:
                spoilt = next(trace for trace in reversed(self._traces) if trace.spec.kernel == kernel)
                self.measured[lesson.id] = f"You recorded: {outcome_of(spoilt)}"
            self._withdraw_praise()
        elif not self._is_mended:
            self._attempted, self._is_mended = None, True
            if not self._is_busy:  # the editor found it: the message of the last recording is not true any more
                self._notices.settle(HAZARDS)
            if achieved := achieved_words(self._document.session, kernel):
                self.measured[lesson.id] = achieved
            self.exercise_done.emit(lesson)
            self._tell(lesson, mended_words(lesson, kernel))

    def _withdraw_praise(self) -> None:
        """Recordings that are there by now are no reason to praise again."""
        if self._is_mended and self._to_mend is not None:
            self._is_mended, self._before_mending = False, self._traces
            self._notices.settle(result_cause(self._to_mend[1]))

    def come_back(self) -> None:
        """Say again what is left to do in the lesson that was run last, where nothing else has the room."""
        if self._followed is not None and not self._is_busy and self._layout.tab:
            self._notices.come_back()

    def step_back(self) -> None:
        """Something else has the room: what was found can be read behind the button; what is under way is told once it
        has ended.
        """
        self._notices.settle(CAUSE)
        for cause in self._results:
            self._notices.step_back(cause)

    @Slot()
    def _drop_results(self) -> None:
        """What was found is not in the session that is shown."""
        self._results_of.hide_verdicts()
        for cause in self._results:
            self._notices.settle(cause)
        self._results.clear()

    def _tell(
        self, lesson: Lesson, words: str, offers: list[NoticeAction] | None = None, *, is_result: bool = True
    ) -> None:
        """Say something beside the work of a lesson; a result stays when another lesson opens."""
        go_back, tip = partial(self.back_asked.emit, lesson), "Show the last step again"
        back = NoticeAction(back_words(lesson), go_back, tip, keeps=is_result)  # first, so that it is always there
        cause = result_cause(lesson) if is_result else CAUSE
        if is_result:
            self._notices.settle(CAUSE)
            self._results.add(cause)
        self._notices.show_notice(NoticeKind.HINT, words, actions=(back, *(offers or ())), cause=cause)
