"""What tells runs or recordings apart that would have one name in a chart: in what they differ, or when. No Qt."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from datetime import datetime

BETWEEN = " · "


def distinctions(
    keys: Sequence[Hashable], facts: Sequence[Sequence[str]], finished: Sequence[str], noun: str
) -> tuple[str, ...]:
    """What to say behind each name, "" where its key is no other's.

    `facts` are words about each, equally many: those in which equal keys differ are said. Where some are still alike,
    the local time at which each was `finished` (ISO 8601, "" if unknown) follows, and of one second their order: "run 1
    of 2" for the `noun` "run".
    """
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for place, key in enumerate(keys):
        groups[key].append(place)
    words = [""] * len(keys)
    for places in groups.values():
        if len(places) > 1:
            said = _differences([facts[place] for place in places])
            said = _completed(said, _times([finished[place] for place in places]))
            for place, one in zip(places, _completed(said, _orders(said, noun)), strict=True):
                words[place] = one
    return tuple(words)


def _differences(facts: Sequence[Sequence[str]]) -> list[str]:
    varied = [nth for nth, values in enumerate(zip(*facts, strict=True)) if len(set(values)) > 1]
    return [BETWEEN.join(filter(None, (one[nth] for nth in varied))) for one in facts]


def _completed(said: Sequence[str], more: Sequence[str]) -> list[str]:
    """Those that are said more than once with more behind them."""
    alike = Counter(said)
    return [
        BETWEEN.join(filter(None, (one, further))) if alike[one] > 1 else one
        for one, further in zip(said, more, strict=True)
    ]


def _times(finished: Sequence[str]) -> list[str]:
    """The day where each is of its own, the time of day where all are of one, else both; "" for an unknown time."""
    moments = [datetime.fromisoformat(when).astimezone() if when else None for when in finished]
    days = Counter(moment.date() for moment in moments if moment is not None)
    form = "%H:%M:%S" if len(days) < 2 else "%Y-%m-%d" if len(days) == len(finished) else "%Y-%m-%d %H:%M:%S"
    return [moment.strftime(form) if moment is not None else "" for moment in moments]


def _orders(said: Sequence[str], noun: str) -> list[str]:
    """The order of each among those of which the same is said."""
    alike, so_far = Counter(said), Counter[str]()
    orders = []
    for one in said:
        so_far[one] += 1
        orders.append(f"{noun} {so_far[one]} of {alike[one]}")
    return orders
