"""What the current frame does and costs, in one column: figures, what is chosen, banks and sectors."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.explain.requests.machine_requests import MachineRequests, RequestCode
from gemmviz.gui.inspector.phase_figures_panel import PhaseFigures
from gemmviz.gui.inspector.selection_panel import SelectionPanel
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.stages.request_inspector import RequestInspector
from gemmviz.gui.widgets.focus_ring import FocusRing
from gemmviz.gui.work.last_work import LastWork
from gemmviz.trace.frames.values import Frame


class FramePanel(QScrollArea):
    """Shows one frame of one block."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("framePanel")
        self.setAccessibleName("This frame")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.figures, self.selection = PhaseFigures(theme), SelectionPanel(theme)
        self.request = RequestInspector(theme)
        self._parts = self.figures, self.selection, self.request
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 12, 12, 12)
        column.setSpacing(16)
        for part in self._parts:
            column.addWidget(part)
        column.addStretch(1)
        self.setWidget(inside)
        FocusRing(self)

    def show_block(self, block: BlockTrace | None) -> None:
        """Another block, whose frames are still to come; None for none."""
        self.selection.show_block(block)
        self.figures.clear() if block is None else self.figures.expect_frame()
        self.request.clear()

    def show_frame(
        self,
        frame: Frame,
        block: BlockTrace,
        where: str = "",
        machine: MachineAccesses | None = None,
        merged: MachineRequests | None = None,
    ) -> None:
        """Another frame of the recorded block; `machine` is what its kernel accesses in SASS, `merged` the block's
        requests in it, where these are known.
        """
        self.figures.show_frame(frame, block, where, machine, merged)
        self.request.show_frame(frame, block, machine, merged)

    def show_code(self, code: RequestCode) -> None:
        """Show requests as a code has them, where they are known in it."""
        self.figures.show_code(code)
        self.request.show_code(code)

    def show_work(self, last: LastWork | None) -> None:
        """Say what is going on while there is no frame."""
        self.figures.show_work(last)

    def set_theme(self, theme: Theme) -> None:
        for part in self._parts:
            part.set_theme(theme)
