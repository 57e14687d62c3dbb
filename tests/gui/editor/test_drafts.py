"""Text that is not saved outlives the window: it is kept while it is typed, and offered at the next start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from driving import part
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.gui.editor import drafts as module
from gemmviz.gui.editor.drafts import FOLDER, Drafts, discard_draft, find_drafts
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow

TEXT = '/*---\ntitle = "Mine"\nentry = "k"\n[launch]\nblock = ["1"]\ngrid = ["1"]\n---*/\n__global__ void k() {}\n'


@pytest.fixture(autouse=True)
def _no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Question, "ask", lambda *_: Answer.DISCARD)


def of_a_dead_window(root: Path, path: Path, text: str) -> None:
    """What a window would leave that was killed while it was typed into."""
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from PySide6.QtCore import QCoreApplication\n"
        "from gemmviz.gui.editor.drafts import Drafts\n"
        "application = QCoreApplication([])\n"
        "drafts = Drafts(Path(sys.argv[1]))\n"
        "drafts.keep(Path(sys.argv[2]), sys.argv[3])\n"
        "drafts.flush()\n"
    )
    subprocess.run([sys.executable, "-c", code, str(root), str(path), text], check=True, timeout=90)


def test_that_text_is_kept_while_it_is_typed_and_removed_once_it_is_saved(qtbot: QtBot, tmp_path: Path) -> None:
    drafts, path = Drafts(tmp_path), tmp_path / "mine.cu"
    drafts.keep(path, "first")
    drafts.keep(path, "é \u2028 second")
    place = drafts.place
    assert place is not None
    qtbot.waitUntil(place.exists)
    assert json.loads(place.read_bytes())["text"] == "é \u2028 second"
    assert find_drafts(tmp_path) == (), "this window lives"
    drafts.settle()
    assert not place.exists()
    drafts.keep(path, "third")
    drafts.flush()
    assert json.loads(place.read_bytes())["text"] == "third"


def test_that_a_draft_of_a_dead_window_is_found_and_what_is_none_is_passed_over(tmp_path: Path) -> None:
    of_a_dead_window(tmp_path, tmp_path / "mine.cu", "text")
    (draft,) = find_drafts(tmp_path)
    assert (draft.path, draft.text) == (tmp_path / "mine.cu", "text")
    for number, data in enumerate((b"", b"[]", b'{"format": "gemmviz-draft"}', b"\xff", b"{" * 100_000)):
        (draft.place.parent / draft.place.name.replace("-", f"{number}-", 1)).write_bytes(data)
    assert find_drafts(tmp_path) == (draft,)
    discard_draft(draft)
    assert find_drafts(tmp_path) == ()


def test_that_a_folder_that_cannot_be_written_is_told_once(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEEP_MS", 0)
    (tmp_path / FOLDER).write_bytes(b"a file is in the way")
    drafts, told = Drafts(tmp_path), list[str]()
    drafts.failed.connect(told.append)
    for text in ("one", "two"):
        drafts.keep(tmp_path / "mine.cu", text)
        drafts.flush()
    qtbot.waitUntil(lambda: len(told) == 1)
    assert told[0].startswith("The unsaved text of mine.cu cannot be kept for recovery")


@pytest.mark.parametrize("is_there", [True, False])
def test_that_the_next_window_offers_it_and_puts_it_into_the_editor(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, *, is_there: bool
) -> None:
    path = tmp_path / "mine.cu"
    if is_there:
        path.write_text(TEXT, encoding="utf-8")
    control = window._editor
    of_a_dead_window(control._root, path, TEXT + "// unsaved\n")
    control.look()
    words = "Recover the text of mine.cu that was not saved?"
    qtbot.waitUntil(lambda: words in window._parts.notices.texts())
    notice = next(one for one in window._parts.notices._notices if one.text == words)
    next(button for button in notice.findChildren(QPushButton) if button.text() == "Recover").click()
    panel = part(window, EditorPanel, "editorPanel")
    assert panel.edit.text() == TEXT + "// unsaved\n"
    assert control.is_modified
    assert path.exists() is is_there, "nothing is written before a save"
    assert find_drafts(control._root) == ()
    assert control.save()
    assert path.read_text(encoding="utf-8") == TEXT + "// unsaved\n"


def test_that_a_window_that_a_signal_ends_leaves_what_was_typed_last(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(TEXT, encoding="utf-8")
    assert window._editor.open(path)
    panel = part(window, EditorPanel, "editorPanel")
    panel.edit.replace_text("typed")
    place = window._editor._drafts.place
    assert place is not None
    window.end.end_at_once()
    assert json.loads(place.read_bytes())["text"] == "typed"
    assert os.path.commonpath([place, window._editor._root]) == str(window._editor._root)
