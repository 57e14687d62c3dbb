"""Indentation, brackets, comments, lines that are the same, and what differs: rules on texts, without a widget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.domain.terms import Language
from gemmviz.explain.source import changed_lines as module
from gemmviz.explain.source.changed_lines import changed_lines, pairs_of_lines, same_lines
from gemmviz.explain.source.line_changes import LineChange
from gemmviz.explain.source.line_figures import LineFigureKind
from gemmviz.explain.source.worth import Worth, change_words, points_words, worth_of
from gemmviz.gui.editor.refusal import not_compiled_words
from gemmviz.gui.editor.text.brackets import pair_at, partner
from gemmviz.gui.editor.text.highlighter import CODE, ENDS, LineScan, scanned
from gemmviz.gui.editor.text.indentation import after, indented, to_next_stop, unindented
from gemmviz.gui.editor.text.text_difference import DifferenceSide, difference

COMMENT, IN_DOUBLE, IN_SINGLE = (ENDS.index(one) for one in ("*/", '"""', "'''"))


@pytest.mark.parametrize(
    ("line", "rest", "wanted"),
    [
        ("    int a;", "", "    "),
        ("    if (a) {", "", "        "),
        ("\tif (a) {  ", "", "\t\t"),
        ("f(", "x)", "    "),
        ("f(", ")", ""),
        ("  {", "}", "  "),
        ("", "", ""),
    ],
)
def test_that_a_new_line_begins_below_the_one_before(line: str, rest: str, wanted: str) -> None:
    assert after(line, rest) == wanted


def test_that_lines_move_a_step_and_empty_ones_stay() -> None:
    assert indented(["a", "", "\tb", "  c"]) == ["    a", "", "\t\tb", "      c"]
    assert unindented(["    a", "", "\t\tb", "  c", "d"]) == ["a", "", "\tb", "c", "d"]
    assert [len(to_next_stop(column)) for column in range(5)] == [4, 3, 2, 1, 4]


def test_that_brackets_find_each_other() -> None:
    text = "f(a[(1)], {b})"
    assert [partner(text, place) for place in (1, 13, 3, 7, 10, 0)] == [13, 1, 7, 3, 12, -1]
    assert partner("(()", 0) == -1
    assert partner("())", 2) == -1
    assert pair_at(text, 2) == (1, 13), "the one before the cursor"
    assert pair_at(text, 3) == (3, 7), "or behind it"
    assert pair_at("abc", 1) is None
    assert pair_at("", 0) is None


@pytest.mark.parametrize(
    ("line", "before", "wanted"),
    [
        ("int a; /* begins", CODE, LineScan(COMMENT, 0, 7)),
        ("goes on", COMMENT, LineScan(COMMENT, 7, 7)),
        ("ends */ int b;", COMMENT, LineScan(CODE, 7, 14)),
        ("a */ b /* c", COMMENT, LineScan(COMMENT, 4, 7)),
        ("// not /* here", CODE, LineScan(CODE, 0, 14)),
        ('"nor /* here"', CODE, LineScan(CODE, 0, 13)),
        (r'"\" /* nor here"', CODE, LineScan(CODE, 0, 16)),
        ("'\"' /* here", CODE, LineScan(COMMENT, 0, 4)),
        ("/**/", CODE, LineScan(CODE, 0, 4)),
    ],
)
def test_that_it_is_known_where_a_comment_goes_on(line: str, before: int, wanted: LineScan) -> None:
    assert scanned(line, before) == wanted


@pytest.mark.parametrize(
    ("line", "before", "wanted"),
    [
        ("code = r'''", CODE, LineScan(IN_SINGLE, 0, 8)),
        ('__global__ /* """', IN_SINGLE, LineScan(IN_SINGLE, 17, 17)),
        ("}''', 'k')", IN_SINGLE, LineScan(CODE, 4, 10)),
        ('"""one line""" # """', CODE, LineScan(CODE, 0, 20)),
        ('a = "#" + """', CODE, LineScan(IN_DOUBLE, 0, 10)),
        ('# its """', CODE, LineScan(CODE, 0, 9)),
        ("a // b /* c", CODE, LineScan(CODE, 0, 11)),
    ],
)
def test_that_it_is_known_where_a_string_of_python_goes_on(line: str, before: int, wanted: LineScan) -> None:
    assert scanned(line, before, Language.PYTHON) == wanted


def test_that_python_is_indented_behind_a_colon() -> None:
    assert after("    for k in range(K):", "", "([{:") == "        "
    assert after("label:") == ""


