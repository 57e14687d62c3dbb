"""The signs and colours that the legend of a picture explains, and its entries. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum


class Sign(Enum):
    """What the legend explains, by the words beside it; THREAD and CHOSEN have words of their own."""

    SPOT = "in the text"
    NOW = "now"
    BEFORE = "before"
    TO_COME = "next"
    HELD = "shared"
    SUM = "sum so far"
    THREAD = "thread"
    CHOSEN = "chosen"
    PATH = "its other accesses"
    HAZARD = "hazard"
    BLOCK = "block"
    BLOCKS = "recorded blocks"
    STALE = "stale"
    ZERO = "zero"
    COMPUTED = "computed"
    UNUSED = "padding"
    UNWRITTEN = "not written"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A sign, its words, and the matrices in whose colours it is painted; () for one that has a colour of its own."""

    sign: Sign
    words: str
    names: tuple[str, ...] = ()


def is_same_thread(one: LegendEntry, other: LegendEntry) -> bool:
    """Whether one of the entries is of the thread that is followed and the other of that thread as the chosen one."""
    words = {entry.sign: entry.words for entry in (one, other)}
    return words.keys() == {Sign.THREAD, Sign.CHOSEN} and words[Sign.THREAD].endswith(words[Sign.CHOSEN])


def merged(*legends: Sequence[LegendEntry]) -> tuple[LegendEntry, ...]:
    """The entries of several legends as one, in the order of Sign, each with the words that it has first; a thread that
    is followed in one frame and chosen in another stands there once.
    """
    found: dict[Sign, LegendEntry] = {}
    for entry in (entry for legend in legends for entry in legend):
        known = found.setdefault(entry.sign, entry)
        found[entry.sign] = replace(known, names=tuple(sorted({*known.names, *entry.names})))
    thread, chosen = found.get(Sign.THREAD), found.get(Sign.CHOSEN)
    if thread is not None and chosen is not None and is_same_thread(thread, chosen):
        del found[Sign.THREAD]
    return tuple(found[sign] for sign in Sign if sign in found)
