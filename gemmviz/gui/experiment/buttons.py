"""The buttons that start and stop work; each says what it will do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from gemmviz.catalogue.gpus import target_of_machine
from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.device import Device
from gemmviz.domain.terms import COMPILED_NOTE, CodeForm
from gemmviz.gui.experiment import block as experiment_block
from gemmviz.gui.experiment.block import Block
from gemmviz.gui.experiment.controls.labels import small_label
from gemmviz.gui.experiment.controls.split_button import HEIGHT, SplitButton
from gemmviz.gui.experiment.readiness import Readiness
from gemmviz.gui.experiment.record_choice import RecordChoice, other_recordings
from gemmviz.gui.experiment.run_plan import RunPlan
from gemmviz.gui.experiment.sweeps import Sweep, names_to_sweep, sweep_title
from gemmviz.gui.looks.fonts import NORMAL, SMALL, words
from gemmviz.gui.widgets.enter_only import EnterOnly
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_fields import MenuButton
from gemmviz.gui.widgets.plain_text import action_text, plain_text
from gemmviz.gui.work.device_status import CANCEL
from gemmviz.gui.work.experiment import QUICK_BUDGET_S

_GAP, _SIDE, _SWEEP_WIDTH = 6, 60, 70
_AROUND = 30
"""Pixels of that button beside its word: its edges and its chevron."""
_RECORD = "Record every memory access of the chosen kernel"
_FORM_TIPS = {
    CodeForm.AS_WRITTEN: "The accesses of the source, line by line",
    CodeForm.AS_COMPILED: f"The accesses that NVIDIA's compiler left. {COMPILED_NOTE}",
}
_BOTH_TIP = (
    "Make one recording of each form on the PTX machine. The source then shows both side by side. " + COMPILED_NOTE
)
_SWEEP = "Time the chosen kernel with several settings of its parameters, sampled in turn"
_QUICK = (
    f"Quick mode: measure each kernel for {QUICK_BUDGET_S:g} s at most. "
    "This shows which kernel is faster, but the times vary more"
)


class RunButtons(QWidget):
    """`record_asked` has the blocks, none for the whole grid; `form_asked` the blocks and the form of the kernel that
    is recorded, `forms_asked` the blocks that are recorded in both forms; `forms_changed`
    says that `forms` are others; `sweep_asked` the names of the parameters; `settings_asked` asks for what is known
    of the settings without a GPU;
    `quick_chosen` whether quick mode is wanted; `keys_left` says that work began from a button, which is greyed now:
    the keys go to the page, and not to Cancel, which Space would press.
    """

    run_asked = Signal()
    ladder_asked = Signal()
    record_asked = Signal(object)
    form_asked = Signal(object, object)
    forms_asked = Signal(object)
    forms_changed = Signal()
    sweep_asked = Signal(object)
    settings_asked = Signal()
    cancel_asked = Signal()
    quick_chosen = Signal(bool)
    keys_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("runButtons")
        self._grid: Block | None = None
        self._forms: tuple[CodeForm, ...] = ()
        self._kernel: Kernel | None = None
        self._plan, self._ready = RunPlan(), Readiness()
        self._recording = RecordChoice((), "Record", _RECORD)
        self._sweeps: list[QAction] = []
        self._count: Callable[[tuple[str, ...]], Sweep] | None = None
        self._run = SplitButton("run", "Run", "primary", "Other runs")
        self._record = SplitButton("record", "Record", "outlined", "Record other blocks")
        self.run = self._run.button
        self.sweep = MenuButton("sweepButton", "Sweep", _SWEEP)
        self.sweep.setProperty("role", "plain")
        self.sweep.setFont(words(NORMAL, QFont.Weight.Medium))
        self.sweep.setMenu(QMenu(self.sweep))
        word = self.sweep.fontMetrics().horizontalAdvance(self.sweep.text())
        self.sweep.setFixedSize(max(_SWEEP_WIDTH, word + _AROUND), HEIGHT)
        self.quick = named(QCheckBox("Quick"), "quickBox", _QUICK, "Quick mode")
        self.quick.setFont(words(SMALL))
        self.cancel = named(QPushButton("Cancel"), "cancelButton", CANCEL, "Cancel", "stop")
        self.cancel.setFont(words(NORMAL, QFont.Weight.Medium))
        self.cancel.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.cancel.setFixedHeight(HEIGHT)
        EnterOnly(self.cancel)
        self._ladder = QAction("Run ladder", self._run.menu)
        self._ladder.setObjectName("runLadderEntry")
        self._run.menu.addAction(self._ladder)
        self._where = small_label("recordWhere", "The device that Record uses", "muted")
        self._where.hide()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        side = QWidget()
        side.setFixedWidth(_SIDE)
        self._side = QStackedLayout(side)  # Cancel comes where nothing can be pressed by a second click on Run
        self._side.addWidget(self.quick)
        self._side.addWidget(self.cancel)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(_GAP)
        for left, right in ((self._run, side), (self._record, self.sweep)):
            row = QHBoxLayout()
            row.setSpacing(_GAP)
            row.addWidget(left, 1)
            row.addWidget(right)
            rows.addLayout(row)
        rows.addWidget(self._where)

    def _connect(self) -> None:
        self.run.clicked.connect(self.run_asked)
        self._ladder.triggered.connect(self.ladder_asked)
        self._record.button.clicked.connect(self.record_now)
        self.cancel.clicked.connect(self.cancel_asked)
        self.quick.clicked.connect(self.quick_chosen)
        self.sweep.menu().aboutToShow.connect(self._count_sweeps)
        self.sweep.menu().setToolTipsVisible(True)

    @property
    def controls(self) -> tuple[QAbstractButton, ...]:
        """What takes the keyboard, in order."""
        record = self._record
        return (self.run, self._run.arrow, self.quick, self.cancel, record.button, record.arrow, self.sweep)

    def show_plan(self, plan: RunPlan, *, is_quick: bool) -> None:
        """What Run and Run ladder would start, and whether quick mode is on; nothing is emitted."""
        self._plan = plan
        self.quick.setChecked(is_quick)
        self._ladder.setText(plan.ladder_words)
        self._show_run()

    def show_readiness(self, ready: Readiness) -> None:
        """Enable what can be started; the rest says why it cannot."""
        focused = self.window().focusWidget()
        was_busy, is_busy = not self._ready.cancel, not ready.cancel
        # A plain button elsewhere that has the keyboard when work begins is what began it.
        began = focused in self.controls or (isinstance(focused, QPushButton) and not focused.isCheckable())
        self._ready = ready
        self._side.setCurrentIndex(int(is_busy))
        self.cancel.setEnabled(is_busy)
        self._show_run()
        self._record.show_state(self._recording.tip, ready.record)
        reason = ready.sweep if ready.settings or is_busy else ""
        self.sweep.setEnabled(not reason)
        self.sweep.setToolTip(plain_text(f"{_SWEEP}\n{reason}" if reason else _SWEEP))
        self.sweep.setAccessibleDescription(reason or _SWEEP)
        if (began and is_busy and not was_busy) or (focused is self.cancel and not is_busy):
            self.keys_left.emit()

    def _show_run(self) -> None:
        plan, ready = self._plan, self._ready
        said = [f"{plan.run_words}, {time}" for time in (plan.run_time, plan.run_time.replace("about ", "~")) if time]
        self.run.show_texts(*said, plan.run_words, "Run")
        which = f": {', '.join(plan.runs)}" if plan.runs else ""
        how = f"Each is measured until its times settle, {plan.budget_words} at most"
        if plan.is_emulated:
            how = "The PTX machine executes each GPU kernel once and checks its result. The times are emulated"
        limit = f"\n{how}" if plan.runs else ""
        self._run.show_state(
            f"Time and check {'the chosen kernel' if len(plan.runs) < 2 else 'these kernels'}{which}{limit}", ready.run
        )
        self._run.show_arrow(ready.ladder)
        self._ladder.setToolTip(
            plain_text(ready.ladder or "Run every kernel that this device can run, in lesson order")
        )

    def show_recording(
        self,
        grid: Block | None,
        choice: RecordChoice | None,
        elsewhere: Device | None = None,
        forms: Sequence[CodeForm] = (),
    ) -> None:
        """What Record records of a grid; None where nothing can be recorded. `elsewhere` is another device than the one
        that runs kernels, `forms` are those that the kernel can be recorded in.
        """
        self._recording = choice or RecordChoice((), "Record", _RECORD)
        where = _name_of(elsewhere) if elsewhere is not None and choice is not None else ""
        self._where.setText(f"Record runs on {where}." if where else "")
        self._where.explain_terms()
        self._where.setVisible(bool(where))
        if where and elsewhere is not None:
            how = ": this CPU executes what NVIDIA's compiler makes of the kernel" if elsewhere.is_emulated else ""
            self._recording = replace(self._recording, tip=f"{self._recording.tip}\nOn {where}{how}")
        self._record.button.show_texts(self._recording.text, "Record")
        if (grid, tuple(forms)) == (self._grid, self._forms):
            return
        self._grid, self._forms = grid, tuple(forms)
        self.forms_changed.emit()
        menu = self._record.menu
        menu.clear()
        if grid is None:
            return
        for name, text, chosen in other_recordings(grid):
            action = QAction(text, menu)
            action.setObjectName(name)
            action.triggered.connect(lambda _=False, chosen=chosen: self.record_asked.emit(chosen))
            menu.addAction(action)
        if grid != (1, 1, 1):
            one = QAction("One block…", menu)
            one.setObjectName("recordOneAction")
            one.triggered.connect(self._on_one_block)
            menu.addAction(one)
        if len(self._forms) > 1:
            menu.addSeparator()
            for form in self._forms:
                action = QAction(f"Record {form}", menu)
                action.setObjectName(f"record_{form.name.lower()}")
                action.setToolTip(plain_text(_FORM_TIPS[form]))
                action.triggered.connect(lambda _=False, form=form: self.record_form(form))
                menu.addAction(action)
            both = QAction("Record both forms", menu)
            both.setObjectName("record_both")
            both.setToolTip(plain_text(_BOTH_TIP))
            both.triggered.connect(lambda: self.record_both())
            menu.addAction(both)
            menu.setToolTipsVisible(True)

    def show_sweeps(self, kernel: Kernel, count_sweep: Callable[[tuple[str, ...]], Sweep]) -> None:
        """The sweeps of a kernel; they are counted when the menu opens."""
        self._count = count_sweep
        if self._kernel is not None and (kernel.id, kernel.parameters) == (self._kernel.id, self._kernel.parameters):
            return
        self._kernel = kernel
        menu = self.sweep.menu()
        menu.clear()
        self._sweeps = []
        for names in names_to_sweep(kernel):
            action = QAction(action_text(sweep_title(kernel, names)), menu)
            action.setObjectName(f"sweep_{'_'.join(names)}")
            action.setData(names)
            action.triggered.connect(lambda _=False, names=names: self.sweep_asked.emit(names))
            if len(names) > 1 and (len(names) == len(kernel.parameters) or len(self._sweeps) == len(kernel.parameters)):
                menu.addSeparator()
            menu.addAction(action)
            self._sweeps.append(action)
        if self._sweeps:
            menu.addSeparator()
        which = "settings" if self._sweeps else "this setting"
        examine = QAction(f"Examine {which} without a GPU …", menu)
        examine.setObjectName("examineSettings")
        examine.setToolTip(plain_text("Registers, occupancy, requests, bank conflicts and the result of each setting"))
        examine.triggered.connect(lambda _=False: self.settings_asked.emit())
        menu.addAction(examine)

    @Slot()
    def record_now(self) -> None:
        """Ask for what the Record button says."""
        self.record_asked.emit(self._recording.blocks)

    @property
    def forms(self) -> tuple[CodeForm, ...]:
        """The forms in which the chosen kernel can be recorded now."""
        return self._forms if self._grid is not None else ()

    def record_form(self, form: CodeForm) -> None:
        """Ask for what the Record button says, in one form."""
        self.form_asked.emit(self._recording.blocks, form)

    def record_both(self) -> None:
        """Ask for what the Record button says, in both forms."""
        self.forms_asked.emit(self._recording.blocks)

    @Slot()
    def _count_sweeps(self) -> None:
        for action in self._sweeps:
            if self._count is not None:
                sweep = self._count(tuple(action.data()))
                refusal = self._ready.sweep or sweep.refusal
                action.setText(action_text(sweep.text))
                action.setEnabled(not refusal)
                action.setToolTip(plain_text(refusal or sweep.text))

    @Slot()
    def _on_one_block(self) -> None:
        block = experiment_block.ask_block(self, self._grid) if self._grid is not None else None
        if block is not None:
            self.record_asked.emit((block,))


def _name_of(device: Device) -> str:
    """A device inside a sentence."""
    return f"the PTX machine, {target_of_machine(device)}" if device.is_emulated else device.name
