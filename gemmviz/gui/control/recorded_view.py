"""Which view of the page of memory a recording comes up on: the animation, if a person pressed Record for it."""

from __future__ import annotations

from gemmviz.gui.memory.page import MemoryPage


class RecordedView:
    """Brings the animation to the front for what Record was pressed for, and for nothing else."""

    def __init__(self, page: MemoryPage) -> None:
        self._page = page
        self._view_before: str | None = None

    def expect(self) -> None:
        """A person pressed Record."""
        self._view_before = self._page.view_in_front

    def forget(self) -> None:
        """What is recorded now was asked for in a picture or in a list above it: the view stays."""
        self._view_before = None

    def bring(self) -> None:
        """A recording was made. A view chosen meanwhile stays, and so does the one in which two are compared."""
        before, self._view_before = self._view_before, None
        if before == self._page.view_in_front and not self._page.is_compared:
            self._page.show_animation()
