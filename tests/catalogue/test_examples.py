"""The example sessions that come with the program: each opens, is small, and says what it is and where it was made."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from gemmviz.catalogue.examples import FACTS, WORDS, Example, examples_folder, load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.measure.check.bounds import error_bound

MOST_BYTES = 1_000_000
TABLES = tomllib.loads((examples_folder() / WORDS).read_text(encoding="utf-8"))
EXAMPLES = load_examples()


def test_that_there_are_examples_and_each_has_its_own_file_and_two_sentences() -> None:
    assert len(EXAMPLES) >= 3
    assert len({table["file"] for table in TABLES.values()}) == len(TABLES)
    for table in TABLES.values():
        assert table["title"]
        assert table["text"].count(". ") == 1
        assert table["text"].endswith(".")
        assert 0 < len(table["look"]) <= 72
        assert not table["look"].endswith(".")
        assert table["tab"] in ("Memory", "Timing", "Accuracy", "Sweep", "Traffic", "Schedule")


def test_that_every_file_beside_them_is_offered() -> None:
    there = {path.name for path in examples_folder().glob("*.gemmviz")}
    assert (
        there == {example.path.name for example in EXAMPLES} == set(json.loads((examples_folder() / FACTS).read_text()))
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_that_an_example_opens_and_was_made_where_it_says(example: Example) -> None:
    assert example.path.stat().st_size < MOST_BYTES
    session = load_session(example.path)
    assert (session.device.name, session.device.driver) == (example.device, example.driver)
    assert session.created == example.date
    assert session.runs
    assert all(run.accuracy.passed and run.finished for run in session.runs)
    assert all(not trace.hazards for trace in session.traces)
    if example.tab == "Memory":
        assert session.traces
    if example.tab == "Schedule":
        assert session.schedules
    if example.tab == "Sweep":
        assert any(run.sweep for run in session.runs)
    for run in session.runs:
        assert run.accuracy is None or run.accuracy.bound == error_bound(run.arithmetic, run.spec.shape.k)


def test_that_an_example_whose_file_is_missing_is_not_offered(tmp_path: Path) -> None:
    for name in (WORDS, FACTS):
        (tmp_path / name).write_bytes((examples_folder() / name).read_bytes())
    assert load_examples(tmp_path) == ()
    kept = EXAMPLES[0].path
    (tmp_path / kept.name).write_bytes(kept.read_bytes())
    (only,) = load_examples(tmp_path)
    assert (only.id, only.path) == (EXAMPLES[0].id, tmp_path / kept.name)
    (tmp_path / FACTS).unlink()
    assert load_examples(tmp_path) == ()
