"""The time now, and how sessions, recordings and documents write it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path


def utc_now() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def timestamp(moment: datetime | None = None) -> str:
    """A time in ISO 8601, to the second; the time now in UTC where none is given."""
    return (moment or utc_now()).isoformat(timespec="seconds")


def written_at(path: Path) -> str:
    """When a file was last written, in UTC; the time now where that is not known."""
    try:
        return timestamp(datetime.fromtimestamp(path.stat().st_mtime, UTC))
    except (OSError, OverflowError, ValueError):
        return timestamp()
