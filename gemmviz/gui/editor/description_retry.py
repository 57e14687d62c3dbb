"""Has a file described again once a save has mended the race that kept it from a description."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from gemmviz.adopt.reasons import RACES


class DescriptionRetry(QObject):
    """Remembers files that were not described since their kernel races, with their text then."""

    def __init__(
        self,
        saved: Callable[[], tuple[Path | None, tuple[str, ...]]],
        describe: Callable[[Path], None],
        parent: QObject | None = None,
    ) -> None:
        """`saved` says which file is edited, None for none, and the lines that it holds."""
        super().__init__(parent)
        self._saved, self._describe = saved, describe
        self._racing: dict[Path, tuple[str, ...]] = {}

    @Slot(str, str, bool)
    def follow_failure(self, path: str, why: str, is_adoptable: bool) -> None:
        """A file is no kernel: it was not described, or (`is_adoptable`) it was read and lacks a description."""
        edited, lines = self._saved()
        file = Path(path)
        if edited is None or file != edited.absolute():
            return
        if not is_adoptable:
            if RACES in why:
                self._racing[file] = lines
            else:
                self._racing.pop(file, None)
        elif self._racing.get(file, lines) != lines:
            del self._racing[file]
            self._describe(file)
