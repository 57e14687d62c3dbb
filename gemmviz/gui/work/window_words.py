"""What the engine says with options of the command line, said with the controls of the window. No Qt."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.kernels.capability import WHERE_MISSING
from gemmviz.domain.shape import with_times_signs
from gemmviz.engine.messages import Finished, RunFailed, StageFailed, WorkerLost, WorkerReady

_IN_WINDOW = {
    WHERE_MISSING: "Help, About lists the devices and whether PyCUDA is installed",
    "(--time-limit)": "(Time limit, under More)",
    "(--all-blocks)": "(Whole grid, in the menu of Record)",
    "(`--as compiled`)": "(Record as compiled, in the menu of Record)",
    "(`gemmviz trace --device machine`)": "(choose it as the device and press Record)",
    "leave out --device, or choose the PTX machine (--device machine)": "choose the PTX machine as the device",
    "the PTX machine (`--device machine`)": "the PTX machine",
    "(--device machine)": "(choose it as the device)",
}
"""What the command line says, and the window in its place; of two that begin alike the longer comes first."""


def in_window(words: str) -> str:
    """A sentence of the engine with the window's controls in the place of options and commands, and sizes with ×."""
    for said, instead in _IN_WINDOW.items():
        words = words.replace(said, instead)
    return with_times_signs(words)


def event_in_window(event: object) -> object:
    """An event of the engine with its sentences so; any other as it is."""
    match event:
        case RunFailed(error=error):
            return replace(event, error=replace(error, reason=in_window(error.reason)))
        case Finished(reason=reason) | StageFailed(reason=reason):
            return replace(event, reason=in_window(reason))
        case WorkerLost(words=words):
            return replace(event, words=in_window(words))
        case WorkerReady(advice=advice):
            return replace(event, advice=in_window(advice))
    return event
