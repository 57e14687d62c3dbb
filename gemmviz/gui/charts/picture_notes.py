"""Which notes stand below a chart on the whole screen, where not all of them have room. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_SIZES = 4
"""So many larger sizes of type are tried before the smallest."""


def note_sizes(least: float, shrunk: float) -> tuple[float, ...]:
    """The points that notes may have, the largest first: what `least` points look like where a picture is not shrunk
    to a part of 1 / `shrunk`, then fewer, down to `least`.
    """
    largest = least * max(1.0, shrunk)
    return tuple(largest - (largest - least) * step / _SIZES for step in range(_SIZES + 1))


def picture_notes(
    notes: Sequence[str],
    needed: Sequence[str],
    height_of: Callable[[Sequence[str]], float],
    room: float,
    most: float,
    key: str = "",
) -> tuple[str, ...]:
    """As many notes as `room` pixels hold: all, or those that are `needed` and as many of the others as fit, in order.

    What is needed is said even where it takes more than the room, but nothing takes more than `most` pixels: the
    gravest notes come first. What stands in `needed` in fewer words than in `notes` is not said twice. Each note has a
    line of its own, or all are one paragraph where that holds more of them. `height_of` tells how high such lines are.
    Where notes are left out, how many comes last, with the `key` that lists them where there is one.
    """
    if not notes:
        return ()
    others = [note for note in notes if note not in needed and not _is_contained(note, needed)]
    ordered = (*needed, *others)
    counted = (_more(len(others), needed, key),) if others else ()
    room = min(max(room, height_of([_joined((*needed, *counted))])), most)
    if height_of(notes) <= room:
        return tuple(notes)
    for count in range(len(ordered), 0, -1):
        said, left = list(ordered[:count]), len(ordered) - count
        if left:
            said[-1:] = [_joined([*said[-1:], _more(left, said, key)])]
        for lines in (said, [_joined(said)]):
            if height_of(lines) <= room:
                return tuple(lines)
    return (_more(len(ordered), (), key),)


def _is_contained(note: str, needed: Sequence[str]) -> bool:
    """Whether a note stands there in fewer words: with the same words before the first colon, or these alone."""
    head, colon, _ = note.partition(":")
    return bool(colon) and any(each.partition(":")[0] == head for each in needed)


def _joined(notes: Sequence[str]) -> str:
    """One paragraph; of a note that ends in a full stop, that is the one."""
    begun = (*notes[:1], *(note[:1].upper() + note[1:] for note in notes[1:]))
    return ". ".join((*(note.removesuffix(".") for note in begun[:-1]), *begun[-1:]))


def _more(left: int, said: Sequence[str], key: str) -> str:
    words = f"{left} {'more ' if said else ''}note{'' if left == 1 else 's'}"
    return f"{key}: {words}" if key else f"{words} in gemmviz"
