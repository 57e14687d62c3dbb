"""Signals at every moment of a command: it ends soon, says so, and leaves nothing."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from fault_record.case import Case, LostError
from fault_record.scratch import Scratch, check_inert
from fault_record.sources import SOUND_BODY, kernel

SOON_S = 6.0
"""How long after a signal a command may take to end on a busy machine."""

_ENDLESS = kernel("    while (row >= 0) { C[0] += 1.0f; }\n")
_LONG_BUILD = kernel(
    f"    float x = 0;\n#pragma unroll 100000\n    for (int i = 0; i < 100000; ++i) x += A[(i * i) % M] * x;\n"
    f"    C[0] = x;\n{SOUND_BODY}"
)
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)


def cases(sound: Path) -> Iterator[Case]:
    """Every command, every signal, several moments."""
    commands: dict[str, tuple[tuple[str, ...], str]] = {
        "a ladder": (("run", "--kernel", "all", "--size", "96x96x96", "--budget", "20"), ""),
        "a launch that never ends": (("run", "--kernel-file", "mine.cu", "--size", "17x9x5"), _ENDLESS),
        "a build that takes minutes": (("run", "--kernel-file", "mine.cu", "--size", "17x9x5"), _LONG_BUILD),
        "recording a launch that never ends": (("trace", "--kernel-file", "mine.cu", "--size", "17x9x5"), _ENDLESS),
        "recording a whole grid": (("trace", "--kernel", "tiled", "--size", "1037x1031x1055", "--all-blocks"), ""),
        "an export of films": (("export", str(sound), "--format", "mp4,gif", "--out", "films", "--speed", "0.25"), ""),
        "an export of charts": (("export", str(sound), "--format", "png,svg,csv", "--out", "charts"), ""),
    }
    for what, (words, source) in commands.items():
        for number in _SIGNALS:
            for after_s in (0.3, 1.5, 4.0):
                name = f"{what}: {number.name} after {after_s:g} s"
                yield Case("signals", name, _ended(words, source, number, after_s))
    words, source = commands["a launch that never ends"]
    yield Case("signals", "to the whole group: SIGINT", _ended(words, source, signal.SIGINT, 3.0, group=True))
    yield Case("signals", "to the whole group: SIGTERM", _ended(words, source, signal.SIGTERM, 3.0, group=True))
    yield Case("signals", "the child is killed", _child_killed(words, source))
    yield Case("signals", "SIGTERM four times", _ended(words, source, signal.SIGTERM, 2.0, times=4))


def _ended(
    words: Sequence[str], source: str, number: signal.Signals, after_s: float, *, group: bool = False, times: int = 1
) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        (scratch.work / "mine.cu").write_text(source, encoding="utf-8")
        process = scratch.start(words)
        time.sleep(after_s)
        is_over = process.poll() is not None
        for _ in range(times):
            if group and process.poll() is None:
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)
        ended = scratch.end(process, SOON_S)
        if number is signal.SIGKILL:  # what it could not tidy up, the next start does
            scratch.check_nothing_left(folders=False)
            scratch.run("kernels")
            scratch.check_nothing_left()
            return
        scratch.check_nothing_left()
        if is_over or ended.code == 0 or ended.out.strip():  # its work was done, and said, before the signal came
            return
        if ended.code not in (128 + number, -number) or "Traceback" in ended.err:
            raise LostError(f"exit code {ended.code}: {ended.err.strip()[-200:]}")
        if after_s > 1 and not ended.err.strip():
            raise LostError("it ended without a word")
        check_inert(ended)

    return attempt


def _child_killed(words: Sequence[str], source: str) -> Callable[[Scratch], None]:
    """The process that runs the kernel is killed: the command says so and ends."""

    def attempt(scratch: Scratch) -> None:
        (scratch.work / "mine.cu").write_text(source, encoding="utf-8")
        process = scratch.start(words)
        deadline = time.monotonic() + 20.0
        while len(scratch.processes()) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.0)
        for pid in scratch.processes():
            if pid != process.pid:
                os.kill(pid, signal.SIGKILL)
        ended = scratch.end(process, 20.0)
        if ended.code != 1 or not ended.err.strip().splitlines()[-1].startswith("gemmviz: "):
            raise LostError(f"exit code {ended.code}: {ended.err.strip()[-200:]}")
        scratch.check_nothing_left()

    return attempt
