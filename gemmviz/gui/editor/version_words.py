"""How a version of a kernel is called. No Qt."""

from __future__ import annotations

from datetime import datetime

from gemmviz.domain.kernel_version import KernelVersion


def time_words(version: KernelVersion) -> str:
    """When it was saved, in local time: "03:12:05", with the day where that is another one; "" if unknown."""
    if not version.saved:
        return ""
    saved = datetime.fromisoformat(version.saved).astimezone()
    is_today = saved.date() == datetime.now(saved.tzinfo).date()
    return saved.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M")


def version_words(version: KernelVersion) -> str:
    """ "version 3, saved 03:12:05"."""
    saved = time_words(version)
    return f"version {version.number}, saved {saved}" if saved else f"version {version.number}"
