"""Where in the window a person is, so that what ends in the background leaves alone what that person went on to."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.recording.grids import Playable


@dataclass(frozen=True, slots=True)
class WindowPlace:
    """The page in front, of a lesson its step, and what the pictures play; the same place is equal."""

    page: int
    tab: int
    lesson: str
    step: int
    played: tuple[tuple[int, int] | None, ...]
    """The identity of each recording, and the number of its block."""
    focus: bool


def place_in_window(parts: Parts, layout: WindowLayout, pictures: tuple[Playable | None, ...]) -> WindowPlace:
    """Where a person is now; `pictures` are what the two pictures play."""
    page = parts.lesson_page
    is_lesson = layout.centre.currentWidget() is page
    played = tuple((id(each.run), each.number) if each is not None else None for each in pictures)
    return WindowPlace(
        layout.centre.currentIndex(),
        layout.tabs.currentIndex(),
        page.lesson.id if is_lesson and page.lesson is not None else "",
        page.step if is_lesson else 0,
        played,
        parts.memory_page.panes[1].is_active,
    )
