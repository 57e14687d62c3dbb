"""Which commands fit what was typed, best first. Knows nothing of Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Named(Protocol):
    """What can be ranked."""

    @property
    def section(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def enabled(self) -> bool: ...
    @property
    def detail(self) -> str: ...
    @property
    def keywords(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Match:
    """A command that fits: its place in what was given, how well it fits, which letters of its name were meant, and
    whether a word is there only as letters in order; whether the name has all words as they were typed, side by side.
    """

    place: int
    score: float
    letters: tuple[int, ...]
    is_scattered: bool = False
    is_phrase: bool = False


_LEAST_PLURAL = 4
"""Letters of a word whose last s may be that of a plural."""
_WHOLE, _START, _WORD, _INSIDE, _SCATTERED, _SECTION, _BESIDE = 12.0, 8.0, 6.0, 4.0, 1.0, 2.0, 1.5


def rank(query: str, commands: Sequence[Named]) -> tuple[Match, ...]:
    """The commands that have every word of `query`, best first; all of them in their own order for an empty query.

    A word may stand at the start of the name, at the start of one of its words, inside it, at the start of a word of
    its section's name, in its detail or keywords (of these three a plural finds other forms too), or be letters of the
    name in order. A keyword that is the whole word beats all but a name that has several words as they were typed.
    Where two fit alike, what can be done now comes first, then the given order. Letters in order count where nothing
    else fits.
    """
    words = query.casefold().split()
    found = []
    for place, command in enumerate(commands):
        match = _fit(words, command, place)
        if match is not None:
            found.append(match)
    if not words:
        return tuple(found)
    found = [match for match in found if not match.is_scattered] or found

    def order(match: Match) -> tuple[bool, float, bool, int]:
        return not match.is_phrase, -match.score, not commands[match.place].enabled, match.place

    return tuple(sorted(found, key=order))


def singular(word: str) -> str:
    """A word as it is found in a text that has it in another form: "conflicts" is in "conflicted" without its s."""
    return word[:-1] if len(word) > _LEAST_PLURAL and word.endswith("s") and not word.endswith("ss") else word


def _fit(words: Sequence[str], command: Named, place: int) -> Match | None:
    score, letters, is_scattered, is_named = 0.0, set[int](), False, False
    for word in words:
        one = _fit_word(word, command)
        if one is None:
            return None
        score += one[0]
        is_scattered |= one[0] <= _SCATTERED
        is_named |= one[0] != _SECTION
        letters |= set(one[1])
    shortness = 1 / (1 + len(command.name)) if is_named else 0.0  # those of a section stay in their order
    is_phrase = len(words) > 1 and f" {' '.join(words)}" in f" {command.name.casefold()}"
    return Match(place, score + shortness, tuple(sorted(letters)), is_scattered, is_phrase)


def _fit_word(word: str, command: Named) -> tuple[float, Sequence[int]] | None:
    name, section = command.name.casefold(), command.section.casefold()
    keywords = tuple(keyword.casefold() for keyword in command.keywords)
    at = name.find(word)
    if word in keywords:
        return _WHOLE, range(at, at + len(word)) if at >= 0 else ()
    starts = [i for i in range(len(name)) if name.startswith(word, i) and (i == 0 or not name[i - 1].isalnum())]
    if starts:
        first = starts[0]
        return (_START if first == 0 else _WORD), range(first, first + len(word))
    initials = [i for i in range(len(name)) if name[i].isalnum() and (i == 0 or not name[i - 1].isalnum())]
    if len(word) > 1 and "".join(name[i] for i in initials).startswith(word):
        return _WORD - 1, initials[: len(word)]
    if at >= 0:
        return _INSIDE, range(at, at + len(word))
    if any(part.startswith(singular(word)) for part in section.split()):
        return _SECTION, ()
    if any(singular(word) in text for text in (command.detail.casefold(), *keywords)):
        return _BESIDE, ()
    scattered = _scattered(word, name)
    if scattered is None:
        return None
    span = scattered[-1] - scattered[0] + 1
    return _SCATTERED * len(word) / span, scattered


def _scattered(word: str, name: str) -> list[int] | None:
    """Where the letters of `word` stand in `name`, in order, each as early as it can."""
    places: list[int] = []
    at = -1
    for letter in word:
        at = name.find(letter, at + 1)
        if at < 0:
            return None
        places.append(at)
    return places
