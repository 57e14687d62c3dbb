"""What a lost window left, in words. No Qt."""

from __future__ import annotations

from datetime import datetime, timedelta

from gemmviz.domain.figures import counted
from gemmviz.domain.recovery.lost import Lost

LONGEST_NAME = 60


def lost_words(lost: Lost, now: datetime) -> str:
    """What a window left unsaved, and when: "12 runs and 1 recording of mine.gemmviz from 14:02"; `now` in local
    time.
    """
    other = "other result" if lost.runs or lost.recordings else "result"
    found = [
        counted(count, noun)
        for count, noun in ((lost.runs, "run"), (lost.recordings, "recording"), (lost.others, other))
        if count
    ]
    results = " and ".join((", ".join(found[:-1]), found[-1])) if len(found) > 1 else "".join(found)
    name = " ".join(lost.name.split())
    name = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
    results = results or f"unsaved {'results' if lost.is_damaged else 'changes'}"
    return f"{results}{f' of {name}' if name else ''} from {_when(lost.changed, now)}"


def _when(changed: str, now: datetime) -> str:
    try:
        then = datetime.fromisoformat(changed).astimezone(now.tzinfo)
    except (ValueError, OverflowError):
        return "an unknown time"
    if then.date() == now.date():
        return f"{then:%H:%M}"
    if then.date() == now.date() - timedelta(days=1):
        return f"yesterday {then:%H:%M}"
    return f"{then.day} {then:%B %Y %H:%M}"
