"""What is offered is said in one line: how much, of what, from when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from gemmviz.domain.recovery.lost import Lost
from gemmviz.gui.files.lost_words import lost_words

NOW = datetime(2026, 11, 22, 17, 30, tzinfo=timezone(timedelta(hours=1)))
FOLDER = Path("folder")


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        (Lost(FOLDER, "2026-11-22T13:02:09+00:00", runs=12), "12 runs from 14:02"),
        (Lost(FOLDER, "2026-11-22T13:02:09+00:00", runs=1, recordings=2), "1 run and 2 recordings from 14:02"),
        (
            Lost(FOLDER, "2026-11-21T23:30:00+00:00", "mine.gemmviz", 2, 1, 1),
            "2 runs, 1 recording and 1 other result of mine.gemmviz from 00:30",
        ),
        (Lost(FOLDER, "2026-11-21T13:02:09+00:00", recordings=1), "1 recording from yesterday 14:02"),
        (Lost(FOLDER, "2025-12-03T13:02:09+00:00", runs=2), "2 runs from 3 December 2025 14:02"),
        (Lost(FOLDER, "2026-11-22T13:02:09", "mine.gemmviz", others=1), "1 result of mine.gemmviz from "),
        (Lost(FOLDER, "2026-11-22T13:02:09", "mine.gemmviz"), "unsaved changes of mine.gemmviz from "),
        (Lost(FOLDER, "soon", is_damaged=True), "unsaved results from an unknown time"),
        (Lost(FOLDER, "9999-12-31T23:59:59-23:00", runs=1), "1 run from an unknown time"),
        (Lost(FOLDER, "2026-11-22T13:02:09", "two\nlines" + "x" * 90, runs=1), f"1 run of two lines{'x' * 51}… from "),
    ],
)
def test_that_one_line_says_what_was_lost(lost: Lost, words: str) -> None:
    said = lost_words(lost, NOW)
    assert said.startswith(words)
    assert said.isprintable()


def test_that_times_are_local() -> None:
    lost = Lost(FOLDER, "2026-11-22T13:02:09+00:00", runs=1)
    assert lost_words(lost, NOW.astimezone(UTC)) == "1 run from 13:02"
