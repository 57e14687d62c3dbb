"""One nasty text, and a session that has it wherever a session has a text."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.runs.result import RunError, Session
from gemmviz.domain.session.session import load_session

EXAMPLES = Path(__file__).parents[3] / "assets" / "examples"

NASTY = (
    "=cmd|' /C calc'!A0 [/red]x [bold]&File <img src=q onerror=1> &amp; <b>b</b> :smile: \x1b[31m\x1b]0;t\x07\x9b1m"
    "\b\x7f "
    "\u202eabc\u2066 ;=1+1\n+2 {x} %s [*] ../../CON \U0001f600 " + "w" * 120
)
RECOGNISED = (
    "=cmd|' /C calc'!A0",
    "[/red]x",
    "[bold]&File",
    "<img src=q onerror=1>",
    ":smile:",
    r"\x1b[31m",
    r"\u202e",
)
"""Parts of it as they look where it was shown in full."""

_TEXTS = frozenset(
    [
        "kernel",
        "build",
        "how",
        "instruction",
        "driver",
        "vendor",
        "name",
        "reason",
        "text",
        "detail",
        "method",
        "size",
        "exact_reference",
        "left_out",
        "instrumented_text",
        "program_version",
    ]
)
"""Fields that hold words for a person and nothing that the program reads."""


def nasty(value: Any) -> Any:
    """The same with NASTY in front of every text of _TEXTS, at any depth."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        made = {
            field.name: _nasty_field(value, field.name, getattr(value, field.name))
            for field in dataclasses.fields(value)
            if field.init
        }
        return type(value)(**made)
    return tuple(map(nasty, value)) if type(value) is tuple else value


def _nasty_field(owner: Any, name: str, value: Any) -> Any:
    if name not in _TEXTS or (name == "name" and not hasattr(owner, "compute_units")):
        return nasty(value)
    if type(value) is str:
        return f"{NASTY}{value}"
    return tuple(f"{NASTY}{one}" for one in value) if name == "left_out" else value


@cache
def nasty_session() -> Session:
    """Runs of a sweep, wrong ones, two recordings with a hazard, roofs, a block schedule, an error: all nasty."""
    sweep, ladder = load_session(EXAMPLES / "cpu-sweep.gemmviz"), load_session(EXAMPLES / "gpu-ladder.gemmviz")
    four, waves = load_session(EXAMPLES / "cpu-four.gemmviz"), load_session(EXAMPLES / "gpu-waves.gemmviz")
    trace = four.traces[0]
    hazard = Hazard(HazardKind.RACE, 12, "C[i] = x", (0, 0, 0), (0, 1), 0, 3, "two threads write the same element")
    traces = (replace(trace, hazards=(hazard,), source_text=f"{trace.source_text}\n// {NASTY}\n"), *four.traces[1:])
    exact = ladder.runs[1].accuracy
    wrong = replace(ladder.runs[1], accuracy=replace(exact, passed=False, max_error_over_ug=2 * exact.bound))
    found = replace(
        sweep,
        runs=(*sweep.runs[:3], wrong, *four.runs[:1]),
        errors=(RunError("naive", "cannot run", (("THREAD", 16),), "5x6x7"),),
        traces=traces,
        roofs=ladder.roofs[:1],
        schedules=waves.schedules[:1],
    )
    made: Session = nasty(found)
    return made


def hidden_in(text: str, allowed: str = "\n") -> set[str]:
    """The control characters, bidi overrides and lone surrogates in a text."""
    return {
        letter
        for letter in text
        if letter not in allowed
        and (
            ord(letter) < 0x20
            or 0x7F <= ord(letter) < 0xA0
            or letter in "\u202e\u2066"
            or "\ud800" <= letter <= "\udfff"
        )
    }
