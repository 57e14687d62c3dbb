"""How a worker's end is told: which signal, what was running, what helps."""

from __future__ import annotations

import signal

from gemmviz.engine.messages import RecordRequest
from gemmviz.engine.under_way import UnderWay

_OUTSIDE = "most likely it reads or writes outside its arrays; Record names the line"
_REMEDIES = {
    "SIGKILL": "another program killed it, or the system did because memory ran out: then choose a smaller size",
    "SIGTERM": "another program ended it",
    "SIGILL": "the kernel's code does not fit this processor, or the kernel overwrote it",
    "SIGFPE": "most likely it divides an integer by zero",
    "SIGBUS": _OUTSIDE,
    "SIGSEGV": _OUTSIDE,
    "SIGABRT": _OUTSIDE,
}


def last_words(exit_code: int | None, under_way: UnderWay | None) -> str:
    """One sentence about a worker that ended without being asked to."""
    end = describe_end(exit_code)
    if under_way is None:
        return f"The process that runs kernels {end} while nothing was running; it is started again."
    running = under_way.running or f"{under_way.name} began"
    if isinstance(under_way.work, RecordRequest):
        kept = "recordings that were finished are kept" if under_way.work.forms else "nothing of it was kept"
        return f"The process that runs kernels {end} while {running} was recorded; {kept}."
    if not under_way.kernel:
        remedy = _REMEDIES["SIGKILL"] if exit_code == -9 else "try it again"
        return f"The process that runs kernels {end} while {running}: {remedy}."
    remedy = _OUTSIDE if exit_code is None or exit_code >= 0 else _REMEDIES.get(signal_name(-exit_code), _OUTSIDE)
    return f"The process that runs kernels {end} while {running} ran: {remedy}."


def words_of_a_stop(stopped: str, under_way: UnderWay | None) -> str:
    """One sentence about a worker that was ended for what its kernel tried; `stopped` says what that was."""
    name = under_way.running or under_way.name if under_way is not None else "A kernel that had ended"
    return f"{name}: {stopped or 'did something that kernels may not do and was stopped'}."


def words_of_giving_up(exit_code: int | None, deaths: int) -> str:
    """One sentence about a worker that does not even start."""
    return (
        f"The process that runs kernels {describe_end(exit_code)} before it was ready, {deaths} times in a row, and is "
        "not started again: `gemmviz devices` in a terminal shows what is wrong; a new run tries once more."
    )


def words_of_a_bad_start(exit_code: int | None) -> str:
    """One sentence about a worker that did not get ready and is tried again."""
    return f"The process that runs kernels {describe_end(exit_code)} before it was ready; it is started again."


def words_of_no_start(error: OSError) -> str:
    """One sentence about a worker that the system does not let start."""
    return (
        f"The process that runs kernels cannot be started: {error.strerror or error}. Close other programs, and try "
        "again with a new run."
    )


def describe_end(exit_code: int | None) -> str:
    """How a process ended, from its exit code as `Process.exitcode` has it."""
    if exit_code is None:
        return "was lost"
    return f"was ended by {signal_name(-exit_code)}" if exit_code < 0 else f"ended with exit code {exit_code}"


def signal_name(number: int) -> str:
    """A signal by its name, where it has one here."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
