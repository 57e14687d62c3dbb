"""A place for one case: its own home and temporary folder, and the processes that it started."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fault_record.case import HangingError, LeftError, LostError

TAG = "GEMMVIZ_FAULT_CASE"
"""In the environment of every process of a case, so that those left behind are found."""

_GONE_S = 5.0
"""How long children may take to end after their parent."""

_TRACEBACK = re.compile(r"Traceback \(most recent call last\)|^\w*Error: |Fatal Python error", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended and what it wrote."""

    code: int
    out: str
    err: str
    took_s: float


class Scratch:
    """The folder `work` to put files into, and commands run with a home of their own.

    `cache` is shared by all cases that do not damage it, so that compiled kernels are there.
    """

    def __init__(self, folder: Path, number: int, cache: Path) -> None:
        self.folder, self.work, self.home, self.temporary = folder, folder / "work", folder / "home", folder / "tmp"
        for one in (self.work, self.home, self.temporary):
            one.mkdir(parents=True)
        self._tag = f"{os.getpid()}-{number}"
        self.environment: dict[str, str] = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GEMMVIZ_", "XDG_"))},
            TAG: self._tag,
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "XDG_CACHE_HOME": str(cache),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "QT_QPA_PLATFORM": "offscreen",
            "COLUMNS": "100",
        }

    def own_cache(self) -> Path:
        """Give the case an empty cache folder of its own, to be damaged."""
        cache = self.folder / "cache"
        cache.mkdir()
        self.environment["XDG_CACHE_HOME"] = str(cache)
        return cache

    def start(
        self, words: Sequence[str | Path], environment: Mapping[str, str] | None = None, **streams: int
    ) -> subprocess.Popen[str]:
        """Start `gemmviz` with these words, in the folder `work` and a process group of its own."""
        return self.start_python(["-m", "gemmviz", *words], environment, **streams)

    def start_python(
        self, words: Sequence[str | Path], environment: Mapping[str, str] | None = None, **streams: int
    ) -> subprocess.Popen[str]:
        """Start Python with these words; standard streams are pipes unless they are given."""
        return subprocess.Popen(
            [sys.executable, *map(str, words)],
            cwd=self.work,
            env={**self.environment, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=streams.get("stdout", subprocess.PIPE),
            stderr=streams.get("stderr", subprocess.PIPE),
            text=True,
            errors="replace",
            start_new_session=True,
        )

    def end(self, process: subprocess.Popen[str], limit_s: float) -> Ended:
        """Wait until a process has ended.

        Raises:
            HangingError: it has not within `limit_s`; it is killed then.
        """
        begin = time.monotonic()
        try:
            out, err = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            self.kill_all()
            process.communicate()
            raise HangingError(f"did not end within {limit_s:g} s") from None
        return Ended(process.returncode, out or "", err or "", time.monotonic() - begin)

    def run(
        self,
        *words: str | Path,
        limit_s: float = 60.0,
        environment: Mapping[str, str] | None = None,
        **streams: int,
    ) -> Ended:
        """Run `gemmviz` with these words to its end.

        Raises:
            HangingError: it did not end in time.
        """
        return self.end(self.start(words, environment, **streams), limit_s)

    def run_by_shell(self, command: str, limit_s: float = 60.0) -> Ended:
        """Run a line of Bash to its end; `gemmviz` in it is this checkout's.

        Raises:
            HangingError: it did not end in time.
        """
        process = subprocess.Popen(
            ["bash", "-c", f'gemmviz() {{ exec {shlex.quote(sys.executable)} -m gemmviz "$@"; }}; {command}'],
            cwd=self.work,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        return self.end(process, limit_s)

    def processes(self) -> list[int]:
        """The ids of this case's processes that are running (zombies are not)."""
        return list(self._processes())

    def _processes(self) -> Iterator[int]:
        wanted = f"{TAG}={self._tag}".encode()
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with suppress(OSError):
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    state = (entry / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0]
                    if state not in "ZX":
                        yield int(entry.name)

    def kill_all(self) -> None:
        """End every process of this case."""
        for pid in self.processes():
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def check_nothing_left(self, *, folders: bool = True) -> None:
        """Nothing of the case runs, nothing lies in its temporary folder.

        Raises:
            LeftError: something does.
        """
        deadline = time.monotonic() + _GONE_S
        while (left := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.05)
        if left:
            names = ", ".join(_command(pid) for pid in left)
            self.kill_all()
            raise LeftError(f"still running: {names}")
        files = sorted(path.name for path in self.temporary.iterdir()) if folders else []
        parts = sorted(path.name for path in self.work.rglob("*.part"))
        if files or parts:
            raise LeftError(f"left in the temporary folder or beside the target: {', '.join(files + parts)}")

    def remove(self) -> None:
        """End what still runs and remove the folder."""
        self.kill_all()
        for path in (self.folder, *self.folder.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                with suppress(OSError):
                    path.chmod(0o700)
        shutil.rmtree(self.folder, ignore_errors=True)


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()[:120]
    return str(pid)


def check_refused(ended: Ended, codes: Sequence[int], says: str) -> None:
    """It ended with one of these exit codes and one line that says why, matching `says` (a regular expression).

    Raises:
        LostError: it did not.
    """
    complaints = ended.err.strip().splitlines()
    if _TRACEBACK.search(ended.err) or _TRACEBACK.search(ended.out):
        raise LostError(f"a traceback: {complaints[-1] if complaints else ''}")
    if ended.code not in codes:
        raise LostError(f"exit code {ended.code} and not {' or '.join(map(str, codes))}: {_last(ended)}")
    if not complaints or not complaints[-1].startswith("gemmviz: "):
        raise LostError(f"no reason on standard error, but: {_last(ended)}")
    if not re.search(says, ended.err):
        raise LostError(f"the reason does not match {says!r}: {complaints[-1]}")
    check_inert(ended)


def check_works(ended: Ended, says: str = "", codes: Sequence[int] = (0,)) -> None:
    """It ended well, with one of the codes, and what it printed matches `says`.

    Raises:
        LostError: it did not.
    """
    if ended.code not in codes:
        raise LostError(f"exit code {ended.code}: {_last(ended)}")
    if _TRACEBACK.search(ended.err):
        raise LostError(f"a traceback: {_last(ended)}")
    if not re.search(says, ended.out + ended.err):
        raise LostError(f"what it printed does not match {says!r}")
    check_inert(ended)


def check_inert(ended: Ended) -> None:
    """No control character but line ends and tabs reached the terminal.

    Raises:
        LostError: one did.
    """
    for text in (ended.out, ended.err):
        found = re.search(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]", text)
        if found:
            raise LostError(f"the control character {found[0]!r} reached the terminal")


def _last(ended: Ended) -> str:
    lines = (ended.err.strip() or ended.out.strip()).splitlines()
    return lines[-1][:200] if lines else "it said nothing"
