"""Measuring roofs from the window: whose, when that can be asked for, and why not."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from gemmviz.explain.figures.roofline.device_roofs import DevicesHere
from gemmviz.gui.charts.timing_chart import TimingChart
from gemmviz.gui.control.experiment_control import ExperimentControl
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.widgets.allowed import allow_action


class RoofsControl(QObject):
    """Keeps the button of the roofline and the window's action at what can be measured now, and asks for it."""

    def __init__(
        self, chart: TimingChart, action: QAction, run: RunControl, set_up: ExperimentControl, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._chart, self._action, self._run, self._set_up = chart, action, run, set_up
        self._is_busy = False
        action.triggered.connect(lambda _checked=False: run.measure_roofs(set_up.experiment))
        chart.measure_roofs.clicked.connect(self._measure_offered)
        set_up.changed.connect(self.renew)
        run.devices_found.connect(lambda *_: self.renew())
        run.busy_changed.connect(self._on_busy)
        self.renew()

    @Slot()
    def _measure_offered(self) -> None:
        device = self._chart.offered_device
        if device is not None:
            self._run.measure_roofs(self._set_up.experiment, device.id)

    @Slot()
    def renew(self) -> None:
        """Show what can be measured now."""
        here = DevicesHere(self._run.devices, self._run.device_of(self._set_up.experiment), self._is_busy)
        self._chart.show_devices(here)
        allow_action(self._action, here.reason)

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:
        self._is_busy = busy
        self.renew()
