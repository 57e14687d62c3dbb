"""Has a file described again once a save has mended the race that kept it from a description, or from a proven one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.gui.editor.examiner import SaveFindings
from gemmviz.gui.kernels.described import ANEW, anew_words, describe_tip
from gemmviz.gui.notices.notice import NoticeAction


class DescriptionRetry(QObject):
    """Remembers files that were not described since their kernel races, with their text then."""

    offered = Signal(str, object, str)
    """Words, the actions for them, and the id of the kernel."""

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
        self._offered: tuple[Path, str] | None = None

    @Slot(object)
    def follow_examined(self, findings: SaveFindings) -> None:
        """A text was examined: offer once to describe a kernel anew that was described as it is, and races no more."""
        kernel, trace = findings.work.job.kernel, findings.trace
        edited, _ = self._saved()
        if trace is None or trace.hazards or not kernel.is_unverified or edited != kernel.path:
            return
        if self._offered != (kernel.path, kernel.file_text):
            self._offered = kernel.path, kernel.file_text
            tip = describe_tip(kernel.path)
            action = NoticeAction(ANEW, lambda: self._describe(kernel.path), tip)
            self.offered.emit(anew_words(kernel.id), [action], kernel.id)

    @Slot(str)
    def follow_race(self, path: str) -> None:
        """A file was not described since a kernel of it races."""
        edited, lines = self._saved()
        if edited is not None and Path(path) == edited.absolute():
            self._racing[Path(path)] = lines

    @Slot(str, str, bool)
    def follow_failure(self, path: str, _why: str, is_adoptable: bool) -> None:
        """A file is no kernel: it was not described, or (`is_adoptable`) it was read and lacks a description."""
        edited, lines = self._saved()
        file = Path(path)
        if edited is None or file != edited.absolute():
            return
        if not is_adoptable:
            self._racing.pop(file, None)
        elif self._racing.get(file, lines) != lines:
            del self._racing[file]
            self._describe(file)
