"""Launches in host code that are wrong, or were not proven right: the first is told in the description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.host_launch import LaunchRemedy


@dataclass(frozen=True, slots=True)
class WrongLaunch:
    """The line of a launch, what is wrong with it, and what to do about it."""

    line: int
    words: str
    remedy: LaunchRemedy = LaunchRemedy.LAUNCH


def with_wrong_launches(description: Description, wrong: Sequence[WrongLaunch]) -> tuple[Description, list[str]]:
    """The description with how its host code launches it otherwise, which it may have already, else the first of these
    launches; and what is wrong with the others.
    """
    own = WrongLaunch(description.otherwise_line, description.otherwise, description.otherwise_remedy)
    told = [own] if description.otherwise else []
    first, *others = [*told, *wrong] or [WrongLaunch(0, "")]
    described = replace(description, otherwise=first.words, otherwise_line=first.line, otherwise_remedy=first.remedy)
    return described, [one.words for one in others]
