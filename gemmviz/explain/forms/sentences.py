"""What the compiler made of a kernel's accesses, in plain sentences: line by line and in all."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain import figures
from gemmviz.domain.recordings.access import AccessKind, AccessPath, Space
from gemmviz.explain.forms.comparison import AccessGroup, AccessSum, Change, FormChange, FormComparison

PER_WARP = "Requests per warp are averages over the recorded warps."
KEPT = "The compiler kept every access on its line."

_ONE = AccessSum()


def line_sentences(comparison: FormComparison) -> tuple[str, ...]:
    """A sentence for everything that is not as it was written, in the order of the lines."""
    return tuple(change_sentence(change, comparison.warps) for change in comparison.changes)


def change_sentence(change: FormChange, warps: int) -> str:
    """What became of some accesses of a line: "Line 18: the compiler merged loads of rows into wider ones: …".

    `warps` were recorded. Counts are per warp where they all can be, else sums over the recorded blocks.
    """
    where = f"Line {change.line}" if change.line else "Code without a line"
    return f"{where}: {_what(change, warps)}."


def total_sentence(comparison: FormComparison) -> str:
    """What became of the requests as written: "Per warp, the compiler turned 51 load requests into 34 …"."""
    if not comparison.changes:
        return KEPT
    before, after = comparison.totals.written, comparison.totals.compiled
    pairs = [
        (noun, written, compiled)
        for noun, written, compiled in (
            ("load requests to global memory", before.global_loads, after.global_loads),
            ("store requests to global memory", before.global_stores, after.global_stores),
            ("load requests to shared memory", before.shared_loads, after.shared_loads),
            ("store requests to shared memory", before.shared_stores, after.shared_stores),
            ("requests of asynchronous copies", before.copies, after.copies),
        )
        if written != compiled
    ]
    if not pairs:
        return "The compiler made as many requests as written, but not all on the same lines and for the same bytes."
    warps = _divisor(comparison.warps, [count for _, *counts in pairs for count in counts])
    scope = "Per warp, the" if warps > 1 or comparison.warps == 1 else "In all recorded warps together, the"
    parts = [_part(noun, written // warps, compiled // warps) for noun, written, compiled in pairs]
    listed = ", ".join(parts[:-1]) + " and " * (len(parts) > 1) + parts[-1]
    return f"{scope} compiler turned {listed}.{_bytes_words(comparison)}"


def _part(noun: str, written: int, compiled: int) -> str:
    before, after = (figures.count(one) if one else "no" for one in (written, compiled))
    return f"{before} {noun} into {after if compiled else 'none'}"


def _bytes_words(comparison: FormComparison) -> str:
    """Whether the requests that are left are for the same bytes: " They are for …"."""
    changed = [one for one in comparison.totals.changes if one.written != one.compiled]
    if changed and all(one.written.nbytes == one.compiled.nbytes for one in changed):
        return " They are for the same bytes."
    return ""


def _what(change: FormChange, warps: int) -> str:
    group, before, after = change.group, change.written, change.compiled
    name, counts = _name(group), _counts(before, after, warps)
    match change.change:
        case Change.KEPT:
            return f"the compiler kept the {name}"
        case Change.MERGED:
            return f"the compiler merged {name} into wider ones: {counts}, for the same bytes"
        case Change.SPLIT:
            return f"the compiler split {name} into narrower ones: {counts}, for the same bytes"
        case Change.REGROUPED:
            together = "more" if after.requests < before.requests else "fewer"
            return f"the same {name} with {together} lanes in each request: {counts}"
        case Change.MOVED if after.nbytes < before.nbytes:
            return f"the compiler moved {name} to {_lines(change.others)}: {counts} here"
        case Change.MOVED:
            return f"the compiler moved {name} here from {_lines(change.others)}: {counts}"
        case Change.DROPPED if change.others:
            return f"fewer {name}: {counts}; the compiler makes more of them on {_lines(change.others)}"
        case Change.DROPPED:
            is_wider = after.accesses and after.nbytes * before.accesses > before.nbytes * after.accesses
            merged = " and merged others into wider ones" if is_wider else ""
            return f"the compiler dropped {name}{merged}: {counts}"
        case Change.ADDED if change.others:
            return f"more {name}: {counts}; the compiler makes fewer of them on {_lines(change.others)}"
        case Change.ADDED:
            return f"the compiler added {name}: {counts}"


def _counts(before: AccessSum, after: AccessSum, warps: int) -> str:
    """Requests in both forms; of as many requests the accesses of their lanes."""
    if before.requests == after.requests and before.accesses != after.accesses:
        written, compiled, noun = before.accesses, after.accesses, "lane access"
        return f"{figures.counted(written, noun, 'lane accesses')} as written, {figures.count(compiled)} as compiled"
    divisor = _divisor(warps, (before.requests, after.requests))
    per = " per warp" if divisor == warps else ""
    written, compiled = before.requests // divisor, after.requests // divisor
    first, second = (figures.count(one) if one else "none" for one in (written, compiled))
    if not written:
        return f"none as written, {figures.counted(compiled, 'request')}{per} as compiled"
    return f"{first} {'request' if written == 1 else 'requests'}{per} as written, {second} as compiled"


def _divisor(warps: int, counts: Sequence[int]) -> int:
    """`warps` if it divides all counts, else 1."""
    return warps if all(count % warps == 0 for count in counts) else 1


def _lines(numbers: Sequence[int]) -> str:
    """ "lines 18 and 20"."""
    known = [str(number) for number in numbers if number]
    named = ", ".join(known[:-1]) + " and " * (len(known) > 1) + known[-1] if known else ""
    words = f"line{'s' * (len(known) > 1)} {named}" if known else ""
    return " and ".join(filter(None, (words, "code without a line" if 0 in numbers else "")))


def _name(group: AccessGroup) -> str:
    """A group as a plural: "loads of As", "stores to shared memory"."""
    of = group.array or f"{'global' if group.space is Space.GLOBAL else 'shared'} memory"
    is_load = group.kind is AccessKind.LOAD
    link = ("of" if group.array else "from") if is_load else "to"
    match group.path:
        case AccessPath.ASYNC_COPY:
            return f"asynchronous copies {link} {of}"
        case AccessPath.ATOMIC:
            return f"atomic {'reads' if is_load else 'updates'} of {of}"
        case AccessPath.WARP_TILE:
            return f"tile {'loads' if is_load else 'stores'} {link} {of}"
    return f"{'loads' if is_load else 'stores'} {link} {of}"
