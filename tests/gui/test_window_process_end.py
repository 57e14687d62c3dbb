"""However the window's process is ended, it ends soon, asks nothing, leaves no process and loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pace import clock_limit_s
from window_process import complaints, processes_of, wait_until, window_at, window_environment

from gemmviz.domain.recovery.folders import claimed, recovery_root
from gemmviz.domain.recovery.lost import Recovered, find_lost, recover
from gemmviz.gui.looks.theme import ThemeChoice
from gemmviz.gui.settings import load_settings
from gemmviz.gui.window.end_signals import PATIENCE_S

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")

LIMIT_S = 2.0

HELD = """
def scenario(window):
    hold_results(window)
    ready()
"""
HELD_AT_WORK = """
def scenario(window):
    hold_results(window)
    once(window, lambda: window.work.devices, lambda: act(window, "ladderAction"))
    once(window, lambda: window.work.busy, ready)
"""
QUESTION = """
def scenario(window):
    hold_results(window)
    QTimer.singleShot(100, ready)
    QTimer.singleShot(0, window.close)
"""
STUCK = """
from gemmviz.gui.files.autosave import Autosave
def scenario(window):
    window.findChild(Autosave).kept.connect(lambda: (ready(), time.sleep(600)))
    hold_results(window)
"""
LADDER = """
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox
def scenario(window):
    def begin():
        for name in ("sizeM", "sizeN", "sizeK"):
            window.findChild(QSpinBox, name).setValue(64)
        window.findChild(QDoubleSpinBox, "budgetSpin").setValue(0.1)
        act(window, "ladderAction")
    once(window, lambda: window.work.devices, begin)
    once(window, lambda: len(window.document.session.runs) > 2, lambda: (print("ready"), tell(window)))

def tell(window):
    window.document.changed.connect(lambda: print(len(window.document.session.runs), flush=True))
    print(len(window.document.session.runs), flush=True)
"""
FILM = """
from dataclasses import replace
from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.gui.export.film.runner import FilmRunner
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QDialog, QLineEdit
def scenario(window):
    found = (load_session(example.path) for example in load_examples())
    window.document.take_recovered(next(one for one in found if one.traces), "held")
    once(window, lambda: window.player.count > 1 if hasattr(window.player, "count") else True, lambda: begin(window))

def begin(window):
    act(window, "exportAction")
    dialog = window.findChild(QDialog, "exportDialog")
    dialog.findChild(QLineEdit, "exportFolder").setText({folder!r})
    for name, wanted in (("exportPng", False), ("exportSvg", False), ("exportCsv", False), ("exportMp4", True)):
        dialog.findChild(QCheckBox, name).setChecked(wanted)
    button = dialog.findChild(QAbstractButton, "exportOk")
    once(window, button.isEnabled, button.click)
    runner = window.findChild(FilmRunner)
    runner.progressed.connect(lambda done, _: done >= 3 and ready())
"""

CHOICES = """
from gemmviz.gui.lessons.lesson_page import LessonPage
def scenario(window):
    act(window, "themeDark")
    window.open_lesson("race")
    page = window.findChild(LessonPage)
    once(window, lambda: page.lesson, lambda: (page.go(page.steps), ready()))
