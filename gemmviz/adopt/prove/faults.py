"""Why tries came to nothing, and which of these reasons a person is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.adopt.axis_words import axis_words
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.reasons import FaultKind, Reason

OF_RUNS, OF_VIEWS, OF_MEANING, OF_CHECKS, OF_RULES = range(5)
"""How far a try came before it failed."""
_MOST_REASONS = 2
_SIZE = re.compile(r"\b[MNK]\b")


@dataclass(frozen=True, slots=True)
class Tried:
    """What is being tried. `is_likely`: with the block and the numbers of a launch in host code, not with guesses.
    `are_threads_apart`: no thread hears of another one, so that a wrong block leaves elements out and makes none wrong.
    """

    guess: BlockGuess | None = None
    is_likely: bool = True
    are_threads_apart: bool = False

    def said_of(self, fault: Reason) -> Reason:
        """What a run ended with, and that its launch was a guess where it was one."""
        if self.guess is None or self.is_likely or self.guess.is_launched:
            return fault
        if self.are_threads_apart and fault.kind is not FaultKind.LEFT_OUT:
            return fault
        words = f"{_GUESSED}, with blocks of {axis_words(self.guess.block)} threads: {fault.words}"
        return replace(fault, words=words, is_guessed=True)


def guessed_grid(grid: Sequence[str], launched: Sequence[str]) -> str:
    """That a grid was a guess in the place of one that host code launches and that grows with the result, as text to go
    on with; "" where it is that, or where host code says no such grid.
    """
    if grid == launched or not launched or not all(launched) or not _SIZE.search(" ".join(launched)):
        return ""
    return f"{_GUESSED}, with a grid of {' × '.join(grid)} blocks, "


_GUESSED = "in a launch that gemmviz guessed"
NO_TRY = Tried()


def no_part_words(given: str) -> str:
    """That the first block of a kernel wrote something else; `given` are the numbers that it got, as text to go on."""
    return f"what one block wrote is no part of a product of its matrices{given}"


def no_factor_words(name: str, when: str = "") -> str:
    """That a parameter is no factor; `when` is where it is none, as text to go on with: " where beta is 0"."""
    return f"{name} does not act as such{when}"


@dataclass(frozen=True, slots=True)
class TriedFault:
    """Why a try came to nothing; the larger the `stage`, the further it had come."""

    stage: int
    reason: Reason
    is_likely: bool
    is_of_block: bool = True
    """Whether another block may do better."""


def told_of(faults: Sequence[TriedFault]) -> Sequence[TriedFault]:
    """The faults of likely tries; of guesses only where nothing likely was tried."""
    return [one for one in faults if one.is_likely] or faults


def is_hopeless(faults: Sequence[TriedFault]) -> bool:
    """Whether more time would prove no more: it is wrong with any block, or a loop of it never ends."""
    return any(one.stage == OF_RULES or not one.is_of_block for one in told_of(faults)) or is_endless(faults)


def is_endless(faults: Sequence[TriedFault]) -> bool:
    """Whether all tries met a loop that never ends."""
    told = told_of(faults)
    return bool(told) and all(one.reason.kind is FaultKind.ENDLESS for one in told)


def reasons_of(faults: Sequence[TriedFault]) -> tuple[Reason, ...]:
    """What the tries that came farthest and were tried first failed at; of guesses only where nothing likely was tried,
    and then one alone. Of reasons of a kind that is told once the first is told for each line.
    """
    # with a size of 0 or with too few blocks it had nothing to do
    ranked = sorted(told_of(faults), key=lambda one: (-one.stage, one.reason.kind is FaultKind.NOTHING_CHANGED))
    is_guessed = bool(ranked) and not ranked[0].is_likely
    if ranked and (ranked[0].stage == OF_RULES or is_guessed):
        # it is a product at some sizes, or with one of the guesses: wrong launches say nothing more
        ranked = [one for one in ranked if one.stage == ranked[0].stage]
    if is_guessed:  # of wrong blocks most leave elements out
        ranked.sort(key=lambda one: one.reason.kind is FaultKind.LEFT_OUT)
    found: dict[tuple[str | FaultKind, int], Reason] = {}
    for one in (fault.reason for fault in ranked):
        found.setdefault((one.kind if one.kind.is_told_once else one.words, one.line), one)
    return tuple(found.values())[: 1 if is_guessed else _MOST_REASONS]
