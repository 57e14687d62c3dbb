"""The sentence that follows a recording: where hazards were searched for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.figures.last_run import recording_section
from gemmviz.gui.recording.clean_words import clean_words
from gemmviz.gui.recording.outcome import outcome_of

Record = Callable[..., TraceRun]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "in any of the 4 blocks"),
        ({"blocks_searched": 4}, "in any of the 4 blocks"),
        ({"blocks_searched": 1, "blocks_recorded": 1}, "in 1 of 4 blocks"),
        ({"blocks_searched": 3}, "in 3 of 4 recorded blocks"),
    ],
)
def test_that_no_hazards_are_claimed_only_of_the_blocks_that_were_searched(
    make_recording: Record, fields: dict[str, int], words: str
) -> None:
    trace = make_recording(**fields)
    assert f": no hazards found {words}." in outcome_of(trace)
    assert clean_words(trace).startswith(f"No hazards found {words}: ")
    tips = [line.tip for line in recording_section(trace).lines if line.words == "hazards"]
    assert tips == [f"No hazards found {words}"]
