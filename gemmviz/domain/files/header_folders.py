"""Where a project keeps the headers that its kernel files include."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_NAMES = ("include", "inc", "common")
_LEVELS = 3
"""The kernel's folder, and the two above it."""


def header_folders(folder: Path) -> tuple[Path, ...]:
    """The folders called include, inc or common that lie in a kernel's folder or in one of the two above it, the
    nearest first, all of them without links. One that is a link is left out, since it may lead anywhere.
    """
    real = Path(os.path.realpath(folder))
    found = (one / name for one in (real, *real.parents)[:_LEVELS] for name in _NAMES)
    return tuple(one for one in found if _is_own(one))


def _is_own(folder: Path) -> bool:
    """Whether it is a folder and no link; False where nobody may look."""
    with suppress(OSError):
        return folder.is_dir() and not folder.is_symlink()
    return False
