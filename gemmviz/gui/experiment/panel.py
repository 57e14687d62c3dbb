"""The panel in which an experiment is set up and started."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue
from gemmviz.catalogue.presets import Preset
from gemmviz.catalogue.recordable import recorded_forms
from gemmviz.domain.device import EMULATOR, Device
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.shape import ShapeError
from gemmviz.gui.experiment.buttons import RunButtons
from gemmviz.gui.experiment.controls.labels import rule
from gemmviz.gui.experiment.controls.size_field import SizeField
from gemmviz.gui.experiment.controls.style import BAR_WIDTH, panel_style
from gemmviz.gui.experiment.device import ALL, DeviceField, PresetField
from gemmviz.gui.experiment.geometry import Fact, geometry_of, known_resources
from gemmviz.gui.experiment.geometry_label import GeometryLabel
from gemmviz.gui.experiment.kernel_words import KernelWords
from gemmviz.gui.experiment.more import MoreSection
from gemmviz.gui.experiment.opened_file import OpenedFile
from gemmviz.gui.experiment.panel_layout import MARGIN, footer, scrolled, show_end
from gemmviz.gui.experiment.parameter_panel import ParameterPanel
from gemmviz.gui.experiment.readiness import Readiness, readiness_of
from gemmviz.gui.experiment.record_choice import InView, recording_of
from gemmviz.gui.experiment.refusal_box import RefusalBox
from gemmviz.gui.experiment.remedies import Remedy
from gemmviz.gui.experiment.run_plan import RunPlan, run_plan
from gemmviz.gui.experiment.sweeps import Sweep, sweep_of
from gemmviz.gui.experiment.ticks import TickNote, compared_words
from gemmviz.gui.experiment.words import LOOKING_FOR_DEVICES
from gemmviz.gui.kernels.availability import (
    LOOKING,
    SIZE_TOO_LARGE,
    Availability,
    Devices,
    availabilities_of,
    choice_refusals,
    recording_availability,
)
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.kernels.picker import KernelPicker
from gemmviz.gui.kernels.rows import rows_of
from gemmviz.gui.looks.own_sheet import set_sheet
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_fields import SectionHead
from gemmviz.gui.work.experiment import (
    Experiment,
    fitted,
    preset_of,
    with_compared,
    with_param,
    with_preset,
    with_size,
    without_ticks,
)

_MANY = 4
"""Parameters beyond which a low window has no room for a note on the device."""
_ROOM_FOR_WORDS = 800
"""Below this height, in pixels, the list needs the room: a kernel's title stands for what it teaches."""


