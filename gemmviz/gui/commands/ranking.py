"""Which commands fit what was typed, best first. Knows nothing of Qt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA, LCSseq


class Rankable(Protocol):
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
    @property
    def changes_settings(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Match:
    """A command that fits: its place in what was given, how well it fits, which letters of its name were meant, and
    whether a word is there only inexactly, as letters in order or with a slip of the keys; whether the name has all
    words as they were typed, side by side; whether a word stands in the middle of another one, or is there inexactly.
    """

    place: int
    score: float
    letters: tuple[int, ...]
    is_inexact: bool = False
    is_phrase: bool = False
    is_weak: bool = False


TERM = "Term"
"""The section of the glossary's terms: what only explains comes after a lesson or a page of such a name."""
_LEAST_PLURAL = 4
"""Letters of a word whose last s may be that of a plural."""
_WHOLE, _START, _SET_UP, _WORD, _INSIDE = 12.0, 8.0, 7.0, 6.0, 4.0
_FORM, _SECTION, _BESIDE, _INEXACT = 3.0, 2.0, 1.5, 1.0
_FILLER_TEXT = """
a about an and any are be can could did do does for get have how i i'm is it it's its make me my of on or our please
should so tell that the there they this to us was we were what what's when where which who why will with would you your
"""
_FILLERS = frozenset(_FILLER_TEXT.split())
"""Words of a question that say nothing of what is asked for."""
_PART = re.compile(r"[^\W_]+")
_ONE_SLIP, _TWO_SLIPS = 4, 8
"""Words of so many letters may have one letter, or two, that is wrong, missing, too many or swapped with the next."""
_LEAST_TOGETHER = 65.0
"""So many hundredths of the letters stand in a stretch of the name as long as what was typed."""


def rank(query: str, commands: Sequence[Rankable]) -> tuple[Match, ...]:
    """The commands that have every word of `query`, best first; all of them in their own order for an empty query.

    A word may stand at the start of the name, at the start of one of its words, inside it, at the start of a word of
    its section's name, of its detail or keywords, be the plural of what a word of these begins with, be a word of the
    name or a keyword but for a slip of the keys, or be letters of the name in order, close together. A name or a
    keyword that is the whole word beats all but a name that has several words as they were typed. What changes the
    experiment comes after what opens something of such a name, unless the word is its whole name, and a term of the
    glossary after a lesson or a page that has all words as they were typed, too. Where two fit alike, what can be done
    now comes first, then the given order. Slips and letters in order count where nothing else fits.
    Filler words, as in "what is a warp", exclude nothing and count only as a whole name or keyword, unless there are
    no other words.
    """
    words = query.casefold().replace("’", "'").rstrip("?!. ").split() or query.casefold().split()
    found = []
    for place, command in enumerate(commands):
        match = _fit(words, command, place)
        if match is not None:
            found.append(match)
    if not words:
        return tuple(found)
    found = [match for match in found if not match.is_inexact] or found

    def order(match: Match) -> tuple[bool, bool, bool, float, bool, int]:
        command = commands[match.place]
        sets_up, explains = (match.is_phrase and kind for kind in (command.changes_settings, command.section == TERM))
        return not match.is_phrase, sets_up, explains, -match.score, not command.enabled, match.place

    return tuple(sorted(found, key=order))


def singular(word: str) -> str:
    """A word as it is found in a text that has it in another form: "conflicts" is in "conflicted" without its s."""
    return word[:-1] if len(word) > _LEAST_PLURAL and word.endswith("s") and not word.endswith("ss") else word


def _fit(words: Sequence[str], command: Rankable, place: int) -> Match | None:
    score, letters, is_inexact, is_named, is_weak = 0.0, set[int](), False, False, False
    has_others = any(word not in _FILLERS for word in words)
    for word in words:
        one = _fit_word(word, command)
        if has_others and word in _FILLERS and (one is None or one[0] not in (_WHOLE, _SET_UP)):
            continue
        if one is None:
            return None
        score += one[0]
        is_inexact |= one[0] <= _INEXACT
        is_weak |= one[0] <= _INEXACT or one[0] == _INSIDE
        is_named |= one[0] != _SECTION
        letters |= set(one[1])
    shortness = 1 / (1 + len(command.name)) if is_named else 0.0  # those of a section stay in their order
    is_phrase = len(words) > 1 and f" {' '.join(words)}" in f" {command.name.casefold()}"
    return Match(place, score + shortness, tuple(sorted(letters)), is_inexact, is_phrase, is_weak)


def _fit_word(word: str, command: Rankable) -> tuple[float, Sequence[int]] | None:
    name, section = command.name.casefold(), command.section.casefold()
    keywords = tuple(keyword.casefold() for keyword in command.keywords)
    at = name.find(word)
    if word in keywords or word == name:
        score = _SET_UP if command.changes_settings and word != name else _WHOLE
        return score, range(at, at + len(word)) if at >= 0 else ()
    starts = [i for i in range(len(name)) if name.startswith(word, i) and (i == 0 or not name[i - 1].isalnum())]
    if starts:
        first = starts[0]
        return (_START if first == 0 else _WORD), range(first, first + len(word))
    initials = [i for i in range(len(name)) if name[i].isalnum() and (i == 0 or not name[i - 1].isalnum())]
    if len(word) > 1 and "".join(name[i] for i in initials).startswith(word):
        return _WORD - 1, initials[: len(word)]
    if at >= 0:
        return _INSIDE, range(at, at + len(word))
    begins = re.compile(rf"(?<![^\W_]){re.escape(singular(word))}")
    if form := begins.search(name):
        return _FORM, range(*form.span())
    if begins.search(section):
        return _SECTION, ()
    if any(begins.search(text) for text in (command.detail.casefold(), *keywords)):
        return _BESIDE, ()
    return _fit_slip(word, name, keywords) or _fit_letters(word, name)


def _fit_slip(word: str, name: str, keywords: Sequence[str]) -> tuple[float, Sequence[int]] | None:
    """A word of the name, the start of one, or a keyword, but for a slip of the keys."""
    if len(word) < _ONE_SLIP:
        return None
    most = 1 if len(word) < _TWO_SLIPS else 2
    parts = [(part.start(), text) for part in _PART.finditer(name) for text in (part[0], part[0][: len(word)])]
    found = process.extractOne(word, [text for _, text in parts], scorer=OSA.distance, score_cutoff=most)
    if found is not None:
        start, text = parts[found[2]]
        return _INEXACT * OSA.normalized_similarity(word, text), [start + at for at in _matched(word, text)]
    beside = process.extractOne(word, keywords, scorer=OSA.distance, score_cutoff=most)
    return None if beside is None else (_INEXACT * OSA.normalized_similarity(word, beside[0]), ())


def _fit_letters(word: str, name: str) -> tuple[float, Sequence[int]] | None:
    """All letters of `word` in order in the name: the closer together, the better."""
    letters, together = _matched(word, name), fuzz.partial_ratio(word, name)
    if len(letters) < len(word) or together < _LEAST_TOGETHER:
        return None
    return _INEXACT * together / 100, letters


def _matched(word: str, text: str) -> list[int]:
    """Which letters of `text` are those of `word`, in order, as many as there are."""
    steps = LCSseq.opcodes(word, text)
    return [at for step in steps if step.tag == "equal" for at in range(step.dest_start, step.dest_end)]
