"""The window: hostile files, damaged settings, signals, a worker that is killed, a desktop that goes."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fault_record.case import Case, HangingError, LostError
from fault_record.damaged_sessions import NASTY
from fault_record.scratch import Scratch
from fault_record.sources import kernel, with_header

STORY = Path(__file__).with_name("window_story.py")
LONGEST_PAUSE_S = 2.0
"""On a machine that does two cases at a time; what is promised is tested elsewhere."""
LEAVING_S = 6.0

Found = dict[str, Any]


def cases(sound: Path) -> Iterator[Case]:
    """Every story of the window."""
    for what, make in {
        "a pipe": os.mkfifo,
        "a link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
        "a folder": Path.mkdir,
        "nothing": lambda _: None,
        "an empty file": lambda path: path.write_bytes(b""),
        "8 GiB": _sparse,
        "zeros": lambda path: path.write_bytes(bytes(9999)),
        "nasty words": lambda path: path.write_text(with_header(f"title = {json.dumps(NASTY)}"), encoding="utf-8"),
        "9**99999": lambda path: path.write_text(
            with_header('[launch]\nblock = ["9**99999*9**99999", "8"]\ngrid = ["1", "1"]'), encoding="utf-8"
        ),
        "5 000 macros": lambda path: path.write_text(
            kernel(before="#define X0 1\n" + "".join(f"#define X{i} X{i - 1}\n" for i in range(1, 5000))),
            encoding="utf-8",
        ),
        "half a session": lambda path: path.write_bytes(sound.read_bytes()[:2000]),
    }.items():
        for suffix in ("cu", "cl", "gemmviz"):
            yield Case("windows", f"opens {what} (.{suffix})", _opens(f"mine.{suffix}", make))
    for what, text in {
        "no JSON": "{",
        "deep": "[" * 100_000,
        "a list": "[]",
        "wrong types": '{"theme": 7, "geometry": [], "recent_files": {"a": 1}, "last_experiment": "x", "folders": [1]}',
        "recent files that hang": json.dumps({"recent_files": ["/proc/self/mem", NASTY, "/dev/zero", ""]}),
        "a nasty geometry": json.dumps({"geometry": "////", "docks": "=" * 5000, "results": "AAAA"}),
        "a nasty experiment": json.dumps({"last_experiment": {"m": -1, "kernel": NASTY, "params": {"TILE": 1e308}}}),
    }.items():
        yield Case("windows", f"settings: {what}", _with_settings(lambda path, text=text: path.write_text(text)))
    yield Case("windows", "settings: a pipe", _with_settings(os.mkfifo))
    yield Case("windows", "settings: a link to /dev/zero", _with_settings(lambda path: path.symlink_to("/dev/zero")))
    yield Case("windows", "settings: a folder", _with_settings(Path.mkdir))
    for what, environment in {
        "no settings can be written": {"XDG_CONFIG_HOME": "/proc/nowhere"},
        "no state can be written": {"XDG_STATE_HOME": "/proc/nowhere"},
        "no cache can be written": {"XDG_CACHE_HOME": "/proc/nowhere"},
        "no home": {"HOME": "/proc/nowhere", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""},
    }.items():
        yield Case("windows", what, _in(environment))
        for number in (signal.SIGTERM, signal.SIGHUP):
            yield Case("windows", f"{what}: {number.name}", _ended([], number, 4.0, environment=environment))
    yield Case("windows", "the worker is killed", _worker_killed)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        for after_s in (0.2, 1.0, 4.0):
            yield Case("windows", f"{number.name} after {after_s:g} s", _ended([], number, after_s))
        yield Case("windows", f"{number.name} with a file", _ended([sound], number, 4.0))
        yield Case("windows", f"{number.name} to the whole group", _ended([], number, 4.0, group=True))
    yield Case("windows", "SIGTERM four times", _ended([], signal.SIGTERM, 4.0, times=4))
    yield Case("windows", "timeout 5 gemmviz", _timed_out)
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP):
        yield Case("windows", f"a ladder ended by {number.name}: runs come back", _recovered(number))


def _story(scratch: Scratch, *words: str, environment: Mapping[str, str] | None = None) -> Found:
    """What the window showed.

    Raises:
        HangingError: the window did not listen for too long.
        LostError: it ended by itself.
    """
    process = scratch.start_python([STORY, *words], environment)
    ended = scratch.end(process, 120.0)
    lines = ended.out.strip().splitlines()
    if not lines:
        raise LostError(f"the window ended with {ended.code}: {ended.err.strip()[-300:]}")
    if "Traceback" in ended.err:
        raise LostError(f"a traceback: {ended.err.strip()[-300:]}")
    found: Found = json.loads(lines[-1])
    if found["longest_s"] > LONGEST_PAUSE_S:
        raise HangingError(f"the window did not listen for {found['longest_s']:.1f} s")
    return found


def _opens(name: str, make: Callable[[Path], object]) -> Callable[[Scratch], None]:
    """The window tells what is wrong with the file, or takes it for the sound kernel that it is, and lives."""

    def attempt(scratch: Scratch) -> None:
        make(scratch.work / name)
        found = _story(scratch, name)
        if not found["notices"] and found["kernel"] != Path(name).stem:
            raise LostError("the window does not say what is wrong with the file")
        scratch.check_nothing_left(folders=False)

    return attempt


def _with_settings(make: Callable[[Path], object]) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        folder = scratch.home / "config" / "gemmviz"
        folder.mkdir(parents=True)
        make(folder / "settings.json")
        _story(scratch)
        scratch.check_nothing_left(folders=False)

    return attempt


def _in(environment: Mapping[str, str]) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        _story(scratch, environment=environment)
        scratch.check_nothing_left(folders=False)

    return attempt


def _worker_killed(scratch: Scratch) -> None:
    found = _story(scratch, "--kill-worker")
    if not found["notices"]:
        raise LostError("the window does not say that its worker ended")
    scratch.check_nothing_left(folders=False)


def _ended(
    files: Sequence[Path],
    number: signal.Signals,
    after_s: float,
    *,
    group: bool = False,
    times: int = 1,
    environment: Mapping[str, str] | None = None,
) -> Callable[[Scratch], None]:
    """The real program ends soon after a signal and leaves no process."""

    def attempt(scratch: Scratch) -> None:
        process = scratch.start([*map(str, files)], environment)
        time.sleep(after_s)
        for _ in range(times):
            if process.poll() is not None:
                break
            if group:
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)
            time.sleep(0.05)
        ended = scratch.end(process, LEAVING_S)
        if "Traceback" in ended.err and after_s > 1:
            raise LostError(f"a traceback: {ended.err.strip()[-300:]}")
        scratch.check_nothing_left(folders=False)

    return attempt


def _timed_out(scratch: Scratch) -> None:
    ended = scratch.run_by_shell("gemmviz & sleep 4; kill -TERM -$$", limit_s=15.0)
    if "Traceback" in ended.err:
        raise LostError(f"a traceback: {ended.err.strip()[-300:]}")
    scratch.check_nothing_left(folders=False)


def _recovered(number: signal.Signals) -> Callable[[Scratch], None]:
    """What was measured before the window was ended is offered, and comes back."""

    def attempt(scratch: Scratch) -> None:
        process = scratch.start_python([STORY, "--ladder"])
        assert process.stdout is not None
        runs, deadline = 0, time.monotonic() + 90.0
        while runs < 2 and time.monotonic() < deadline:
            line = process.stdout.readline()
            if not line:
                break
            runs = json.loads(line).get("runs", 0)
        time.sleep(1.5)
        process.send_signal(number)
        scratch.end(process, LEAVING_S)
        if runs < 2:
            raise LostError("no two runs came in")
        scratch.check_nothing_left(folders=False)
        found = _story(scratch, "--recover")
        if found["runs"] < runs:
            raise LostError(f"{found['runs']} of {runs} runs came back")
        scratch.check_nothing_left(folders=False)

    return attempt


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(8 << 30)
