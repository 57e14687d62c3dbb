"""The dialog over a presentation in which a person ticks the runs that the charts compare."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.run_facts import distinct_names, facts_of
from gemmviz.gui.looks.dialog_buttons import dialog_buttons
from gemmviz.gui.looks.fonts import NORMAL
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.dialog_size import ScrolledContents, fit_screen
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import action_text

NONE_TICKED = "Tick a run."
_SIZE = QSize(460, 560)
TICK_PX = 14
"""The edge of a tick box in the style sheet, in pixels."""


class RowsDialog(QDialog):
    """Lists runs, those ticked that are `shown`; `main` are those that charts show first. Type is `factor` times as
    large as on a desk.
    """

    def __init__(
        self,
        runs: Sequence[RunResult],
        shown: Collection[RunResult],
        main: Collection[RunResult],
        parent: QWidget | None = None,
        *,
        factor: float = 1.0,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("rowsDialog")
        self.setWindowTitle("Choose rows")
        self._runs = tuple(runs)
        names = distinct_names(facts_of(self._runs))
        self._ticks = [QCheckBox(action_text(name)) for name in names]
        for number, tick in enumerate(self._ticks, 1):
            tick.setObjectName(f"rowsTick_{number}")
        self._all = named(QPushButton("All"), "rowsAll", "Tick every run", "", "quiet")
        tip = "Tick the runs that the charts show first"
        self._main = named(QPushButton("Main kernels"), "rowsMain", tip, "", "quiet")
        self._main.setVisible(len(main) < len(self._runs))
        self._buttons = dialog_buttons(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        self._ok.setText("Show these")
        named(self._ok, "rowsOk", "Show the ticked runs in the charts", "", "primary")
        self._lay_out()
        self._all.clicked.connect(lambda: self._tick(self._runs))
        self._main.clicked.connect(lambda: self._tick(main))
        for tick in self._ticks:
            tick.toggled.connect(self._check)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._tick(shown)
        if factor > 1.0:
            points = NORMAL * factor
            edge = TICK_PX * factor
            box = f"QCheckBox::indicator {{ width: {edge:.0f}px; height: {edge:.0f}px; }}"
            self.setStyleSheet(f"QCheckBox, QPushButton {{ font-size: {points:g}pt; }} {box}")
        fit_screen(self, _SIZE * factor)

    @property
    def ticked(self) -> tuple[RunResult, ...]:
        """The runs that are wanted, in their order."""
        return tuple(run for run, tick in zip(self._runs, self._ticks, strict=True) if tick.isChecked())

    def _lay_out(self) -> None:
        contents, column, head = QWidget(), QVBoxLayout(self), QHBoxLayout()
        ticks = QVBoxLayout(contents)
        ticks.setContentsMargins(0, 0, 12, 0)
        ticks.setSpacing(2)
        for tick in self._ticks:
            ticks.addWidget(tick)
        ticks.addStretch(1)
        for button in (self._all, self._main):
            button.setAutoDefault(False)
            head.addWidget(button)
        head.addStretch(1)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(ScrolledContents(contents), 1)
        column.addWidget(self._buttons)

    def _tick(self, runs: Collection[RunResult]) -> None:
        wanted = {id(run) for run in runs}
        for run, tick in zip(self._runs, self._ticks, strict=True):
            tick.setChecked(id(run) in wanted)
        self._check()

    @Slot()
    def _check(self) -> None:
        allow(self._ok, "" if self.ticked else NONE_TICKED)