def test_that_a_line_that_was_moved_is_the_same_line() -> None:
    before, now = ["a", "b", "c"], ["new", "a", "B", "c", "d"]
    assert same_lines(before, now) == {2: 1, 4: 3}
    assert pairs_of_lines(before, now) == {2: 1, 3: 2, 4: 3}, "b was rewritten"
    assert changed_lines(before, now) == {1, 3, 5}


def test_that_lines_of_which_there_are_more_than_before_are_paired_with_none() -> None:
    assert pairs_of_lines(["a", "x", "b"], ["a", "y", "z", "b"]) == {1: 1, 4: 3}
    assert pairs_of_lines(["x"], ["y"]) == {1: 1}
    assert pairs_of_lines(["a", "x"], ["a", "y"]) == {1: 1, 2: 2}


def test_that_a_long_middle_counts_as_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_COMPARED", 2)
    assert same_lines(["a", "1", "2", "3", "z"], ["a", "4", "2", "5", "z"]) == {1: 1, 5: 5}


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_that_same_lines_are_the_same_and_keep_their_order(before: list[str], now: list[str]) -> None:
    same = same_lines(before, now)
    assert all(before[old - 1] == now[new - 1] for new, old in same.items())
    places = [same[new] for new in sorted(same)]
    assert places == sorted(set(places))
    pairs = pairs_of_lines(before, now)
    assert same.items() <= pairs.items()
    assert len(set(pairs.values())) == len(pairs)


def test_that_a_difference_has_numbers_and_lines_around_it() -> None:
    before = "\n".join(map(str, range(20)))
    found = difference(before, before.replace("\n10\n", "\nten\nmore\n"))
    assert [(line.side, line.text) for line in found] == [
        (DifferenceSide.GAP, ""),
        *((DifferenceSide.BOTH, text) for text in ("7", "8", "9")),
        (DifferenceSide.BEFORE, "10"),
        (DifferenceSide.AFTER, "ten"),
        (DifferenceSide.AFTER, "more"),
        *((DifferenceSide.BOTH, text) for text in ("11", "12", "13")),
        (DifferenceSide.GAP, ""),
    ]
    assert [(line.before, line.after) for line in found[4:8]] == [(11, 0), (0, 11), (0, 12), (12, 13)]
    assert difference(before, before) == ()


def test_that_a_change_is_told_by_sign_and_worth() -> None:
    assert [worth_of(*pair) for pair in ((2, 1), (1, 2), (1, 1), (float("nan"), 1))] == [
        Worth.BETTER,
        Worth.WORSE,
        Worth.SAME,
        Worth.OTHER,
    ]
    assert worth_of(50, 100, more_is_better=True) is Worth.BETTER
    assert worth_of(50, 100, more_is_better=None) is Worth.OTHER
    assert worth_of(1000, 1009) is worth_of(1009, 1000) is Worth.OTHER, "below 1 %"
    assert worth_of(1000, 1009, is_exact=True) is Worth.WORSE
    assert [change_words(*pair) for pair in ((480, 0), (4, 5), (8192, 9216), (3, 2), (0, 3), (7, 7), (1000, 1001))] == [
        "none left",
        "+25 %",
        "+12.5 %",
        "-33.3 %",
        "+3",
        "=",
        "+0.1 %",
    ]
    assert change_words(float("nan"), 3) == ""
    assert [
        points_words(*pair) for pair in ((0.5, 0.75), (0.75, 0.5), (0.5, 0.5), (0.0, 0.125), (0.5, float("nan")))
    ] == [
        "+25 points",
        "-25 points",
        "=",
        "+12.5 points",
        "",
    ]
    assert change_words(0, 0) == "="


def test_that_a_file_that_never_compiled_names_no_version_before() -> None:
    assert not_compiled_words(has_figures=False) == "The saved text does not compile. No figures yet."
    assert not_compiled_words(has_figures=True).endswith("The figures are those of the previous version.")


def test_that_a_line_that_only_one_version_has_is_new_or_gone() -> None:
    figure = LineFigureKind.WAVEFRONTS
    assert LineChange(figure, 4, 0, "", "–", "8", "+8", Worth.WORSE).words == "new 8"
    assert LineChange(figure, 0, 4, "", "8", "–", "none left", Worth.BETTER).words == "gone"
    assert LineChange(figure, 4, 4, "", "8", "4", "-50 %", Worth.BETTER).words == "8→4"
