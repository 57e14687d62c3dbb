"""A race in one sentence; for those who show a recording and need nothing of what finds it."""

from __future__ import annotations

from collections.abc import Iterable

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Site
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.hazards.naming import line_words

MISSING_BARRIER = "a barrier between the two accesses is missing"
THIS_RECORDING = "this recording"
UNATOMIC_UPDATE = (
    "threads that add to it need an atomic operation, such as atomicAdd, and of those that compute it anew only one "
    "may write it"
)


def race_words(
    earlier: Site,
    later: Site,
    threads: tuple[int, int],
    element: str,
    interval: str = "between the same two barriers",
    *,
    is_update: bool = False,
) -> str:
    """One sentence about two threads that meet at an element; the first is at the earlier of the two sites.

    `is_update`: each of the two reads the element and writes it back in one line, as in `x += v`.
    """
    first, second = threads
    if earlier is later:
        mend = f", and {UNATOMIC_UPDATE}" if is_update else ""
        return (
            f"threads {first} and {second} both write {element} ({line_words(later)}) {interval}; "
            f"the order of the two is undefined{mend}"
        )
    missing = UNATOMIC_UPDATE if is_update else _missing(earlier, later)
    within = _within_warp(threads)
    match earlier.kind, later.kind:
        case AccessKind.STORE, AccessKind.LOAD:
            return (
                f"thread {second} reads {element} ({line_words(later)}) while thread {first} {earlier.verb} it "
                f"({line_words(earlier)}) {interval}; {within}{missing}"
            )
        case AccessKind.LOAD, _:
            return (
                f"thread {second} {later.verb} {element} ({line_words(later)}) while thread {first} still reads it "
                f"({line_words(earlier)}) {interval}; {within}{missing}"
            )
    too = " too" if earlier.verb == later.verb else ""
    return (
        f"thread {first} {earlier.verb} {element} ({line_words(earlier)}) and thread {second} {later.verb} it{too} "
        f"({line_words(later)}) {interval}; {within}the order of the two is undefined, and {missing}"
    )


def _within_warp(threads: tuple[int, int]) -> str:
    """That two threads of one warp have no order either, as a clause; "" for threads of two warps."""
    one, other = (thread // LANES for thread in threads)
    return f"both are in warp {one}; " if one == other else ""


def equal_words(race: str) -> str:
    """The sentence about a race of two writes where both write the same value."""
    return (
        f"{race.partition('; ')[0]}: the same value in {THIS_RECORDING}, so the result does not depend on their order"
    )


def equal_in_all(hazards: Iterable[Hazard]) -> dict[int, str]:
    """What is told of writes of equal values in several recordings, none of which has other ones: by line, the sentence
    about the first.
    """
    found: dict[int, str] = {}
    for one in hazards:
        if one.kind.is_of_equal_values:
            found.setdefault(one.line, one.detail.replace(THIS_RECORDING, "every recording"))
    return found


def _missing(earlier: Site, later: Site) -> str:
    """What would put the two in order. Beside an atomic operation a plain access may be what is wrong."""
    plain = [site for site in (earlier, later) if site.path is not AccessPath.ATOMIC and not site.is_strong]
    if len(plain) != 1 or AccessPath.ATOMIC not in (earlier.path, later.path):
        return MISSING_BARRIER
    access = "read" if plain[0].kind is AccessKind.LOAD else "write"
    return f"{MISSING_BARRIER}, or the plain {access} beside the atomic one must be volatile or atomic as well"
