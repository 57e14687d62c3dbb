"""What a page without results says: what is going on, what went wrong, or what to do. No Qt."""

from __future__ import annotations

from collections.abc import Collection

from gemmviz.domain.figures import counted
from gemmviz.domain.listing import listed
from gemmviz.gui.work.last_work import WHAT_MAKES_RUNS, Asked, LastWork, WorkStage

BUSY = "Something is running. Wait for it, or cancel it."
IDLE = "Nothing is running."
"""Why nothing can be started, or cancelled."""
PREPARING_PICTURE = "Preparing the picture…"
"""Where a recording is done and not shown yet."""

_DOING = {
    Asked.RUN: "is running",
    Asked.SWEEP: "is being swept",
    Asked.RECORDING: "is being recorded",
}
_KINDS = {Asked.RUN: "run", Asked.SWEEP: "sweep", Asked.RECORDING: "recording", Asked.SCHEDULE: "block schedule"}


def words_for_empty(idle: str, last: LastWork | None, asked: Collection[Asked] = WHAT_MAKES_RUNS) -> str:
    """The words of a page that shows what `asked` brings; `idle` are those while nothing of it was asked for."""
    if last is not None and last.asked is Asked.OPENING:
        return f"Opening {last.size}. Results appear here."
    if last is None or last.asked not in asked or last.stage is WorkStage.DONE:
        return idle
    match last.stage:
        case WorkStage.RUNNING:
            return _running(last)
        case WorkStage.CANCELLED:
            return (
                f"{_capital(_name(last))} was cancelled before its first result. Press {last.asked} to start it again."
            )
        case WorkStage.CHANGED:
            failed = f"{last.kernels[0]} has changed since its {_KINDS[last.asked]} at {last.size} failed"
            return f"{failed}. Press {last.asked} to try again."
        case _:
            return _failed(last)


def words_aside(idle: str, last: LastWork | None, asked: Collection[Asked] = WHAT_MAKES_RUNS, kernel: str = "") -> str:
    """The same in what stands beside such a page: in few words while it is going on, which the page says. A recording
    of `kernel` that is done comes into view next.
    """
    if last is not None and last.asked is Asked.RECORDING and last.stage is WorkStage.DONE and kernel in last.kernels:
        return PREPARING_PICTURE
    if last is not None and last.is_running and last.asked is Asked.RECORDING and last.asked in asked:
        return f"{_capital(_DOING[last.asked].removeprefix('is '))}…"
    return words_for_empty(idle, last, asked)


def doing_words(last: LastWork) -> str:
    """What goes on, as a title: "Running naive and tiled at 512×512×512", "Recording naive at 512×512×512"."""
    doing = "Recording" if last.asked is Asked.RECORDING else "Running"
    return f"{doing} {listed(last.kernels)} at {last.size}"


def cancelled_words(last: LastWork) -> str:
    """What is left of a request that a person cancelled."""
    if last.asked is Asked.SWEEP and last.results:
        shown = f"{counted(last.results, 'setting')} {'is' if last.results == 1 else 'are'} shown"
        return f"The sweep was cancelled. {shown}, with the samples taken until then."
    if last.asked is Asked.SWEEP:
        return "The sweep was cancelled before its first sample. No setting is shown."
    if last.asked is Asked.RUN and last.results:
        return f"Cancelled. {counted(last.results, 'result')} finished before, and kept."
    return "Cancelled before there was a result."


def _running(last: LastWork) -> str:
    if len(last.kernels) > 1:
        return f"{len(last.kernels)} kernels are running at {last.size}. Results appear here as each kernel finishes."
    if last.asked is Asked.SCHEDULE:
        return f"The block schedule of {_one(last)} is being recorded. It appears here when it is done."
    return f"{_one(last)} {_DOING[last.asked]}. Results appear here when it is done."


def _failed(last: LastWork) -> str:
    if len(last.kernels) > 1:
        return f"None of the {len(last.kernels)} kernels ran at {last.size}. The results table says why for each."
    return f"{_capital(_name(last))} failed."  # why, and what can be done, is told by the message at the foot


def _name(last: LastWork) -> str:
    """The work as the subject of a sentence."""
    kind = _KINDS[last.asked]
    what = f"{len(last.kernels)} kernels at {last.size}" if len(last.kernels) > 1 else _one(last)
    return f"the {kind} of {what}"


def _one(last: LastWork) -> str:
    return f"{last.kernels[0] if last.kernels else 'nothing'} {last.size}"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
