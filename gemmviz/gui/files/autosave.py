"""Keeps the unsaved session on the disk while it is worked on, on a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.domain.clock import utc_now
from gemmviz.domain.recovery.writer import RecoveryWriter, Snapshot
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.notices.notice import NoticeKind

TellExperiment = Callable[[], Mapping[str, Any]]

CLOSE_LIMIT_S = 5.0
"""How long an ordinary close waits for the recovery data to be removed."""


class Autosave(QObject):
    """Hands each state of the document to a thread, which writes the newest: those in between are passed over."""

    notified = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""
    kept = Signal(object)
    """This Session is on the disk, all of it."""

    def __init__(
        self, document: SessionDocument, tell_experiment: TellExperiment, root: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._tell_experiment = document, tell_experiment
        self.root = root
        """Where this window and others keep what is not saved."""
        self._writer = RecoveryWriter(root, utc_now)
        self._changed = threading.Condition()
        self._next: list[Snapshot | None] = []
        self._is_busy = self._is_ended = self._is_failing = False
        self._thread: threading.Thread | None = None
        document.changed.connect(self.keep)
        document.saved.connect(self.keep)

    @property
    def folder(self) -> Path | None:
        """Where this window's data lie, None while there are none."""
        return self._writer.folder

    @Slot()
    def keep(self) -> None:
        """Write the session as it is now, or remove the data where nothing is unsaved."""
        document, snapshot = self._document, None
        if document.modified:
            name = document.name if document.has_name else ""
            snapshot = Snapshot(document.session, document.shown, name, self._tell_experiment(), document.kept)
        self._hand_over(snapshot)

    def wait(self, within_s: float) -> bool:
        """Whether everything handed over was written, all of it, within so many seconds."""
        deadline = time.monotonic() + within_s
        with self._changed:
            while self._next or self._is_busy:
                if not self._changed.wait(deadline - time.monotonic()):
                    return False
        return not self._is_failing and self._writer.is_complete

    def finish(self, within_s: float) -> bool:
        """Write the session as it is now, and nothing any more; the answer is that of `wait`."""
        self.keep()
        self._end()
        return self.wait(within_s)

    def discard(self) -> None:
        """Remove the data: the session is saved or given up. Nothing is written any more."""
        self._hand_over(None)
        self._end()
        self.wait(CLOSE_LIMIT_S)

    def _hand_over(self, snapshot: Snapshot | None) -> None:
        """Write this next, in place of what waits; None: remove everything."""
        with self._changed:
            if self._is_ended or (snapshot is None and self._thread is None):
                return
            self._next = [snapshot]
            self._changed.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="autosave", daemon=True)
                self._thread.start()

    def _end(self) -> None:
        with self._changed:
            self._is_ended = True
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._next and not self._is_ended:
                    self._changed.wait()
                if not self._next:
                    break
                snapshot, self._is_busy = self._next.pop(), True
            try:
                self._write(snapshot)
            finally:
                with self._changed:
                    self._is_busy = False
                    self._changed.notify_all()
            if not self._next and not self._is_ended:
                self._writer.sync()
        self._writer.release()

    def _write(self, snapshot: Snapshot | None) -> None:
        if snapshot is None:
            self._writer.clear()
            return
        was_failing, self._is_failing = self._is_failing, True
        try:
            for words in self._writer.keep(snapshot):
                self.notified.emit(NoticeKind.WARNING, words, "")
        except Exception as error:  # noqa: BLE001 - whatever it is, the window goes on and later states are tried
            if not was_failing:
                reason = str(error) or type(error).__name__
                words = f"Unsaved results cannot be kept for recovery: {reason}. Save the session yourself meanwhile"
                self.notified.emit(NoticeKind.WARNING, words, "")
            return
        self._is_failing = False
        if self._writer.is_complete:
            self.kept.emit(snapshot.session)
