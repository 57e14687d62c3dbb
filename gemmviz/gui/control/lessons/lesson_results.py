"""Which results belong to which lesson: the charts compare those of the lesson that runs, and no other's."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.catalogue.lessons import Lesson
from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.timing_chart import TIMING_CHART, TIMING_PAGE
from gemmviz.gui.charts.traffic_chart import TRAFFIC_CHART, TRAFFIC_PAGE
from gemmviz.gui.files.edits import Item
from gemmviz.gui.layout.dock_strips import DockStrips
from gemmviz.gui.pages.pages import Pages


class LessonResults:
    """Lessons share a session. While one of them is followed, the pages leave out what others ran and recorded, and the
    chart of what it found is as much alone as the lesson's own pictures: the panels are folded.
    """

    def __init__(self, pages: Pages, strips: DockStrips) -> None:
        self._pages, self._strips = pages, strips
        self._charts = {TIMING_PAGE.title: pages.chart(TIMING_CHART), TRAFFIC_PAGE.title: pages.chart(TRAFFIC_CHART)}
        self._lesson = ""
        self._made: dict[str, tuple[Item, ...]] = {}
        """What each lesson ran and recorded, by its id."""
        self.concluded: Lesson | None = None
        """The lesson whose verdict stands above a chart, or on a slide."""
        self.slide: tuple[str, str] | None = None
        """Title and words of a verdict above no chart: of what is seen on the page of memory."""

    def begin(self, lesson_id: str, session: Session) -> None:
        """Compare only what this lesson has run in a session, and will run, once that is shown the next time."""
        self.end(session)
        mine = {id(item) for item in self._made.get(lesson_id, ())}
        items: tuple[Item, ...] = (*session.runs, *session.traces)
        self._lesson = lesson_id
        self._pages.leave_out(tuple(item for item in items if id(item) not in mine))

    def stand_alone(self, lesson: Lesson) -> None:
        """Fold the panels beside what a lesson measures or records, until it is followed no more; not beside a kernel
        that is to be mended.
        """
        if lesson.attempt.page == TIMING_PAGE.title:
            self._strips.fold_for_now()

    def stand_alone_late(self, lesson: Lesson) -> None:
        """As `stand_alone`, where no panel showed yet when that was asked, as on the first page: one that is folded, or
        that a person opened since, stays as it is.
        """
        if not self._strips.has_folded_for_now:
            self.stand_alone(lesson)

    def keep_alone(self, turn: Callable[[], object]) -> None:
        """Turn to another page: panels that are folded stay folded there, also one that only that page would show."""
        is_alone = self._strips.are_folded_for_now
        turn()
        if is_alone:
            self._strips.fold_for_now()

    def show_verdict(self, lesson: Lesson, found: str, page: str = TIMING_PAGE.title, because: str = "") -> None:
        """Write above the chart of a page what a lesson has found, and above no other; where the page has no chart,
        have a slide that says it, and why it is so.
        """
        self.concluded, head = lesson, f"Lesson {lesson.number}: {lesson.title}"
        self.slide = (head, " ".join(filter(None, (f"{found}.", because)))) if page not in self._charts else None
        for title, chart in self._charts.items():
            chart.show_verdict(f"Lesson {lesson.number}: {found}." if title == page else "")

    def hide_verdicts(self) -> None:
        """Take away what stands above the charts: they show something else now."""
        self.concluded = self.slide = None
        for chart in self._charts.values():
            chart.show_verdict("")

    def end(self, session: Session) -> bool:
        """Compare all results again; whether they were not all compared."""
        if not self._lesson:
            return False
        self.hide_verdicts()
        self._strips.end_for_now()
        compared = self._pages.compared(session)
        self._made[self._lesson] = (*compared.runs, *compared.traces)
        self._lesson = ""
        is_narrowed = compared is not session
        self._pages.leave_out(())
        return is_narrowed
