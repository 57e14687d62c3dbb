"""How a version of a kernel is called. No Qt."""

from __future__ import annotations

from datetime import datetime

from gemmviz.domain.kernels.kernel_version import KernelVersion


def time_words(timestamp: str) -> str:
    """A time in ISO 8601 as local time: "03:12:05", or the day and "03:12" where that is another day; "" if unknown."""
    if not timestamp:
        return ""
    local = datetime.fromisoformat(timestamp).astimezone()
    is_today = local.date() == datetime.now(local.tzinfo).date()
    return local.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M")


def version_words(version: KernelVersion) -> str:
    """ "version 3, saved 03:12:05"."""
    saved = time_words(version.saved)
    return f"version {version.number}, saved {saved}" if saved else f"version {version.number}"
