"""What cannot be recorded."""

import re

MAX_BYTES = 2**31
"""A block with more events than this is refused."""


class RecordingRefusal(ValueError):
    """A recording that cannot be made; the message has the number and the remedy."""


def too_long_words(whereabouts: str) -> str:
    """Why a recording was given up whose block accesses too much; begins with the line at which a thread is."""
    line = re.search(r"line \d+", whereabouts)
    return (
        f"{line[0] + ': ' if line else ''}the kernel may loop without end: the accesses of one block take more than "
        f"{MAX_BYTES / 2**30:.0f} GiB, {whereabouts}. If it does end, choose a smaller K or a smaller block"
    )
