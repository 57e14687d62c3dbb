"""Where a project keeps the headers that its kernel files include."""

from __future__ import annotations

from pathlib import Path

_NAMES = ("include", "inc", "common")
_LEVELS = 3
"""The kernel's folder, and the two above it."""


def header_folders(folder: Path) -> tuple[Path, ...]:
    """The folders called include, inc or common that lie in a kernel's folder or in one of the two above it, the
    nearest first. A link is none, since it may lead anywhere.
    """
    above = (folder, *folder.parents)[:_LEVELS]
    found = (one / name for one in above for name in _NAMES)
    return tuple(one for one in found if one.is_dir() and not one.is_symlink())
