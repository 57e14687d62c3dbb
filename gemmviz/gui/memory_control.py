"""Plays recordings: from a TraceRun to its frames, made on another thread, and from the player to all that show one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.domain.access import BlockTrace
from gemmviz.domain.operands import make_operands
from gemmviz.domain.result import Session
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.background import Background
from gemmviz.gui.memory_view.heat_maps import warm
from gemmviz.gui.memory_view.material import Material, material_of
from gemmviz.gui.notice import NoticeKind
from gemmviz.gui.parts import Parts
from gemmviz.gui.player.frame_facts import FrameFacts
from gemmviz.gui.player.frame_server import FrameServer
from gemmviz.gui.player.player import Player
from gemmviz.gui.player.player_wiring import connect_player
from gemmviz.gui.source.frame_lines import lines_of_frame, next_frame_of
from gemmviz.trace.frame_plan import FrameMode
from gemmviz.trace.frame_values import Frame
from gemmviz.trace.frames import Frames

MOST_VALUES = 1 << 22
"""Elements of a matrix whose values are made anew to be shown."""


class MemoryControl(QObject):
    """Keeps the view, the player's bar, the source and the figures of the frame at one frame of one recording."""

    block_asked = Signal(object, object)
    """The TraceRun that is played, and (x, y, z) of another block of it that is to be recorded."""
    told = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""

    def __init__(self, parts: Parts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self._run: TraceRun | None = None
        self._block: BlockTrace | None = None
        self._traces: tuple[TraceRun, ...] = ()
        self._index = -1
        self.player = Player(parent=self)
        self._server = FrameServer(self)
        self._own = Background(self, threads=1)
        connect_player(self.player, parts.player_bar)
        self.player.frame_changed.connect(self._server.request)
        self.player.glide_changed.connect(self._on_glide)
        parts.player_bar.mode_chosen.connect(self._on_mode)
        parts.memory_page.trace_chosen.connect(self.play)
        parts.memory_page.heat_chosen.connect(parts.memory.set_heat)
        parts.memory.block_chosen.connect(self._on_block)
        parts.memory.thread_chosen.connect(parts.memory.show_thread)
        parts.source.line_chosen.connect(self._on_line)
        self._server.opened.connect(self._on_opened)
        self._server.frame_ready.connect(self._on_frame)
        self._server.failed.connect(lambda words: self.told.emit(NoticeKind.ERROR, words, ""))
        self._server.busy_changed.connect(parts.player_bar.set_busy)

    @property
    def shown(self) -> TraceRun | None:
        """The recording that is played."""
        return self._run

    def show_session(self, session: Session) -> None:
        """Play the newest recording if it is new; go on with the one that is played if it is still there."""
        before, self._traces = self._traces, session.traces
        newest = session.traces[-1] if session.traces else None
        is_new = newest is not None and all(newest is not trace for trace in before)
        is_gone = self._run is not None and all(self._run is not trace for trace in self._traces)
        if self._run is not None:
            same = [trace for trace in session.traces if _same_grid(trace, self._run)]
            self._parts.memory.show_recorded_blocks(tuple(block.block[:2] for trace in same for block in trace.blocks))
        if is_new or is_gone:
            self.play(newest)
        else:
            self._parts.memory_page.show_traces(self._traces, self._run)

    @Slot(object)
    def play(self, run: TraceRun | None) -> None:
        """Open a recording at its first frame; None for none."""
        self._run = run
        self._parts.memory_page.show_traces(self._traces, run)
        self._block = run.blocks[0].trace(run.sites, run.arrays) if run is not None and run.blocks else None
        self._open(None)

    def stop(self) -> None:
        """Nothing is played or made any more; for the end of the window."""
        self.player.pause()
        self._server.close()
        self._own.cancel_all()

    def _open(self, mode: FrameMode | None) -> None:
        self.player.set_count(0)
        self._own.cancel_all()
        self._parts.memory.show_recording(self._run, self._block, None)
        self._parts.frame_panel.show_block(self._block)
        if self._run is None or self._block is None:
            self._server.close()
            self._parts.player_bar.set_count(0)
        else:
            self._server.open(self._run, 0, mode)

    @Slot(object)
    def _on_opened(self, facts: FrameFacts) -> None:
        bar, run, block = self._parts.player_bar, self._run, self._block
        bar.set_count(facts.count)
        bar.set_mode(facts.mode, tuple(FrameMode))
        bar.set_marks(facts.marks)
        if run is None or block is None:
            return

        def use(made: _Made) -> None:
            self._parts.memory.show_recording(run, block, made.frames, made.material)
            self._parts.memory.set_values(made.a, made.b)
            self.player.set_count(facts.count)
            self._server.request(self.player.index)

        # The view asks questions of its own, and Frames may be asked from one thread only.
        self._own.start(lambda: _make(run, block, facts.mode), use, self._on_own_failed)

    def _on_own_failed(self, error: Exception) -> None:
        self.told.emit(NoticeKind.ERROR, f"the frames cannot be made: {error}", "")

    @Slot(int, object)
    def _on_frame(self, index: int, frame: Frame) -> None:
        if self._block is None or index >= self.player.count:
            return
        self._index = index
        where = self._run.device.name if self._run is not None else ""
        self._parts.memory.show_frame(frame)
        self._parts.player_bar.show_frame(frame)
        self._parts.frame_panel.show_frame(frame, self._block, where)
        self._parts.source.show_frame_lines(lines_of_frame(frame))

    @Slot(float)
    def _on_glide(self, glide: float) -> None:
        """Tiles move only towards the frame that is shown; one that is still being made has none."""
        self._parts.memory.set_glide(glide if self._index == self.player.index else 1.0)

    @Slot(object)
    def _on_mode(self, mode: FrameMode) -> None:
        self._open(mode)

    @Slot(int)
    def _on_line(self, line: int) -> None:
        def go(frames: NDArray[np.int32]) -> None:
            place = next_frame_of(frames, self.player.index)
            if place is not None:
                self.player.seek(place)

        self._server.ask("line", lambda frames: frames.frames_of_line(line), go)

    @Slot(int, int)
    def _on_block(self, x: int, y: int) -> None:
        if self._run is not None:
            self.block_asked.emit(self._run, (x, y, 0))


def _same_grid(trace: TraceRun, other: TraceRun) -> bool:
    """Whether two recordings are of blocks of one grid."""
    one, two = trace.spec, other.spec
    return (one.kernel, one.params, one.shape) == (two.kernel, two.params, two.shape)


@dataclass(frozen=True, slots=True, eq=False)
class _Made:
    """What the view needs of a block; values only of matrices small enough to be read."""

    frames: Frames
    material: Material
    a: NDArray[np.float32] | None
    b: NDArray[np.float32] | None


def _make(run: TraceRun, block: BlockTrace, mode: FrameMode) -> _Made:
    frames, shape = Frames(block, mode), run.spec.shape
    warm(frames)
    if max(shape.m * shape.k, shape.k * shape.n) > MOST_VALUES:
        return _Made(frames, material_of(block), None, None)
    operands = make_operands(shape, run.spec.fill, run.spec.seed)
    return _Made(frames, material_of(block), operands.a, operands.b)
