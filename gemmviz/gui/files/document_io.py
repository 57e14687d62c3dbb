"""Session files read and written on a thread of their own, one after the other; the outcome comes as a signal."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gemmviz.domain.result import Session
from gemmviz.domain.session import SessionError, load_session, save_session

Load = Callable[[Path], Session]
Save = Callable[[Session, Path], None]


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """How a file was dealt with: the session read or written, or None and why not. `ticket` is that of the order."""

    ticket: int
    path: Path
    session: Session | None
    reason: str = ""


class SessionFiles(QObject):
    """Reads and writes session files in the order they are asked for. Nothing here blocks but `wait`."""

    read = Signal(object)
    written = Signal(object)
    broke = Signal(object)
    """An exception that no one foresaw; nothing else comes of that order."""

    def __init__(self, load: Load = load_session, save: Save = save_session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._load, self._save = load, save
        self._thread = ThreadPoolExecutor(1, "session-files")
        self._last: Future[None] | None = None

    def begin_read(self, ticket: int, path: Path) -> None:
        """Read a file; `read` comes with its Outcome."""
        self._begin(self._thread.submit(self._read, ticket, path))

    def begin_write(self, ticket: int, session: Session, path: Path) -> None:
        """Write the session as it is now; `written` comes with its Outcome."""
        self._begin(self._thread.submit(self._write, ticket, session, path))

    def wait(self, within_s: float | None = None) -> None:
        """Return when everything asked for is done, or after so many seconds; signals come once the event loop runs."""
        if self._last is not None:
            with suppress(TimeoutError):
                self._last.exception(within_s)

    def _begin(self, order: Future[None]) -> None:
        self._last = order
        order.add_done_callback(self._report)

    def _report(self, order: Future[None]) -> None:
        error = order.exception()
        if error is not None:
            self.broke.emit(error)

    def _read(self, ticket: int, path: Path) -> None:
        try:
            outcome = Outcome(ticket, path, self._load(path))
        except SessionError as error:
            outcome = Outcome(ticket, path, None, str(error))
        except (OSError, MemoryError) as error:
            outcome = Outcome(ticket, path, None, f"cannot open {path}: {str(error) or 'it does not fit in memory'}")
        self.read.emit(outcome)

    def _write(self, ticket: int, session: Session, path: Path) -> None:
        try:
            self._save(session, path)
            outcome = Outcome(ticket, path, session)
        except SessionError as error:
            outcome = Outcome(ticket, path, None, str(error))
        except (OSError, MemoryError) as error:
            outcome = Outcome(ticket, path, None, f"cannot save {path}: {str(error) or 'it does not fit in memory'}")
        self.written.emit(outcome)
