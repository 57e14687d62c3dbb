"""What a person starts: runs, sweeps, recordings, by button, key, lesson or a click into a picture."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.catalogue.loader import is_shipped
from gemmviz.catalogue.presets import Preset
from gemmviz.domain.recordings.hazard import Hazard, by_gravity
from gemmviz.domain.recordings.launches import same_grid
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.wrong_elements import wrong_notes, wrong_words
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import RunSpec
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.source.recorded_lines import title_of
from gemmviz.explain.source.source_fault import compile_fault, faults_while_running, without_folder
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.experiment.record_choice import InView
from gemmviz.gui.files.session_control import OWN_WORK, SessionControl
from gemmviz.gui.kernels.availability import Devices
from gemmviz.gui.kernels.described import DESCRIBE, describe_tip, not_described_words
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.memory.playing.offers import Offers
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import BUSY, HAZARDS, REFUSED, SHOW_IT, NoticeAction, NoticeKind
from gemmviz.gui.recording.grids import Playable, block_title, place_for, way_back
from gemmviz.gui.recording.outcome import outcome_of
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.work.last_work import Asked, LastWork


class StartControl(QObject):
    """Starts what is set up, or says why it cannot and offers to remedy that."""

    map_asked = Signal(object)
    """A person wants to see where the result of a RunResult is wrong."""
    source_asked = Signal()
    """A person wants to see the source of the chosen kernel."""

    def __init__(
        self,
        run: RunControl,
        set_up: ExperimentControl,
        panel: ExperimentPanel,
        player: MemoryControl,
        notices: NoticeBar,
        source: SourceView,
        files: SessionControl,
        raise_source: Callable[[], None],
        show_tab: Callable[[str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._run, self._set_up, self._panel = run, set_up, panel
        self._player, self._notices, self._files = player, notices, files
        self._of_lessons: set[tuple[str, Shape]] = set()
        """The kernels and sizes that lessons have set up."""
        self._source, self._raise_source, self._show_tab = source, raise_source, show_tab
        self._failures: set[str] = set()
        self._faulty: set[str] = set()
        self._in_view: Playable | None = None
        """What the first picture plays."""
        self._before: Playable | None = None
        """What it played before, of another launch."""
        self._is_for_first = True
        """Whether what is recorded is shown in the first picture, not where a picture has asked for it."""
        self._asked: Asked | None = None
        """What was asked of the engine last."""
        self._found: dict[str, str] = {}
        """By the cause of a message what kernel it found a wrong result or hazards of."""
        self._of_descriptions: dict[Path, list[str]] = {}
        """The causes of messages about the description of a file."""
        panel.run_asked.connect(self.run_chosen)
        panel.ladder_asked.connect(self.run_ladder)
        panel.record_asked.connect(self.record)
        panel.form_asked.connect(self.record)
        panel.forms_asked.connect(self.record_both)
        panel.sweep_asked.connect(self.sweep)
        panel.cancel_asked.connect(run.cancel)
        player.record_asked.connect(self._on_record_asked)
        player.run_shown.connect(self._on_run_shown)
        panel.readiness_changed.connect(self._follow_kernel)
        panel.refusal_settled.connect(lambda: notices.settle(REFUSED))
        run.failed.connect(self._on_failed)
        run.work_changed.connect(self._on_work_changed)
        run.was_busy.connect(lambda words: notices.show_notice(NoticeKind.WARNING, words, cause=BUSY))
        run.busy_changed.connect(lambda busy: notices.fold() if busy else notices.settle(BUSY))
        run.retried.connect(self._on_retried)
        run.recorded.connect(self._on_recorded)
        run.checked.connect(self._on_checked)
        set_up.opened.connect(self._show_chosen_source)
        set_up.file_failed.connect(self._on_file_failed)
        set_up.file_taken.connect(self._on_file_taken)
        set_up.described_elsewhere.connect(self._on_described_elsewhere)
        set_up.told_of_description.connect(self._tell_of_description)
        set_up.description_deleted.connect(self._on_description_deleted)
        set_up.line_asked.connect(self.go_to)
        set_up.changed.connect(self._show_offers)
        run.devices_found.connect(self._show_offers)
        self._show_offers()

    @Slot()
    def run_chosen(self) -> None:
        """Start what the Run button names."""
        if self._is_allowed(self._panel.refusal()):
            plan, experiment = self._panel.plan, self._set_up.experiment
            start = partial(self._run.run, experiment, self._set_up.catalogue, plan.cannot_run, plan.longest_run_s)
            self._in_right_session(start, (experiment.kernel, *experiment.compared))

    @Slot()
    def run_ladder(self) -> None:
        """Start every kernel that can run here as things are set."""
        plan = self._panel.plan
        if plan.ladder or self._is_allowed(self._panel.refusal()):
            experiment, catalogue = self._set_up.experiment, self._set_up.catalogue
            start = partial(self._run.run_ladder, experiment, catalogue, plan.ladder, plan.longest_ladder_s)
            self._in_right_session(start, plan.ladder)

    @Slot()
    def record_now(self) -> None:
        """Start the recording that the Record button names."""
        if self._is_allowed(self._panel.no_recording()):
            self._panel.record_now()

    @Slot(object)
    @Slot(object, object)
    def record(self, blocks: tuple[tuple[int, int, int], ...], form: CodeForm | None = None) -> None:
        """Record blocks of the chosen kernel, none for the whole grid, in the usual form or another."""
        if self._is_allowed(self._panel.no_recording()):
            self._in_right_session(partial(self._record, blocks, form))

    @Slot(object)
    def record_both(self, blocks: tuple[tuple[int, int, int], ...]) -> None:
        """Record blocks of the chosen kernel, none for the whole grid, as written and then as compiled."""
        if self._is_allowed(self._panel.no_recording()):
            self._in_right_session(partial(self._record, blocks, forms=tuple(CodeForm)))

    def _record(
        self, blocks: tuple[tuple[int, int, int], ...], form: CodeForm | None = None, forms: tuple[CodeForm, ...] = ()
    ) -> None:
        self._player.forget_pending()
        self._is_for_first = True
        self._run.record(self._set_up.experiment, self._set_up.kernel, blocks, form, forms)

    @Slot(object)
    def sweep(self, names: tuple[str, ...]) -> None:
        """Run the chosen kernel with every choice of these parameters."""
        self._notices.settle(_wrong_in_sweep_of(self._set_up.kernel.id))
        start = partial(self._run.sweep, self._set_up.experiment, self._set_up.catalogue, names)
        self._in_right_session(start)

    def sweep_all(self) -> None:
        """Time the chosen kernel with every setting of its parameters."""
        self.sweep(self._set_up.parameter_names)

    @Slot(object, str)
    def attempt(self, preset: Preset, page: str) -> None:
        """Set a lesson's last step up and start it: a recording for the memory page, with its source beside it and
        never of a block just because that is in view, else a run.
        """
        self._set_up.use_for_lesson(preset)
        self._of_lessons |= {(kernel, preset.shape) for kernel in preset.kernels}
        if page == TABS[0]:
            self._raise_source()
            self._panel.show_in_view(None)
            self.record_now()
        else:
            self.run_chosen()

    @Slot()
    def forget_failures(self) -> None:
        """Another session is shown: messages about what failed in the one before go."""
        for cause in self._failures:
            self._notices.settle(cause)
        self._failures.clear()
        self._before = self._in_view = None

    def _in_right_session(self, start: Callable[[], None], kernels: Collection[str] = ()) -> None:
        """Start kernels, the chosen one alone for (): where lessons began the session, and no lesson has these kernels
        in this size, in a session of their own.
        """
        experiment, session = self._set_up.experiment, self._files.document.session
        specs = [*(run.spec for run in session.runs), *(trace.spec for trace in session.traces)]
        known = self._of_lessons | {(spec.kernel, spec.shape) for spec in specs}
        asked = {(kernel, experiment.shape) for kernel in kernels or (experiment.kernel,)}
        if self._run.busy or asked <= known:
            start()
        else:
            self._files.in_own_session(start, OWN_WORK)

    def _is_allowed(self, refusal: str) -> bool:
        """Whether there is no refusal; else it is shown, with its remedies."""
        if refusal:
            use = self._panel.use_remedy
            actions = [NoticeAction(remedy.text, partial(use, remedy.experiment)) for remedy in self._panel.remedies]
            self._notices.show_notice(NoticeKind.WARNING, refusal, actions=actions, cause=REFUSED)
        return not refusal

    @Slot(object, str, object, object)
    def _on_record_asked(
        self, spec: RunSpec, kernel_id: str, blocks: tuple[tuple[int, int, int], ...], form: CodeForm | None
    ) -> None:
        """Blocks of a kernel in a form, with the settings of a recording; the experiment stays as it is."""
        kernel = self._set_up.known(kernel_id)
        if kernel is not None:
            self._is_for_first = False
            self._run.record(self._set_up.like(spec, kernel), kernel, blocks, form)

    @Slot()
    def _follow_kernel(self) -> None:
        """Messages about a kernel, or a file that is none yet, go with it."""
        file = self._panel.file
        self._notices.follow_kernel(str(file.path) if file is not None else self._set_up.experiment.kernel)

    @Slot()
    def _show_offers(self) -> None:
        """What can be recorded to stand beside a recording."""
        experiment = self._set_up.experiment
        there = Devices(self._run.devices).with_target(experiment.target).for_gpu_kernels
        self._player.set_offers(Offers(self._set_up.jobs, there, experiment.device, frozenset(self._faulty)))

    @Slot(object)
    def _on_run_shown(self, run: TraceRun | None) -> None:
        """The block in view is what Record offers, and what was in view before can be returned to."""
        first, was = self._player.played[0], self._in_view
        if first is not None and was is not None and not same_grid(was.run, first.run):
            self._before = was
        self._in_view = first
        shown = next((each for each in self._player.played if each is not None and each.run is run), None)
        self._panel.show_in_view(
            None if shown is None else InView(shown.run.spec.shape, shown.run.launch.grid, shown.block)
        )

    @Slot(object)
    def _on_work_changed(self, last: LastWork | None) -> None:
        self._asked = last.asked if last is not None else None

    @Slot(str, str, str)
    def _on_failed(self, cause: str, words: str, details: str) -> None:
        """A kernel that does not compile, or fails on the PTX machine, has its line underlined, and a button that goes
        there.
        """
        kernel = next((each for each in self._set_up.catalogue.kernels if each.id == cause), None)
        fault = compile_fault(f"{words}\n{details}", kernel.path) if kernel is not None else None
        actions = []
        if kernel is not None and fault is not None:
            details = f"{words}\n{details}".strip()
            words = f"{kernel.path.name} does not compile. Line {fault.line}: {fault.words}{self._other_in_view(cause)}"
        elif kernel is not None and self._asked is Asked.RECORDING and (whose := self._other_in_view(cause)):
            first, line_end, rest = words.partition("\n")
            words = f"{first.removesuffix('.')}{whose}.{line_end}{rest}"
        fault = fault or next(iter(faults_while_running(words)), None)
        if kernel is not None and fault is not None:
            self._source.show_fault(cause, fault)
            self._faulty.add(cause)
            self._show_offers()
            tip = f"Show line {fault.line} of {cause} in the source"
            actions = [NoticeAction(f"Go to line {fault.line}", lambda: self.go_to(cause, fault.line), tip, keeps=True)]
            if cause == self._set_up.kernel.id and not is_shipped(kernel):
                self.go_to(cause, fault.line)
        self._failures.add(cause)
        self._notices.show_notice(NoticeKind.ERROR, words, details, actions, cause)

    @Slot(object)
    def _on_checked(self, run: RunResult) -> None:
        """Say at once that a result is wrong, until the same run is right; of a sweep's settings the newest."""
        spec = run.spec
        cause = _wrong_in_sweep_of(spec.kernel) if run.sweep else f"wrong: {spec.kernel} {spec.params} {spec.shape}"
        if run.accuracy.passed:
            if not run.sweep:
                self._notices.settle(cause)
            return
        tip = "Show on the Accuracy page which elements of C are wrong"
        see = NoticeAction("Show where", partial(self._see_where, run), tip, keeps=True)
        self._failures.add(cause)
        self._found[cause] = spec.kernel
        details = "\n".join(wrong_notes(run))
        self._notices.show_notice(NoticeKind.ERROR, wrong_words(run), details, [see], cause)

    @Slot(object)
    def _on_recorded(self, trace: TraceRun) -> None:
        """Show a recording, and say what it found; a hazard stays on view until it is dismissed or another recording
        comes.
        """
        actions = []
        before = way_back(trace, *self._player.played, self._before) if self._is_for_first else None
        if trace.hazards:
            gravest, tip = by_gravity(trace.hazards)[0], "Show the gravest of them in the animation"
            actions = [NoticeAction("Show it", partial(self._see, trace, gravest), tip, keeps=True)]
        if before is not None:
            title = f"{title_of(before.run)}  ·  {block_title(before)}"
            brief = before.run.spec.kernel if before.run.spec.kernel != trace.spec.kernel else title_of(before.run)
            back = partial(self._go_back_to, before, place_for(trace, *self._player.played))
            tip = f"Play the recording that was in view before: {title}"
            actions.append(NoticeAction(f"Back to {brief}", back, tip, keeps=True))
        self._found[HAZARDS] = trace.spec.kernel
        kind = NoticeKind.WARNING if trace.hazards else NoticeKind.INFO
        details = "\n".join(hazard.detail for hazard in by_gravity(trace.hazards))
        self._notices.show_notice(kind, outcome_of(trace), details, actions, HAZARDS)

    def _see_where(self, run: RunResult) -> None:
        self._show_tab("Accuracy")
        self.map_asked.emit(run)

    def _go_back_to(self, before: Playable, place: int) -> None:
        """Play again what a recording has taken the place of."""
        self._show_tab(TABS[0])
        self._player.play(before.run, before.number, place)

    def _see(self, trace: TraceRun, hazard: Hazard) -> None:
        """Show a hazard where it happens, whichever page is in front."""
        self._show_tab(TABS[0])
        self._player.see(trace, hazard)

    def _other_in_view(self, kernel_id: str) -> str:
        """A sentence where the recording in view is another kernel's, as nothing of this one is there to be seen."""
        shown = next((each.run.spec.kernel for each in self._player.played if each is not None), kernel_id)
        return "" if shown == kernel_id else f". The recording in view is still that of {shown}"

    def go_to(self, kernel_id: str, line: int) -> None:
        """Choose a kernel and show a line of its source."""
        self._set_up.set_kernel(kernel_id)
        self._show_chosen_source()
        self._source.show_line(line)

    @Slot()
    def _show_chosen_source(self) -> None:
        self._raise_source()
        self.source_asked.emit()

    @Slot(str)
    def _on_retried(self, cause: str) -> None:
        self._notices.settle(cause)
        self._source.show_fault(cause, None)
        if cause in self._faulty:
            self._faulty.remove(cause)
            self._show_offers()

    @Slot(str, str, bool)
    def _on_file_failed(self, path: str, words: str, is_adoptable: bool) -> None:
        action = NoticeAction(DESCRIBE, lambda: self._set_up.describe(Path(path)), describe_tip(Path(path)))
        if is_adoptable:  # the next step is the button beside it
            self._notices.show_notice(NoticeKind.HINT, not_described_words(path), words, [action], path, path)
        else:
            brief = without_folder(words)
            self._notices.show_notice(NoticeKind.ERROR, brief, words if words != brief else "", [], path)

    @Slot(str, str, str)
    def _on_described_elsewhere(self, kernel_id: str, words: str, details: str) -> None:
        tip = f"Choose {kernel_id} and show its source"
        action = NoticeAction(SHOW_IT, lambda: self._set_up.show_described(kernel_id), tip)
        cause = self._cause_of_description(self._set_up.catalogue.get(kernel_id).path, words)
        self._notices.show_notice(NoticeKind.OFFER, words, details, [action], cause)

    @Slot(object, str, str)
    def _tell_of_description(self, path: Path, words: str, details: str) -> None:
        self._notices.show_notice(NoticeKind.INFO, words, details, cause=self._cause_of_description(path, words))

    def _cause_of_description(self, path: Path, words: str) -> str:
        """The cause of a message about the description of a file, which goes when that is deleted."""
        cause = f"description of {path}: {words}"
        self._of_descriptions.setdefault(path, []).append(cause)
        return cause

    @Slot(object)
    def _on_description_deleted(self, path: Path) -> None:
        for cause in self._of_descriptions.pop(path, []):
            self._notices.settle(cause)

    @Slot(str, str)
    def _on_file_taken(self, path: str, kernel_id: str) -> None:
        """A file was read: what was said of its earlier text goes."""
        self._notices.settle(path)
        for cause in [cause for cause, kernel in self._found.items() if kernel == kernel_id]:
            self._notices.settle(cause)
            del self._found[cause]
        self._on_retried(kernel_id)
        self._run.note_change(kernel_id)


def _wrong_in_sweep_of(kernel_id: str) -> str:
    """The cause of the message that a sweep of a kernel had a wrong result."""
    return f"wrong: sweep of {kernel_id}"
