"""Kernels in PTX and Python in the window: opened, asked about, recorded with the lines of their own files."""

from __future__ import annotations

import shutil
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest
from driving import act, part, until_idle
from pytestqt.qtbot import QtBot
from stored_ptx import DATA

from gemmviz.domain.recordings.access import Space
from gemmviz.domain.shape import Shape
from gemmviz.gui.kernels import user_catalogue
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("nvrtc")
PACKAGES = {"triton_matmul.py": "triton", "numba_tiled.py": "numba-cuda"}


def is_missing(name: str) -> bool:
    try:
        metadata.version(PACKAGES[name])
    except KeyError:
        return False
    except metadata.PackageNotFoundError:
        return True
    return False


@pytest.mark.parametrize(
    ("name", "shown", "lines"),
    [
        ("tiled.ptx", "tiled.cu", (12, 13, 16)),
        ("cupy_tiled.py", "cupy_tiled.py", (15, 17, 20)),
        ("triton_matmul.py", "triton_matmul.py", (29, 30, 33)),
        ("numba_tiled.py", "numba_tiled.py", (12, 24, 25)),
    ],
)
def test_that_a_file_is_opened_and_recorded_with_the_lines_of_its_source(
    window: MainWindow,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    shown: str,
    lines: tuple[int, ...],
) -> None:
    if is_missing(name):
        pytest.skip(f"{PACKAGES[name]} is not installed")
    monkeypatch.setattr(user_catalogue, "may_run_python", lambda _window, _path: True)
    for file in {name, shown, f"{name}.toml"}:
        shutil.copy(DATA / file, tmp_path / file)
    own = (tmp_path / name).rename(tmp_path / f"mine_{name}")
    (tmp_path / f"{name}.toml").rename(tmp_path / f"mine_{name}.toml")
    window.open_path(own)
    qtbot.waitUntil(lambda: window._set_up.experiment.kernel == own.stem)
    window._set_up.set_experiment(replace(window._set_up.experiment, shape=Shape(33, 17, 20)))
    act(window, "recordAction")
    until_idle(qtbot, window)
    (trace,) = window.document.session.traces
    assert trace.source_name == (shown if shown != name else own.name)
    assert trace.source_text == (DATA / shown).read_text(encoding="utf-8")
    assert tuple(sorted({site.line for site in trace.sites if site.space is Space.SHARED})) == lines
    assert not trace.hazards
    assert part(window, SourceView, "sourceView").isEnabled()


def test_that_a_python_file_that_may_not_be_run_is_not_opened(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(user_catalogue, "may_run_python", lambda _window, path: bool(asked.append(path)))
    window.open_path(DATA / "numba_tiled.py")
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert "numba_tiled" not in [kernel.id for kernel in window._set_up.catalogue.kernels]
