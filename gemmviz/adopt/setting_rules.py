"""The settings of several parameters: which were proven, which are wrong and left out, and how they are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice, product
from math import prod

from gemmviz.adopt.description import Description, Setting, SweptParameter
from gemmviz.catalogue.values.values_left_out import MOST_LETTERS
from gemmviz.domain.listing import listed

Pair = tuple[str, int]
"""A parameter and its value."""
_MOST_COMBINATIONS = 20_000


def is_every_setting(description: Description) -> bool:
    """Whether every combination of the parameters' values was proven."""
    return len(description.settings) + 1 == prod(len(one.choices) for one in description.parameters)


def has_untried(description: Description) -> bool:
    """Whether a combination of the parameters' values is offered that was not proven itself."""
    swept = [one for one in description.parameters if len(one.choices) > 1]
    proven = {frozenset(one) for one in description.settings}
    for values in islice(product(*(one.choices for one in swept)), _MOST_COMBINATIONS):
        further = frozenset((one.name, value) for one, value in zip(swept, values, strict=True) if value != one.default)
        if further and further not in proven and is_offered(description, further):
            return True
    return False


def is_offered(description: Description, further: frozenset[Pair]) -> bool:
    """Whether a combination, by its values that are no defaults, was proven, or each of its values and each pair of
    them in such a part of it, and no part of it is known to be wrong beyond what was proven.
    """
    inside = [one for one in map(frozenset, description.settings) if one <= further]
    pairs = [*(frozenset({one}) for one in further), *map(frozenset, combinations(further, 2))]
    wrong = [one for setting, _ in description.wrong_settings if (one := frozenset(setting)) <= further]
    is_known = all(any(pair <= one for one in inside) for pair in pairs)
    return is_known and all(any(two < one for one in inside) for two in wrong)


def several(description: Description) -> list[Setting]:
    """The settings in which several parameters have further values."""
    return [one for one in description.settings if len(one) > 1]


def right_alone(description: Description, name: str, value: int) -> bool:
    """Whether a value was proven while the other parameters have their defaults."""
    default = next(one.default for one in description.parameters if one.name == name)
    return value == default or ((name, value),) in description.settings


def setting_rules(description: Description) -> list[tuple[str, str]]:
    """Rules over parameters, each with its reason, that leave combinations out for `is_offered`: values that are wrong
    alone without what they are right with, settings that are wrong with all that includes them, and pairs of values
    that nobody tried.
    """
    swept = [one for one in description.parameters if len(one.choices) > 1]
    proven = [frozenset(one) for one in description.settings]
    reasons = {frozenset(setting): why for setting, why in description.wrong_settings}
    rules: list[tuple[str, str]] = []
    for one in swept:
        for value in one.choices:
            pair = frozenset({(one.name, value)})
            if value != one.default and pair not in proven:
                why = reasons.get(pair, "it was proven only together with other values")
                rules.append((_left_out(pair, [with_it - pair for with_it in proven if pair < with_it]), why))
    always = {one: why for one, why in reasons.items() if not any(one < with_it for with_it in proven)}
    for setting, why in reasons.items():
        is_told = any(part < setting and of_part == why for part, of_part in always.items())
        if len(setting) > 1 and not is_told:
            rules.append((_left_out(setting, [with_it - setting for with_it in proven if setting < with_it]), why))
    for one, two in combinations(swept, 2):
        further = [
            frozenset({(one.name, value), (two.name, other)})
            for value in one.choices
            for other in two.choices
            if one.default != value and two.default != other
        ]
        if any(pair not in proven and pair not in reasons for pair in further):
            tried = [setting for setting in proven if any(pair <= setting for pair in further)]
            least = [setting for setting in tried if not any(other < setting for other in tried)]
            allowed = [f"{one.name} == {one.default}", f"{two.name} == {two.default}", *map(_all_of, least)]
            rules.append((" or ".join(allowed), f"these values of {one.name} and {two.name} were not tried together"))
    return [(rule, why[:MOST_LETTERS]) for rule, why in rules]


def _left_out(setting: frozenset[Pair], beside: Sequence[frozenset[Pair]]) -> str:
    """A rule that leaves a setting out, but where it is together with one of some others."""
    return " or ".join((*(f"{name} != {value}" for name, value in sorted(setting)), *map(_all_of, beside)))


def _all_of(setting: frozenset[Pair]) -> str:
    words = " and ".join(f"{name} == {value}" for name, value in sorted(setting))
    return f"({words})" if len(setting) > 1 else words


def with_settings(
    description: Description,
    defaults: Mapping[str, int],
    settings: Sequence[Setting],
    followers: Callable[[str], tuple[str, ...]],
) -> Description:
    """The description with parameters of these defaults, which offer what is in the settings, and those of its wrong
    settings whose values are offered; `followers` says which further parameters always have the value of one.
    """
    found = []
    for name, default in defaults.items():
        values = {default, *(value for setting in settings for one, value in setting if one == name)}
        found.append(SweptParameter(name, tuple(sorted(values)), default, followers(name)))
    offered = {(one.name, value) for one in found for value in one.choices}
    wrong = tuple((setting, why) for setting, why in description.wrong_settings if {*setting} <= offered)
    return replace(description, parameters=tuple(found), settings=tuple(settings), wrong_settings=wrong)


def wrong_together_words(wrong: Sequence[tuple[Setting, str]], said: Callable[[str], str]) -> tuple[str, ...]:
    """A sentence for each setting of several parameters that is wrong, and why: "left out: BM = 128 and BN = 128
    together: …", but for those of which a part is wrong for the same reason. `said` names a parameter.
    """
    least = [
        (setting, why)
        for setting, why in wrong
        if not any({*part} < {*setting} and why == of_part for part, of_part in wrong)
    ]
    named = [(listed([f"{said(name)} = {value}" for name, value in setting]), why) for setting, why in least]
    return tuple(f"left out: {words} together: {why}" for words, why in named)


def setting_words(setting: Setting) -> str:
    """Some values of parameters: "BM = BN = 128 and TM = 8"."""
    by_value: dict[int, list[str]] = {}
    for name, value in setting:
        by_value.setdefault(value, []).append(name)
    return listed([f"{' = '.join(names)} = {value}" for value, names in by_value.items()])
