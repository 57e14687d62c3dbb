"""The window's side of the engine: one request at a time goes to the worker that may run it; survives every end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QObject, Qt, QTimer, Signal, Slot

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
from gemmviz.engine.process import Main
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
        self._ordinary = WorkerPlace(main, self)
        self._confined = ConfinedPlace(self)
        self._confined.devices = devices
        self._at_work: WorkerPlace = self._ordinary
        """Where the worker is that has the request which is under way, or had the last one."""
        for place in (self._ordinary, self._confined):
            place.heard.connect(self._on_heard)
            place.ended.connect(self._on_ended)
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

    def start(self) -> None:
        """Start the worker if there is none; WorkerReady follows."""
        self._see_to(self._ordinary)

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
        self._at_work = self._confined if self._active_request.own_kernels else self._ordinary
        if self._at_work is self._confined and self._confined.devices is None:
            self._see_to(self._ordinary)  # which finds the devices
        else:
            self._begin()

    @Slot()
    def cancel(self) -> None:
        """Stop the request that is under way; Finished follows within 0.5 s, whatever the worker is doing."""
        active_request = self._active_request
        if active_request is None or active_request.is_cancelled:
            return
        active_request.is_cancelled = True
        self._at_work.send(CancelRequest(active_request.work.id))
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
        for place in (self._ordinary, self._confined):
            place.wait(deadline)
        self._confined.clean_up()

    def _tell(self, event: Event) -> None:
        if not self._is_closed:
            self.happened.emit(event)

    def _see_to(self, place: WorkerPlace) -> None:
        """Start the worker of a place if there is none."""
        if self._is_closed:
            return
        try:
            place.start()
        except OSError as error:
            self._give_up_starting(place, error)

    def _begin(self) -> None:
        """Hand the request to the worker where it belongs."""
        if self._active_request is None or self._is_closed:
            return
        try:
            self._at_work.begin(self._active_request)
        except OSError as error:
            self._give_up_starting(self._at_work, error)
            return
        self._watch_over(self._active_request)

    def _begin_again(self, place: WorkerPlace) -> None:
        """Start another worker where one has ended, which gets the request if it is that place's."""
        if place is self._at_work and self._active_request is not None:
            self._begin()
        else:
            self._see_to(place)

    def _give_up_starting(self, place: WorkerPlace, error: OSError) -> None:
        place.deaths = 0
        active_request = self._end_request()
        number = active_request.work.id if active_request is not None else 0
        self._tell(WorkerLost(number, None, "", no_start_message(error), restarts=False))

    def _replace_worker(self) -> None:
        """Kill the worker and start another one; the old one says nothing more."""
        self._at_work.end()
        self._see_to(self._at_work)

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
    def _on_heard(self, place: WorkerPlace, event: Event) -> None:
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
            self._begin()

    @Slot(object, object)
    def _on_ended(self, place: WorkerPlace, exit_code: int | None) -> None:
        if exit_code == STUCK:  # it has said everything, and not begun anything since
            self._begin_again(place)
        elif place.is_ready:
            self._lose(place, exit_code)
        else:
            self._start_again(place, exit_code)

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
            if place.worker is None:
                self._begin_again(place)
            return
        waits_for_devices = self._confined.devices is None
        active_request = self._end_request() if place is self._at_work or waits_for_devices else None
        number = active_request.work.id if active_request is not None else 0
        words = give_up_message(exit_code, place.deaths)
        place.deaths = 0
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


def _timer(parent: QObject, slot: Callable[[], None]) -> QTimer:
    """A timer that calls `slot` once, each time it is started."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setTimerType(Qt.TimerType.PreciseTimer)  # a coarse one may be early by a twentieth
    timer.timeout.connect(slot)
    return timer
