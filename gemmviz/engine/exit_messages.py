"""How a worker's end is told: which signal, what was running, what helps."""

from __future__ import annotations

import signal

from gemmviz.engine.active_request import ActiveRequest
from gemmviz.engine.messages import RecordRequest

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


def exit_message(exit_code: int | None, active_request: ActiveRequest | None) -> str:
    """One sentence about a worker that ended without being asked to."""
    end = describe_end(exit_code)
    if active_request is None:
        return f"The process that runs kernels {end} while nothing was running; it is started again."
    running = active_request.running or f"{active_request.name} began"
    if isinstance(active_request.work, RecordRequest):
        kept = "recordings that were finished are kept" if active_request.work.forms else "nothing of it was kept"
        return f"The process that runs kernels {end} while {running} was recorded; {kept}."
    if not active_request.kernel:
        remedy = _REMEDIES["SIGKILL"] if exit_code == -9 else "try it again"
        return f"The process that runs kernels {end} while {running}: {remedy}."
    remedy = _OUTSIDE if exit_code is None or exit_code >= 0 else _REMEDIES.get(signal_name(-exit_code), _OUTSIDE)
    return f"The process that runs kernels {end} while {running} ran: {remedy}."


def stop_message(stopped: str, active_request: ActiveRequest | None) -> str:
    """One sentence about a worker that was ended for what its kernel tried; `stopped` says what that was."""
    name = active_request.running or active_request.name if active_request is not None else "A kernel that had ended"
    return f"{name}: {stopped or 'was stopped because it did something that kernels may not do'}."


def give_up_message(exit_code: int | None, deaths: int) -> str:
    """One sentence about a worker that does not even start."""
    return (
        f"The process that runs kernels {describe_end(exit_code)} before it was ready, {deaths} times in a row, and is "
        "not started again: `gemmviz devices` in a terminal shows what is wrong; a new run tries once more."
    )


def bad_start_message(exit_code: int | None) -> str:
    """One sentence about a worker that did not get ready and is tried again."""
    return f"The process that runs kernels {describe_end(exit_code)} before it was ready; it is started again."


def no_start_message(error: OSError) -> str:
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
