"""Which results belong to which lesson: the charts compare those of the lesson that runs, and no other's."""

from __future__ import annotations

from gemmviz.domain.runs.result import Session
from gemmviz.gui.files.edits import Item
from gemmviz.gui.pages.pages import Pages


class LessonResults:
    """Lessons share a session. While one of them is followed, the pages leave out what others ran and recorded."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._lesson = ""
        self._made: dict[str, tuple[Item, ...]] = {}
        """What each lesson ran and recorded, by its id."""

    def begin(self, lesson_id: str, session: Session) -> None:
        """Compare only what this lesson has run in a session, and will run, once that is shown the next time."""
        self.end(session)
        mine = {id(item) for item in self._made.get(lesson_id, ())}
        items: tuple[Item, ...] = (*session.runs, *session.traces)
        self._lesson = lesson_id
        self._pages.leave_out(tuple(item for item in items if id(item) not in mine))

    def end(self, session: Session) -> bool:
        """Compare all results again; whether they were not all compared."""
        if not self._lesson:
            return False
        compared = self._pages.compared(session)
        self._made[self._lesson] = (*compared.runs, *compared.traces)
        self._lesson = ""
        is_narrowed = compared is not session
        self._pages.leave_out(())
        return is_narrowed
