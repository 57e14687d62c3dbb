"""Give gemmviz damaged files, broken kernels and signals, and print what it did: `python docs/record_faults.py`.

Options, kernel files, kernels, sessions, outputs, environments, signals and windows; each case has a home and a
temporary folder of its own. Survived means: it ended in time with the right exit code and a reason in one line, nothing
was lost, nothing runs on. Takes about 20 minutes on two cores. Linux only.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

from fault_record import (
    damaged_sessions,
    kernel_files,
    options,
    outputs,
    signals,
    surroundings,
    wild_kernels,
    windows,
)
from fault_record.case import CannotTryError, Case, HangingError, LeftError, LostError, Outcome, Result
from fault_record.scratch import Scratch

_OUTCOMES = {
    LostError: Outcome.LOST,
    HangingError: Outcome.HANGING,
    LeftError: Outcome.LEFT,
    CannotTryError: Outcome.UNTRIED,
}


def all_cases(sound: Path) -> Iterator[Case]:
    """Every case; `sound` is a session of this version's."""
    yield from options.cases()
    yield from kernel_files.cases()
    yield from wild_kernels.cases()
    yield from damaged_sessions.cases(sound)
    yield from outputs.cases(sound)
    yield from surroundings.cases()
    yield from signals.cases(sound)
    yield from windows.cases(sound)


def attempt(case: Case, folder: Path, number: int, cache: Path) -> Result:
    """Try a case in a scratch folder of its own, which is removed."""
    scratch = Scratch(folder / str(number), number, cache)
    begin = time.monotonic()
    outcome, reason = Outcome.SURVIVED, ""
    try:
        case.attempt(scratch)
    except (LostError, HangingError, LeftError, CannotTryError) as error:
        outcome, reason = _OUTCOMES[type(error)], str(error)
    except Exception as error:  # noqa: BLE001 - a case that fails by itself is no proof of anything
        outcome, reason = Outcome.LOST, f"the case itself failed: {type(error).__name__}: {error}"
    finally:
        scratch.remove()
    return Result(case, outcome, reason, time.monotonic() - begin)


def sound_session(folder: Path, cache: Path) -> Path:
    """A session with runs and a recording, as the program saves it now.

    Raises:
        LostError: it cannot be made.
    """
    scratch = Scratch(folder / "sound", 0, cache)
    target = scratch.work / "sound.gemmviz"
    words = ("--size", "17x9x5", "--out", target)
    made = scratch.run("trace", "--kernel", "tiled", "--param", "TILE=4", "--block", "1,1", *words, limit_s=300)
    target.rename(folder / "trace.gemmviz")
    ran = scratch.run("run", "--kernel", "tiled,naive,cpu_ijk", "--budget", "0.05", *words, limit_s=300)
    if made.code or ran.code:
        raise LostError(f"no sound session can be made: {made.err} {ran.err}")
    merge = (
        "import sys; from pathlib import Path; from dataclasses import replace;"
        "from gemmviz.domain.session.session import load_session, save_session;"
        "runs, traces = (load_session(Path(name)) for name in sys.argv[1:3]);"
        "save_session(replace(runs, traces=traces.traces), Path(sys.argv[3]))"
    )
    process = scratch.start_python(["-c", merge, target, folder / "trace.gemmviz", folder / "sound.gemmviz"])
    ended = scratch.end(process, 60.0)
    if ended.code:
        raise LostError(f"no sound session can be made: {ended.err}")
    return folder / "sound.gemmviz"


def table(results: Sequence[Result]) -> str:
    """The table of docs/RECORD.md."""
    heads = ("situation", "tried", "survived", "lost", "hanging", "left running")
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    groups = list(dict.fromkeys(result.case.group for result in results))
    for group in (*groups, "all"):
        found = Counter(result.outcome for result in results if group in (result.case.group, "all"))
        tried = found.total() - found[Outcome.UNTRIED]
        figures = (tried, *(found[which] for which in (Outcome.SURVIVED, Outcome.LOST, Outcome.HANGING, Outcome.LEFT)))
        lines.append(f"| {group} | {' | '.join(map(str, figures))} |")
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> int:
    """Try the cases, print the table and what was not survived; 1 if anything was not."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="only cases with this text in group or name")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth case")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="with --every: begin with the Nth, from 0")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="cases at a time (default 2)")
    parser.add_argument("--list", action="store_true", help="print the cases and try none")
    chosen = parser.parse_args(words)
    if sys.platform != "linux":
        print("record_faults.py finds processes in /proc: it needs Linux", file=sys.stderr)
        return 2
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # a shell in the background, and nohup, let children ignore them
    with tempfile.TemporaryDirectory(prefix="gemmviz-faults-") as name:
        folder = Path(name)
        cache = folder / "cache"
        cache.mkdir()
        sound = sound_session(folder, cache)
        cases = [case for case in all_cases(sound) if chosen.only in str(case)][chosen.offset :: chosen.every]
        if chosen.list:
            print("\n".join(map(str, cases)))
            return 0
        results = _try_all(cases, folder, cache, chosen.jobs)
    print(table(results))
    return int(any(result.outcome not in (Outcome.SURVIVED, Outcome.UNTRIED) for result in results))


def _try_all(cases: Sequence[Case], folder: Path, cache: Path, jobs: int) -> list[Result]:
    numbers, printing, done = count(1), threading.Lock(), count(1)

    def one(case: Case) -> Result:
        result = attempt(case, folder, next(numbers), cache)
        with printing:
            number = next(done)
            if result.outcome is not Outcome.SURVIVED:
                where = f"[{number}/{len(cases)}] {case} ({result.took_s:.1f} s)"
                print(f"{result.outcome} {where}: {result.reason}", flush=True)
        return result

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, cases))


if __name__ == "__main__":
    sys.exit(main())
