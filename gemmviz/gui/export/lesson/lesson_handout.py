"""All steps of a lesson as one handout: each says and shows what it does, sources and terms stand at the end once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.charts.plot_table import Charted, Plot
from gemmviz.gui.export.film.choice import SLIDE_SIZE
from gemmviz.gui.export.handout.contents import (
    HandoutChoice,
    HandoutPart,
    Paper,
    PartKind,
    PrintedSource,
    PrintedStep,
    first_choice,
)
from gemmviz.gui.export.handout.flow import PagePiece, paged
from gemmviz.gui.export.handout.maker import (
    PAPER_THEME,
    HandoutMaker,
    HandoutPages,
    page_size_of,
    room_on,
    terms_section,
)
from gemmviz.gui.export.handout.printed_step import printed_step
from gemmviz.gui.export.handout.text_pieces import section_head, title_pieces
from gemmviz.gui.export.lesson.contents import lesson_contents
from gemmviz.gui.export.lesson.page_picture import PagePicture
from gemmviz.gui.export.plan import Planned
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.lessons.step_text import StepText

_OF_STEPS = PartKind.STEP, PartKind.PICTURE, PartKind.SOURCE


def _is_shown(part: HandoutPart, plots: Collection[Plot]) -> bool:
    """Whether a part is of what a step says and shows: of charts those that it plots."""
    return part.kind in _OF_STEPS or (isinstance(part.content, Planned) and part.content.plot in plots)


class LessonHandout:
    """`steps` prepares it, `pages` makes its pages. For the thread of the window, which must `close` it once the pages
    are painted.
    """

    def __init__(self, data: LessonData) -> None:
        self._data = data
        self._makers: list[tuple[HandoutMaker, HandoutChoice]] = []

    def steps(self) -> Iterator[int]:
        """Prepare one step of the lesson after the other; how many are ready."""
        lesson, catalogue = self._data.lesson, load_catalogue()
        picture = PagePicture(ShownStep(self._data, 0), SLIDE_SIZE, PAPER_THEME)
        try:
            for step in range(lesson.step_count):
                yield step
                picture.show_step(ShownStep(self._data, step))
                contents = lesson_contents(picture.page, self._data.empty)
                printed = printed_step(picture.page) or self._exercise
                assert contents is not None
                charted = Charted(contents.session.runs, contents.session.traces)
                maker = HandoutMaker(contents.session, charted, catalogue, contents.watched, printed)
                chosen = first_choice(maker.parts, contents.plots, contents.watched)
                shown = (part for part in maker.parts if _is_shown(part, contents.plots))
                choice = HandoutChoice("", chosen & {part.name for part in shown})
                maker.prepare(choice)
                self._makers.append((maker, choice))
            yield lesson.step_count
        finally:
            picture.close()

    @property
    def _exercise(self) -> PrintedStep:
        """The last step."""
        lesson = self._data.lesson
        title = f"Step {lesson.step_count} of {lesson.step_count}"
        return PrintedStep(title, StepText(lesson.attempt.text, lesson.attempt.more))

    def pages(self, title: str, paper: Paper) -> HandoutPages:
        """The pages of all steps that were prepared."""
        page_size = page_size_of(paper)
        width, height = room_on(page_size)
        facts = f"Lesson {self._data.lesson.number}"
        pieces: list[PagePiece] = list(title_pieces(title, facts, width, PAPER_THEME))
        texts, sources = list[str](), list[PagePiece]()
        known = set[PrintedSource]()
        for maker, choice in self._makers:
            for part, found, said in maker.made(choice, width, height):
                texts.append(said)
                if part.kind is PartKind.STEP:  # its words stand above its picture
                    pieces += (replace(each, keeps=True) for each in found)
                elif part.kind is not PartKind.SOURCE:
                    pieces += found
                elif isinstance(part.content, PrintedSource) and part.content not in known:
                    known.add(part.content)
                    sources += found
            pieces[-1] = replace(pieces[-1], keeps=False)
        if sources:
            pieces += (*section_head(PartKind.SOURCE.value, width, PAPER_THEME), *sources)
        pieces += terms_section(texts, width)
        return HandoutPages(title, page_size, paged(pieces, height))

    def close(self) -> None:
        """Let go of what was prepared."""
        for maker, _ in self._makers:
            maker.close()
