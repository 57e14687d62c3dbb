"""Recording block schedules from the window: when that can be asked for, and why not."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from gemmviz.catalogue.schedulable import NEEDS_A_GPU, why_not_by_kernel, why_not_on
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.notices.notice import NoticeKind
from gemmviz.gui.schedule.page import SchedulePage
from gemmviz.gui.widgets.allowed import allow_action


class ScheduleControl(QObject):
    """Keeps the page's button and the window's action at what can be recorded now, and asks for it."""

    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""

    def __init__(
        self,
        page: SchedulePage,
        action: QAction,
        run: RunControl,
        set_up: ExperimentControl,
        panel: ExperimentPanel,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._page, self._action, self._run, self._set_up, self._panel = page, action, run, set_up, panel
        page.record_asked.connect(self.record)
        action.triggered.connect(lambda _checked=False: self.record())
        set_up.changed.connect(self.renew)
        run.devices_found.connect(lambda *_: self.renew())
        run.busy_changed.connect(lambda _: self.renew())
        self.renew()

    @property
    def reason(self) -> str:
        """Why nothing can be recorded now; "" if it can."""
        if not self._run.devices:
            return "devices are still being looked for"
        lack = why_not_by_kernel(self._set_up.kernel)
        if lack:
            return lack
        device = self._run.device_of(self._set_up.experiment)
        if device is None or why_not_on(device):
            return f"{NEEDS_A_GPU}; {'none is found' if device is None else f'{device.name} is chosen'}"
        return "something else is running" if self._run.busy else ""

    @Slot()
    def renew(self) -> None:
        """Show what can be asked for now."""
        reason = self.reason
        self._page.set_readiness(reason)
        allow_action(self._action, reason)

    @Slot()
    def record(self) -> None:
        """Record the schedule of the chosen kernel."""
        refusal = self.reason or self._panel.refusal()
        if refusal:
            self.notified.emit(NoticeKind.WARNING, refusal, "")
        else:
            self._run.record_schedule(self._set_up.experiment, self._set_up.kernel)
