"""Of the launches that are tried with a further value of a parameter, one with fewer blocks comes first."""

from __future__ import annotations

import pytest

from gemmviz.adopt.parameters.forms import SlotText, slots_of
from gemmviz.adopt.parameters.launch_choices import launches_with

DEFAULTS = {"BM": 64, "BK": 16}


@pytest.mark.parametrize(("named", "first"), [(frozenset(), 128), (frozenset({"BM"}), 128), (None, 128)])
def test_that_a_tile_that_the_source_names_or_leaves_open_grows_with_its_parameter(
    named: frozenset[str] | None, first: int
) -> None:
    slots = [*slots_of([SlotText("ceil_div(M, 64)", "M", named, is_grid=True)], DEFAULTS)]
    assert launches_with(slots, {**DEFAULTS, "BM": 128}, 1)[0] == (first,)


def test_that_a_number_beside_a_grid_stays_where_the_source_names_no_parameter() -> None:
    slots = [*slots_of([SlotText("64", "", frozenset())], DEFAULTS)]
    assert launches_with(slots, {**DEFAULTS, "BM": 128}, 1)[0] == (64,)


def test_that_blocks_that_do_nothing_are_tried_last() -> None:
    slots = [*slots_of([SlotText("ceil_div(M, 64)", "M", frozenset(), is_grid=True)], DEFAULTS)]
    assert launches_with(slots, {**DEFAULTS, "BM": 32}, 1) == [(64,), (32,)]
