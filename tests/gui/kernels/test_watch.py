"""A kernel file is noticed whichever way an editor writes it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.gui.kernels.watch import KernelWatch, look_at, looks_of


@pytest.fixture
def watch() -> KernelWatch:
    return KernelWatch(settle_ms=40)


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "mine.cu"
    path.write_text("one", encoding="utf-8")
    return path


def replace_by_rename(path: Path, text: str) -> None:
    beside = path.with_suffix(".tmp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def move_away_and_write_anew(path: Path, text: str) -> None:
    path.rename(path.with_suffix(".bak"))
    path.write_text(text, encoding="utf-8")


def write_in_place(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("edit", [write_in_place, replace_by_rename, move_away_and_write_anew])
def test_that_every_way_of_saving_is_noticed_each_time(
    qtbot: QtBot, watch: KernelWatch, kernel: Path, edit: Callable[[Path, str], None]
) -> None:
    watch.watch(looks_of([kernel]))
    for number in range(3):
        with qtbot.waitSignal(watch.changed) as changed, qtbot.assertNotEmitted(watch.vanished):
            edit(kernel, "two" * (number + 1))
        assert changed.args == [kernel]


@pytest.mark.parametrize("edit", [write_in_place, replace_by_rename])
def test_that_a_description_beside_is_noticed_each_time(
    qtbot: QtBot, watch: KernelWatch, kernel: Path, edit: Callable[[Path, str], None]
) -> None:
    watch.watch(looks_of([kernel]))
    beside = kernel.with_name("mine.cu.toml")
    for number in range(3):
        with qtbot.waitSignal(watch.changed) as changed, qtbot.assertNotEmitted(watch.vanished):
            edit(beside, "two" * (number + 1))
        assert changed.args == [kernel]
    with qtbot.waitSignal(watch.changed) as changed:
        beside.unlink()
    assert changed.args == [kernel]


def test_that_a_save_in_steps_is_told_once(qtbot: QtBot, watch: KernelWatch, kernel: Path) -> None:
    watch.watch(looks_of([kernel]))
    told: list[Path] = []
    watch.changed.connect(told.append)
    with qtbot.waitSignal(watch.changed), kernel.open("w", encoding="utf-8") as file:
        for line in range(20):
            file.write(f"line {line}\n")
            file.flush()
    assert told == [kernel]


def test_that_a_file_that_vanishes_and_comes_back_is_told(qtbot: QtBot, watch: KernelWatch, kernel: Path) -> None:
    watch.watch(looks_of([kernel]))
    with qtbot.waitSignal(watch.vanished) as vanished:
        kernel.unlink()
    assert vanished.args == [kernel]
    assert watch.watched() == (kernel,)
    with qtbot.waitSignal(watch.changed):
        kernel.write_text("back", encoding="utf-8")
    with qtbot.waitSignal(watch.changed):
        write_in_place(kernel, "and edited")


def test_that_neighbours_and_released_files_are_left_alone(qtbot: QtBot, watch: KernelWatch, kernel: Path) -> None:
    other = kernel.with_name("other.cu")
    other.write_text("other", encoding="utf-8")
    told: list[Path] = []
    watch.watch(looks_of([kernel, other]))
    watch.changed.connect(told.append)
    watch.watch(looks_of([kernel]))
    kernel.with_name("neighbour.txt").write_text("x", encoding="utf-8")
    other.write_text("changed", encoding="utf-8")
    with qtbot.waitSignal(watch.changed):
        kernel.write_text("changed too", encoding="utf-8")
    assert told == [kernel]


def test_that_touching_nothing_tells_nothing(qtbot: QtBot, watch: KernelWatch, kernel: Path) -> None:
    other = kernel.with_name("other.cu")
    other.write_text("other", encoding="utf-8")
    watch.watch(looks_of([kernel, other]))
    told: list[Path] = []
    watch.changed.connect(told.append)
    state = kernel.stat()
    os.utime(kernel, ns=(state.st_atime_ns, state.st_mtime_ns))
    with qtbot.waitSignal(watch.changed):
        other.write_text("changed", encoding="utf-8")
    assert told == [other]


def test_that_a_file_that_is_not_there_can_be_waited_for(qtbot: QtBot, watch: KernelWatch, tmp_path: Path) -> None:
    late = tmp_path / "late.cl"
    watch.watch(looks_of([late, tmp_path / "no folder" / "x.cu"]))
    with qtbot.waitSignal(watch.changed) as changed:
        late.write_text("here", encoding="utf-8")
    assert changed.args == [late]


def test_that_watching_nothing_is_allowed(watch: KernelWatch) -> None:
    watch.watch(looks_of([]))
    assert watch.watched() == ()


def test_that_what_was_written_here_is_no_change(qtbot: QtBot, watch: KernelWatch, kernel: Path) -> None:
    other = kernel.with_name("other.cu")
    other.write_text("other", encoding="utf-8")
    watch.watch(looks_of([kernel, other]))
    told: list[Path] = []
    watch.changed.connect(told.append)
    kernel.write_text("saved in this window", encoding="utf-8")
    watch.expect(kernel, look_at(kernel))
    with qtbot.waitSignal(watch.changed):
        other.write_text("changed", encoding="utf-8")
    assert told == [other]
