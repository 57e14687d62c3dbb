"""Shows what the current frame does, in figures."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.explain.requests.machine_requests import MachineRequests, RequestCode
from gemmviz.explain.requests.phase_figures import (
    Codes,
    Counted,
    LoadsSoFar,
    codes_in,
    count_frame,
    counted_block,
    figures_section,
    lanes_in,
)
from gemmviz.explain.runs.figure_lines import Section
from gemmviz.gui.inspector.figure_rows import FigureRows
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.memory_view.text.labels import PREPARING
from gemmviz.gui.tasks.latest_only import LatestOnly
from gemmviz.gui.work.last_work import Asked, LastWork
from gemmviz.gui.work.words import words_aside
from gemmviz.trace.frames.values import Frame

AT_ONCE = 1 << 15
"""Lanes that are counted while the window waits, in a few milliseconds; more are counted beside it."""

HEAD, NOTHING = "What this frame does", "Nothing is recorded yet."


class PhaseFigures(QWidget):
    """The figures of a frame. Those of the frame before stay until the new ones are counted, so nothing flickers."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("phaseFigures")
        self.setAccessibleName(HEAD)
        self._newest = LatestOnly(self)
        self._where, self._nothing = "", NOTHING
        self._frame: Frame | None = None
        self._code = RequestCode.SASS
        self._codes: Codes = {}
        self._given: tuple[Frame, BlockTrace, str, MachineAccesses | None, MachineRequests | None] | None = None
        self._counted: tuple[int, Counted] | None = None
        self._loads: tuple[int, tuple[LoadsSoFar, ...]] = (-1, ())
        self._section = FigureRows("phaseFiguresSection")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._section)
        self.set_theme(theme)
        self.clear()

    @property
    def section(self) -> Section:
        """What is shown."""
        return self._section.section

    def show_frame(
        self,
        frame: Frame,
        block: BlockTrace,
        where: str = "",
        machine: MachineAccesses | None = None,
        merged: MachineRequests | None = None,
    ) -> None:
        """Show the figures of a frame of the recorded `block`; `where` is its device. `machine` is what SASS accesses,
        `merged` the block's requests in it, where these are known.
        """
        self._given = frame, block, where, machine, merged
        self._newest.forget()
        block = counted_block(frame, block, machine, merged, self._code)
        self._frame, self._where, self._codes = frame, where, codes_in(frame, block, machine, merged)
        if lanes_in(frame) <= AT_ONCE:
            self._on_counted(frame, count_frame(frame, block))
        else:
            self._newest.start(partial(count_frame, frame, block), partial(self._on_counted, frame), self._on_failed)

    def show_code(self, code: RequestCode) -> None:
        """Count the requests of a code where they are known in it."""
        self._code = code
        if self._given is not None:
            self.show_frame(*self._given)

    def show_loads(self, index: int, loads: tuple[LoadsSoFar, ...]) -> None:
        """Add how often the elements of that frame have been loaded so far, if it is the one shown."""
        self._loads = index, loads
        self._show()

    def show_work(self, last: LastWork | None) -> None:
        """Say what is going on while there is nothing to show."""
        self._nothing = words_aside(NOTHING, last, {Asked.RECORDING})
        if self._frame is None and self.section.note != PREPARING:
            self.clear()

    def clear(self) -> None:
        """Show that there is nothing."""
        self._forget(self._nothing)

    def expect_frame(self) -> None:
        """Show that the figures of another block are on their way, not those of the last."""
        self._forget(PREPARING)

    def _forget(self, note: str) -> None:
        self._newest.forget()
        self._frame = self._counted = self._given = None
        self._loads = -1, ()
        self._section.show_section(Section(HEAD, "", "", note=note))

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._section.set_theme(theme)

    def _on_counted(self, frame: Frame, counted: Counted) -> None:
        self._counted = frame.index, counted
        self._show()

    def _on_failed(self, fault: Exception) -> None:
        self._section.show_section(Section(HEAD, "", "", note=f"This frame cannot be counted: {fault}"))

    def _show(self) -> None:
        frame = self._frame
        if frame is None or self._counted is None or self._counted[0] != frame.index:
            return
        loads = self._loads[1] if self._loads[0] == frame.index else ()
        self._section.show_section(figures_section(frame.mode, self._counted[1], loads, self._where, self._codes))