"""


def end(process: subprocess.Popen[str], *numbers: int) -> float:
    """Send signals to the whole group, one after the other; seconds until the process has ended."""
    begin = time.monotonic()
    for number in numbers:
        os.killpg(process.pid, number)
    process.wait(60)
    return time.monotonic() - begin


def left_in(folder: Path) -> list[Recovered]:
    """What the next start would offer, read."""
    found = []
    for lost in find_lost(recovery_root(folder / "state")):
        with claimed(lost.folder) as is_ours:
            assert is_ours
            found.append(recover(lost.folder))
    return found


def check_ended(process: subprocess.Popen[str], took_s: float, number: int, *, is_forced: bool = False) -> None:
    """Whether it ended in time and in good order; a machine that is too busy for that has it ended by force."""
    forced = () if took_s < PATIENCE_S else (128 + number,)
    assert process.returncode in (forced if is_forced else (0, *forced))
    assert took_s < clock_limit_s(LIMIT_S)
    wait_until(lambda: processes_of(process.pid) == [])


def test_that_four_signals_and_a_question_end_the_window_and_keep_its_results(tmp_path: Path) -> None:
    (tmp_path / "settings").write_text("a file where a folder belongs", encoding="utf-8")
    with window_at(QUESTION, window_environment(tmp_path)) as process:
        took_s = end(process, *[signal.SIGTERM] * 4)
        check_ended(process, took_s, signal.SIGTERM)
        assert process.stderr is not None
        (line,) = complaints(process.stderr.read())
        assert line.startswith("gemmviz: The settings cannot be kept")
    (found,) = left_in(tmp_path)
    assert found.session.runs
    assert (found.name, found.faults) == ("held", ())
    assert found.experiment["kernel"]


def test_that_a_window_whose_terminal_has_gone_keeps_its_results(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    with window_at(HELD_AT_WORK, window_environment(tmp_path), stderr=theirs) as process:
        os.close(theirs)
        os.close(ours)  # from now on every write to standard error fails with EIO
        check_ended(process, end(process, signal.SIGHUP), signal.SIGHUP)
    (found,) = left_in(tmp_path)
    assert found.session.runs
    assert found.session.errors == ()  # the worker is ended by the window, and that is no fault of a kernel


def test_that_a_state_folder_that_cannot_be_written_holds_nothing_up(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder belongs", encoding="utf-8")
    with window_at(HELD, window_environment(tmp_path)) as process:
        check_ended(process, end(process, signal.SIGTERM), signal.SIGTERM)
        assert process.stderr is not None
        assert complaints(process.stderr.read()) == []


def test_that_ctrl_c_ends_a_film_that_is_being_made(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with window_at(FILM.replace("{folder!r}", repr(str(out))), window_environment(tmp_path)) as process:
        check_ended(process, end(process, signal.SIGINT), signal.SIGINT)
    assert list(out.iterdir()) == []
    (found,) = left_in(tmp_path)
    assert found.session.traces


def test_that_a_window_that_hears_nothing_is_ended_and_keeps_its_results(tmp_path: Path) -> None:
    with window_at(STUCK, window_environment(tmp_path)) as process:
        check_ended(process, end(process, signal.SIGTERM), signal.SIGTERM, is_forced=True)
    (found,) = left_in(tmp_path)
    assert found.session.runs


def test_that_a_kill_in_the_middle_of_a_ladder_costs_the_kernel_under_way(tmp_path: Path) -> None:
    with window_at(LADDER, window_environment(tmp_path)) as process:
        assert process.stdout is not None
        time.sleep(1.0)  # some more kernels: how many is of no matter
        os.kill(process.pid, signal.SIGKILL)
        told = [int(line) for line in process.stdout.read().split()]
        wait_until(lambda: processes_of(process.pid) == [])
    (found,) = left_in(tmp_path)
    assert max(told) - 1 <= len(found.session.runs) <= max(told) + 1
    assert found.experiment["size"] == str(found.session.runs[0].spec.shape)


def test_that_a_kill_costs_neither_the_theme_nor_the_marks_of_lessons(tmp_path: Path) -> None:
    file = tmp_path / "settings" / "settings.json"
    with window_at(CHOICES, window_environment(tmp_path)) as process:
        wait_until(lambda: file.exists() and "race" in file.read_text(encoding="utf-8"))
        os.kill(process.pid, signal.SIGKILL)
        wait_until(lambda: processes_of(process.pid) == [])
    kept, notice = load_settings(file.parent)
    assert notice == ""
    assert kept.theme is ThemeChoice.DARK
    assert kept.lessons_seen == ("race",)
