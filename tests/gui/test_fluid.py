"""The window stays fluid whatever goes on, and does not grow: each story in a window and a process of its own.

What other processes do with the cores is no fault of the window's: its own processor time between two beats is what
must stay below the limit, and the time by the clock where it had the cores to itself. A machine can only add to
either, so a limit that was missed is tried again in a new process, and a chapter's pause is its shortest; and limits
are those of the machine as it was before and after a story (`pace`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pace import slowness

pytestmark = pytest.mark.perf

AT_WORK = Path(__file__).parents[2] / "docs" / "window_at_work.py"
LONGEST_MS = 50.0
TRIES = 3
CALM = 0.02
"""The part of the time that other processes may take where the clock counts."""

Found = dict[str, Any]


def story(*words: object) -> Found:
    """Play one story of docs/window_at_work.py and see what it found."""
    command = [sys.executable, str(AT_WORK), *(str(word) for word in words)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    found: Found = json.loads(done.stdout.splitlines()[-1])
    return found


def fluid_story(*words: object, also: Callable[[Found], bool] = lambda _: True) -> Found:
    """A story, played until each chapter once went by without a pause and `also` holds, or often enough.

    Adds `slowness`, of the machine, and `blocked`: the chapters in which the window did not listen for too long, every
    time.
    """
    blocked: dict[str, Any] = {}
    for number in range(TRIES):
        before = slowness()
        found = story(*words)
        found["slowness"] = max(before, slowness())
        paused = paused_chapters(found, LONGEST_MS * found["slowness"])
        blocked = paused if number == 0 else {name: paused[name] for name in blocked.keys() & paused.keys()}
        if not blocked and also(found):
            break
    return found | {"blocked": blocked}


def paused_chapters(found: Found, limit_ms: float) -> dict[str, Any]:
    """The chapters with a pause as long as that."""
    return {
        name: chapter
        for name, chapter in found["chapters"].items()
        if chapter["own_ms"] >= limit_ms or (chapter["taken"] < CALM and chapter["held_ms"] >= limit_ms)
    }


def assert_same(before: Found, after: Found) -> None:
    assert after["worker"] == before["worker"]
    assert after["threads"] <= before["threads"]
    assert after["objects"] <= before["objects"]
    assert after["memory_mib"] < before["memory_mib"] + 10


def test_that_the_window_is_never_blocked_from_the_first_request_on() -> None:
    found = fluid_story("requests", 0, 1)
    assert set(found["chapters"]) == {"runAction 1", "recordAction 1", "sweepAction 1", "export", "pages"}
    assert all(chapter["beats"] > 20 for chapter in found["chapters"].values())
    assert not found["blocked"]
    assert found["exported"] > 20
    assert found["most_memory_mib"] < 600


def test_that_two_hundred_runs_in_a_row_leave_nothing_behind() -> None:
    found = story("runs", 20, 200)
    assert_same(found["before"], found["after"])


def test_that_a_thousand_runs_stay_fluid() -> None:
    found = fluid_story("crowd", 1000, also=is_chosen_soon)
    assert found["rows"] == 1000
    assert not found["blocked"]
    assert is_chosen_soon(found)
    assert found["most_memory_mib"] < 600


def test_that_recordings_that_come_play_and_go_leave_nothing_behind() -> None:
    found = story("cycles", 10, 60, 3)
    assert_same(found["before"], found["after"])


def test_that_a_frame_is_painted_in_time_while_one_scrubs() -> None:
    found = fluid_story("scrub", 1037, 1031, 1055, 40, 0, also=is_painted_soon)
    assert found["frames"] > 100
    assert is_painted_soon(found)
    assert not found["blocked"]


def test_that_ten_million_accesses_are_seen_soon() -> None:
    found = fluid_story("accesses", 10, also=is_seen_soon)
    assert found["accesses"] >= 10_000_000
    assert is_seen_soon(found)
    assert not found["blocked"]
    assert found["most_memory_mib"] < 1000


def is_chosen_soon(found: Found) -> bool:
    return bool(found["chosen_own_ms"] < 250 * found["slowness"])


def is_painted_soon(found: Found) -> bool:
    return bool(found["paint_own_ms"] < 16 * found["slowness"])


def is_seen_soon(found: Found) -> bool:
    """By the clock, or of all its threads' work where others had the cores."""
    return bool(min(found["view_ready_s"], found["view_ready_own_s"]) < 2 * found["slowness"])