class ExperimentPanel(QWidget):
    """Shows an Experiment and lets a person change it.

    `experiment_changed` has the new Experiment, once for every edit; a size that no run can have is shown and refused
    and changes nothing. `record_asked` has the blocks to record, none for the whole grid, `form_asked` also their form,
    `forms_asked` those to record in both forms; `sweep_asked` the names of the parameters to sweep;
    `readiness_changed` has the new Readiness: what can be started, and why the rest cannot;
    `settings_asked` what is known of the settings without a GPU; `refusal_settled`: the refusal shown before holds no
    longer; `keys_left`: work began, and what had the focus is greyed; `describe_asked` has the path of an opened file.
    `kernels` is the list of them.
    """

    experiment_changed = Signal(object)
    run_asked = Signal()
    ladder_asked = Signal()
    record_asked = Signal(object)
    form_asked = Signal(object, object)
    forms_asked = Signal(object)
    sweep_asked = Signal(object)
    settings_asked = Signal()
    describe_asked = Signal(object)
    cancel_asked = Signal()
    keys_left = Signal()
    refusal_settled = Signal()
    readiness_changed = Signal(object)

    def __init__(
        self,
        catalogue: Catalogue,
        presets: Sequence[Preset],
        experiment: Experiment,
        theme: Theme,
        parent: QWidget | None = None,
        available_bytes: Callable[[], int | None] = available_memory_bytes,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("experimentPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._catalogue, self._presets = catalogue, tuple(presets)
        self._experiment = fitted(experiment, catalogue)
        self._there = self.devices = LOOKING
        self._is_busy, self._size_fault = False, ""
        self._available_bytes = available_bytes
        self._availability: dict[str, Availability] = {}
        self._recording, self._is_elsewhere, self._ready = Availability(), False, Readiness()
        self._in_view: InView | None = None
        self.file: OpenedFile | None = None
        """The file that is chosen and is no kernel yet; None for a kernel."""
        self._runs, self._traces = tuple[RunResult, ...](), tuple[TraceRun, ...]()
        self._in_sight: frozenset[str] | None = None
        self._facts: tuple[Fact, ...] = ()
        self._device = DeviceField()
        self._preset = PresetField(self._presets)
        self._size = SizeField()
        self.kernels = KernelPicker(theme, (MARGIN, MARGIN - BAR_WIDTH))
        self._ticks = TickNote()
        self._words = KernelWords()
        self._parameters = ParameterPanel()
        self._geometry = GeometryLabel(theme)
        self._more = MoreSection(self._experiment, theme)
        self._refusal = RefusalBox(theme, available_bytes)
        self._buttons = RunButtons()
        self._launch_head = SectionHead("Launch", "derived")
        self._lay_out()
        self._connect()
        self.set_theme(theme)
        self._show_devices()
        self._size.show_shape(self._experiment.shape)
        self._show()
        self._order_tabs()

    def experiment(self) -> Experiment:
        """What is set up now."""
        return self._experiment

    def set_experiment(self, experiment: Experiment) -> None:
        """Show another experiment; nothing is emitted. Kernels that are not in the catalogue are left out."""
        experiment = fitted(experiment, self._catalogue)
        if experiment == self._experiment:
            return
        self._take(experiment)
        self._size_fault = ""
        self._size.show_shape(experiment.shape)
        self._show_devices()
        self._show()

    def set_catalogue(self, catalogue: Catalogue) -> None:
        """Other kernels, or other contents of the same. If the chosen one is gone, that is an edit, and emitted."""
        self._catalogue = catalogue
        self._change(fitted(self._experiment, catalogue))

    def show_file(self, file: OpenedFile | None) -> None:
        """Choose a file that is no kernel yet, alone, or the kernel that is set up again; nothing is emitted."""
        if file != self.file:
            self.file = file
            self._show()

    def set_devices(self, devices: tuple[Device, ...], advice: str) -> None:
        """What was found; `advice` says how to get a device where there is none for GPU kernels."""
        self._there = Devices(devices, advice)
        self._show_devices()
        self._show()

    def set_busy(self, busy: bool) -> None:
        """While something runs nothing else can be started; the settings can be changed."""
        self._is_busy = busy
        self._show_readiness()

    def set_theme(self, theme: Theme) -> None:
        set_sheet(self, panel_style(theme))
        for part in (self.kernels, self._geometry, self._refusal, self._more):
            part.set_theme(theme)

    def show_in_view(self, in_view: InView | None) -> None:
        """The block that the memory page shows; None for none."""
        if in_view != self._in_view:
            self._in_view = in_view
            self._show()

    def show_done(self, runs: Sequence[RunResult], traces: Sequence[TraceRun] = ()) -> None:
        """What the session has: runs tell how long the next may take, both what shared memory a kernel declares."""
        before, self._runs, self._traces = (*self._runs, *self._traces), tuple(runs), tuple(traces)
        if [*map(id, before)] != [*map(id, (*runs, *traces))]:
            self._show()

    def show_in_sight(self, kernel_ids: Collection[str] | None) -> None:
        """The kernels that the list shows at present, None for all: of the others the ticks are told."""
        in_sight = None if kernel_ids is None else frozenset(kernel_ids)
        if in_sight != self._in_sight:
            self._in_sight = in_sight
            self._show_plan()

    @property
    def plan(self) -> RunPlan:
        """What Run starts as things are set."""
        plan = run_plan(self._experiment, self._catalogue, self._shown_availability, self.devices, self._runs)
        return plan if self.file is None else replace(plan, runs=(), cannot_run=())

    @property
    def _shown_availability(self) -> Mapping[str, Availability]:
        """The availability of each kernel at the size on the screen; of none while devices are looked for."""
        if self._size_fault:  # what is known is of the last size that was one
            return dict.fromkeys(self._availability, Availability(SIZE_TOO_LARGE, self._size_fault))
        return self._availability if self.devices.known else {}

    def record_now(self) -> None:
        """Ask for the recording that the Record button names."""
        self._buttons.record_now()

    def refusal(self) -> str:
        """Why the chosen kernel cannot run as things are set, "" if it can."""
        return self._ready.refusal

    def no_recording(self) -> str:
        """Why the chosen kernel cannot be recorded as things are set, "" if it can."""
        return self._ready.no_recording

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What would let the chosen kernel run."""
        return self._refusal.remedies

    def _lay_out(self) -> None:
        upper = self._device, self._preset, self._size, self.kernels, rule("listLine")
        lower = self._ticks, self._words, self._parameters, self._more
        gaps = 6, 6, 4, 0, 6, 0, 6, 2, 0
        self._scroll, self._body = scrolled(tuple(zip((*upper, *lower), gaps, strict=True)), self.kernels)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._scroll, 1)
        whole.addWidget(rule("footerLine"))
        whole.addLayout(footer((self._launch_head, self._geometry), (self._refusal, self._buttons)))

    def _connect(self) -> None:
        self._device.device_chosen.connect(lambda device: self._change(replace(self._experiment, device=device)))
        self._device.target_chosen.connect(lambda target: self._change(replace(self._experiment, target=target)))
        self._preset.preset_chosen.connect(
            lambda preset: self.use_remedy(with_preset(self._experiment, preset, self._catalogue))
        )
        self._size.size_changed.connect(self._on_size_changed)
        self.kernels.kernel_chosen.connect(self._on_kernel_chosen)
        self.kernels.kernel_ticked.connect(self._on_kernel_ticked)
        self._refusal.describe_asked.connect(self.describe_asked)
        self._parameters.param_changed.connect(self._on_param_changed)
        self._more.edited.connect(self._change)
        self._more.opened.connect(lambda: show_end(self._scroll, self._body, self._more))
        of = self._buttons
        asked = of.run_asked, of.ladder_asked, of.record_asked, of.form_asked, of.forms_asked, of.sweep_asked
        told = self.run_asked, self.ladder_asked, self.record_asked, self.form_asked, self.forms_asked, self.sweep_asked
        for signal, own in zip((*asked, of.cancel_asked), (*told, self.cancel_asked), strict=True):
            signal.connect(own)
        of.settings_asked.connect(self.settings_asked)
        of.keys_left.connect(self.keys_left)
        of.quick_chosen.connect(lambda is_quick: self._change(replace(self._experiment, is_quick=is_quick)))
        self._refusal.remedy_chosen.connect(self.use_remedy)
        self.kernels.shown_changed.connect(self.show_in_sight)
        self._ticks.cleared.connect(lambda ids: self._change(without_ticks(self._experiment, ids)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_words()

    def _kernel(self) -> Kernel:
        return self._catalogue.get(self._experiment.kernel)

    def _take(self, experiment: Experiment) -> None:
        """Have something else set up; a file that is no kernel yet stays chosen beside another size or device."""
        before, self._experiment = self._experiment, experiment
        is_same = (before.kernel, before.compared) == (experiment.kernel, experiment.compared)
        self.file = self.file if is_same else None

    @Slot(object)
    def _change(self, experiment: Experiment) -> None:
        is_new, before = experiment != self._experiment, self._experiment
        self._take(experiment)
        if (before.device, before.target) != (experiment.device, experiment.target):
            self._show_devices()
        self._show()
        if is_new:
            self.experiment_changed.emit(experiment)

    def _show(self) -> None:
        """Bring everything but the size and the devices, which may hold what is no experiment, up to date."""
        experiment, kernel, available = self._experiment, self._kernel(), self._available_bytes()
        params, device = experiment.params_of(kernel), self.devices.of(kernel, experiment.device)
        availability = self._availability = availabilities_of(experiment, self._catalogue, self.devices, available)
        preset = preset_of(experiment, self._presets, self._catalogue)
        self._preset.show_preset(None if self._size_fault or self.file is not None else preset)
        rows = rows_of(self._catalogue, experiment, self._shown_availability)
        self.kernels.show_rows(*(self.file.among(rows) if self.file is not None else (rows, kernel.id)))
        self._show_words()
        if self._parameters.show_kernel(kernel, params, choice_refusals(experiment, kernel, self.devices)):
            self._order_tabs()
        shape, target = experiment.shape, self.devices.chosen(EMULATOR)
        known = known_resources(kernel, params, self._runs, self._traces)
        geometry = geometry_of(availability[kernel.id], kernel, params, shape, device, available, known, target)
        self._facts = (Fact("", LOOKING_FOR_DEVICES),) if not self.devices.known else geometry.facts
        self._more.show_experiment(experiment)
        self._recording, elsewhere = recording_availability(experiment, kernel, self.devices, available)
        self._is_elsewhere = elsewhere is not None and elsewhere.is_emulated
        grid, choice = recording_of(self._recording if self.file is None else None, experiment.shape, self._in_view)
        self._buttons.show_recording(grid, choice, elsewhere, recorded_forms(kernel, self.devices.for_gpu_kernels))
        self._buttons.show_sweeps(kernel, self._count_sweep)
        self._show_plan()
        self._show_readiness()

    def _show_devices(self) -> None:
        """The devices as things are set, the PTX machine for its target."""
        experiment = self._experiment
        self.devices = self._there.with_target(experiment.target)
        self._device.show_devices(self.devices, experiment.device, experiment.target)

    def _show_words(self) -> None:
        """What is said of the chosen kernel and of the device, as far as there is room."""
        kernel, has_room = self._kernel(), self.height() >= _ROOM_FOR_WORDS
        self._words.show_kernel(kernel, self._catalogue, has_room=has_room)
        self._device.show_sentences(ALL if has_room else int(len(kernel.parameters) <= _MANY))
        for part, is_wanted in ((self._words, self._words.has_words), (self._parameters, True)):
            part.setVisible(is_wanted and self.file is None)

    def _show_plan(self) -> None:
        """What Run would start, and which ticks do nothing or are out of sight."""
        plan, ticked = self.plan, self._experiment.compared if self.file is None else frozenset[str]()
        self._buttons.show_plan(plan, is_quick=self._experiment.is_quick)
        hidden = [] if self._in_sight is None else sorted(ticked - self._in_sight - {self._experiment.kernel})
        self._ticks.show_ticks(plan.cannot_run, hidden)
        self.kernels.head.set_note(compared_words(ticked - {self._experiment.kernel}))

    def _show_readiness(self) -> None:
        """What may be started as the kernels stand."""
        refused_before = self._ready.refusal
        asked = (self._kernel(), self._availability, self.devices, self._size_fault, self._is_busy, self._recording)
        of_kernel = readiness_of(*asked, is_emulated=self.plan.is_emulated, is_elsewhere=self._is_elsewhere)
        ready = self._ready = of_kernel if self.file is None else self.file.readiness(is_busy=self._is_busy)
        self._geometry.show_facts(() if ready.refusal else self._facts)
        for part in (self._launch_head, self._geometry):
            part.setVisible(not ready.refusal)
        set_up = self._experiment, self._catalogue, self.devices
        self._refusal.show_ready(ready, self.file, *set_up, is_size_fault=bool(self._size_fault))
        self._buttons.show_readiness(ready)
        self.readiness_changed.emit(ready)
        if refused_before and ready.refusal != refused_before:
            self.refusal_settled.emit()

    def _count_sweep(self, names: tuple[str, ...]) -> Sweep:
        return sweep_of(self._experiment, self._catalogue, names, self.devices, self._runs)

    def _order_tabs(self) -> None:
        """From top to bottom; controls that were made anew would come last otherwise."""
        upper = (*self._device.controls, self._preset, *self._size.controls, *self.kernels.controls)
        lower = (self._ticks.control, *self._parameters.controls, *self._more.controls)
        for before, after in pairwise((*upper, *lower, *self._refusal.controls, *self._buttons.controls)):
            QWidget.setTabOrder(before, after)

    @Slot(int, int, int)
    def _on_size_changed(self, m: int, n: int, k: int) -> None:
        try:
            experiment, self._size_fault = with_size(self._experiment, m, n, k), ""
        except ShapeError as error:
            experiment, self._size_fault = self._experiment, f"{str(error)[:1].upper()}{str(error)[1:]}."
        self._change(experiment)

    def _is_kernel(self, row_id: str) -> bool:
        """Whether a row is a kernel's, which a person wants in place of a file that is none yet."""
        self.file = self.file if self.file is not None and self.file.row_id == row_id else None
        return self.file is None

    @Slot(str)
    def _on_kernel_chosen(self, kernel: str) -> None:
        if self._is_kernel(kernel):
            self._change(with_kernel(self._experiment, kernel, self._catalogue, self.devices))

    @Slot(str, bool)
    def _on_kernel_ticked(self, name: str, is_ticked: bool) -> None:
        self._change(with_compared(self._experiment, name, is_ticked) if self._is_kernel(name) else self._experiment)

    @Slot(object)
    def use_remedy(self, experiment: Experiment) -> None:
        """Set up what can run, also in place of a size that no run can have."""
        self._size_fault, self.file = "", None
        self._size.show_shape(experiment.shape)
        self._change(experiment)

    @Slot(str, int)
    def _on_param_changed(self, name: str, value: int) -> None:
        self._change(with_param(self._experiment, self._kernel(), name, value))
