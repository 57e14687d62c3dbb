"""The session that lessons work in: apart from that of a person, which is left only once its work is safe."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gemmviz.catalogue.lessons import Lesson
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.files.edits import Item
from gemmviz.gui.files.file_notices import tell_session_left
from gemmviz.gui.files.session_control import SessionControl
from gemmviz.gui.lessons.attempt_words import apart_words
from gemmviz.gui.notices.bar import NoticeBar


class LessonSession:
    """Does a lesson's work in a session that lessons began."""

    def __init__(self, files: SessionControl, notices: NoticeBar) -> None:
        self._files, self._notices = files, notices
        self._given_up: tuple[Item, ...] | None = None
        """The runs and recordings that a person has given up for a lesson."""

    @property
    def _document(self) -> SessionDocument:
        return self._files.document

    def once_allowed(self, lesson: Lesson, work: Callable[[], None]) -> None:
        """Ask what becomes of unsaved work before anything else of a lesson's last step, while the lesson is still in
        sight; `once_apart` does not ask again.
        """
        if self._document.is_for_lessons:
            work()
        else:
            self._files.once_safe(partial(self._allow, work), apart_words(lesson))

    def once_apart(self, lesson: Lesson, work: Callable[[], None]) -> None:
        """Do a lesson's work in a session that lessons began; leave that of a person for it, and offer the way back."""
        if self._document.is_for_lessons:
            self._document.begin_lessons()
            work()
        elif self._is_given_up:
            self._leave(work)
        else:
            self._files.once_safe(partial(self._leave, work), apart_words(lesson))

    def _allow(self, work: Callable[[], None]) -> None:
        self._given_up = self._items
        work()

    @property
    def _items(self) -> tuple[Item, ...]:
        session = self._document.session
        return (*session.runs, *session.traces)

    @property
    def _is_given_up(self) -> bool:
        """Whether the session holds the work that was given up, and no other."""
        given_up, items = self._given_up, self._items
        if given_up is None or len(given_up) != len(items):
            return False
        return all(one is other for one, other in zip(given_up, items, strict=True))

    def _leave(self, work: Callable[[], None]) -> None:
        document, files, self._given_up = self._document, self._files, None
        name, path = document.name if document.has_name else "", document.path
        document.begin_lessons()
        if name:
            tell_session_left(self._notices, name, partial(files.open_path, path) if path is not None else None)
        work()
