"""Kernels in PTX and in Python are edited like those in CUDA C: coloured, saved, examined, errors at their lines."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from driving import part
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.session.versions import recording_of_version, versions_of
from gemmviz.domain.shape import Shape
from gemmviz.gui.control.editor_control import EditorControl
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.kernels import user_catalogue
from gemmviz.gui.widgets.question import Answer, Question
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("nvrtc")
DATA = Path(__file__).parents[2] / "data" / "languages"


class Editing:
    """A window in which a copy of a kernel of the tests is edited."""

    def __init__(self, window: MainWindow, qtbot: QtBot, folder: Path, name: str) -> None:
        self.window, self.qtbot, self.path = window, qtbot, folder / f"mine_{name}"
        shutil.copy(DATA / name, self.path)
        shutil.copy(DATA / f"{name}.toml", folder / f"mine_{name}.toml")
        window.open_path(self.path)
        qtbot.waitUntil(lambda: window._set_up.experiment.kernel == self.path.stem)
        window._set_up.set_experiment(replace(window._set_up.experiment, shape=Shape(32, 32, 32)))
        self.edit = part(window, EditorPanel, "editorPanel").edit
        self.control: EditorControl = window._editor
        self.ended: list[object] = []
        self.control._versions._examiner.ended.connect(self.ended.append)
        qtbot.mouseClick(part(window, QToolButton, "sourceEdit"), Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: len(self.ended) == 1)

    def replace(self, old: str, new: str) -> None:
        text = self.edit.text()
        assert old in text
        self.edit.replace_text(text.replace(old, new))

    def save(self) -> None:
        count = len(self.ended)
        self.control.save()
        self.qtbot.waitUntil(lambda: len(self.ended) > count)

    def line_of(self, words: str) -> int:
        return 1 + self.edit.text()[: self.edit.text().index(words)].count("\n")


@pytest.fixture(autouse=True)
def no_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Question, "ask", lambda *_: Answer.DISCARD)


def test_that_a_cupy_kernel_is_edited_in_its_python_file(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    editing = Editing(window, qtbot, tmp_path, "cupy_tiled.py")
    assert editing.edit.text() == (DATA / "cupy_tiled.py").read_text(encoding="utf-8")
    editing.replace("float As[TILE][TILE]", "float As[TILE][TILE + 1]")
    editing.save()
    one, two = versions_of(window.document.session, "mine_cupy_tiled")
    assert two.text == editing.path.read_text(encoding="utf-8")
    assert two.check is not None
    assert two.check.passed
    assert one.compilation is not None
    assert recording_of_version(window.document.session, two) is not None
    assert one.compilation.resources.registers

    editing.replace("acc += As", "nothing += As")
    editing.save()
    assert [fault.line for fault in editing.edit.faults] == [editing.line_of("nothing += As")]

    editing.replace("import cupy as cp", "import cupy as")
    assert editing.control.save()
    qtbot.waitUntil(lambda: [fault.line for fault in editing.edit.faults] == [3])
    assert "it is not Python" in editing.edit.fault_at(3)


def test_that_ptx_is_edited_and_an_error_is_at_its_line(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    editing = Editing(window, qtbot, tmp_path, "tiled.ptx")
    editing.replace("bar.sync \t0;", "bar.sync  0;")
    editing.save()
    two = versions_of(window.document.session, "mine_tiled")[-1]
    assert two.text == editing.path.read_text(encoding="utf-8")
    assert two.check is not None
    assert two.check.passed
    assert recording_of_version(window.document.session, two) is not None

    editing.replace("bar.sync  0;", "bar.nothing 0;")
    editing.save()
    assert [fault.line for fault in editing.edit.faults][:1] == [editing.line_of("bar.nothing")]


def test_that_python_that_may_not_be_run_is_not_examined(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(user_catalogue, "may_run_python", lambda _window, path: bool(asked.append(path)))
    path = tmp_path / "numba_tiled.py"
    for name in (path.name, f"{path.name}.toml"):
        shutil.copy(DATA / name, tmp_path / name)
    control: EditorControl = window._editor
    examined: list[object] = []
    monkeypatch.setattr(control._versions, "examine", examined.append)
    assert control.open(path)
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert part(window, EditorPanel, "editorPanel").edit.text() == path.read_text(encoding="utf-8")
    assert control.save()
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert not examined


def test_that_a_kernel_of_the_cpu_is_not_edited(window: MainWindow) -> None:
    told: list[str] = []
    window._editor.notified.connect(lambda _kind, words, _details: told.append(words))
    window._editor.edit("cpu_ijk")
    assert told[0].startswith("cpu_ijk.py is not edited here: it runs on the CPU")
