"""An example opens with the recording that its recipe names."""

from __future__ import annotations

from dataclasses import replace

from gpu_record.recipes import read_recipes
from make_examples import first_shown

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.session.session import load_session
from gemmviz.trace.frames.plan import FrameMode


def test_that_examples_with_recordings_open_with_the_one_their_recipe_names() -> None:
    examples = load_examples()
    plays = {recipe.id: recipe.plays for recipe in read_recipes(examples[0].path.parent, load_catalogue())}
    recorded = 0
    for example in examples:
        session = load_session(example.path)
        if session.traces:
            recorded += 1
            assert session.shown is not None, example.id
            assert session.traces[session.shown.first.recording].spec.kernel == plays[example.id]
            first = session.shown.first
            shown = replace(session.shown, first=replace(first, mode=FrameMode(first.mode).value))
            assert first_shown(session.traces, plays[example.id]) == shown
            assert first_shown(session.traces, "another") is None
    assert recorded >= 2
