"""Run, Record, Run ladder, Sweep, Cancel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QMenu, QPushButton, QWidget

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.figures import count
from gemmviz.gui.experiment import block as experiment_block
from gemmviz.gui.experiment.block import Block, block_words, last_block
from gemmviz.gui.experiment.controls import MenuButton
from gemmviz.gui.experiment.readiness import Readiness
from gemmviz.gui.experiment.sweeps import Sweep, names_to_sweep, sweep_title
from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.plain_text import action_text, plain_text

_HEIGHT, _GAP = 30, 6
_TIPS = {
    "run": "Time and check the chosen kernel and the compared ones",
    "record": "Record every memory access of the chosen kernel",
    "ladder": "Run every kernel of the list",
    "sweep": "Run the chosen kernel with other parameters, samples taken in turn",
    "cancel": "Stop what is running",
}


class RunButtons(QWidget):
    """`record_asked` has the blocks, none for the whole grid; `sweep_asked` the names of the parameters."""

    run_asked = Signal()
    ladder_asked = Signal()
    record_asked = Signal(object)
    sweep_asked = Signal(object)
    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("runButtons")
        self._grid: Block | None = None
        self._kernel: Kernel | None = None
        self._sweeps: list[QAction] = []
        self._count: Callable[[tuple[str, ...]], Sweep] | None = None
        self.run = _button("runButton", "Run", "primary")
        self.record = MenuButton("recordButton", "Record", _TIPS["record"])
        self.record.setProperty("role", "outlined")
        self.ladder = _button("ladderButton", "Run ladder", "plain")
        self.sweep = MenuButton("sweepButton", "Sweep", _TIPS["sweep"])
        self.sweep.setProperty("role", "plain")
        self.cancel = _button("cancelButton", "Cancel", "stop")
        for button in (self.record, self.sweep):
            button.setFont(words(NORMAL, _weight(button)))
            button.setMenu(QMenu(button))
            button.setSizePolicy(self.run.sizePolicy())
            button.setFixedHeight(_HEIGHT)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(_GAP)
        grid.addWidget(self.run, 0, 0)
        grid.addWidget(self.record, 0, 1)
        below = QHBoxLayout()
        below.setSpacing(_GAP)
        for lower, part in ((self.ladder, 9), (self.sweep, 8), (self.cancel, 7)):
            below.addWidget(lower, part)
        grid.addLayout(below, 1, 0, 1, 2)
        self.run.clicked.connect(self.run_asked)
        self.ladder.clicked.connect(self.ladder_asked)
        self.cancel.clicked.connect(self.cancel_asked)
        self.sweep.menu().aboutToShow.connect(self._count_sweeps)
        self.sweep.menu().setToolTipsVisible(True)

    @property
    def controls(self) -> tuple[QAbstractButton, ...]:
        """What takes the keyboard, in order."""
        return (self.run, self.record, self.ladder, self.sweep, self.cancel)

    def show_readiness(self, ready: Readiness) -> None:
        """Enable what can be started; the rest says why it cannot."""
        had_focus = self.run.hasFocus()
        for name, button in zip(_TIPS, self.controls, strict=True):
            reason: str = getattr(ready, name)
            button.setEnabled(not reason)
            button.setToolTip(plain_text(f"{_TIPS[name]}\n{reason}" if reason else _TIPS[name]))
            button.setAccessibleDescription(reason or _TIPS[name])
        if had_focus and self.cancel.isEnabled() and not self.run.isEnabled():
            self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_grid(self, grid: Block | None) -> None:
        """The grid that is recorded from; None where nothing can be."""
        if grid == self._grid:
            return
        self._grid = grid
        menu = self.record.menu()
        menu.clear()
        if grid is None:
            return
        last, blocks = last_block(grid), grid[0] * grid[1] * grid[2]
        entries: list[tuple[str, str, tuple[Block, ...]]] = [
            ("recordWholeAction", f"Whole grid ({count(blocks)} {'block' if blocks == 1 else 'blocks'})", ()),
            ("recordFirstAction", f"First block {block_words((0, 0, 0), grid)}", ((0, 0, 0),)),
        ]
        if blocks > 1:
            entries.append(("recordLastAction", f"Last block {block_words(last, grid)}", (last,)))
        for name, text, chosen in entries:
            action = QAction(text, menu)
            action.setObjectName(name)
            action.triggered.connect(lambda _=False, chosen=chosen: self.record_asked.emit(chosen))
            menu.addAction(action)
        if blocks > 1:
            one = QAction("One block…", menu)
            one.setObjectName("recordOneAction")
            one.triggered.connect(self._on_one_block)
            menu.addAction(one)

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

    @Slot()
    def _count_sweeps(self) -> None:
        for action in self._sweeps:
            if self._count is not None:
                sweep = self._count(tuple(action.data()))
                action.setText(action_text(sweep.text))
                action.setEnabled(not sweep.refusal)
                action.setToolTip(plain_text(sweep.refusal or sweep.text))

    @Slot()
    def _on_one_block(self) -> None:
        block = experiment_block.ask_block(self, self._grid) if self._grid is not None else None
        if block is not None:
            self.record_asked.emit((block,))


def _button(name: str, text: str, role: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAccessibleName(text)
    button.setProperty("role", role)
    button.setFont(words(NORMAL, _weight(button)))
    button.setFixedHeight(_HEIGHT)
    policy = button.sizePolicy()
    policy.setHorizontalPolicy(policy.Policy.Ignored)
    button.setSizePolicy(policy)
    return button


def _weight(button: QAbstractButton) -> QFont.Weight:
    is_strong = button.property("role") in ("primary", "outlined")
    return QFont.Weight.DemiBold if is_strong else QFont.Weight.Medium
