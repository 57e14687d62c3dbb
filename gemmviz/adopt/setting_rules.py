"""Rules for the values of several parameters: a description offers those settings alone that were proven."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod

from gemmviz.adopt.description import Description, Setting, SweptParameter
from gemmviz.catalogue.expressions import MOST_CHARACTERS
from gemmviz.domain.listing import listed

_NOT_PROVEN = "other values were not proven right together"
_NOT_ALONE = "alone it was not proven right"


def is_every_setting(description: Description) -> bool:
    """Whether every combination of the parameters' values was proven."""
    return len(description.settings) + 1 == prod(len(one.choices) for one in description.parameters)


def several(description: Description) -> list[Setting]:
    """The settings in which several parameters have further values."""
    return [one for one in description.settings if len(one) > 1]


def right_alone(description: Description, name: str, value: int) -> bool:
    """Whether a value was proven while the other parameters have their defaults."""
    default = next(one.default for one in description.parameters if one.name == name)
    return value == default or ((name, value),) in description.settings


def setting_rules(description: Description) -> list[tuple[str, str]]:
    """Rules over parameters that hold for the proven settings and no others, each with its reason; [] where every
    combination of values was proven.
    """
    if is_every_setting(description):
        return []
    swept = [one for one in description.parameters if len(one.choices) > 1]
    together = several(description)
    if len(together) == len(description.settings):  # no value is right alone
        return [(_joint_rule(swept, 0, together), _NOT_PROVEN)]
    rules = [(_joint_rule(swept, 1, together), _NOT_PROVEN)] if len(swept) > 1 else []
    for one in swept:
        for value in one.choices:
            if right_alone(description, one.name, value):
                continue
            others = [
                [pair for pair in setting if pair[0] != one.name]
                for setting in together
                if (one.name, value) in setting
            ]
            beside = dict.fromkeys(f"{name} == {other}" for (name, other), *_ in others)
            rules.append((" or ".join((f"{one.name} != {value}", *beside)), _NOT_ALONE))
    return rules


def _joint_rule(swept: list[SweptParameter], most: int, together: list[Setting]) -> str:
    further = " + ".join(f"({one.name} != {one.default})" for one in swept)
    rule = f"{further} <= {most}"
    for setting in together:
        values = {one.name: one.default for one in swept} | dict(setting)
        rule += f" or {' and '.join(f'{name} == {value}' for name, value in values.items())}"
    return rule


def fits_rules(description: Description) -> bool:
    """Whether the rules of its settings are as short as a description may have them, or no setting can be left out."""
    is_short = all(len(rule) <= MOST_CHARACTERS for rule, _ in setting_rules(description))
    return is_short or not several(description)


def with_settings(
    description: Description,
    defaults: Mapping[str, int],
    settings: Sequence[Setting],
    followers: Callable[[str], tuple[str, ...]],
) -> Description:
    """The description with parameters of these defaults, which offer what is in the settings; `followers` says which
    further parameters always have the value of one.
    """
    found = []
    for name, default in defaults.items():
        values = {default, *(value for setting in settings for one, value in setting if one == name)}
        found.append(SweptParameter(name, tuple(sorted(values)), default, followers(name)))
    return replace(description, parameters=tuple(found), settings=tuple(settings))


def setting_words(setting: Setting) -> str:
    """Some values of parameters: "BM = BN = 128 and TM = 8"."""
    by_value: dict[int, list[str]] = {}
    for name, value in setting:
        by_value.setdefault(value, []).append(name)
    return listed([f"{' = '.join(names)} = {value}" for value, names in by_value.items()])
