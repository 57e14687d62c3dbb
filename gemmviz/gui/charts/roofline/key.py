"""The names behind the numbers of a roofline, in lines below the plane or as a list beside it. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gemmviz.gui.charts.roofline.plane_text import BETWEEN, LISTED, names_listed

Fits = Callable[[str], bool]
"""Whether words are no wider than a line."""


_MOST_OF_A_PART = 100
"""Lines of one part of a list, about."""


def lines_of(parts: Sequence[str], fits: Fits, most: int) -> tuple[str, ...]:
    """The parts in at most so many lines, and how many names have no room."""
    for count in range(len(parts), 0, -1):
        if len(lines := _wrapped(_cut(parts, count), fits, most)) <= most:
            return lines
    return tuple(parts[:1])


def line_count(parts: Sequence[str], fits: Fits, most: int) -> int:
    """How many lines the parts take one after the other; where they are more than `most`, some number above it."""
    return len(_wrapped(parts, fits, most))


def _wrapped(parts: Sequence[str], fits: Fits, most: int) -> tuple[str, ...]:
    """The name of the axis, and one name behind it; two names or more begin on a line of their own."""
    axis, *keys = parts
    has_own_line = sum(len(names_listed(part)) for part in keys) > 1
    lines = [axis]
    for place, part in enumerate(keys):
        longer = lines[-1] + BETWEEN + part
        if fits(longer) and not (has_own_line and place == 0):
            lines[-1] = longer
        else:
            lines += _broken(part, fits, most)
    return tuple(lines)


def listed_lines(parts: Sequence[str], fits: Fits) -> tuple[tuple[str, ...], ...]:
    """The lines of a list, those of each part together."""
    return tuple(tuple(_broken(part, fits, _MOST_OF_A_PART)) for part in parts)


def run_on_lines(parts: Sequence[str], fits: Fits) -> tuple[str, ...]:
    """The same, each part on the line on which the one before it ends: fewer lines for as many names."""
    lines = [""]
    for part in parts:
        number, *names = _broken(part, lambda _: False, _MOST_OF_A_PART)
        if lines[-1] and fits(f"{lines[-1]}; {number}"):
            lines[-1] += f"; {number}"
        else:
            lines.append(number)
        for name in names:
            if fits(f"{lines[-1]} {name}"):
                lines[-1] += f" {name}"
            else:
                lines.append(name)
    return tuple(lines[1:])


def lines_in_sight(parts: Sequence[Sequence[str]], first: int, most: int) -> tuple[str, ...]:
    """The lines of a list from one of its parts on, as many as there is room for: whole parts, but at least one line.

    Where not all parts are in sight, the last line says how many are below, or how to see the first ones.
    """
    lines = tuple(line for part in parts[first:] for line in part)
    if not first and len(lines) <= most:
        return lines
    shown: list[str] = []
    count = first
    while count < len(parts) and (not shown or len(shown) + len(parts[count]) < most):
        shown += parts[count]
        count += 1
    below = len(parts) - count
    return (*shown[: most - 1], f"scroll here for {below} more" if below else "scroll here for the first ones")


def last_to_begin_with(parts: Sequence[Sequence[str]], most: int) -> int:
    """The part from which on all others have room in so many lines: a list is scrolled no further."""
    last = len(parts) - 1
    while last and sum(map(len, parts[last - 1 :])) < most:
        last -= 1
    return last


def _broken(part: str, fits: Fits, most: int) -> list[str]:
    """A part in lines that begin with a name; only the first of very many."""
    first, *names = part.split(LISTED)
    lines = [first]
    for name in names:
        if fits(lines[-1] + LISTED + name):
            lines[-1] += LISTED + name
        elif len(lines) > most:
            break
        else:
            lines[-1] += LISTED.rstrip()
            lines.append(name)
    return lines


def _cut(parts: Sequence[str], count: int) -> list[str]:
    """So many parts, and how many of the names there are besides."""
    left = sum(len(names_listed(part)) for part in parts[count:])
    return [*parts[:count], *((f"{left} more",) if left else ())]
