"""What written elements prove: every order of matrices, layouts and dimensions is told from every other."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gemmviz.adopt.prove.evidence import Operand, Scaling, Traces, View, agrees, distance, views_of
from gemmviz.adopt.prove.factors.constant_factors import views_with_constants
from gemmviz.adopt.prove.machine import lattice
from gemmviz.adopt.prove.meaning import UnclearError, equal_dimensions, meanings_of
from gemmviz.domain.terms import Element, Layout

ROWS, COLUMNS, DEPTH = 20, 28, 24
NUMBERS = (ROWS, COLUMNS, DEPTH)
LEFT, RIGHT, RESULT, ALPHA, BETA = 0, 1, 2, 3, 4
FACTORS = {ALPHA: 1.5, BETA: -0.75}


def traces(left: bool, right: bool, *, scaling: tuple[float, float] = (1.0, 0.0), bias: float = 0.0) -> Traces:
    """The traces of a kernel that writes all of its result; `left` and `right` say which operands are turned."""
    rng = np.random.default_rng(3)
    size = max(NUMBERS) ** 2
    before = {place: lattice(size, rng) for place in (LEFT, RIGHT, RESULT)}
    a = (
        before[LEFT][: ROWS * DEPTH].reshape(DEPTH, ROWS).T
        if left
        else before[LEFT][: ROWS * DEPTH].reshape(ROWS, DEPTH)
    )
    b = before[RIGHT][: DEPTH * COLUMNS]
    b = b.reshape(COLUMNS, DEPTH).T if right else b.reshape(DEPTH, COLUMNS)
    after = before[RESULT].copy()
    places = np.arange(ROWS * COLUMNS)
    after[places] = scaling[0] * (a @ b).ravel() + scaling[1] * before[RESULT][places] + bias
    return Traces(before, RESULT, after, places, FACTORS, Element.FLOAT32)


@pytest.mark.parametrize(("left", "right"), list(product((False, True), repeat=2)))
def test_that_layouts_are_told_from_each_other(left: bool, right: bool) -> None:
    (found,) = views_of(traces(left, right), NUMBERS, NUMBERS)
    assert found == View(
        Operand(LEFT, ROWS if left else DEPTH, left),
        Operand(RIGHT, DEPTH if right else COLUMNS, right),
        RESULT,
        COLUMNS,
        DEPTH,
        Scaling(),
    )


@pytest.mark.parametrize(
    ("scaling", "places"),
    [
        ((1.5, -0.75), (ALPHA, BETA, RESULT)),
        ((-0.75, 1.5), (BETA, ALPHA, RESULT)),
        ((1.5, 0.0), (ALPHA, None, None)),
        ((1.0, 1.0), (None, None, RESULT)),
        ((1.0, 1.5), (None, ALPHA, RESULT)),
        ((-0.75, 1.0), (BETA, None, RESULT)),
    ],
)
def test_that_alpha_and_beta_are_told_by_their_values(
    scaling: tuple[float, float], places: tuple[int | None, int | None, int | None]
) -> None:
    (found,) = views_of(traces(False, False, scaling=scaling), NUMBERS, NUMBERS)
    assert found.scaling == Scaling(*places)


@pytest.mark.parametrize("scaling", [(2.0, 0.0), (1.0, 0.5), (0.0, 1.5), (1.5, 1.5)])
def test_that_other_scalings_prove_nothing(scaling: tuple[float, float]) -> None:
    assert views_of(traces(False, False, scaling=scaling), NUMBERS, NUMBERS) == []


@pytest.mark.parametrize(
    ("scaling", "expected"),
    [
        ((2.0, 0.0), (None, 2.0, None, 1.0)),
        ((-1.0, 0.0), (None, -1.0, None, 1.0)),
        ((1.0, 0.5), (None, 1.0, RESULT, 0.5)),
        ((-0.1, -3.0), (None, -0.1, RESULT, -3.0)),
    ],
)
def test_that_constants_are_found_by_least_squares(
    scaling: tuple[float, float], expected: tuple[int | None, float, int | None, float]
) -> None:
    found = views_with_constants(traces(False, False, scaling=scaling), NUMBERS, NUMBERS)
    plain = [view for view in found if view.scaling.factor is None and view.scaling.share is None]
    assert [(one.scaling.factor, one.scaling.times, one.scaling.added, one.scaling.kept) for one in plain] == [expected]


@pytest.mark.parametrize("scaling", [(0.0, 1.5), (0.0, 0.5)])
def test_that_no_constant_makes_a_product_of_what_is_none(scaling: tuple[float, float]) -> None:
    assert views_with_constants(traces(False, False, scaling=scaling), NUMBERS, NUMBERS) == []
    assert views_with_constants(traces(False, False, bias=0.25), NUMBERS, NUMBERS) == []


def test_that_a_bias_or_one_wrong_element_proves_nothing() -> None:
    assert views_of(traces(False, False, bias=0.001), NUMBERS, NUMBERS) == []
    wrong = traces(False, False)
    wrong.after[ROWS * COLUMNS // 2 + 3] += 0.125
    assert views_of(wrong, NUMBERS, NUMBERS) == []
    (view,) = views_of(traces(False, False), NUMBERS, NUMBERS)
    assert not agrees(view, wrong)
    assert distance(view, wrong) > distance(view, traces(False, False)) == 0


def test_that_a_dimension_that_no_number_gives_is_not_made_up() -> None:
    assert views_of(traces(False, False), NUMBERS, (ROWS, COLUMNS)) == []


def meaning(view: View, roles: dict[int, str], pointers: dict[int, str]) -> tuple[tuple[str, ...], list[Layout]]:
    elements = dict.fromkeys((LEFT, RIGHT, RESULT), Element.FLOAT32)
    numbers = {3: ROWS, 4: COLUMNS, 5: DEPTH}
    (found,) = meanings_of(view, numbers, roles, pointers, elements, ["A", "B", "C", "M", "N", "K"])
    return found.arguments, [found.storages[place].layout for place in range(3)]


def test_that_the_same_memory_is_said_as_the_pointers_are_called() -> None:
    view = View(Operand(LEFT, DEPTH, False), Operand(RIGHT, COLUMNS, False), RESULT, COLUMNS, DEPTH, Scaling())
    straight = meaning(view, {}, {LEFT: "A", RIGHT: "B", RESULT: "C"})
    assert straight == (("A", "B", "C", "M", "N", "K"), [Layout.ROW] * 3)
    turned = meaning(view, {}, {LEFT: "B", RIGHT: "A", RESULT: "C"})
    assert turned == (("B", "A", "C", "N", "M", "K"), [Layout.COLUMN] * 3)


def test_that_a_number_without_meaning_is_said_to_be_unclear() -> None:
    view = View(Operand(LEFT, 99, False), Operand(RIGHT, COLUMNS, False), RESULT, COLUMNS, DEPTH, Scaling())
    elements = dict.fromkeys((LEFT, RIGHT, RESULT), Element.FLOAT32)
    numbers = {3: ROWS, 4: COLUMNS, 5: DEPTH, 6: 77, 7: 78}
    with pytest.raises(UnclearError, match="do not show what L stands for"):
        meanings_of(view, numbers, {}, {}, elements, ["A", "B", "C", "M", "N", "K", "L", "P"])


def test_that_a_leading_dimension_that_no_line_shows_is_given_as_it_is_called() -> None:
    view = View(Operand(LEFT, DEPTH, False), Operand(RIGHT, COLUMNS, False), RESULT, COLUMNS, DEPTH, Scaling())
    elements = dict.fromkeys((LEFT, RIGHT, RESULT), Element.FLOAT32)
    numbers, names = {3: ROWS, 4: COLUMNS, 5: DEPTH, 6: 77}, ["A", "B", "C", "M", "N", "K", "lda"]
    (found,) = meanings_of(view, numbers, {6: "lda"}, {}, elements, names)
    assert found.arguments == ("A", "B", "C", "M", "N", "K", "lda")


def test_that_a_line_longer_than_the_matrix_is_wide_leaves_two_meanings() -> None:
    view = View(Operand(LEFT, 99, False), Operand(RIGHT, 99, False), RESULT, 99, DEPTH, Scaling())
    elements = dict.fromkeys((LEFT, RIGHT, RESULT), Element.FLOAT32)
    numbers = {3: 77, 4: ROWS, 5: DEPTH, 6: 99}
    found = meanings_of(view, numbers, {}, {}, elements, ["A", "B", "C", "m", "n", "k", "ld"])
    assert [one.arguments[3:] for one in found] == [("M", "N", "K", "ldc"), ("N", "M", "K", "ldc")]


def test_that_dimensions_with_one_number_must_be_equal() -> None:
    assert equal_dimensions({"M": 8, "N": 8, "K": 8}) == (("M", "N"), ("M", "K"))
    assert equal_dimensions({"M": 8, "N": 4, "K": 8}) == (("M", "K"),)
    assert equal_dimensions({"N": 8, "K": 4}) == ()
