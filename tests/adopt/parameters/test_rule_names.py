"""What a rule for sizes is called after, where several parameters have its value."""

from __future__ import annotations

from gemmviz.adopt.parameters.forms import SlotText, slots_of

TILES = {"TILE_X": 128, "TILE_Y": 128, "TILE_K": 16, "STEP": 4}


def test_that_a_rule_is_named_by_the_parameter_of_the_grid_along_its_dimension() -> None:
    rules = [SlotText("128", "M", first=frozenset({"TILE_Y"})), SlotText("128", "N", first=frozenset({"TILE_X"}))]
    assert [slot.forms for slot in slots_of(rules, TILES)] == [
        ("TILE_Y", "TILE_X", "128"),
        ("TILE_X", "TILE_Y", "128"),
    ]


def test_that_a_rule_that_the_grid_does_not_step_by_is_named_by_any_parameter_of_its_value() -> None:
    (slot,) = slots_of([SlotText("4", "M", first=frozenset({"TILE_Y"}))], TILES)
    assert slot.forms[:2] == ("STEP", "4")
