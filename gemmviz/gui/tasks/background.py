"""Runs a function off the window's thread and brings its result back to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal, Slot


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Who waits for a task, and the task itself."""

    on_done: Callable[[Any], None]
    on_error: Callable[[Exception], None]
    task: _Task


class _Post(QObject):
    """Carries results across threads. The tasks hold it, so it is there even after the window is gone."""

    arrived = Signal(int, object, object)
    """The task's id, its result, the exception it ended with or None."""


class _Task:
    """A callable, not a QRunnable: PySide keeps every QRunnable it was given, and all that its function holds."""

    def __init__(self, number: int, function: Callable[[], Any], post: _Post) -> None:
        self._number, self._post = number, post
        self._function: Callable[[], Any] | None = function

    def cancel(self) -> None:
        """Do nothing if it has not begun."""
        self._function = None

    def __call__(self) -> None:
        function, self._function = self._function, None
        if function is None:
            return
        try:
            result, fault = function(), None
        except Exception as error:  # noqa: BLE001 - whatever it is, the one who asked gets it
            result, fault = None, error
        self._post.arrived.emit(self._number, result, fault)


class Background(QObject):
    """Starts functions on a thread pool of its own; what they return or raise is delivered in this object's thread.

    Nothing is delivered for a task that was cancelled, nor once this object is gone. Deleting it waits for the
    functions that already run.
    """

    idle = Signal()
    """The last task that was waited for has been delivered or cancelled."""

    def __init__(self, parent: QObject | None = None, threads: int = 2) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._post = _Post()
        self._post.arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        self._waiting: dict[int, _Waiting] = {}
        self._last = 0

    def start(
        self,
        function: Callable[[], Any],
        on_done: Callable[[Any], None],
        on_error: Callable[[Exception], None],
    ) -> int:
        """Run `function` on another thread, then `on_done` with its result or `on_error` with its exception, here.

        The function must not touch a widget. Returns the id `cancel` takes.
        """
        self._last += 1
        task = _Task(self._last, function, self._post)
        self._waiting[self._last] = _Waiting(on_done, on_error, task)
        self._pool.start(task)
        return self._last

    def cancel(self, number: int) -> bool:
        """Deliver nothing for a task; one that has not begun will not. Whether anybody still waited for it."""
        waiting = self._waiting.pop(number, None)
        if waiting is None:
            return False
        waiting.task.cancel()
        self._tell_if_idle()
        return True

    def cancel_all(self) -> None:
        """Deliver nothing that was started so far."""
        for number in tuple(self._waiting):
            self.cancel(number)

    def wait(self, within_s: float) -> bool:
        """Whether every function has returned within so many seconds; what they return is delivered later."""
        return self._pool.waitForDone(round(1000 * within_s))

    @property
    def waiting(self) -> int:
        """How many tasks are still to be delivered."""
        return len(self._waiting)

    @Slot(int, object, object)
    def _on_arrived(self, number: int, result: object, fault: Exception | None) -> None:
        waiting = self._waiting.pop(number, None)
        if waiting is None:
            return
        if fault is None:
            waiting.on_done(result)
        else:
            waiting.on_error(fault)
        self._tell_if_idle()

    def _tell_if_idle(self) -> None:
        if not self._waiting:
            self.idle.emit()


def raise_again(fault: Exception) -> None:
    """For work that cannot fail unless the program is wrong."""
    raise fault
