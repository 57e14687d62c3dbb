"""The names behind the numbers of a roofline, in lines below the plane."""

from __future__ import annotations

from gemmviz.gui.charts.roofline.key import line_count, lines_of, run_on_lines
from gemmviz.gui.charts.roofline.plane_text import BETWEEN


def test_that_several_names_begin_on_a_line_of_their_own_and_one_stands_behind_the_axis() -> None:
    names = ("(1) tiled, naive", "(2) wmma")

    def fits(words: str) -> bool:
        return len(words) <= 60

    assert lines_of(("axis", *names), fits, 5) == ("axis", BETWEEN.join(names))
    assert lines_of(("axis", names[0]), fits, 5) == ("axis", names[0])
    assert lines_of(("axis", names[1]), fits, 5) == (f"axis{BETWEEN}{names[1]}",)
    assert lines_of(("axis", *names), fits, 1) == (f"axis{BETWEEN}3 more",)
    assert line_count(("axis", *names), fits, 5) == 2


def test_that_run_on_lines_are_full_and_break_only_before_a_name_or_a_number() -> None:
    def fits(words: str) -> bool:
        return len(words) <= 20

    parts = ("(1) tiled, naive", "(2) wmma", "(3) one, other, third, fourth")
    assert run_on_lines(parts, fits) == ("(1) tiled, naive", "(2) wmma; (3) one,", "other, third, fourth")
