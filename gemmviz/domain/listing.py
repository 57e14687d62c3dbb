"""Names one after the other, as a sentence has them."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str], most: int = 0) -> str:
    """ "a", "a and b", "a, b and c"; of more than `most`, 0 for any number, "a, b and 13 more".

    Raises:
        IndexError: there are no names.
    """
    if 0 < most < len(names):
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def either(names: Sequence[str], most: int = 0) -> str:
    """ "a", "a or b", "a, b or c"; of more than `most`, 0 for any number, "a, b or 13 more".

    Raises:
        IndexError: there are no names.
    """
    if 0 < most < len(names):
        return f"{', '.join(names[: most - 1])} or {len(names) - most + 1} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
