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
class Attempt:
    """`what` it tried, what a kernel `may` and what to do."""

    what: str
    remedy: str = f"{_ONLY}: remove that call"

    @property
    def words(self) -> str:
        """A sentence to stand behind the kernel's name and a colon, on one line."""
        return f"tried to {self.what} and was stopped; {self.remedy}"


def attempt_of(call: str, path: str | None = None) -> Attempt:
    """The attempt that a refused system call is; `path` is the file it names."""
    named = f" {_shown(path)}" if path else ""
    if call in NETWORK:
        return Attempt("open a network connection")
    if call in ("execve", "execveat"):
        return Attempt(f"start the program{named or ' of another file'}")
    if call in PROCESSES:
        return Attempt("start another process")
    if call in ("open", "openat", *CHANGES_FILES):
        return Attempt(f"write to the file system at{named}" if named else "write to the file system")
    if call in SIGNALS:
        return Attempt("send a signal to another process")
    if call in OTHER_PROCESSES:
        return Attempt(f"look into another process ({call})")
    if call in SHARED_MEMORY:
        return Attempt(f"share memory with another process ({call})")
    if call == "ioctl":
        return Attempt("type into the terminal")
    return Attempt(f"change the system ({call})")


def too_many_threads(count: int) -> Attempt:
    """More threads than any kernel needs."""
    return Attempt(f"start more than {count} threads")


def too_many_files(count: int) -> Attempt:
    """More files than any compiler writes."""
    return Attempt(f"change more than {count} files")


def too_much_memory(limit_bytes: int) -> Attempt:
    """More memory than the request needs, by far."""
    return Attempt(
        f"take more than {limit_bytes / 2**30:.3g} GiB of memory",
        "choose a smaller size, or use less private and shared memory",
    )


def too_much_time(seconds: int) -> Attempt:
    """More processor time than its limits allow."""
    return Attempt(f"compute for more than {seconds} s of processor time", "choose a smaller size or a longer limit")


def attempt_of_end(number: int, limit_s: int) -> Attempt | None:
    """The attempt that a signal ends, None for other signals."""
    if number == signal.SIGXCPU:
        return too_much_time(limit_s)
    if number == signal.SIGSYS:
        return Attempt("make a system call of another architecture")
    return None


def _shown(path: str) -> str:
    """A path on one line, with nothing in it that a terminal takes for a command."""
    return "".join(letter if letter.isprintable() else "?" for letter in path[:200])
