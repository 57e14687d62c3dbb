"""`gemmviz [FILE…]`: the window, or one line on why there can be none."""

from __future__ import annotations

import os
import signal
from collections.abc import Collection, Sequence
from pathlib import Path

from gemmviz.cli.faults import FAILED, BadInputError, complain
from gemmviz.cli.options.option_numbers import path_of

SESSION = ".gemmviz"
SUFFIXES = (SESSION, ".cu", ".cuh", ".cl", ".ptx", ".py")
"""What the window opens: sessions and kernel files."""

_QT = ("PySide6", "shiboken6", "pyqtgraph")


def asks_for_window(words: Sequence[str], commands: Collection[str]) -> bool:
    """Whether a command line has no command and no option, but nothing or files; a mistyped command is no file."""
    if not words or words[0] == "--":
        return True
    first = words[0]
    if not first or first.startswith("-") or first in commands:
        return False
    path = Path(first)
    return bool(path.suffix) or path.name != first or path.exists()


def open_window(words: Sequence[str]) -> int:
    """Show the window with the files named, and stay until it is closed; the exit code.

    Raises:
        BadInputError: a word is no file that can be opened.
    """
    files = [_file(word) for word in (words[1:] if words and words[0] == "--" else words)]
    from gemmviz.gui.display_check import display_fault

    fault = display_fault(os.environ)
    if fault is not None:
        complain(fault)
        return FAILED
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Until the window hears signals itself there is nothing to lose, and Qt's imports fail oddly at an exception.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from gemmviz.gui.app import WindowFaultError, run_app
    except ImportError as error:
        if not _is_of_qt(error):
            raise
        complain(
            f"the window needs PySide6 and pyqtgraph, which cannot be loaded ({error}); `pip install gemmviz` installs "
            "them. The commands `gemmviz run`, `trace` and `export` need no window"
        )
        return FAILED
    try:
        return run_app(files)
    except WindowFaultError as error:
        complain(
            f"the window could not be built: {error}. This is a fault of gemmviz: please report this line. The "
            "commands `gemmviz run`, `trace` and `export` need no window"
        )
        return FAILED


def _file(word: str) -> Path:
    if word.startswith("-"):
        raise BadInputError(
            f"{word}: options cannot be combined with files to open; `gemmviz --help` lists the commands"
        )
    path = path_of("FILE")(word)
    try:
        if path.is_dir():
            raise BadInputError(
                f"{word}: this is a folder. Give a session (.gemmviz) or a kernel file (.cu, .cuh, .cl, .ptx, .py)"
            )
        there = path.exists()
    except (OSError, ValueError) as error:
        raise BadInputError(f"{word}: cannot open the file: {error}") from error
    if path.suffix not in SUFFIXES:
        raise BadInputError(
            f"{word}: the window opens only sessions (.gemmviz) and kernel files (.cu, .cuh, .cl, .ptx, .py)"
        )
    if not there:
        raise BadInputError(f"{word}: there is no such file. Check the name")
    return path


def _is_of_qt(error: ImportError) -> bool:
    """Whether Qt is missing, or one of the libraries of the system that it needs."""
    if (error.name or "").partition(".")[0] in _QT:
        return True
    return not isinstance(error, ModuleNotFoundError) and any(name in (error.path or "") for name in _QT)
