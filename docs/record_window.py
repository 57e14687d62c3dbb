"""Measure the window's figures of docs/RECORD.md and print them: `python docs/record_window.py`.

Each story of window_at_work.py is played in a window and a process of its own. Needs no display: the window is drawn
offscreen. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

AT_WORK = Path(__file__).with_name("window_at_work.py")
STARTS = 5
PICTURED = ("tiled", "cp_async", "sgemm_best")
"""The kernels of the story `picture`, by its number."""

Found = dict[str, Any]


def story(*words: object, cache: str = "") -> Found:
    """What a story found, with that folder for what is remembered on disk."""
    command = [sys.executable, str(AT_WORK), *(str(word) for word in words)]
    environment = {**os.environ, "ASKED_FOR_AT": repr(time.perf_counter())}
    if cache:
        environment["XDG_CACHE_HOME"] = cache
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    found: Found = json.loads(done.stdout.splitlines()[-1])
    return found


def row(what: str, measured: str) -> None:
    print(f"| {what} | {measured} |", flush=True)


def longest(found: Found, chapters: Iterable[str] = ()) -> str:
    """The longest pause of some chapters, or of all: of the window's own work and in which, and by the clock."""
    chosen = {name: one for name, one in found["chapters"].items() if not chapters or name in chapters}
    own, held, wall = (max(one[which] for one in chosen.values()) for which in ("own_ms", "held_ms", "wall_ms"))
    taken = max(one["taken"] for one in chosen.values())
    where = max(chosen, key=lambda name: chosen[name]["own_ms"])
    return (
        f"{own:.0f} ms of its own work (`{where}`), {held:.0f} ms without what other processes took, "
        f"{wall:.0f} ms by the clock (others took up to {100 * taken:.0f} % of the time)"
    )


def grown(found: Found) -> str:
    before, after = found["before"], found["after"]
    mib = after["memory_mib"] - before["memory_mib"]
    return (
        f"{after['objects'] - before['objects']:+.0f} Qt objects, {after['threads'] - before['threads']:+.0f} threads, "
        f"{mib:+.1f} MiB of {after['memory_mib']:.0f} MiB, the worker "
        f"{'the same' if after['worker'] == before['worker'] else 'another'}"
    )


def first_pictures() -> None:
    """From the click on Record to the picture, with nothing remembered on disk, and with what that left there."""
    for place, kernel in enumerate(PICTURED):
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = (story("picture", place, cache=cache)["picture_s"] for _ in range(2))
        what = (
            f"one block of `{kernel}` at 128x128x64, from the click on Record to its first picture, the first of the "
        )
        row(f"{what}window: nothing on disk, and compiled before", f"{cold:.1f} s and {warm:.1f} s")


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where a story does not come to its end, which has said why."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args(words)
    try:
        measure()
    except subprocess.CalledProcessError as error:
        told = " ".join(error.cmd[2:])
        print(f"not measured any further: the story `{told}` ended with {error.returncode}", file=sys.stderr)
        return 1
    return 0


def measure() -> None:
    """Play every story, print a row as soon as it is measured."""
    print("| what | measured |\n|---|---|")
    starts = [story("runs", 0, 0) for _ in range(STARTS)]
    row(
        f"window shown after the start of the command, offscreen, warm caches, median of {STARTS}",
        f"{median(one['shown_s'] for one in starts):.1f} s",
    )
    row("devices known, everything usable", f"{median(one['usable_s'] for one in starts):.1f} s")
    found = story("requests", 0, 2)
    first = [name for name in found["chapters"] if name.endswith(" 1")]
    row("longest pause in the first run, recording and sweep after the start", longest(found, first))
    row(
        "in the second ones, in an export of every chart, in a walk through the pages",
        longest(found, set(found["chapters"]) - set(first)),
    )
    row("memory of the window after that", f"{found['memory_mib']:.0f} MiB")
    found = story("cancels")
    row(
        f"a cancel at any moment, {found['cancels']} of them, a third in a kernel that never ends",
        f"{found['least_ms']:.0f} to {found['most_ms']:.0f} ms",
    )
    row("200 runs in a row", grown(story("runs", 20, 200)))
    found = story("crowd", 1000)
    row("one run more in a session of 1 000: longest pause", longest(found))
    row("all 1 000 chosen: own work of the window", f"{found['chosen_own_ms']:.0f} ms")
    row("memory of the window with 1 000 runs", f"{found['most_memory_mib']:.0f} MiB")
    for size in ((1037, 1031, 1055), (4096, 4096, 4096)):
        found = story("scrub", *size)
        name = "x".join(str(one) for one in size)
        row(
            f"one block of `tiled` 16 at {name}: scrubbing, a frame painted at 1280x800, median of 200 of "
            f"{found['frames']} frames",
            f"{found['paint_ms']:.1f} ms ({found['paint_own_ms']:.1f} ms own work); "
            f"from the slider to the picture {found['frame_ms']:.0f} ms",
        )
        row(
            f"playing it at four times the speed: from picture to picture while tiles arrival, median and 95 of 100; "
            f"longest pause at {name}",
            f"{found['motion_ms']:.1f} ms, that is {1e3 / found['motion_ms']:.0f} a second, "
            f"and {found['motion_ms_95']:.1f} ms; {longest(found)}",
        )
    first_pictures()
    found = story("accesses", 10)
    row(
        f"a recording of {found['accesses']:,} accesses: ready to be seen after",
        f"{found['view_ready_s']:.1f} s ({found['view_ready_own_s']:.1f} s work of all threads)",
    )
    row("the window meanwhile, and while one goes through its frames", longest(found))
    row("memory of the window, at most", f"{found['most_memory_mib']:.0f} MiB")
    row("200 times a block recorded, shown, played and closed", grown(story("cycles")))


if __name__ == "__main__":
    sys.exit(main())
