"""Judging the chosen kernel from the window: when that can be asked for, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.session.versions import version_with_text, versions_of
from gemmviz.domain.shape import Shape
from gemmviz.gui.commands.actions import Actions
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.notices.notice import NoticeKind
from gemmviz.gui.referee.judging import Judging
from gemmviz.gui.widgets.allowed import allow_action
from gemmviz.gui.work.experiment import device_asked_for
from gemmviz.referee.finding import Case, Ruling
from gemmviz.referee.words import earlier_text_words, verdict_words

TAB = "Referee"
_VERDICT = "verdict"
"""The cause of the message that tells a verdict."""


class RefereeControl(QObject):
    """Starts the referee from the page's button and the window's action, and shows its ruling.

    It works beside runs and recordings, in a process of its own, and stops when the window has `ended`.
    """

    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""

    def __init__(
        self,
        parts: Parts,
        actions: Actions,
        set_up: ExperimentControl,
        show_tab: Callable[[str], None],
        record_now: Callable[[], None],
        go_to: Callable[[str, int], None],
        ended: SignalInstance,
        document: SessionDocument,
    ) -> None:
        super().__init__(parts.referee)
        self._document = document
        self._page, self._action, self._set_up = parts.referee, actions["refereeAction"], set_up
        self._badge, self._notices = parts.badge, parts.notices
        self._show_tab, self._record_now, self._go_to = show_tab, record_now, go_to
        self._editor = parts.editor
        self._judging = Judging(self)
        self._judging.said.connect(self._page.show_progress)
        self._judging.ended.connect(self._on_ended)
        self._page.judge_asked.connect(self.judge)
        self._page.cancel_asked.connect(self._judging.stop)
        self._page.again_asked.connect(self.judge_again)
        self._page.repeat_asked.connect(self.repeat)
        self._page.line_asked.connect(self.show_line)
        self._action.triggered.connect(lambda _checked=False: self.judge())
        ended.connect(self._judging.stop)
        set_up.changed.connect(self.renew)
        document.changed.connect(self._compare_text)
        self.renew()

    @property
    def busy(self) -> bool:
        """Whether a kernel is being judged."""
        return self._judging.busy

    @Slot()
    def renew(self) -> None:
        """Show what can be judged now."""
        reason = "Another kernel is being judged" if self.busy else ""
        self._page.set_readiness(self._set_up.kernel.id, reason)
        self._badge.show_beside("judging" if self.busy else "")
        allow_action(self._action, reason)
        self._compare_text()

    @Slot()
    def _compare_text(self) -> None:
        """Say so where the verdict that is shown is of an earlier text; no message tells it as of the present one."""
        if (ruling := self._page.ruling) is None:
            return
        kernels, session = self._set_up.catalogue.kernels, self._document.session
        kernel = next((one for one in kernels if one.id == ruling.kernel), None)
        earlier = earlier_text_words(ruling, kernel.file_text) if kernel is not None else ""
        version = next((one for one in versions_of(session, ruling.kernel) if one.number == ruling.version), None)
        if earlier != self._page.earlier:
            self._notices.settle(_VERDICT)
        self._page.show_age(earlier, session.version_names.of(version) if version is not None else "")

    @Slot()
    def judge(self) -> None:
        """Judge the chosen kernel with its parameters, on the device and for the target that are chosen."""
        if self.busy:
            return
        self._show_tab(TAB)
        self._notices.settle(_VERDICT)
        self._page.show_ruling(None)
        self._page.show_progress("starting")
        kernel, experiment = self._set_up.kernel, self._set_up.experiment
        device = "" if kernel.runs_on_host else device_asked_for(experiment.device, experiment.target)
        version = version_with_text(self._document.session, kernel.id, kernel.file_text)
        number = version.number if version is not None else 0
        self._judging.start(kernel, experiment.params_of(kernel), device, experiment.target, number)
        self.renew()

    @Slot()
    def judge_again(self) -> None:
        """Judge the kernel that was judged as its file is now, and choose it where another one is chosen."""
        if (kernel := self._judged()) is not None:
            if kernel.id != self._set_up.kernel.id:
                self._set_up.set_kernel(kernel.id)
            self.judge()

    @Slot(int)
    def show_line(self, line: int) -> None:
        """Show a line of the kernel that was judged: in the editor where that has its text, else in its source."""
        if (kernel := self._judged()) is None:
            return
        self._go_to(kernel.id, line)
        if self._editor.isVisible() and self._editor.edit.saved == tuple(kernel.file_text.split("\n")):
            self._editor.edit.go_to(line)

    def _judged(self) -> Kernel | None:
        """The kernel that was judged; None, which is said, where it is no longer listed."""
        ruling = self._page.ruling
        kernel = self._set_up.known(ruling.kernel) if ruling is not None else None
        if kernel is None:
            name = ruling.kernel if ruling is not None else "The kernel"
            self.notified.emit(
                NoticeKind.WARNING, f"{name} is no longer in the list of kernels. Open its file again", ""
            )
        return kernel

    @Slot(object)
    def repeat(self, case: Case) -> None:
        """Set the size of a failed case up for the kernel that was judged, and record it."""
        ruling = self._page.ruling
        if self._judged() is None or ruling is None:
            return
        experiment = self._set_up.experiment
        chosen = dict(experiment.params) | {ruling.kernel: ruling.params}
        self._set_up.set_experiment(
            replace(
                experiment,
                kernel=ruling.kernel,
                shape=Shape.parse(case.shape),
                seed=case.seed,
                params=tuple(sorted(chosen.items())),
            )
        )
        self._record_now()

    @Slot(object)
    def _on_ended(self, ruling: Ruling | None) -> None:
        self.renew()  # first: a button that cannot be pressed takes no focus
        if ruling is not None:
            self._page.show_ruling(ruling)  # before the progress ends: the keys go to the button that is there then
        self._page.show_progress("")
        if ruling is None:
            self.notified.emit(NoticeKind.INFO, "Cancelled. Nothing was judged.", "")
            return
        self._compare_text()
        words = ": ".join(filter(None, (self._page.earlier, verdict_words(ruling))))
        self._notices.show_notice(NoticeKind.INFO, f"{words}.", cause=_VERDICT)
