"""What a kernel tried and may not, in a sentence."""

from __future__ import annotations

import signal
from dataclasses import dataclass

from gemmviz.engine.sandbox.call_filter import (
    CHANGES_FILES,
    NETWORK,
    OTHER_PROCESSES,
    PROCESSES,
    SHARED_MEMORY,
    SIGNALS,
)

_ONLY = "kernels may only compute and write to C"


@dataclass(frozen=True, slots=True)
class DeniedAttempt:
    """`what` it tried, what a kernel `may` and what to do."""

    what: str
    remedy: str = f"{_ONLY}: remove that call"

    @property
    def words(self) -> str:
        """A sentence to stand behind the kernel's name and a colon, on one line."""
        return f"tried to {self.what} and was stopped; {self.remedy}"


def attempt_of(call: str, path: str | None = None) -> DeniedAttempt:
    """The attempt that a refused system call is; `path` is the file it names."""
    named = f" {_shown(path)}" if path else ""
    if call in NETWORK:
        return DeniedAttempt("open a network connection")
    if call in ("execve", "execveat"):
        return DeniedAttempt(f"start the program{named or ' of another file'}")
    if call in PROCESSES:
        return DeniedAttempt("start another process")
    if call in ("open", "openat", *CHANGES_FILES):
        return DeniedAttempt(f"write to the file system at{named}" if named else "write to the file system")
    if call in SIGNALS:
        return DeniedAttempt("send a signal to another process")
    if call in OTHER_PROCESSES:
        return DeniedAttempt(f"look into another process ({call})")
    if call in SHARED_MEMORY:
        return DeniedAttempt(f"share memory with another process ({call})")
    if call == "ioctl":
        return DeniedAttempt("type into the terminal")
    return DeniedAttempt(f"change the system ({call})")


def too_many_threads(count: int) -> DeniedAttempt:
    """More threads than any kernel needs."""
    return DeniedAttempt(f"start more than {count} threads")


def too_many_files(count: int) -> DeniedAttempt:
    """More files than any compiler writes."""
    return DeniedAttempt(f"change more than {count} files")


def too_much_memory(limit_bytes: int) -> DeniedAttempt:
    """More memory than the request needs, by far."""
    return DeniedAttempt(
        f"take more than {limit_bytes / 2**30:.3g} GiB of memory",
        "choose a smaller size, or use less private and shared memory",
    )


def too_much_time(seconds: int) -> DeniedAttempt:
    """More processor time than its limits allow."""
    return DeniedAttempt(
        f"compute for more than {seconds} s of processor time", "choose a smaller size or a longer limit"
    )


def attempt_of_end(number: int, limit_s: int) -> DeniedAttempt | None:
    """The attempt that a signal ends, None for other signals."""
    if number == signal.SIGXCPU:
        return too_much_time(limit_s)
    if number == signal.SIGSYS:
        return DeniedAttempt("make a system call of another architecture")
    return None


def _shown(path: str) -> str:
    """A path on one line, with nothing in it that a terminal takes for a command."""
    return "".join(letter if letter.isprintable() else "?" for letter in path[:200])
