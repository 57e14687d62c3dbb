"""A person's own kernel files come in off the window's thread, and what is no file is refused at once."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.engine.own_kernel_file import load_own_kernel
from gemmviz.gui.kernels import shelf as shelf_module
from gemmviz.gui.kernels.shelf import KernelShelf

TEXT = '/*---\ntitle = "{}"\nentry = "k"\n[launch]\nblock = ["1"]\ngrid = ["1"]\n---*/\n'


class Told:
    """What a shelf says."""

    def __init__(self, shelf: KernelShelf) -> None:
        self.added: list[str] = []
        self.failed: list[str] = []
        self.told: list[str] = []
        self.busy: list[str] = []
        shelf.added.connect(self.added.append)
        shelf.failed.connect(lambda _path, why, _is_undescribed: self.failed.append(why))
        shelf.told.connect(self.told.append)
        shelf.busy_changed.connect(self.busy.append)


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def shelf() -> KernelShelf:
    return KernelShelf(load_catalogue())


def write(path: Path, title: str = "Mine") -> Path:
    path.write_text(TEXT.format(title), encoding="utf-8")
    return path


def test_that_files_are_taken_in_and_read_again_when_they_change(
    qtbot: QtBot, shelf: KernelShelf, tmp_path: Path
) -> None:
    told = Told(shelf)
    shelf.add((write(tmp_path / "one.cu"), write(tmp_path / "two.cu")))
    qtbot.waitUntil(lambda: sorted(told.added) == ["one", "two"])
    write(tmp_path / "one.cu", "Another title")
    qtbot.waitUntil(lambda: told.told == ["one.cu was changed on disk and read again"])
    assert shelf.catalogue.get("one").title == "Another title"
    shelf.remove("one")
    assert "one" not in [kernel.id for kernel in shelf.catalogue.kernels]


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes and no /dev in folders")
def test_that_a_pipe_and_a_device_named_like_a_kernel_are_refused_at_once(
    qtbot: QtBot, shelf: KernelShelf, tmp_path: Path
) -> None:
    told = Told(shelf)
    os.mkfifo(tmp_path / "pipe.cu")
    (tmp_path / "zero.cu").symlink_to("/dev/zero")
    shelf.add((tmp_path / "pipe.cu", tmp_path / "zero.cu"))
    qtbot.waitUntil(lambda: len(told.failed) == 2)
    assert sorted(told.failed) == [
        f"{tmp_path / 'pipe.cu'}: it is a pipe. Give an ordinary file",
        f"{tmp_path / 'zero.cu'}: it is a device. Give an ordinary file",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders")
def test_that_a_kernel_file_that_becomes_a_pipe_keeps_its_last_contents(
    qtbot: QtBot, shelf: KernelShelf, tmp_path: Path
) -> None:
    told = Told(shelf)
    path = write(tmp_path / "own.cu")
    shelf.add((path,))
    qtbot.waitUntil(lambda: told.added == ["own"])
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "pipe").replace(path)
    qtbot.waitUntil(lambda: told.failed == [f"{path}: it is a pipe. Give an ordinary file"])
    assert shelf.catalogue.get("own").title == "Mine"


def test_that_a_dead_disk_is_told_and_keeps_no_other_file_out(
    qtbot: QtBot, shelf: KernelShelf, tmp_path: Path, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(path: Path) -> object:
        if path.name == "dead.cu":
            gate.wait()
        return load_own_kernel(path)

    monkeypatch.setattr(shelf_module, "load_own_kernel", load)
    told = Told(shelf)
    shelf.add((write(tmp_path / "dead.cu"), write(tmp_path / "live.cu")))
    qtbot.waitUntil(lambda: told.added == ["live"])
    assert told.busy[0] == "reading dead.cu"
    gate.set()
    qtbot.waitUntil(lambda: told.added == ["live", "dead"])
    assert told.busy[-1] == ""


def test_that_of_two_readings_of_a_file_the_later_one_counts(
    qtbot: QtBot, shelf: KernelShelf, tmp_path: Path, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, readings = write(tmp_path / "own.cu", "Old"), []

    def load(path: Path) -> object:
        kernel = load_own_kernel(path)
        readings.append(kernel)
        if len(readings) == 1:
            gate.wait()
        return kernel

    monkeypatch.setattr(shelf_module, "load_own_kernel", load)
    told = Told(shelf)
    shelf.add((path,))
    qtbot.waitUntil(lambda: len(readings) == 1)
    write(path, "New")
    shelf.add((path,))
    qtbot.waitUntil(lambda: told.added == ["own"])
    gate.set()
    qtbot.waitUntil(lambda: told.busy[-1] == "")
    assert shelf.catalogue.get("own").title == "New"
    assert told.added == ["own"]


FOREIGN = Path(__file__).parents[2] / "data" / "adopt"


@pytest.mark.usefixtures("nvrtc")
def test_that_a_file_is_described_by_what_it_does_and_taken_in(
    qtbot: QtBot, shelf: KernelShelf, tmp_path: Path
) -> None:
    told = Told(shelf)
    path = Path(shutil.copy(FOREIGN / "turned_b.cu", tmp_path))
    lacks: list[bool] = []
    shelf.failed.connect(lambda _path, _why, is_undescribed: lacks.append(is_undescribed))
    shelf.add((path,))
    qtbot.waitUntil(lambda: lacks == [True], timeout=30_000)
    shelf.describe(path)
    qtbot.waitUntil(lambda: told.added == ["turned_b"], timeout=60_000)
    assert told.told[0].startswith("rows_of_both: C = A·B, B column-major, takes every size that was tried.")
    assert (tmp_path / "turned_b.cu.toml").is_file()
    assert "finding out what turned_b.cu computes" in told.busy


@pytest.mark.usefixtures("nvrtc")
def test_that_a_file_that_proves_nothing_is_not_described(qtbot: QtBot, shelf: KernelShelf, tmp_path: Path) -> None:
    told = Told(shelf)
    path = Path(shutil.copy(FOREIGN / "sum_of_matrices.cu", tmp_path))
    shelf.describe(path)
    qtbot.waitUntil(lambda: bool(told.failed), timeout=60_000)
    assert "no kernel was proven to be a product: add: " in told.failed[0]
    assert list(tmp_path.iterdir()) == [path]


def test_that_a_file_that_is_saved_in_this_window_is_taken_once_and_without_a_word(
    qtbot: QtBot, shelf: KernelShelf, tmp_path: Path
) -> None:
    told, taken = Told(shelf), list[str]()
    shelf.taken.connect(lambda _path, kernel_id: taken.append(kernel_id))
    shelf.add((write(tmp_path / "one.cu"), write(tmp_path / "two.cu")))
    qtbot.waitUntil(lambda: sorted(told.added) == ["one", "two"])
    taken.clear()
    shelf.read_saved(write(tmp_path / "one.cu", "Saved"))
    qtbot.waitUntil(lambda: taken == ["one"])
    assert shelf.catalogue.get("one").title == "Saved"
    write(tmp_path / "two.cu", "By another program")
    qtbot.waitUntil(lambda: taken == ["one", "two"])
    assert told.told == ["two.cu was changed on disk and read again"]
