"""Offers what windows left unsaved that did not end well, and takes it into the document."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.domain.clock import utc_now
from gemmviz.domain.recovery.folders import lock_path, remove_folder, sweep
from gemmviz.domain.recovery.lock import FileLock
from gemmviz.domain.recovery.lost import Lost, Recovered, discard, find_lost, recover, take_back
from gemmviz.gui.files.autosave import Autosave
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.lost_words import lost_words
from gemmviz.gui.files.session_control import SessionControl
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.notices.notice import NoticeAction, NoticeKind
from gemmviz.gui.tasks.background import Background

GONE = "There is nothing left to recover: another window has recovered or discarded it"


class Recovery(QObject):
    """One offer in the notice bar for each lost window.

    What is recovered stays on the disk until this window's own recovery data hold it, or until it is saved: an end in
    between loses nothing.
    """

    recovered = Signal(object)
    """The Recovered, once the document holds its session."""

    def __init__(
        self,
        notices: NoticeBar,
        document: SessionDocument,
        files: SessionControl,
        autosave: Autosave,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._root, self._notices = autosave.root, notices
        self._document, self._files, self._autosave = document, files, autosave
        self._background = Background(self, threads=1)
        self._claims: dict[Path, FileLock] = {}
        self._taken: Path | None = None
        autosave.kept.connect(self._on_kept)
        document.saved.connect(self._on_saved)

    def look(self) -> None:
        """Find what was lost, in the background, and offer it."""
        self._background.start(lambda: find_lost(self._root), self._offer_all, self._on_failed)

    def settle(self) -> None:
        """What was recovered is on the disk elsewhere: remove what it was recovered from."""
        folder, self._taken = self._taken, None
        if folder is not None:
            remove_folder(folder)
            self._release(folder)

    def close(self) -> None:
        """The session is saved or given up, and with it what was recovered; what was discarded goes for good."""
        self._background.cancel_all()
        self.settle()
        sweep(self._root)

    def _offer_all(self, found: tuple[Lost, ...]) -> None:
        for lost in reversed(found):  # the newest comes to stand above
            self._offer(lost)

    def _offer(self, lost: Lost) -> None:
        words = self._words(lost)
        why = "Part of the recovery data is damaged." if lost.is_damaged else "That was not saved."
        self._notices.show_notice(
            NoticeKind.OFFER,
            f"Recover {words}? {why}",
            actions=(
                NoticeAction("Recover", lambda: self._recover(lost), "Open it as a session that is not saved yet"),
                NoticeAction("Discard", lambda: self._discard(lost), "Remove it"),
                NoticeAction("Later", lambda: None, "Ask again at the next start"),
            ),
        )

    def _recover(self, lost: Lost) -> None:
        if not self._claim(lost.folder):
            self._tell(NoticeKind.INFO, GONE)
            return

        def fail(error: Exception) -> None:
            self._release(lost.folder)
            self._tell(NoticeKind.ERROR, f"Not recovered: {error}")

        def take(found: Recovered) -> None:
            self._files.once_safe(lambda: self._take(lost, found), otherwise=lambda: self._offer_again(lost))

        self._background.start(lambda: recover(lost.folder), take, fail)

    def _take(self, lost: Lost, found: Recovered) -> None:
        self.settle()
        self._taken = lost.folder
        name = " ".join(found.name.split())
        self._document.take_recovered(found.session, f"{name.removesuffix(' (recovered)') or 'Session'} (recovered)")
        self.recovered.emit(found)
        for words in found.faults:
            self._tell(NoticeKind.WARNING, words[:1].upper() + words[1:])
        self._tell(NoticeKind.INFO, f"Recovered {self._words(lost)}. Save the session to keep it")

    def _discard(self, lost: Lost) -> None:
        if not discard(self._root, lost.folder):
            self._tell(NoticeKind.INFO, GONE)
            return
        undo = NoticeAction("Undo", lambda: self._undo_discard(lost), "Offer it again")
        self._notices.show_notice(NoticeKind.INFO, f"Discarded {self._words(lost)}", actions=(undo,))

    def _undo_discard(self, lost: Lost) -> None:
        if take_back(self._root, lost.folder):
            self._offer(lost)
        else:
            self._tell(NoticeKind.WARNING, "It cannot be offered again: it was removed when another window started")

    def _offer_again(self, lost: Lost) -> None:
        self._release(lost.folder)
        self._offer(lost)

    def _claim(self, folder: Path) -> bool:
        try:
            lock = FileLock(lock_path(folder))
        except OSError:
            return False
        if not folder.is_dir():
            lock.release(remove=True)
            return False
        self._claims[folder] = lock
        return True

    def _release(self, folder: Path) -> None:
        lock = self._claims.pop(folder, None)
        if lock is not None:
            lock.release(remove=not folder.exists())

    @Slot(object)
    def _on_kept(self, session: object) -> None:
        """The recovery data hold this session, so what it was recovered from is of no use any more."""
        if session is self._document.session:
            self.settle()

    @Slot()
    def _on_saved(self) -> None:
        if not self._document.modified:
            self.settle()

    def _on_failed(self, error: Exception) -> None:
        self._tell(NoticeKind.WARNING, f"What earlier windows left unsaved in {self._root} cannot be read: {error}")

    def _tell(self, kind: NoticeKind, words: str) -> None:
        self._notices.show_notice(kind, words)

    def _words(self, lost: Lost) -> str:
        return lost_words(lost, utc_now().astimezone())
