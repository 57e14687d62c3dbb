"""Which source is shown: that of the recording in view on the Memory page, else that of the chosen kernel."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.forms.comparison import other_form
from gemmviz.explain.source.tokens import is_same_program, language_of
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.figures.last_run import recording_of
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.playing.pending_recording import PendingRecording
from gemmviz.gui.notices.notice import NoticeAction, NoticeKind
from gemmviz.gui.recording.grids import FIRST
from gemmviz.gui.source.stale_note import NOT_LISTED, RECORD_AGAIN, RECORD_AGAIN_TIP, STALE
from gemmviz.gui.tasks.deferred import deferred


class SourceChoice(QObject):
    """Keeps picture, source and chosen kernel together.

    A kernel that is chosen brings its recording into view. Where it has none, or two recordings are compared, these
    stay in view with their source, and the Memory page says so and offers to record or to show the chosen kernel.
    """

    def __init__(
        self,
        parts: Parts,
        player: MemoryControl,
        document: SessionDocument,
        set_up: ExperimentControl,
        layout: WindowLayout,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._parts, self._player, self._document = parts, player, document
        self._set_up, self._layout = set_up, layout
        self._kernel = set_up.kernel.id
        self._in_view: TraceRun | None = None
        self._is_asked_for = False
        self._later = deferred(self, self.show)
        player.run_shown.connect(self._on_run_shown)
        set_up.changed.connect(self._on_experiment_changed)
        document.changed.connect(self._later.start)
        document.changed.connect(parts.notices.review)
        set_up.file_reread.connect(self._tell_reread)
        parts.source.record_again_asked.connect(self._record_again)
        page = parts.memory_page
        page.pictures_changed.connect(self._show_note)
        page.playable_chosen.connect(self._later.start)
        page.chosen_note.show_asked.connect(self._play_chosen)
        parts.experiment.readiness_changed.connect(self._show_note)
        layout.tabs.currentChanged.connect(self._on_page_changed)
        layout.centre.currentChanged.connect(self._on_page_changed)

    @Slot()
    def show_chosen(self) -> None:
        """Show the source of the chosen kernel, until a frame of the recording in view is shown again."""
        self._is_asked_for = True
        self.show()

    @Slot()
    def show(self) -> None:
        """Show the source that belongs to what is in view now."""
        session, kernel, trace = self._document.session, self._set_up.kernel, self._in_view
        is_in_front = self._layout.tab == TABS[0] and not self._is_asked_for
        if trace is None or not (is_in_front or trace.spec.kernel == kernel.id):
            trace = recording_of(kernel.id, session)
        known = {each.id: each.shown.text for each in self._set_up.catalogue.kernels}
        source = self._parts.source
        source.show_kernel(kernel)
        source.show_trace(trace, other_form(trace, session.traces) if trace is not None else None)
        source.set_doubt(doubt_about(trace, known.get(trace.spec.kernel)) if trace is not None else "")
        self._show_note()

    @Slot(str, str)
    def _tell_reread(self, path: str, kernel_id: str) -> None:
        """Say that a file was read again, and offer to record it again where an earlier version is in view."""
        now = self._set_up.catalogue.get(kernel_id).shown.text
        in_view = [each.run for each in self._player.played if each is not None and each.run.spec.kernel == kernel_id]
        offers = [
            NoticeAction(
                RECORD_AGAIN,
                partial(self._record_again, run),
                RECORD_AGAIN_TIP,
                is_done=partial(self._is_recorded, run, now),
            )
            for run in in_view
            if doubt_about(run, now)
        ][:1]
        words = f"{Path(path).name} was changed on disk and read again"
        self._parts.notices.show_notice(NoticeKind.INFO, words, actions=offers, cause=f"read again: {path}")

    def _is_recorded(self, run: TraceRun, now: str) -> bool:
        """Whether the session has a recording like this one of the text that the file has now."""
        return any(
            (each.spec.kernel, each.spec.shape, each.spec.params, each.form)
            == (run.spec.kernel, run.spec.shape, run.spec.params, run.form)
            and not doubt_about(each, now)
            for each in self._document.session.traces
        )

    @Slot(object)
    def _record_again(self, run: TraceRun) -> None:
        """Record the blocks of a recording anew, of its file as it is now: in the place of its picture, if it has one,
        at the block that is shown there.
        """
        played = dict(enumerate(self._player.played))
        place, shown = next(
            ((n, one) for n, one in played.items() if one is not None and one.run is run), (FIRST, None)
        )
        is_whole = run.blocks_recorded >= run.blocks_in_grid
        blocks = () if is_whole else tuple(stored.block for stored in run.blocks)
        block = shown.block if shown is not None else None
        self._player.ask(PendingRecording(place, run.spec.kernel, run.spec, block, form=run.form), blocks)

    @Slot(object)
    def _on_run_shown(self, run: TraceRun | None) -> None:
        """A frame of this recording is shown; None: nothing is played any more."""
        if run is not self._in_view or self._is_asked_for:
            self._in_view, self._is_asked_for = run, False
            self.show()

    @Slot()
    def _on_experiment_changed(self) -> None:
        kernel = self._set_up.kernel.id
        if kernel != self._kernel:
            self._kernel, self._is_asked_for = kernel, False
            self._bring_into_view(kernel)
        self.show()

    @Slot()
    def _on_page_changed(self) -> None:
        self._is_asked_for = False
        self.show()

    def _bring_into_view(self, kernel: str) -> None:
        """Play the newest recording of a kernel; turn to its picture where it is in view already. A comparison of other
        kernels stays.
        """
        in_view, followed = self._kernels_in_view(), self._in_view
        if kernel in in_view:
            if followed is None or followed.spec.kernel != kernel:
                self._player.turn_to(in_view.index(kernel))
        elif len(in_view) < 2:
            self._play_chosen()

    def _newest(self, kernel: str) -> TraceRun | None:
        """The newest recording of a kernel that keeps a block to play."""
        traces = reversed(self._document.session.traces)
        return next((each for each in traces if each.spec.kernel == kernel and each.blocks), None)

    @Slot()
    def _play_chosen(self) -> None:
        newest = self._newest(self._set_up.kernel.id)
        if newest is not None:
            self._player.play(newest)

    def _kernels_in_view(self) -> list[str]:
        return [each.run.spec.kernel for each in self._player.played if each is not None]

    @Slot()
    def _show_note(self) -> None:
        in_view, kernel = self._kernels_in_view(), self._set_up.kernel
        is_recorded = self._newest(kernel.id) is not None
        file = self._parts.experiment.file
        self._parts.memory_page.chosen_note.show_kernels(in_view, kernel, is_recorded=is_recorded, file=file)


def doubt_about(trace: TraceRun, now: str | None) -> str:
    """What speaks against taking the recorded text for that of the file: `now` is the text that the list of kernels has
    of it, None where it is not there; "" where the two are one program.
    """
    if now is None:
        return NOT_LISTED
    return "" if is_same_program(now, trace.source_text, language_of(trace.source_name)) else STALE
