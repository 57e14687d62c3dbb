"""A description offers combinations of values that were proven, or of which every pair was."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from gemmviz.adopt.description import Description, Setting, SweptParameter
from gemmviz.adopt.setting_rules import has_untried, is_offered, setting_rules, wrong_together_words
from gemmviz.adopt.words import combinations_words
from gemmviz.catalogue.expressions import evaluate
from gemmviz.domain.kernels.call import Storage

STORAGE = Storage()
BM, BN, BK, SMALL = ("BM", 64), ("BN", 64), ("BK", 16), ("BM", 16)
ALONE: tuple[Setting, ...] = ((BM,), (BN,), (BK,))


def described(settings: tuple[Setting, ...], wrong: tuple[Setting, ...] = ()) -> Description:
    offered = {pair for one in settings for pair in one}
    defaults = {"BM": 32, "BN": 32, "BK": 8}
    swept = tuple(
        SweptParameter(name, tuple(sorted({default, *(value for one, value in offered if one == name)})), default)
        for name, default in defaults.items()
    )
    return Description(
        "mm",
        ("BM", "BN", "BK"),
        (),
        ("A", "B", "C", "N"),
        (STORAGE, STORAGE, STORAGE, STORAGE),
        ("BM",),
        ("N",),
        parameters=swept,
        settings=settings,
        wrong_settings=tuple((one, "at 5x5x5, 1 of 25 elements is wrong") for one in wrong),
    )


def allowed(description: Description) -> set[frozenset[tuple[str, int]]]:
    """The combinations that the rules allow, each by its values that are no defaults."""
    names, found = [one.name for one in description.parameters], set()
    rules = [rule for rule, _ in setting_rules(description)]
    for values in product(*(one.choices for one in description.parameters)):
        chosen = dict(zip(names, values, strict=True))
        if all(evaluate(rule, chosen) for rule in rules):
            found.add(frozenset(chosen.items() - description.defaults.items()))
    return found


@pytest.mark.parametrize(
    ("settings", "wrong", "more"),
    [
        (ALONE, (), ()),
        ((*ALONE, (BM, BN)), (), ()),
        ((*ALONE, (BM, BN), (BM, BK), (BN, BK)), (), ((BM, BN, BK),)),
        ((*ALONE, (BM, BN), (BM, BK), (BN, BK)), ((BM, BN, BK),), ()),
        ((*ALONE, (BM, BN), (BM, BK)), ((BN, BK),), ()),
        ((*ALONE, (BM, BN, BK)), ((BM, BN),), ()),
        (((BN,), (BK,), (BM, BN)), ((BM,),), ()),
        (((BK,), (BM, BN), (SMALL, BN)), ((BM,), (BN,), (SMALL,)), ()),
        (((BN,), (BK,), (BM, BN), (BM, BK), (BN, BK)), ((BM,),), ((BM, BN, BK),)),
    ],
)
def test_that_no_combination_is_offered_of_which_a_pair_was_not_proven(
    settings: tuple[Setting, ...], wrong: tuple[Setting, ...], more: tuple[Setting, ...]
) -> None:
    description = described(settings, wrong)
    expected = {frozenset[tuple[str, int]](), *map(frozenset, settings), *map(frozenset, more)}
    assert allowed(description) == expected
    assert has_untried(description) == bool(more)
    assert all(is_offered(description, one) for one in expected if one)
    assert ("further combinations are offered" in combinations_words(description)) == bool(more)


WHY, OTHER = "needs 2048 threads per block, and 1024 are the most", "at 5x5x5, 1 of 25 elements is wrong"


@pytest.mark.parametrize(
    ("proven", "why", "is_left_out"),
    [((), WHY, True), ((), OTHER, False), (((BM, BN, ("TM", 4)),), WHY, False)],
    ids=["for the same reason", "for another", "a part of something right"],
)
def test_that_a_setting_has_no_rule_of_its_own_where_a_part_of_it_is_wrong_for_the_same_reason(
    proven: tuple[Setting, ...], why: str, is_left_out: bool
) -> None:
    wrong = (((BM, BN, BK), why), ((BM, BN), WHY))
    description = replace(described((*ALONE, *proven), ()), wrong_settings=wrong)
    rules = [rule for rule, because in setting_rules(description) if because in (WHY, OTHER)]
    assert len(rules) == 2 - is_left_out
    assert any(rule.startswith("BM != 64 or BN != 64") for rule in rules)
    told = wrong_together_words(wrong, str)
    assert told[-1] == f"left out: BM = 64 and BN = 64 together: {WHY}"
    assert len(told) == 1 + (why != WHY)


def test_that_a_rule_says_what_is_wrong_or_that_nobody_tried() -> None:
    description = described(((BN,), (BK,), (BM, BN)), ((BM,), (BN, BK)))
    assert setting_rules(description) == [
        ("BM != 64 or BN == 64", "at 5x5x5, 1 of 25 elements is wrong"),
        ("BK != 16 or BN != 64", "at 5x5x5, 1 of 25 elements is wrong"),
        ("BM == 32 or BK == 8", "these values of BM and BK were not tried together"),
    ]
