"""While files are over the window it says which of them it opens."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.gui.files.file_drops import DropWindow, drop_words, opened_among


@pytest.mark.parametrize(
    ("names", "opened", "words"),
    [
        (("mm.cu",), ("mm.cu",), "Opens mm.cu"),
        (("a.gemmviz", "note.txt", "b.py", "c.gemmviz"), ("b.py", "a.gemmviz"), "Opens b.py and 1 more"),
        (
            ("note.txt",),
            (),
            "note.txt is no session (.gemmviz) and no kernel file (.cu, .cuh, .cl, .ptx or .py)",
        ),
    ],
)
def test_that_the_files_that_a_drop_opens_are_named(
    names: tuple[str, ...], opened: tuple[str, ...], words: str
) -> None:
    paths = [Path(name) for name in names]
    assert tuple(path.name for path in opened_among(paths)) == opened
    assert drop_words(paths) == words


def test_that_the_window_says_what_it_opens_while_a_file_is_over_it(qtbot: QtBot) -> None:
    window = DropWindow()
    qtbot.addWidget(window)
    window.resize(640, 400)
    window.show()
    hint = window.findChild(QLabel, "dropHint")
    for name, action in (("mm.cu", Qt.DropAction.CopyAction), ("note.txt", Qt.DropAction.IgnoreAction)):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(f"/tmp/{name}")])
        event = QDragEnterEvent(
            QPoint(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
        window.dragEnterEvent(event)
        assert (event.isAccepted(), event.dropAction(), hint.isVisible()) == (True, action, True)
        assert name in hint.text()
        assert window.rect().contains(hint.geometry())
        window.dragLeaveEvent(QDragLeaveEvent())
        assert not hint.isVisible()
