"""How the window ends: asked for by a person, by a signal of the system, or by the end of a desktop session."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QElapsedTimer, QObject, Signal, Slot

from gemmviz.gui.control.editor_control import EditorControl
from gemmviz.gui.control.export_control import ExportControl
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.files.autosave import Autosave
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.recovery import Recovery
from gemmviz.gui.files.session_control import SessionControl

RECOVERY_LIMIT_S = 1.0
FILES_LIMIT_S = 0.2
EXPORT_LIMIT_S = 0.3
"""How long a signal lets each of these take; together below `end_signals.PATIENCE_S`."""

LOGOUT_MS = 60_000
"""How long after the desktop asked to keep everything a close is taken for its doing."""


class WindowEnd(QObject):
    """Ends the window once. A person is asked about unsaved work; a signal and a logout ask nothing, but leave the work
    where the next start offers it.
    """

    ended = Signal()
    """Everything has ended but the window itself."""

    def __init__(
        self,
        run: RunControl,
        document: SessionDocument,
        files: SessionControl,
        exports: ExportControl,
        autosave: Autosave,
        recovery: Recovery,
        editor: EditorControl,
        keep_settings: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._run, self._document, self._files, self._exports = run, document, files, exports
        self._autosave, self._recovery, self._keep_settings = autosave, recovery, keep_settings
        self._editor = editor
        self._since_logout = QElapsedTimer()
        self._is_over = False

    @property
    def is_over(self) -> bool:
        """Whether nothing is done or told any more."""
        return self._is_over

    def may_close(self) -> bool:
        """Whether the window may close now, all else having ended; asks about unsaved work unless the desktop ends."""
        if self._is_over:
            return True
        if self._since_logout.isValid() and self._since_logout.elapsed() < LOGOUT_MS:
            self.end_at_once()
            return True
        if not self._editor.ask_to_close() or not self._files.ask_to_close() or self._is_over:
            return self._is_over
        self._is_over = True
        self._stop()
        self._document.wait()
        self._editor.give_up()
        self._autosave.discard()
        self._recovery.close()
        self._keep()
        self.ended.emit()
        return True

    @Slot()
    def end_at_once(self) -> None:
        """End without a question and within 2 s; what is not saved is left for the next start."""
        if self._is_over:
            return
        self._run.take_all()
        self._is_over = True
        self._editor.keep()
        self._autosave.keep()
        self._stop()
        self._keep()
        if self._autosave.finish(RECOVERY_LIMIT_S):
            self._recovery.settle()
        self._exports.wait(EXPORT_LIMIT_S)
        self._document.wait(FILES_LIMIT_S)
        self.ended.emit()

    @Slot()
    def on_logout(self) -> None:
        """The desktop's session is about to end, or to be kept: write everything down and ask nothing."""
        self._since_logout.start()
        self._editor.keep()
        self._autosave.keep()
        self._autosave.wait(RECOVERY_LIMIT_S)
        self._keep()

    def _stop(self) -> None:
        self._run.close()
        self._editor.close()
        self._exports.stop()

    def _keep(self) -> None:
        """Write the settings; where that fails nobody is left to read more than a line in the terminal."""
        words = self._keep_settings()
        if words:
            with suppress(OSError, ValueError):
                print(f"gemmviz: {words}", file=sys.stderr, flush=True)
