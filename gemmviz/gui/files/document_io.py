"""Session files, each read on a thread of its own, written on one of theirs in turn; the outcome comes as a signal."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import SessionError, load_session, save_session
from gemmviz.gui.tasks.file_questions import FileQuestions

Load = Callable[[Path], Session]
Save = Callable[[Session, Path], None]
Stamp = tuple[int, int, int]
"""What tells one state of a file from another: its number, its size in bytes, when it was changed in ns."""


def stamp_of(path: Path) -> Stamp | None:
    """The state of a file as it is now; None where there is none to be seen."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


@dataclass(frozen=True, slots=True, eq=False)
class FileOutcome:
    """How a file was dealt with: the session read or written, or None and why not. `ticket` is that of the order.

    `is_foreign`: it was not written, since another program has changed it. `stamp` is the file's when it was read.
    """

    ticket: int
    path: Path
    session: Session | None
    reason: str = ""
    is_foreign: bool = False
    stamp: Stamp | None = None


class SessionFiles(QObject):
    """Reads and writes session files; what is read was written before, if that was asked for before. Nothing here
    blocks but `wait`, and a disk that does not answer a reader keeps no writer waiting.
    """

    read = Signal(object)
    written = Signal(object)
    broke = Signal(object)
    """An exception that no one foresaw; nothing else comes of that order."""

    def __init__(self, load: Load = load_session, save: Save = save_session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._load, self._save = load, save
        self._thread = ThreadPoolExecutor(1, "session-files")
        self._last: Future[None] | None = None
        self._known: dict[Path, Stamp | None] = {}
        self._questions = FileQuestions(self)

    def begin_read(self, ticket: int, path: Path) -> None:
        """Read a file; `read` comes with its Outcome."""
        self._questions.ask(partial(_read, self._load, ticket, path, self._last), self._on_read, patience_s=0.0)

    def begin_write(self, ticket: int, session: Session, path: Path, *, anyway: bool = False) -> None:
        """Write the session as it is now; `written` comes with its Outcome. A file that another program has changed
        since it was taken over or written here is replaced only `anyway`.
        """
        self._begin(self._thread.submit(self._write, ticket, session, path, anyway))

    def take_over(self, outcome: FileOutcome) -> None:
        """What was read is what the window has now."""
        self._known[outcome.path] = outcome.stamp

    def wait(self, within_s: float | None = None) -> None:
        """Return when everything is written that was asked for, or after so many seconds; signals come once the event
        loop runs.
        """
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

    def _on_read(self, outcome: FileOutcome | BaseException) -> None:
        (self.broke if isinstance(outcome, BaseException) else self.read).emit(outcome)

    def _write(self, ticket: int, session: Session, path: Path, anyway: bool) -> None:
        if not anyway and path in self._known and stamp_of(path) not in (None, self._known[path]):
            self.written.emit(FileOutcome(ticket, path, None, is_foreign=True))
            return
        try:
            self._save(session, path)
            self._known[path] = stamp_of(path)
            outcome = FileOutcome(ticket, path, session)
        except SessionError as error:
            outcome = FileOutcome(ticket, path, None, str(error))
        except (OSError, MemoryError) as error:
            outcome = FileOutcome(
                ticket, path, None, f"cannot save {path}: {str(error) or 'it does not fit in memory'}"
            )
        self.written.emit(outcome)


def _read(load: Load, ticket: int, path: Path, before: Future[None] | None) -> FileOutcome | BaseException:
    """What came of reading a file, once what is written before is; or an exception that no one foresaw."""
    if before is not None:
        before.exception()
    stamp = stamp_of(path)
    try:
        return FileOutcome(ticket, path, load(path), stamp=stamp)
    except SessionError as error:
        return FileOutcome(ticket, path, None, str(error))
    except (OSError, MemoryError) as error:
        return FileOutcome(ticket, path, None, f"cannot open {path}: {str(error) or 'it does not fit in memory'}")
    except BaseException as error:  # noqa: BLE001 - it is told in the window's thread
        return error
