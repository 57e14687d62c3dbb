"""The window's messages name the window's controls, the command line's its options."""

from __future__ import annotations

from typing import Any

import pytest

from gemmviz.backends.machine.device import RECORD_ALL
from gemmviz.backends.registry import how_to_get_a_device
from gemmviz.compiler.source import compile_limit_words
from gemmviz.domain.runs.result import RunError
from gemmviz.engine.messages import Finished, RunFailed, StageFailed, WorkerLost, WorkerReady
from gemmviz.gui.work.window_words import event_in_window, in_window


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        (
            "it may loop forever, or the time limit of a launch (--time-limit) is too short",
            "it may loop forever, or the time limit of a launch (Time limit, under More) is too short",
        ),
        (
            "host cannot record: leave out --device, or choose the PTX machine (--device machine) or an NVIDIA GPU",
            "host cannot record: choose the PTX machine as the device or an NVIDIA GPU",
        ),
        (
            "a recording on the PTX machine (`gemmviz trace --device machine`) names the line",
            "a recording on the PTX machine (choose it as the device and press Record) names the line",
        ),
        ("choose the PTX machine (`--device machine`)", "choose the PTX machine"),
        (RECORD_ALL, "Record all blocks (Whole grid, in the menu of Record)"),
    ],
)
def test_that_a_sentence_names_the_controls_of_the_window(said: str, instead: str) -> None:
    assert in_window(said) == instead


@pytest.mark.parametrize(
    "words", [compile_limit_words(60.0), how_to_get_a_device("linux"), how_to_get_a_device("win32")]
)
def test_that_what_the_engine_says_holds_no_option_in_the_window(words: str) -> None:
    assert "--" not in in_window(words)


def test_that_every_event_with_a_sentence_is_said_so() -> None:
    said, instead = "too short (--time-limit)", "too short (Time limit, under More)"
    events: list[tuple[Any, Any]] = [
        (RunFailed(1, RunError("tiled", said)), RunFailed(1, RunError("tiled", instead))),
        (Finished(1, said), Finished(1, instead)),
        (StageFailed(1, said), StageFailed(1, instead)),
        (WorkerLost(1, None, "", said, restarts=True), WorkerLost(1, None, "", instead, restarts=True)),
        (WorkerReady(1, (), said), WorkerReady(1, (), instead)),
    ]
    for event, expected in events:
        assert event_in_window(event) == expected
    assert event_in_window("another") == "another"


def test_that_sizes_are_written_as_the_window_writes_them() -> None:
    assert in_window("wrong at 17x33x20, on sm_90 and 0x1x2f") == "wrong at 17×33×20, on sm_90 and 0x1x2f"
