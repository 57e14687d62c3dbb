"""From the command to the window."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QLocale, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

from gemmviz import __version__
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import load_presets
from gemmviz.domain.files.state_folder import state_folder
from gemmviz.engine.client import Client
from gemmviz.gui.looks.appearance import ThemeFollower, apply_basis
from gemmviz.gui.looks.fonts import load_fonts
from gemmviz.gui.looks.icons import application_icon
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.settings import settings_folder
from gemmviz.gui.tasks.garbage_collection import GarbageCollection
from gemmviz.gui.tasks.overrides import guard_overrides
from gemmviz.gui.widgets.key_focus import KeyFocus
from gemmviz.gui.window.analysis_ahead import AnalysisAhead
from gemmviz.gui.window.end_signals import EndSignals
from gemmviz.gui.window.main_window import MainWindow
from gemmviz.gui.window.warm_up import warm_up

LEAVE_S = 5.0
"""How long the process may take to end once the window has; after a signal `end_signals.PATIENCE_S` holds."""

TURN_S = 0.001
"""How long the window waits at most for another thread that runs Python; it waits anew at each call it makes."""


class WindowFaultError(Exception):
    """The window could not be built, by a fault of the program's own; the message says which and where."""


def create_window(settings: Path | None = None, state: Path | None = None) -> QMainWindow:
    """The window with everything behind it, not shown yet; once a QApplication exists.

    `settings` and `state` are the folders of the settings and of recovery data, by default the user's. The worker
    process starts at once and ends when the window is closed.
    """
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        raise RuntimeError("create_window needs a QApplication: make one first")  # noqa: TRY004 - a state, not a type
    QLocale.setDefault(plain_numbers())
    load_fonts()
    application.setWindowIcon(application_icon())
    memory = Preferences(settings or settings_folder(os.environ), state or state_folder(os.environ))
    follower = ThemeFollower(application.styleHints(), memory.theme)
    if application.findChild(KeyFocus) is None:
        KeyFocus(application)
    guard_overrides()
    apply_basis(application, follower.theme)  # before there are widgets: they are then made with its fonts
    client = Client()
    window = MainWindow(load_catalogue(), load_presets(), memory, client, follower)
    client.setParent(window)
    follower.setParent(window)
    client.start()
    warm_up(window, follower.theme)
    return window


def plain_numbers() -> QLocale:
    """How fields read numbers, as all of gemmviz writes them: ASCII digits, a decimal point, no marks between digits.

    Where a decimal comma is usual, Qt would read 1.5 as 15.
    """
    plain = QLocale.c()
    plain.setNumberOptions(QLocale.NumberOption.RejectGroupSeparator | QLocale.NumberOption.OmitGroupSeparator)
    return plain


def run_app(files: Sequence[Path]) -> int:
    """Show the window and stay until it is closed; the exit code. `files` are sessions or kernel files to open.

    Raises:
        WindowFaultError: the window could not be built.
    """
    QApplication.setApplicationName("gemmviz")
    QApplication.setApplicationVersion(__version__)
    QApplication.setDesktopFileName("gemmviz")
    application = QApplication([sys.argv[0]])
    try:
        window = create_window()
    except Exception as error:
        raise WindowFaultError(_fault_words(error)) from error
    sys.excepthook = _tell_fault
    window.show()
    client = window.findChild(Client)
    if isinstance(window, MainWindow) and client is not None:
        ahead = AnalysisAhead(client, window)
        application.aboutToQuit.connect(ahead.end)
        for path in files:
            QTimer.singleShot(0, window, lambda path=path: window.open_path(path))
        window.end.ended.connect(lambda: application.exit(0))
        application.commitDataRequest.connect(lambda _manager: window.end.on_logout())
        signals = EndSignals(window)
        signals.heard.connect(window.end.end_at_once)
    sys.setswitchinterval(TURN_S)
    gc.collect()
    gc.freeze()  # what is there from the start stays; looking through it again would make the window stutter
    collection = GarbageCollection(application)
    code = application.exec()
    collection.stop()
    _leave_soon(code)
    return code


def _fault_words(error: Exception) -> str:
    """What went wrong and in which file and line: "KeyError: 'runAction' (main_window.py, line 102)"."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


def _tell_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A fault of the program's own costs what was being done, not the window."""
    with suppress(OSError, ValueError):  # the terminal may be gone
        traceback.print_exception(kind, error, trace)
    window = next((w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)), None)
    if window is not None:
        window.tell_fault(f"{kind.__name__}: {error}", "".join(traceback.format_exception(kind, error, trace)))


def _leave_soon(code: int) -> None:
    """End the process even where a thread of its own does not: nothing is left to be done but to tidy up."""

    def leave() -> None:
        time.sleep(LEAVE_S)
        os._exit(code)

    threading.Thread(target=leave, name="last step", daemon=True).start()
