"""Makes frames off the window's thread and keeps the last ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.frame_facts import FrameFacts, facts_of
from gemmviz.explain.requests.machine_requests import RequestCode, frames_in_code, machine_requests
from gemmviz.gui.player.frame_cache import MOST_BYTES, FrameCache
from gemmviz.gui.tasks.background import Background
from gemmviz.gui.tasks.one_shot_task import OneShotTask
from gemmviz.trace.frames.frames import Frames, natural_mode
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.values import Frame

LOOK_AHEAD = 2
"""Frames made in advance, in the direction of the last two requests."""

BUSY_AFTER_MS = 200
"""What is done sooner is not worth a word."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """What is asked of the frames, and who gets the answer."""

    question: Callable[[Frames], Any]
    on_answer: Callable[[Any], None]
    quietly: bool


class FrameServer(QObject):
    """One block's frames in one mode, one job at a time: Frames may be asked by one thread only.

    Of several requests that wait only the newest is made. One that is already in the making when a newer comes is
    still delivered, so that fast scrubbing shows something; but never after a newer one, and never after another
    block was opened.
    """

    opened = Signal(object)
    """The FrameFacts of what was opened; frames may be asked for from now on."""
    frame_ready = Signal(int, object)
    """The index and the Frame."""
    failed = Signal(str)
    """A sentence: what cannot be shown, and why."""
    busy_changed = Signal(bool)
    """Whether somebody has waited for BUSY_AFTER_MS for frames to be opened, for a frame or for an answer."""

    def __init__(
        self, parent: QObject | None = None, most_bytes: int = MOST_BYTES, busy_after_ms: int = BUSY_AFTER_MS
    ) -> None:
        super().__init__(parent)
        self._background = Background(self, threads=1)
        self._cache = FrameCache(most_bytes)
        self._frames: Frames | None = None
        self._facts: FrameFacts | None = None
        self._wanted: int | None = None
        self._making: int | None = None
        self._last, self._direction = -1, 1
        self._questions: dict[str, _Question] = {}
        self._job: int | None = None
        self._work = OneShotTask(_nothing)
        self._busy = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(busy_after_ms)
        self._patience.timeout.connect(self._on_patience_lost)

    @property
    def facts(self) -> FrameFacts | None:
        """What is open; None while nothing is, or not yet."""
        return self._facts

    def open(
        self,
        run: TraceRun,
        block_index: int = 0,
        mode: FrameMode | None = None,
        code: RequestCode = RequestCode.SASS,
    ) -> None:
        """Open a block of a recording, the natural mode for None, its warp requests as `code` has them; ends in
        `opened` or `failed`.
        """
        self.close()
        if not 0 <= block_index < len(run.blocks):
            kept = f"it keeps {len(run.blocks)}" if run.blocks else "it keeps none. Record it again with one block"
            self.failed.emit(f"block {block_index} of the recording of {run.spec.kernel} is not there: {kept}")
            return

        def job() -> tuple[Frames, FrameFacts]:
            trace = run.blocks[block_index].trace(run.sites, run.arrays)
            merged = machine_requests(run, trace)
            frames = frames_in_code(run, trace, natural_mode(trace) if mode is None else mode, merged, code)
            return frames, facts_of(frames, run.hazards, merged)

        self._start(job, self._on_opened)

    def adopt(self, frames: Frames, facts: FrameFacts, first: Frame | None) -> None:
        """Go on with frames that were made ready elsewhere, where nobody asks them any more; `first` is one of them."""
        self.close()
        self._frames, self._facts = frames, facts
        if first is not None:
            self._cache.put(first)

    def close(self) -> None:
        """Forget what is open and everything asked for."""
        self._background.cancel_all()
        self._work.forget()
        self._cache.clear()
        self._questions.clear()
        self._frames = self._facts = self._wanted = self._making = self._job = None
        self._last, self._direction = -1, 1
        self._tell_busy()

    def request(self, index: int) -> None:
        """Ask for a frame: `frame_ready` comes at once for one that is kept, else when it is made.

        Nothing comes while nothing is open, or for a frame that is not there.
        """
        if self._facts is None or not 0 <= index < self._facts.count:
            return
        if index != self._last:
            self._direction = 1 if index > self._last else -1
            self._last = index
        kept = self._cache.get(index)
        if kept is not None:
            self._wanted = self._making = None
            self._go_on()
            self.frame_ready.emit(index, kept)
            return
        self._wanted = None if self._making == index else index
        self._go_on()

    def ask(
        self,
        topic: str,
        question: Callable[[Frames], Answer],
        on_answer: Callable[[Answer], None],
        *,
        quietly: bool = False,
    ) -> None:
        """Put a question to the frames where they are made, and hand the answer to `on_answer` here.

        Of several questions on one topic that wait only the newest is put. Without open frames there is no answer.
        One that is asked `quietly` never makes the server busy: nobody waits for it.
        """
        if self._frames is None:
            return
        self._questions[topic] = _Question(question, on_answer, quietly)
        self._go_on()

    def _start(
        self,
        job: Callable[[], Any],
        on_done: Callable[[Any], None],
        on_error: Callable[[Exception], None] | None = None,
    ) -> None:
        self._work = OneShotTask(job)
        self._job = self._background.start(self._work, on_done, on_error or self._on_failed)
        self._tell_busy()

    def _go_on(self) -> None:
        """Start what is most urgent, if nothing is under way: the frame asked for, questions, look-ahead."""
        frames = self._frames
        if self._job is None and frames is not None:
            if self._wanted is not None:
                index, self._wanted = self._wanted, None
                self._making = index
                self._start(lambda: frames.frame(index), self._on_made)
            elif self._questions:
                asked = self._questions.pop(next(iter(self._questions)))
                self._start(lambda: asked.question(frames), lambda answer: self._on_answered(asked.on_answer, answer))
            elif (ahead := self._ahead()) is not None:
                self._start(lambda: frames.frame(ahead), self._on_made, self._on_ahead_failed)
        self._tell_busy()

    def _ahead(self) -> int | None:
        """The next frame that may soon be asked for and is not kept."""
        count = self._facts.count if self._facts else 0
        if self._last < 0:
            return None
        soon = (self._last + self._direction * step for step in range(1, LOOK_AHEAD + 1))
        return next((index for index in soon if 0 <= index < count and index not in self._cache), None)

    def _on_opened(self, made: tuple[Frames, FrameFacts]) -> None:
        self._job = None
        self._frames, self._facts = made
        self._tell_busy()
        self.opened.emit(self._facts)

    def _on_made(self, frame: Frame) -> None:
        self._job = None
        self._cache.put(frame)
        awaited = self._making == frame.index
        if self._wanted == frame.index:  # it was made in advance and has been asked for meanwhile
            awaited, self._wanted = True, None
        if awaited:
            self._making = None
        self._go_on()
        if awaited:
            self.frame_ready.emit(frame.index, frame)

    def _on_answered(self, on_answer: Callable[[Any], None], answer: object) -> None:
        self._job = None
        self._go_on()
        on_answer(answer)

    def _on_failed(self, fault: Exception) -> None:
        self._job = self._making = None
        self._go_on()
        self.failed.emit(f"these frames cannot be shown: {fault}")

    def _on_ahead_failed(self, _fault: Exception) -> None:
        """Nobody asked for it yet: whoever does will be told."""
        self._job = None
        self._last = -1
        self._go_on()

    def _is_waited_for(self) -> bool:
        """Look-ahead does not count."""
        opening = self._job is not None and self._frames is None
        asked = any(not question.quietly for question in self._questions.values())
        return opening or self._making is not None or self._wanted is not None or asked

    def _tell_busy(self) -> None:
        """Begin to be patient, or end it: a frame made in a moment is no reason to say anything."""
        if self._is_waited_for():
            if not self._busy and not self._patience.isActive():
                self._patience.start()
            return
        self._patience.stop()
        if self._busy:
            self._busy = False
            self.busy_changed.emit(False)

    @Slot()
    def _on_patience_lost(self) -> None:
        if self._is_waited_for():
            self._busy = True
            self.busy_changed.emit(True)


def _nothing() -> None:
    """What is done before anything is asked for."""
