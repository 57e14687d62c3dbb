"""Questions to the file system on threads of their own: a disk or a network that does not answer stops no window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

PATIENCE_S = 0.1
"""How long the window waits for an answer at most. Most come in a few ms, and then nothing flickers."""

T = TypeVar("T")


class _Post(QObject):
    """Carries answers across threads. The threads hold it, so it is there even after the window is gone."""

    arrived = Signal(int)


@dataclass(slots=True, eq=False)
class _Answer:
    """What the thread leaves behind. It must not hold a widget: who drops the last hold on one destroys it."""

    value: Any = None
    fault: BaseException | None = None
    is_there: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """Who waits for an answer, and what is being done."""

    on_answer: Callable[[Any], object]
    words: str
    answer: _Answer

    def deliver(self) -> None:
        if self.answer.fault is not None:
            raise self.answer.fault
        self.on_answer(self.answer.value)


def _run(question: Callable[[], Any], answer: _Answer, number: int, post: _Post) -> None:
    try:
        answer.value = question()
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised where the answer is awaited
        answer.fault = error
    answer.is_there.set()
    post.arrived.emit(number)


class FileQuestions(QObject):
    """Asks, and delivers the answers in this object's thread. Nobody waits at the end for a question still open."""

    busy_changed = Signal(str)
    """What takes longer than a moment, "" when nothing does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._post = _Post()
        self._post.arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        self._open: dict[int, _Question] = {}
        self._last = 0

    @property
    def waiting(self) -> int:
        """How many answers are still to come."""
        return len(self._open)

    def ask(
        self,
        question: Callable[[], T],
        on_answer: Callable[[T], object],
        words: str = "",
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Call `on_answer` with what `question` returns: now if it answers within `patience_s`, else once it does.

        `question` runs on a thread of its own and must not touch a widget; what it raises is raised here. `words` say
        what is being done if it takes longer.
        """
        self._last += 1
        number, answer = self._last, _Answer()
        asked = _Question(on_answer, words, answer)
        threading.Thread(target=_run, args=(question, answer, number, self._post), daemon=True).start()
        if patience_s > 0 and answer.is_there.wait(patience_s):
            asked.deliver()
            return
        self._open[number] = asked
        self._tell()

    @Slot(int)
    def _on_arrived(self, number: int) -> None:
        asked = self._open.pop(number, None)
        if asked is None:  # it was answered at once
            return
        self._tell()
        asked.deliver()

    def _tell(self) -> None:
        self.busy_changed.emit(next((asked.words for asked in self._open.values() if asked.words), ""))


def answer_in_time(question: Callable[[], T], otherwise: T, patience_s: float = PATIENCE_S) -> T:
    """What `question` returns if it does so within `patience_s`, else `otherwise`."""
    found: list[T] = []
    thread = threading.Thread(target=lambda: found.append(question()), name="file-question", daemon=True)
    thread.start()
    thread.join(patience_s)
    return found[0] if found else otherwise
