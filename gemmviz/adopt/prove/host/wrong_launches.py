"""Launches in host code that are wrong, or were not proven right: the first is told in the description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.adopt.description import Description

LineWords = tuple[int, str]
"""The line of a launch, and what is wrong with it."""


def with_wrong_launches(description: Description, wrong: Sequence[LineWords]) -> tuple[Description, list[str]]:
    """The description with how its host code launches it otherwise, which it may have already, else the first of these
    launches; and what is wrong with the others.
    """
    told = [(description.otherwise_line, description.otherwise)] if description.otherwise else []
    (line, words), *others = [*told, *wrong] or [(0, "")]
    return replace(description, otherwise=words, otherwise_line=line), [words for _, words in others]
