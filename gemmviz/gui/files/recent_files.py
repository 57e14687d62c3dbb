"""The files opened lately: a list of paths, most recent first, and the menu that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QMenu

from gemmviz.gui.settings import MOST_RECENT_FILES
from gemmviz.gui.widgets.allowed import allow_action
from gemmviz.gui.widgets.plain_text import action_text, plain_text


@dataclass(frozen=True, slots=True)
class RecentFile:
    """One line of the list: the file's name, its folder with the home folder shortened, whether it is there."""

    path: str
    name: str
    folder: str
    exists: bool


def with_recent(paths: Sequence[str], path: str | Path) -> tuple[str, ...]:
    """The list after `path` was opened: first, once, and no more than ten in all."""
    newest = str(_resolved(path))
    return (newest, *without_recent(paths, path))[:MOST_RECENT_FILES]


def without_recent(paths: Sequence[str], path: str | Path) -> tuple[str, ...]:
    """The list without `path`, which `with_recent` put there, however it is spelt now."""
    gone = {str(path), str(_resolved(path))}  # the list is not resolved anew: a disk in it may not answer
    return tuple(one for one in paths if one not in gone)


def recent_rows(paths: Sequence[str], exists: Callable[[str], bool] | None = None) -> tuple[RecentFile, ...]:
    """The lines of the list; a file that is gone stays in it and is marked."""
    there = exists or is_file
    return tuple(RecentFile(path, Path(path).name or path, _short(Path(path).parent), there(path)) for path in paths)


def fill_recent_menu(
    menu: QMenu, rows: Sequence[RecentFile], on_chosen: Callable[[str], None], on_cleared: Callable[[], None]
) -> None:
    """Show the list in a menu. A file that is gone can be read but not chosen."""
    menu.clear()
    allow_action(menu.menuAction(), "" if rows else "No file was opened or saved yet.")
    menu.setToolTipsVisible(True)
    for number, row in enumerate(rows, start=1):
        key = f"&{number % 10}  " if number <= MOST_RECENT_FILES else ""
        missing = "" if row.exists else "  (missing)"
        action = menu.addAction(f"{key}{action_text(row.name)}  —  {action_text(row.folder)}{missing}")
        action.setObjectName(f"recentFile{number}")
        action.setToolTip(plain_text(row.path if row.exists else f"{row.path} no longer exists"))
        action.setEnabled(row.exists)
        action.triggered.connect(lambda _checked=False, path=row.path: on_chosen(path))
    if rows:
        menu.addSeparator()
        clear = menu.addAction("Clear this list")
        clear.setObjectName("clearRecentFiles")
        clear.setToolTip("Forget which files were opened; the files stay")
        clear.triggered.connect(lambda _checked=False: on_cleared())


def _resolved(path: str | Path) -> Path:
    try:
        return Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):  # a loop of links, no home, a zero byte
        return Path(path)


def is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def _short(folder: Path) -> str:
    try:
        return str(Path("~") / folder.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(folder)
