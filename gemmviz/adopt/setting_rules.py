"""The settings of several parameters: which were proven, which are wrong and left out, and how they are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod

from gemmviz.adopt.description import Description, Setting, SweptParameter
from gemmviz.catalogue.values.values_left_out import MOST_LETTERS
from gemmviz.domain.listing import listed


def is_every_setting(description: Description) -> bool:
    """Whether every combination of the parameters' values was proven."""
    return len(description.settings) + 1 == prod(len(one.choices) for one in description.parameters)


def has_untried(description: Description) -> bool:
    """Whether a combination of the parameters' values was neither proven nor is known to be wrong."""
    tried = 1 + len(description.settings) + len(description.wrong_settings)
    return tried < prod(len(one.choices) for one in description.parameters)


def several(description: Description) -> list[Setting]:
    """The settings in which several parameters have further values."""
    return [one for one in description.settings if len(one) > 1]


def right_alone(description: Description, name: str, value: int) -> bool:
    """Whether a value was proven while the other parameters have their defaults."""
    default = next(one.default for one in description.parameters if one.name == name)
    return value == default or ((name, value),) in description.settings


def setting_rules(description: Description) -> list[tuple[str, str]]:
    """Rules over parameters that leave out the settings that were tried and are wrong, each with its reason."""
    swept = [one for one in description.parameters if len(one.choices) > 1]
    rules = []
    for setting, why in description.wrong_settings:
        values = {one.name: one.default for one in swept} | dict(setting)
        rules.append((" or ".join(f"{name} != {value}" for name, value in values.items()), why[:MOST_LETTERS]))
    return rules


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


def setting_words(setting: Setting) -> str:
    """Some values of parameters: "BM = BN = 128 and TM = 8"."""
    by_value: dict[int, list[str]] = {}
    for name, value in setting:
        by_value.setdefault(value, []).append(name)
    return listed([f"{' = '.join(names)} = {value}" for value, names in by_value.items()])
