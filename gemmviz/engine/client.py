"""The window's side of the engine: starts the workers, hands over requests, emits events, survives every end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QObject, Qt, QThread, QTimer, Signal, Slot

from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.engine.active_request import ActiveRequest
from gemmviz.engine.confined_worker import STOPPED
from gemmviz.engine.exit_messages import (
    bad_start_message,
    exit_message,
    give_up_message,
    no_start_message,
    stop_message,
)
from gemmviz.engine.messages import (
    CancelRequest,
    Event,
    Finished,
    Noted,
    Progressed,
    RunDone,
    RunFailed,
    Work,
    WorkerLost,
    WorkerReady,
    WorkerStopped,
)
from gemmviz.engine.own_kernels import own_kernels_of
from gemmviz.engine.process import HungUpError, Main, WorkerProcess
from gemmviz.engine.worker import STUCK, worker_main
from gemmviz.engine.worker_place import ConfinedPlace, WorkerPlace

CANCEL_LIMIT_S = 0.35
"""How long a cancel may take before the worker is killed; with the kill it is over within 0.5 s."""

ALLOWANCE_S = 60.0
"""For starting, compiling and checking, besides what the limits of a request allow."""

MOST_DEATHS = 3
"""Workers in a row that end before they are ready."""

_CLOSE_LIMIT_MS = 900


class BusyError(RuntimeError):
    """A request is under way, or the window is being closed."""


class Client(QObject):
    """Starts one worker process and a new one whenever it ends; one request at a time. A request with kernels of the
    user's goes to a second worker, which is confined (`sandbox/`) and started when it is first needed.

    `happened` carries every `gemmviz.engine.messages.Event`. A request ends with Finished, or with a WorkerLost of its
    id. To be used from the thread it was made in, and closed before it is dropped.
    """

    happened = Signal(object)
    begun = Signal()
    """A request was accepted: from now on the processor is the worker's."""

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        main: Main = worker_main,
        cancel_limit_s: float = CANCEL_LIMIT_S,
        allowance_s: float = ALLOWANCE_S,
        devices: Sequence[Device] | None = None,
    ) -> None:
        """`devices` are those that are known already; without them an ordinary worker finds them."""
        super().__init__(parent)
        self._allowance_s = allowance_s
        self._ids = count(1)
        self._readers: dict[WorkerProcess, _Reader] = {}
        self._ordinary = WorkerPlace(main)
        self._confined = ConfinedPlace()
        self._confined.devices = devices
        self._at_work: WorkerPlace = self._ordinary
        self._is_closed = False
        self._active_request: ActiveRequest | None = None
        self._cancel_timer = _timer(self, self._on_cancel_overdue)
        self._cancel_timer.setInterval(round(1000 * cancel_limit_s))
        self._watchdog = _timer(self, self._on_no_sign_of_life)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.close)

    @property
    def busy(self) -> bool:
        return self._active_request is not None

    @property
    def running(self) -> str:
        """What is running now, in words; "" if nothing is."""
        return (self._active_request.running or self._active_request.name) if self._active_request is not None else ""

    def next_id(self) -> int:
        """An id no request has had."""
        return next(self._ids)

    @property
    def _worker(self) -> WorkerProcess | None:
        """The worker that has the request which is under way, or had the last one."""
        return self._at_work.worker

    def start(self) -> None:
        """Start the worker if there is none; WorkerReady follows."""
        self._see_to(self._ordinary)

    def _see_to(self, place: WorkerPlace) -> None:
        if place.worker is None and not self._is_closed:
            place.deaths = 0
            self._start_worker(place)

    def submit(self, work: Work) -> None:
        """Hand a request to the worker, which may still be starting.

        Raises:
            BusyError: another one is under way, or the client is closed.
        """
        if self._is_closed:
            raise BusyError("the window is being closed: nothing more is run")
        if self._active_request is not None:
            raise BusyError(f"{self._active_request.name} is under way. Wait until it has ended, or cancel it")
        self._active_request = ActiveRequest(work)
        self.begun.emit()
        self._at_work = self._confined if own_kernels_of(work) else self._ordinary
        if self._at_work is self._confined and self._confined.devices is None:
            self._see_to(self._ordinary)  # which finds the devices
        else:
            self._begin(work)

    def _begin(self, work: Work) -> None:
        try:
            if self._at_work is self._confined:
                self._confined.make_fit_for(work)
        except OSError as error:
            self._give_up_starting(error)
            return
        self._see_to(self._at_work)
        self._hand_over()

    @Slot()
    def cancel(self) -> None:
        """Stop the request that is under way; Finished follows within 0.5 s, whatever the worker is doing."""
        active_request = self._active_request
        if active_request is None or active_request.is_cancelled:
            return
        active_request.is_cancelled = True
        self._send(CancelRequest(active_request.work.id))
        if self._at_work.is_ready:
            self._cancel_timer.start()
        else:  # the worker has not begun, and will not
            self._finish(Finished(active_request.work.id, cancelled=True))

    @Slot()
    def close(self) -> None:
        """End the worker, whatever it does. Safe at any moment and more than once; no event follows."""
        self._is_closed = True
        self._end_request()
        for place in (self._ordinary, self._confined):
            place.end()
        deadline = QDeadlineTimer(_CLOSE_LIMIT_MS)
        self._readers = {worker: reader for worker, reader in self._readers.items() if not reader.wait(deadline)}
        self._confined.clean_up()

    def _tell(self, event: Event) -> None:
        if not self._is_closed:
            self.happened.emit(event)

    def _start_worker(self, place: WorkerPlace) -> None:
        place.is_ready, place.stopped, place.worker = False, "", None
        try:
            place.worker = worker = WorkerProcess(place.main)
        except OSError as error:
            self._give_up_starting(error)
            return
        self._readers[worker] = reader = _Reader(worker)
        reader.heard.connect(self._on_heard)
        reader.ended.connect(self._on_ended)
        reader.start()

    def _give_up_starting(self, error: OSError) -> None:
        active_request = self._end_request()
        number = active_request.work.id if active_request is not None else 0
        self._tell(WorkerLost(number, None, "", no_start_message(error), restarts=False))

    def _replace_worker(self) -> None:
        """Kill the worker and start another one; its reader says nothing more."""
        self._at_work.end()
        self._start_worker(self._at_work)

    def _hand_over_at(self, place: WorkerPlace) -> None:
        if place is self._at_work:
            self._hand_over()

    def _hand_over(self) -> None:
        if self._active_request is not None:
            self._send(self._active_request.work)
            self._watch_over(self._active_request)

    def _send(self, request: Work | CancelRequest) -> None:
        if self._worker is not None:
            self._worker.send(request)

    def _watch_over(self, active_request: ActiveRequest) -> None:
        self._watchdog.start(round(1000 * min(active_request.limit_s(self._allowance_s), 2_000_000)))

    def _end_request(self) -> ActiveRequest | None:
        ended, self._active_request = self._active_request, None
        self._cancel_timer.stop()
        self._watchdog.stop()
        return ended

    def _finish(self, finished: Finished) -> None:
        self._end_request()
        self._tell(finished)

    @Slot(object, object)
    def _on_heard(self, worker: WorkerProcess, event: Event) -> None:
        place = self._place_of(worker)
        if place is None:
            return
        match event:
            case WorkerReady():
                place.is_ready, place.deaths = True, 0
                if place is self._ordinary:
                    self._on_devices(event.devices)
                    self._tell(event)
            case WorkerStopped() if place is self._confined:
                place.stopped = event.words
            case Noted():
                self._tell(event)
            case WorkerLost() | WorkerStopped():
                pass  # workers do not tell their own end
            case _ if place is not self._at_work:
                pass
            case _ if self._active_request is None or event.id != self._active_request.work.id:
                pass  # the answer to a request that is over
            case Finished():
                self._finish(event)
            case _:
                self._active_request.hear(event)
                if isinstance(event, Progressed | RunDone | RunFailed):
                    self._watch_over(self._active_request)
                self._tell(event)

    def _on_devices(self, devices: Sequence[Device]) -> None:
        """The devices are known: what waited for them, since they decide how its worker is confined, begins."""
        has_waited = self._confined.devices is None and self._at_work is self._confined
        self._confined.devices = devices
        if has_waited and self._active_request is not None:
            self._begin(self._active_request.work)

    @Slot(object, object)
    def _on_ended(self, worker: WorkerProcess, exit_code: int | None) -> None:
        reader = self._readers.pop(worker, None)
        if reader is not None:
            reader.wait()
        place = self._place_of(worker)
        if place is None:
            return
        place.worker = None
        if exit_code == STUCK:  # it has said everything, and not begun anything since
            self._start_worker(place)
            self._hand_over_at(place)
        elif place.is_ready:
            self._lose(place, exit_code)
        else:
            self._start_again(place, exit_code)

    def _place_of(self, worker: WorkerProcess) -> WorkerPlace | None:
        """Where a worker is, None if it has been replaced."""
        return next((place for place in (self._ordinary, self._confined) if place.worker is worker), None)

    def _lose(self, place: WorkerPlace, exit_code: int | None) -> None:
        """The worker died at work, or while it had none."""
        if place is self._confined and place is not self._at_work:
            return  # nobody misses it until the next own kernel
        active_request = self._end_request() if place is self._at_work else None
        is_stopped = exit_code == STOPPED
        words = stop_message(place.stopped, active_request) if is_stopped else exit_message(exit_code, active_request)
        number = active_request.work.id if active_request is not None else 0
        running = active_request.running if active_request is not None and active_request.kernel else ""
        self._tell(WorkerLost(number, exit_code, running, words))
        self._see_to(place)

    def _start_again(self, place: WorkerPlace, exit_code: int | None) -> None:
        """The worker died before it was ready. What it was handed it has not begun, so the next one gets it."""
        place.deaths += 1
        if place.deaths < MOST_DEATHS:
            self._tell(WorkerLost(0, exit_code, "", bad_start_message(exit_code)))
            if place.worker is None and not self._is_closed:
                self._start_worker(place)
                self._hand_over_at(place)
            return
        waits_for_devices = self._confined.devices is None
        active_request = self._end_request() if place is self._at_work or waits_for_devices else None
        number = active_request.work.id if active_request is not None else 0
        words = give_up_message(exit_code, place.deaths)
        self._tell(WorkerLost(number, exit_code, "", words, restarts=False))

    @Slot()
    def _on_cancel_overdue(self) -> None:
        active_request = self._end_request()
        if active_request is not None:
            self._replace_worker()
            self._tell(Finished(active_request.work.id, cancelled=True))

    @Slot()
    def _on_no_sign_of_life(self) -> None:
        active_request = self._end_request()
        if active_request is None:
            return
        self._replace_worker()
        reason = f"did not end within {active_request.limit_s(self._allowance_s):g} s in all and was stopped"
        failures = active_request.given_up(reason, timestamp())
        for failure in failures:
            self._tell(failure)
        whole = "" if failures else f"{active_request.name} {reason}"
        self._tell(Finished(active_request.work.id, reason=whole))


class _Reader(QThread):
    """Waits for what one worker sends, and for its end."""

    heard = Signal(object, object)
    ended = Signal(object, object)

    def __init__(self, worker: WorkerProcess) -> None:
        super().__init__()
        self._worker = worker

    def run(self) -> None:
        while True:
            try:
                event = self._worker.receive()
            except HungUpError:
                break
            self.heard.emit(self._worker, event)
        self.ended.emit(self._worker, self._worker.reap())


def _timer(parent: QObject, slot: Callable[[], None]) -> QTimer:
    """A timer that calls `slot` once, each time it is started."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setTimerType(Qt.TimerType.PreciseTimer)  # a coarse one may be early by a twentieth
    timer.timeout.connect(slot)
    return timer
