"""The page of object names is what the script makes of the source, and every name of the window is on it."""

from __future__ import annotations

import re

import list_object_names
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gemmviz.gui.window.main_window import MainWindow


def pattern_of(name: str) -> re.Pattern[str]:
    """What a name of the page stands for: anything in the place of `<…>`."""
    parts = re.split(r"(<[^<>]+>)", name)
    return re.compile("".join(".+" if part.startswith("<") else re.escape(part) for part in parts))


def test_that_the_page_is_what_the_script_makes_of_the_source(window: MainWindow) -> None:
    page = list_object_names.page()
    assert list_object_names.PAGE.read_text(encoding="utf-8") == page, "run `python docs/list_object_names.py`"
    listed = [pattern_of(name) for name in re.findall(r"`([^`]+)`", page)]
    made = {one.objectName() for one in (*window.findChildren(QWidget), *window.findChildren(QAction))}
    ours = {name for name in made if name and not name.startswith("qt_") and "_qt_" not in name}
    assert len(ours) > 300
    assert sorted(name for name in ours if not any(pattern.fullmatch(name) for pattern in listed)) == []
