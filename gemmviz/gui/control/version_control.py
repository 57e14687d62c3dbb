"""Has a kernel examined after each save, keeps its versions in the session, and shows what changed between two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.clock import timestamp, written_at
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.session.versions import next_number, version_with_text, versions_of
from gemmviz.explain.source.compared_versions import compared_versions, measured_in
from gemmviz.explain.source.source_fault import compile_faults, faults_of_hazards, faults_while_running
from gemmviz.explain.source.version_figures import Measured
from gemmviz.gui.editor.comparison_view import EXAMINED, FIRST, QUEUED
from gemmviz.gui.editor.earlier_texts import earlier_texts
from gemmviz.gui.editor.examination import (
    FIRST_LAUNCH_LIMIT_S,
    LAUNCH_LIMIT_S,
    LONG_LAUNCH_LIMIT_S,
    Likeness,
    SetUp,
    likeness_of,
    request_for,
    version_of,
    with_known,
)
from gemmviz.gui.editor.examiner import Examiner, SaveFindings
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.editor.refusal import not_compiled_words
from gemmviz.gui.editor.version_dialog import VersionDialog
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.notices.notice import NoticeKind

WAITS = "Not checked in time. It is tried again with a longer limit once the run has ended."


class VersionControl(QObject):
    """Works for one panel. The newest version is the one whose text was saved last."""

    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""
    pictures_asked = Signal(object, object)
    """Two TraceRuns of the session: the one at the left, and the one at the right."""
    ended_elsewhere = Signal(str, object)
    """A sentence, and the TraceRun of a version whose examination ended while a person was elsewhere."""

    def __init__(
        self,
        panel: EditorPanel,
        document: SessionDocument,
        examiner: Examiner,
        set_up: Callable[[], SetUp],
        place: Callable[[Path | None], object] = lambda _: None,
    ) -> None:
        """`place` says where in the window a person is, or was when the description of a file began."""
        super().__init__(panel)
        self._panel, self._document, self._examiner, self._set_up = panel, document, examiner, set_up
        self._place, self._begun_at = place, place(None)
        self._kernel: Kernel | None = None
        self._newest: Measured | None = None
        self._before = 0
        self._begun_s, self._first_s = 0.0, 0.0
        self._saved, self._is_known = "", False
        self._queued: Sequence[tuple[Kernel, str]] = ()
        """What is examined after an earlier text, and when each was saved; the last is what the file holds."""
        self._again = 0
        """The number of the version that is tried again with a longer limit; 0 where none is."""
        self._like: Likeness | None = None
        """How a version before is examined, as the newest was; None where it is tried again."""
        self._asked_target: str | None = None
        """The target GPU that was chosen when a text was last examined; None where none was."""
        self._matched: set[tuple[int, Likeness]] = set()
        """Versions, and how each was examined so."""
        self._examined: dict[str, Kernel] = {}
        """The kernel of each text of this file that was examined."""
        self._waits, self._is_device_busy = False, False
        """Whether it is to be tried again, and whether that waits for a run."""
        self._dialog: VersionDialog | None = None
        self._follows_pictures = False
        self._is_taking = False
        """Whether a version is on its way into the session: it is shown once it is there."""
        view = panel.comparison
        view.before_chosen.connect(self._on_before)
        view.check_asked.connect(self.check_again)
        view.take_back_asked.connect(self.take_back)
        view.texts_asked.connect(self.compare_texts)
        view.pictures_asked.connect(self.compare_pictures)
        view.lines_shown.connect(self._on_lines)
        examiner.progressed.connect(self._on_progressed)
        examiner.found.connect(self._on_found)
        examiner.ended.connect(self._on_ended)
        document.changed.connect(self._show)
        document.replaced.connect(self._on_replaced)

    def begin(self, kernel: Kernel | None) -> None:
        """Another file is edited: show what the session has of it."""
        self._examiner.cancel()
        self._queued, self._again, self._waits, self._asked_target = (), 0, False, None
        self._examined.clear()
        self._matched.clear()
        self._kernel, self._newest, self._before, self._follows_pictures = kernel, None, 0, False
        if kernel is not None:
            known = version_with_text(self._document.session, kernel.id, kernel.file_text)
            self._newest = self._measured(known) if known is not None else None
        self._panel.comparison.show_status("")
        self._show()

    def examine(self, kernel: Kernel) -> None:
        """Examine a text that was saved; the version before is the one to compare with. The text that was opened is
        the first version, or one that was recorded before the file changed, so that its examination ends before.
        """
        current, session = self._examiner.current, self._document.session
        is_first = current is not None and not versions_of(session, current.job.kernel.id)
        opened = current.job.kernel if current is not None and (is_first or self._queued) else kernel
        if opened.id == kernel.id and opened.file_text != kernel.file_text:
            self._queued = (*self._queued[:-1], (kernel, timestamp()))
            self._show()
            return
        first, *self._queued = (*earlier_texts(self._document, kernel), (kernel, self._saved_at(kernel)))
        self._is_known &= not self._queued
        self._examine(*first)

    def _saved_at(self, kernel: Kernel) -> str:
        """When the text was saved: now, unless it is examined because it was opened, or again for another target."""
        known = versions_of(self._document.session, kernel.id)
        newest = self._newest.version if self._newest is not None else None
        self._is_known = newest is not None and (newest.kernel, newest.text) == (kernel.id, kernel.file_text)
        if newest is not None and self._is_known:
            return newest.saved
        return timestamp() if known or newest is not None else written_at(kernel.path)

    @Slot()
    def follow_target(self) -> None:
        """Examine the text that was saved last again where another target GPU was chosen since."""
        asked, target = self._asked_target, self._set_up().experiment.target
        if self._kernel is not None and self._newest is not None and asked is not None and asked != target:
            self.examine(self._kernel)

    @Slot(int)
    def check_again(self, number: int) -> None:
        """Examine a version once more with a longer limit; what is known of it stays in view meanwhile."""
        self._try_again(number, None)

    def _try_again(self, number: int, like: Likeness | None) -> None:
        self._waits, self._like = False, like
        version = self._version(number)
        if version is not None and number in self._checkable:
            self._examine(self._examined[version.text], version.saved, number)

    def _match_newest(self) -> None:
        """Examine the version before like the newest, once, where that was compiled for another target or recorded at
        another size, in another block, or with other parameters or inputs.
        """
        before, newest = self.compared
        like = likeness_of(before, newest, self._set_up()) if before is not None and newest is not None else None
        if before is None or like is None or (number := before.version.number) not in self._checkable:
            return
        if (number, like) not in self._matched:
            self._matched.add((number, like))
            self._try_again(number, like)

    @Slot(bool)
    def set_device_busy(self, is_busy: bool) -> None:
        """Something runs in the window, or nothing any more: what was not checked in time is then tried again."""
        self._is_device_busy = is_busy
        if self._waits and not is_busy:
            self._check_newest_again()

    def _check_newest_again(self) -> None:
        if self._newest is not None:
            self.check_again(self._newest.version.number)

    @property
    def _checkable(self) -> frozenset[int]:
        """The numbers of the versions that can be tried again: nothing is examined, and their texts were before."""
        if self._kernel is None or self._examiner.is_busy:
            return frozenset()
        known = versions_of(self._document.session, self._kernel.id)
        return frozenset(one.number for one in known if one.text in self._examined)

    def _examine(self, kernel: Kernel, saved: str, again: int = 0) -> None:
        """Examine a text that was saved then; `again` is the number of a version that is tried again."""
        is_first = not versions_of(self._document.session, kernel.id)
        limit_s = LONG_LAUNCH_LIMIT_S if again else FIRST_LAUNCH_LIMIT_S if is_first else LAUNCH_LIMIT_S
        self._again, self._waits = again, False
        self._begun_s, self._first_s, self._saved = monotonic(), 0.0, saved
        self._begun_at = self._place(kernel.path)
        self._examined[kernel.file_text] = kernel
        if not self._is_earlier(again):
            self._kernel = kernel
        self._on_progressed("Compiling …")
        set_up = self._like.set_up if again and self._like is not None else self._set_up()
        self._asked_target = set_up.experiment.target
        self._examiner.examine(request_for(kernel, set_up, limit_s))
        self._show()

    def _is_earlier(self, number: int) -> bool:
        """Whether this is the number of a version before the newest."""
        return bool(number) and self._newest is not None and number != self._newest.version.number

    @property
    def compared(self) -> tuple[Measured | None, Measured | None]:
        """The version before and the newest, with their recordings."""
        return self._panel.comparison.compared

    @Slot(int)
    def take_back(self, number: int) -> None:
        """Put the text of a version into the editor; it can be undone, and no file is written."""
        if version := self._version(number):
            self._panel.edit.replace_text(version.text)
            self._panel.edit.setFocus()
            self._panel.comparison.show_status(f"The text is that of version {number} again. Save to use it.")

    @Slot(int)
    def compare_texts(self, number: int) -> None:
        """Show what differs between the text of a version and the newest."""
        version = self._version(number)
        if version is None or self._newest is None:
            return
        if self._dialog is None:
            self._dialog = VersionDialog(self._panel)
            self._dialog.take_back_asked.connect(self.take_back)
        self._dialog.set_theme(self._panel.edit.theme)
        self._dialog.show_versions(version, self._newest.version, self._panel.comparison.names)
        self._dialog.show()
        self._dialog.raise_()

    @Slot(int)
    def compare_pictures(self, number: int) -> None:
        """Play the recording of a version at the left of that of the newest, also of those that are saved later."""
        version = self._version(number)
        self._before = number if version is not None else self._before
        self._follows_pictures, self._begun_at = True, self._place(None)
        self._show()
        self._ask_pictures()

    def close(self) -> None:
        """End what is examined."""
        self._examiner.close()

    def _ask_pictures(self) -> None:
        before, newest = self.compared
        if before is None or newest is None or before.trace is None or newest.trace is None:
            return
        if {id(before.trace), id(newest.trace)} <= {id(trace) for trace in self._document.session.traces}:
            self.pictures_asked.emit(before.trace, newest.trace)

    def _version(self, number: int) -> KernelVersion | None:
        known = versions_of(self._document.session, self._kernel.id) if self._kernel is not None else ()
        return next((one for one in known if one.number == number), None)

    def _measured(self, version: KernelVersion) -> Measured:
        return measured_in(self._document.session, version)

    @Slot()
    def _show(self) -> None:
        """Show the versions of the session, and the newest as far as it is examined."""
        kernel, newest = self._kernel, self._newest
        if self._is_taking:
            return
        self._panel.comparison.file_texts = self._document.session.file_texts
        if kernel is None:
            self._panel.comparison.show_versions((), None, None)
            return
        known, before = compared_versions(self._document.session, kernel.id, newest, self._before)
        self._panel.comparison.show_versions(known, before, newest, self._words_alone, checkable=self._checkable)

    @property
    def _words_alone(self) -> str:
        """What is said of a first version: what to do, or what comes next."""
        newest, kernel = self._newest, self._kernel
        if self._queued:
            return QUEUED
        if newest is None or kernel is None or newest.version.text == kernel.file_text:
            return FIRST
        return EXAMINED if self._examiner.is_busy else ""

    @Slot(str)
    def _on_progressed(self, words: str) -> None:
        limit = f"Trying again, with up to {LONG_LAUNCH_LIMIT_S:g} s for a launch. " if self._again else ""
        limit = f"{self._like.way.capitalize()}, too. " if self._again and self._like is not None else limit
        limit = f"Version {self._again}: {limit[0].lower()}{limit[1:]}" if self._is_earlier(self._again) else limit
        self._panel.comparison.show_status(f"{limit}{words}")

    @Slot(object)
    def _on_found(self, findings: SaveFindings) -> None:
        if self._again:
            return
        if not self._first_s:
            self._first_s = monotonic() - self._begun_s
        self._show_faults(findings)
        self._take(findings)

    @Slot(object)
    def _on_ended(self, findings: SaveFindings) -> None:
        again, self._again = self._again, 0
        version = self._version(again)
        self._keep(with_known(findings, self._measured(version)) if version is not None else findings, again)
        if self._queued:
            (queued, *self._queued), self._is_known = self._queued, False
            self._examine(*queued)
        elif findings.is_out_of_time and not again:
            self._waits = True
            if self._is_device_busy:
                self._panel.comparison.show_status(WAITS)
            else:
                self._check_newest_again()
        else:
            self._match_newest()

    def _keep(self, findings: SaveFindings, again: int) -> None:
        """Put a version that compiles into the session; of a text that does not, say why."""
        kernel = findings.work.job.kernel
        if not findings.compiles:
            self._tell_failure(findings.reason, kernel)
            self._show()
            return
        self._is_taking = True
        if is_new := not self._is_earlier(again):
            self._show_faults(findings)
        measured = self._take(findings) if is_new else version_of(findings, again, self._saved)
        whole_s = monotonic() - self._begun_s
        came = f"first figures {self._first_s:.1f} s after the save, all after" if not again else "tried again for"
        came = came if again or not self._is_known else "examined again in"
        came = f"{self._like.done} {self._like.way}, too, in" if again and self._like is not None else came
        self._panel.comparison.show_status(f"Version {measured.version.number}: {came} {whole_s:.1f} s.")
        is_there = self._place(None) == self._begun_at
        is_shown = is_new and is_there and not self._queued
        dropped = self._document.add_version(measured.version, measured.trace, is_newest=is_shown)
        if dropped:
            names = ", ".join(f"version {one.number} of {one.kernel}" for one in dropped)
            self.notified.emit(NoticeKind.INFO, f"The session keeps no more versions: dropped {names}", "")
        kept = self._measured(self._version(measured.version.number) or measured.version)
        if is_new:
            self._newest = kept
        self._is_taking = False
        self._show()
        if self._follows_pictures and is_there:
            self._ask_pictures()
        elif kept.trace is not None and is_new and not is_there and not self._queued:
            self.ended_elsewhere.emit(f"{kernel.id}: version {kept.version.number} is examined", kept.trace)

    def _take(self, findings: SaveFindings) -> Measured:
        """The newest version is this, as far as it is known; the one that was the newest comes before it."""
        kernel = findings.work.job.kernel
        number = next_number(self._document.session, kernel.id, kernel.file_text)
        was = self._newest
        if was is not None and was.version.number != number and not self._follows_pictures:
            self._before = was.version.number
        elif self._before == number:
            self._before = was.version.number if was is not None and was.version.number != number else 0
        self._newest = version_of(findings, number, self._saved)
        self._show()
        return self._newest

    def _show_faults(self, findings: SaveFindings) -> None:
        """Underline the lines that are at fault while the kernel runs: hazards, and why a stage came to nothing."""
        faults = list(faults_of_hazards(findings.trace.hazards)) if findings.trace is not None else []
        for reason in findings.faults:
            faults += faults_while_running(reason)
        kernel = findings.work.job.kernel
        self._panel.show_faults(faults, kernel.shown.text, examined=kernel.file_text)

    def _tell_failure(self, reason: str, kernel: Kernel) -> None:
        faults = compile_faults(reason, kernel.path)
        if faults:
            self._panel.show_faults(faults, kernel.file_text, examined=kernel.file_text)
        else:  # of PTX nobody but the machine says what is wrong, and it names lines of what is shown
            faults = faults_while_running(reason)
            self._panel.show_faults(faults, kernel.shown.text, examined=kernel.file_text)
        not_compiled = not_compiled_words(has_figures=self._newest is not None)
        words = not_compiled if faults else reason.strip() or "Cancelled."
        self._panel.comparison.show_status(words, is_fault=bool(faults or reason.strip()))

    @Slot(int)
    def _on_before(self, number: int) -> None:
        self._before = number
        self._show()
        if self._follows_pictures:
            self._ask_pictures()
        self._match_newest()

    @Slot(object)
    def _on_lines(self, changes: object) -> None:
        trace = self._newest.trace if self._newest is not None else None
        assert isinstance(changes, dict)
        self._panel.show_line_figures(trace.source_text if trace is not None else "", changes)

    @Slot()
    def _on_replaced(self) -> None:
        """Another session is shown: what is examined was saved in the one before."""
        self.begin(self._kernel)
