"""Work that only the thread of the window may do, asked for by another thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Event
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

_WAIT_S = 0.05

T = TypeVar("T")


class GivenUpError(Exception):
    """Whoever asked wants no answer any more."""


class WindowThread(QObject):
    """Does what is asked in the thread that it was made in."""

    _asked = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked.connect(self._do)

    def ask(self, work: Callable[[], T], is_given_up: Event) -> T:
        """What `work` returns, or raises, there; waits for it in this thread.

        Raises:
            GivenUpError: it was given up before.
        """
        answer = Future[T]()
        self._asked.emit(work, answer)
        while not wait((answer,), _WAIT_S).done:
            if is_given_up.is_set():
                answer.cancel()
                raise GivenUpError
        return answer.result()

    @Slot(object, object)
    def _do(self, work: Callable[[], Any], answer: Future[Any]) -> None:
        if not answer.set_running_or_notify_cancel():
            return
        try:
            answer.set_result(work())
        except Exception as error:  # noqa: BLE001, whoever asked is told
            answer.set_exception(error)
