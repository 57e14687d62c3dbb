"""The supervisor of a confined process: its parent, which decides about the calls that the filter tells.

It only says what was tried and ends the process; what protects files is Landlock, whatever is decided here. A thread
that changes a path after it was looked at gains nothing. Calls on the confined process's first thread, where Python
runs, fail with an error; a kernel runs on the others, and is ended.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import select
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gemmviz.engine.sandbox.attempts import (
    DeniedAttempt,
    attempt_of,
    attempt_of_end,
    too_many_files,
    too_many_threads,
    too_much_memory,
)
from gemmviz.engine.sandbox.call_filter import CHANGES_FILES, PROCESSES
from gemmviz.engine.sandbox.confinement import Confinement, linkers
from gemmviz.engine.sandbox.system_calls import machine, numbers_of

_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_CONTINUE = 1
_THREAD, _SHARES_MEMORY, _WAITS = 0x10000, 0x100, 0x4000
"""CLONE_THREAD, CLONE_VM, CLONE_VFORK: a linker is started with the last two, as posix_spawn does."""

_MOST_THREADS = 2000
_MOST_PROCESSES = 10_000
_MOST_CHANGES = 200_000
_LOOK_EVERY_MS = 250
_LONGEST_PATH = 4096
_MOST_TEXT = 1 << 16
_HERE = -100
"""AT_FDCWD"""
_NEARLY = 0.9
_WRITABLE = 0x2
"""PROT_WRITE of mmap(2)"""

_NEED_A_FILE = ("open", "openat", "truncate", "unlink", "unlinkat", "rmdir")
_PATHS = {
    "open": (None, 0),
    "creat": (None, 0),
    "truncate": (None, 0),
    "unlink": (None, 0),
    "mkdir": (None, 0),
    "rmdir": (None, 0),
    "mknod": (None, 0),
    "rename": (None, 1),
    "link": (None, 1),
    "symlink": (None, 1),
    "execve": (None, 0),
    "openat": (0, 1),
    "unlinkat": (0, 1),
    "mkdirat": (0, 1),
    "mknodat": (0, 1),
    "renameat": (2, 3),
    "renameat2": (2, 3),
    "linkat": (2, 3),
    "symlinkat": (1, 2),
    "execveat": (0, 1),
}
"""Where a call has its folder, if it has one, and its path; of two paths the one that comes to be."""


class _Notice(ctypes.Structure):
    """struct seccomp_notif."""

    _fields_ = (
        ("id", ctypes.c_uint64),
        ("thread", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("number", ctypes.c_int32),
        ("architecture", ctypes.c_uint32),
        ("at", ctypes.c_uint64),
        ("arguments", ctypes.c_uint64 * 6),
    )


class _Answer(ctypes.Structure):
    """struct seccomp_notif_resp."""

    _fields_ = (
        ("id", ctypes.c_uint64),
        ("value", ctypes.c_int64),
        ("error", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
    )


@dataclass(slots=True)
class _Usage:
    threads: int = 0
    processes: int = 0
    first_thread_starts_one: bool = False
    changes: int = 0
    was_nearly_full: bool = False


class Supervisor:
    """Looks after one confined process until it ends."""

    def __init__(self, process: int, confinement: Confinement, listener: int | None, output: int) -> None:
        self._process = process
        self._confinement = confinement
        self._listener = listener
        self._output = output
        os.set_blocking(output, False)  # what it has started may hold the other end after its death
        self._text_left = _MOST_TEXT
        self._usage = _Usage()
        self._names = {number: name for name, number in numbers_of(machine()).items()}
        self._linkers = frozenset(map(str, linkers()))

    def watch(self) -> tuple[int, DeniedAttempt | None]:
        """Wait for the process's end: its status as os.wait has it, and what it was ended for."""
        # The wait for a call that was told and has been taken back in between would not end: an alarm interrupts it.
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, _LOOK_EVERY_MS / 1000, _LOOK_EVERY_MS / 1000)
        attempt: DeniedAttempt | None = None
        poll = select.poll()
        for handle in (self._listener, self._output):
            if handle is not None:
                poll.register(handle, select.POLLIN)
        while True:
            for handle, event in poll.poll(_LOOK_EVERY_MS):
                if handle == self._output:
                    if not self._relay():
                        poll.unregister(handle)
                elif event & select.POLLIN:
                    attempt = attempt or self._decide()
                else:  # nobody is left whom the filter holds
                    poll.unregister(handle)
            ended, status = os.waitpid(self._process, os.WNOHANG)
            if ended:
                self._relay()
                return status, attempt or self._cause(status)
            attempt = attempt or self._look()

    def _cause(self, status: int) -> DeniedAttempt | None:
        code = os.waitstatus_to_exitcode(status)
        found = attempt_of_end(-code, self._confinement.processor_s) if code < 0 else None
        if found is None and code < 0 and self._usage.was_nearly_full:
            return too_much_memory(self._confinement.memory_bytes)
        return found

    def _look(self) -> DeniedAttempt | None:
        """End the process where it takes too much memory; what it was ended for."""
        limits = self._confinement
        if limits.uses_gpu:
            return None
        data, mapped = self._memory()
        # A failed malloc ends most kernels by a signal, whose cause is to be told then.
        self._usage.was_nearly_full = data > _NEARLY * limits.memory_bytes or mapped > _NEARLY * limits.mapped_bytes
        if data <= limits.memory_bytes:
            return None
        self._kill()
        return too_much_memory(limits.memory_bytes)

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)

    def _memory(self) -> tuple[int, int]:
        """Bytes of data and of address space."""
        sizes = {"VmData": 0, "VmSize": 0}
        with suppress(OSError, ValueError):
            for line in (
                Path(f"/proc/{self._process}/status").read_text(encoding="ascii", errors="replace").splitlines()
            ):
                name, _, value = line.partition(":")
                if name in sizes:
                    sizes[name] = 1024 * int(value.split()[0])
        return sizes["VmData"], sizes["VmSize"]

    def _decide(self) -> DeniedAttempt | None:
        """Answer one call that was told; what it was, where that ends the process."""
        assert self._listener is not None
        notice = _Notice()
        try:
            fcntl.ioctl(self._listener, _RECEIVE, notice)
        except OSError:  # it was interrupted or has ended
            return None
        call = self._names.get(notice.number, f"system call {notice.number}")
        attempt = self._judge(call, notice)
        if attempt is None:
            self._answer(notice, 0, goes_on=True)
        elif self._is_by_a_kernel(notice.thread, call):
            self._kill()
            return attempt
        else:
            self._answer(notice, self._error_of(call, notice), goes_on=False)
        return None

    def _error_of(self, call: str, notice: _Notice) -> int:
        """What a call that may not go on fails with: drivers give up where a file that is not there is forbidden."""
        if call == "mmap":
            return errno.ENOMEM
        flags_at = {"open": 1, "openat": 2}.get(call)
        makes_it = flags_at is not None and bool(notice.arguments[flags_at] & os.O_CREAT)
        path = self._path(call, notice)
        is_missing = path is not None and not os.path.lexists(path)
        return errno.ENOENT if is_missing and not makes_it and call in _NEED_A_FILE else errno.EACCES

    def _is_by_a_kernel(self, thread: int, call: str) -> bool:
        """Whether a kernel made a call: on another thread than the first, or in a process it is just starting."""
        if Path(f"/proc/{self._process}/task/{thread}").exists():
            return thread != self._process
        if self._confinement.starts_compilers:  # it is one
            return False
        if call == "execve" and self._usage.first_thread_starts_one:
            self._usage.first_thread_starts_one = False
            return False
        try:
            return os.path.realpath(f"/proc/{thread}/exe") not in self._linkers
        except OSError:
            return False

    def _judge(self, call: str, notice: _Notice) -> DeniedAttempt | None:
        """What a call tries that is not allowed; None if it may go on."""
        if call == "mmap":
            return self._judge_memory(notice.arguments[1], is_data=bool(notice.arguments[2] & _WRITABLE))
        if call == "clone" and notice.arguments[0] & _THREAD:
            self._usage.threads += 1
            return too_many_threads(_MOST_THREADS) if self._usage.threads > _MOST_THREADS else None
        target = ctypes.c_int32(notice.arguments[0]).value
        if call == "kill" and self._confinement.starts_compilers and self._started(target):
            return None  # a compiler, or what it has left behind
        flags = _WAITS | _SHARES_MEMORY
        if call == "vfork" or (call == "clone" and notice.arguments[0] & flags == flags):
            self._usage.processes += 1
            self._usage.first_thread_starts_one |= notice.thread == self._process
            return attempt_of(call) if self._usage.processes > _MOST_PROCESSES else None  # its execve is told as well
        path = self._path(call, notice)
        if call == "execve" and path is not None and not Path(path).exists():
            return None  # one of the folders that a program may be in
        if call == "execve" and path is not None and os.path.realpath(path) in self._linkers:
            self._usage.first_thread_starts_one = False
            return None
        if call not in PROCESSES and (call in CHANGES_FILES or call in ("open", "openat")):
            self._usage.changes += 1
            if self._usage.changes > _MOST_CHANGES:
                return too_many_files(_MOST_CHANGES)
            is_made = call in ("mkdir", "mkdirat") and path is not None and Path(path).is_dir()  # compilers ask for all
            if is_made or path is None or self._confinement.may_change(_real(path)):
                return None
        return attempt_of(call, path)

    def _started(self, target: int) -> bool:
        """Whether the confined process has started all that a signal to `target` reaches, a group where negative.

        True where it reaches nobody.
        """
        parents, groups = _family()
        reached = [number for number, group in groups.items() if target in (number, -group)]
        if target in (0, -1):
            return False
        for number in reached:
            above = number
            while above not in (0, self._process):
                above = parents.get(above, 0)
            if above != self._process:
                return False
        return True

    def _judge_memory(self, nbytes: int, *, is_data: bool) -> DeniedAttempt | None:
        if self._confinement.uses_gpu:
            return None
        data, mapped = self._memory()
        limits = self._confinement
        if nbytes + mapped > limits.mapped_bytes or (is_data and nbytes + data > limits.memory_bytes):
            return too_much_memory(limits.memory_bytes)
        return None

    def _path(self, call: str, notice: _Notice) -> str | None:
        """The absolute path that a call names, None if it names none that can be read."""
        if call not in _PATHS:
            return None
        folder_at, path_at = _PATHS[call]
        try:
            path = _text(notice.thread, notice.arguments[path_at])
            if not path:  # names no file
                return None
            folder = _HERE if folder_at is None else ctypes.c_int32(notice.arguments[folder_at]).value
            link = f"/proc/{notice.thread}/" + ("cwd" if folder == _HERE else f"fd/{folder}")
            whole = path if path.startswith("/") else str(Path(link).readlink() / path)
        except OSError:
            return None
        for name in ("/proc/self", "/proc/thread-self"):
            if whole.startswith(f"{name}/"):
                return f"/proc/{notice.thread}{whole.removeprefix(name)}"
        return whole

    def _answer(self, notice: _Notice, error: int, *, goes_on: bool) -> None:
        assert self._listener is not None
        answer = _Answer(notice.id, 0, -error, _CONTINUE if goes_on else 0)
        with suppress(OSError):  # it has ended in between
            fcntl.ioctl(self._listener, _SEND, answer)

    def _relay(self) -> bool:
        """Pass on what the process writes, without what a terminal takes for commands; False at its end."""
        try:
            data = os.read(self._output, 1 << 14)
        except BlockingIOError:
            return True
        except OSError:
            return False
        text = data.decode(errors="replace")[: self._text_left]
        self._text_left -= len(text)
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.write("".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text))
            sys.stderr.flush()
        return bool(data)


def _text(thread: int, address: int) -> str:
    """A string in the memory of another process."""
    with Path(f"/proc/{thread}/mem").open("rb", buffering=0) as memory:
        memory.seek(address)
        left = _LONGEST_PATH - address % _LONGEST_PATH  # to the end of its page; the next may not be there
        found = memory.read(left)
        if b"\0" not in found:
            with suppress(OSError):
                found += memory.read(_LONGEST_PATH)
    return os.fsdecode(found.partition(b"\0")[0])


def _real(path: str) -> Path:
    """A path without links; its last part need not be there."""
    return Path(os.path.realpath(path))


def _family() -> tuple[dict[int, int], dict[int, int]]:
    """The parent of every process, and its group."""
    parents, groups = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(stat.parent.name)], groups[int(stat.parent.name)] = int(fields[1]), int(fields[2])
    return parents, groups
