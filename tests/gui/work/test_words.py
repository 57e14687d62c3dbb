"""What an empty page says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage, opening
from gemmviz.gui.work.words import cancelled_words, words_for_empty

IDLE = "Nothing yet."
RUN = LastWork(1, Asked.RUN, ("tiled",), "512×512×512")
SWEEP, RECORDING = replace(RUN, asked=Asked.SWEEP), replace(RUN, asked=Asked.RECORDING)
MANY = replace(RUN, kernels=("tiled", "naive", "cpu_ijk"))
EVERY = frozenset(Asked)


@pytest.mark.parametrize(
    ("last", "words"),
    [
        (None, IDLE),
        (opening("a.gemmviz"), "Opening a.gemmviz. Results appear here."),
        (replace(RUN, stage=WorkStage.DONE), IDLE),
        (RUN, "tiled 512×512×512 is running. Results appear here when it is done."),
        (SWEEP, "tiled 512×512×512 is being swept. Results appear here when it is done."),
        (RECORDING, "tiled 512×512×512 is being recorded. Results appear here when it is done."),
        (MANY, "3 kernels are running at 512×512×512. Results appear here as each kernel finishes."),
        (
            replace(RUN, stage=WorkStage.CANCELLED),
            "The run of tiled 512×512×512 was cancelled before its first result. Press Run to start it again.",
        ),
        (
            replace(RECORDING, stage=WorkStage.CANCELLED),
            "The recording of tiled 512×512×512 was cancelled before its first result. Press Record to start it again.",
        ),
        (
            replace(MANY, stage=WorkStage.CANCELLED),
            "The run of 3 kernels at 512×512×512 was cancelled before its first result. Press Run to start it again.",
        ),
        (
            replace(SWEEP, stage=WorkStage.FAILED, reason="it crashed."),
            "The sweep of tiled 512×512×512 failed.",
        ),
        (
            replace(RECORDING, stage=WorkStage.CHANGED, reason="a ';' is missing here"),
            "tiled has changed since its recording at 512×512×512 failed. Press Record to try again.",
        ),
        (
            replace(MANY, stage=WorkStage.FAILED, reason="too many threads"),
            "None of the 3 kernels ran at 512×512×512. The results table says why for each.",
        ),
    ],
)
def test_that_an_empty_page_says_what_is_going_on(last: LastWork | None, words: str) -> None:
    assert words_for_empty(IDLE, last, EVERY) == words


@pytest.mark.parametrize(
    ("last", "words"),
    [
        (SWEEP, "The sweep was cancelled before its first sample. No setting is shown."),
        (
            replace(SWEEP, results=5),
            "The sweep was cancelled. 5 settings are shown, with the samples taken until then.",
        ),
        (replace(MANY, results=1), "Cancelled. 1 result finished before, and kept."),
        (MANY, "Cancelled before there was a result."),
        (RECORDING, "Cancelled before there was a result."),
    ],
)
def test_that_a_cancelled_request_says_what_is_left_of_it(last: LastWork, words: str) -> None:
    assert cancelled_words(last) == words


@pytest.mark.parametrize(
    ("page", "shows"),
    [({Asked.SWEEP}, (SWEEP,)), ({Asked.RECORDING}, (RECORDING,)), ({Asked.RUN, Asked.SWEEP}, (RUN, SWEEP))],
)
def test_that_a_page_speaks_only_of_what_fills_it(page: set[Asked], shows: tuple[LastWork, ...]) -> None:
    for last in (RUN, SWEEP, RECORDING):
        assert (words_for_empty(IDLE, last, page) != IDLE) == (last in shows)
