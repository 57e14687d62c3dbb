"""Has a kernel file examined in a worker of its own, so that no run waits; a newer save takes the place of an older."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.domain.kernels.kernel_version import Check, Compilation
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.engine.client import BusyError, Client
from gemmviz.engine.messages import (
    CheckDone,
    CompileDone,
    ExamineRequest,
    Finished,
    Progressed,
    RecordDone,
    StageFailed,
    WorkerLost,
)
from gemmviz.gui.tasks.event_queue import EventQueue
from gemmviz.gui.work.window_words import event_in_window


@dataclass(slots=True)
class SaveFindings:
    """What is known so far of a text that is examined; `reason` says why there is no code. `is_out_of_time`: a stage
    was ended by its time limit.
    """

    work: ExamineRequest
    compilation: Compilation | None = None
    trace: TraceRun | None = None
    check: Check | None = None
    faults: list[str] = field(default_factory=list)
    reason: str = ""
    is_out_of_time: bool = False

    @property
    def compiles(self) -> bool:
        """Whether a compiler took the text, as far as that is known."""
        return self.compilation is not None or self.trace is not None or self.check is not None


class Examiner(QObject):
    """Examines one text at a time. `make_client` makes the client when it is first needed."""

    progressed = Signal(str)
    """What is being done."""
    found = Signal(object)
    """The SaveFindings, with something that was not known before."""
    ended = Signal(object)
    """The SaveFindings, when nothing more comes."""

    def __init__(self, make_client: Callable[[], Client], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._make_client = make_client
        self._client: Client | None = None
        self._now: SaveFindings | None = None
        self._next: ExamineRequest | None = None
        self._events = EventQueue(self)
        self._events.handed.connect(self._on_happened)
        self._is_closed = False

    @property
    def is_busy(self) -> bool:
        """Whether something is being examined."""
        return self._now is not None or self._next is not None

    @property
    def current(self) -> ExamineRequest | None:
        """What is being examined; None for nothing."""
        return self._now.work if self._now is not None else None

    def examine(self, work: ExamineRequest) -> None:
        """Examine this, and give up what is examined now; the id of the request is given here."""
        if self._is_closed:
            return
        if self._client is None:
            self._client = self._make_client()
            self._client.happened.connect(self._events.add)
        self._now, self._next = None, work
        if self._client.busy:
            self._client.cancel()  # its end begins the next
        else:
            self._begin()

    def cancel(self) -> None:
        """Give up what is examined; nothing more is told of it."""
        self._now = self._next = None
        if self._client is not None:
            self._client.cancel()

    def close(self) -> None:
        """End the worker."""
        self._is_closed = True
        self._now = self._next = None
        self._events.close()
        if self._client is not None:
            self._client.close()

    def _begin(self) -> None:
        client, work = self._client, self._next
        if client is None or work is None:
            return
        work = replace(work, id=client.next_id())
        self._now, self._next = SaveFindings(work), None
        try:
            client.submit(work)
        except BusyError as error:
            self._end(str(error))

    @Slot(object)
    def _on_happened(self, event: object) -> None:
        now = self._now
        is_current = now is not None and getattr(event, "id", 0) == now.work.id
        match event_in_window(event):
            case Finished() | WorkerLost() if self._next is not None and self._client is not None:
                if not self._client.busy:
                    self._begin()
            case Finished(reason=reason) if is_current:
                self._end(reason)
            case WorkerLost(words=words) if is_current:
                self._end(words)
            case _ if not is_current or now is None:
                pass
            case Progressed(words=words):
                self.progressed.emit(words)
            case CompileDone(compilation=compilation):
                now.compilation = compilation
                self.found.emit(now)
            case RecordDone(trace=trace):
                now.trace = trace
                self.found.emit(now)
            case CheckDone(check=check):
                now.check = check
                self.found.emit(now)
            case StageFailed(reason=reason, is_out_of_time=is_out_of_time):
                now.faults.append(reason)
                now.is_out_of_time |= is_out_of_time
                self.found.emit(now)

    def _end(self, reason: str) -> None:
        now, self._now = self._now, None
        if now is not None:
            if now.compiles and reason:
                now.faults.append(reason)
            else:
                now.reason = reason
            self.ended.emit(now)
