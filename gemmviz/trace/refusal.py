"""What cannot be recorded."""

MAX_BYTES = 2**31
"""A block with more events than this is refused."""


class RecordingRefusal(ValueError):
    """A recording that cannot be made; the message has the number and the remedy."""
