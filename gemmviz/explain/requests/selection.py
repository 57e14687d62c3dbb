"""What a person has chosen in a block, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.elements import element_name

Element = tuple[str, int, int]
"""The name of an array, row, column."""


@dataclass(frozen=True, slots=True)
class Selection:
    """An element, a thread or a warp; a thread may come with the element of C that it makes."""

    element: Element | None = None
    thread: int | None = None
    warp: int | None = None

    @property
    def is_empty(self) -> bool:
        return self.element is None and self.thread is None and self.warp is None

    @property
    def words(self) -> str:
        """ "thread 5", "A[1,0]", "warp 2"; "" for nothing."""
        if self.thread is not None:
            return f"thread {self.thread}"
        if self.warp is not None:
            return f"warp {self.warp}"
        return element_name(*self.element) if self.element is not None else ""


NOTHING = Selection()
