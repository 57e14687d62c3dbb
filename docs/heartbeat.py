"""How long a window's thread does not listen, and how much of that is its own doing. Linux only (reads /proc)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from PySide6.QtCore import QObject, Qt, QTimer, Slot

BEAT_MS = 5


@dataclass(slots=True)
class Chapter:
    """Columns with one value for each beat since the last, in ms.

    `wall`: by the clock. `own`: processor time of the window's thread. `held`: by the clock, without the time in which
    the thread was ready and other processes had the cores; what remains is its own work and whatever it waited for.
    """

    wall: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    held: list[float] = field(default_factory=list)

    def summary(self) -> dict[str, float]:
        """The longest of each, the median by the clock, and the part of the time that other processes took."""
        taken = 1.0 - sum(self.held) / max(sum(self.wall), 1e-9)
        return {
            "beats": len(self.wall),
            "wall_ms": max(self.wall),
            "own_ms": max(self.own),
            "held_ms": max(self.held),
            "median_ms": median(self.wall),
            "taken": max(taken, 0.0),
        }


class Heartbeat(QObject):
    """Beats in the thread it is made in. What is measured goes to the chapter that was begun last."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.chapters: dict[str, Chapter] = {}
        self._chapter: Chapter | None = None
        self._last = _now()
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def begin(self, name: str) -> None:
        """Measure for a chapter from now on; "" for none. What went before belongs to the last chapter."""
        self._beat()
        self._chapter = self.chapters.setdefault(name, Chapter()) if name else None

    @Slot()
    def _beat(self) -> None:
        now, last = _now(), self._last
        self._last = now
        if self._chapter is not None:
            wall, own, waited = (1e3 * (one - before) for one, before in zip(now, last, strict=True))
            self._chapter.wall.append(wall)
            self._chapter.own.append(own)
            self._chapter.held.append(wall - waited)


def _now() -> tuple[float, float, float]:
    """Seconds by the clock, of this thread's processor time, and of its waiting for a processor."""
    waited_ns = Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]
    return time.perf_counter(), time.thread_time(), int(waited_ns) / 1e9


def memory_mib(which: str = "VmRSS") -> float:
    """Memory of this process; "VmHWM" for the most it ever had."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{which}:")) / 1024


def threads() -> int:
    """Threads of this process."""
    return len(list(Path("/proc/self/task").iterdir()))
