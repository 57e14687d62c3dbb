"""Run one command to its end, or end it and all its descendants when the process that asked for it dies.

Run as a script by `child_process.py`, with the standard library alone, so that it starts within milliseconds:

    python -I -S supervisor.py LIFELINE [FILE_OR_FOLDER…] -- COMMAND…

LIFELINE is the reading end of a pipe whose other end only the process above holds: at its end of file the command is
killed, and the files and folders named are removed. On Linux descendants are found whatever session they moved to;
elsewhere the process group of the command is killed. POSIX only.
"""

from __future__ import annotations

import os
import select
import signal
import sys

TYPE_CHECKING = False  # to import typing, which has this name, or pathlib would slow down every start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    _Prctl = Callable[..., object]

_NOT_FOUND = 127
_PARENT_DEATH_SIGNAL, _CHILD_SUBREAPER = 1, 36
"""PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of prctl(2)."""


def main(words: list[str]) -> NoReturn:
    """Do what the words of the command line say, see the module's docstring; the exit code is the command's."""
    lifeline, middle = int(words[0]), words.index("--")
    leftovers, command = words[1:middle], words[middle + 1 :]
    os.set_inheritable(lifeline, False)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGHUP):  # they are meant for the process above
        signal.signal(number, signal.SIG_IGN)
    prctl = _prctl()
    prctl(_CHILD_SUBREAPER, 1)
    supervisor = os.getpid()
    child = os.fork()
    if not child:
        _become(command, supervisor, prctl)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):  # else the ends of the command's pipes would stay open behind it
        os.dup2(nowhere, descriptor)
    status: int | None = None
    while status is None:
        ready, _, _ = select.select([lifeline, woken], [], [])
        if lifeline in ready:
            _end_all(child)
            _remove(leftovers)
            os._exit(1)
        if signal.SIGTERM in os.read(woken, 4096):
            break
        reaped, found = os.waitpid(child, os.WNOHANG)
        status = found if reaped else None
    _end_all(child)
    _leave_like(signal.SIGTERM if status is None else status)


def _prctl() -> _Prctl:
    """prctl(2) where there is one, else a function that does nothing."""
    if sys.platform != "linux":
        return lambda *_: None
    import ctypes

    found: _Prctl = ctypes.CDLL(None).prctl
    return found


def _become(command: list[str], supervisor: int, prctl: _Prctl) -> NoReturn:
    """In the forked process: turn into the command, in a process group of its own that dies with the supervisor."""
    try:
        os.setpgid(0, 0)
        prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != supervisor:  # it died before the line above
            os._exit(1)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    finally:
        os._exit(_NOT_FOUND)


def _end_all(child: int) -> None:
    """Kill the command and everything it started, until nothing is left that this process would have to wait for."""
    _kill(os.killpg, child)
    while True:
        for number in _children():  # the orphans of whatever was killed have become children of this process
            _kill(os.kill, number)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _kill(kill: Callable[[int, int], None], number: int) -> None:
    """Kill a process or a group of them that may have ended."""
    try:
        kill(number, signal.SIGKILL)
    except OSError:
        return


def _children() -> list[int]:
    """The process ids of this process' children, where /proc tells them; a sandbox may hide it."""
    try:
        entries = os.listdir("/proc") if sys.platform == "linux" else []  # noqa: PTH208
    except OSError:
        return []
    me = str(os.getpid())
    return [int(entry) for entry in entries if entry.isdigit() and _parent_of(entry) == me]


def _parent_of(process: str) -> str:
    """The process id of a process' parent; "" where the process has ended meanwhile."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[1]
    except (OSError, IndexError):
        return ""


def _remove(paths: list[str]) -> None:
    import shutil
    from contextlib import suppress
    from pathlib import Path

    for path in map(Path, paths):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()


def _leave_like(status: int) -> NoReturn:
    """End with the exit code, or by the signal, that the command ended with."""
    if not os.WIFSIGNALED(status):
        os._exit(os.WEXITSTATUS(status))
    number = os.WTERMSIG(status)
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one dump of memory is enough
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(128 + number)


if __name__ == "__main__":
    main(sys.argv[1:])
