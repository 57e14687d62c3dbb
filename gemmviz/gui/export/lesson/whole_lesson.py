"""All steps of a lesson: a picture of each, and one handout."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path

from PySide6.QtCore import QSize

from gemmviz.catalogue.lessons import Lesson
from gemmviz.domain.figures import counted
from gemmviz.gui.export.choice import PDF, PNG, ExportChoice, ExportItem, ItemKind, Size
from gemmviz.gui.export.files import export_errors, write_file
from gemmviz.gui.export.film.choice import SLIDE_SIZE
from gemmviz.gui.export.handout.contents import Paper
from gemmviz.gui.export.items import of_lesson
from gemmviz.gui.export.lesson.file_names import handout_name, step_stem, still_names
from gemmviz.gui.export.lesson.lesson_handout import LessonHandout
from gemmviz.gui.export.lesson.page_picture import PagePicture
from gemmviz.gui.export.pictures.widget_pdf import pdf_bytes
from gemmviz.gui.export.steps import ExportStep
from gemmviz.gui.export.tables import make_folder
from gemmviz.gui.lessons.lesson_data import LessonData
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.widget_image import png_bytes


def lesson_items(lesson: Lesson) -> tuple[ExportItem, ExportItem]:
    """The whole lesson in the export dialog: its handout, and the pictures of its steps."""
    steps = counted(lesson.step_count, "step")
    handout, stills, kind = handout_name(lesson), still_names(lesson, (PNG, PDF)), ItemKind.LESSON
    return (
        ExportItem(handout, f"The whole lesson: a handout of {steps} (PDF)", (PDF,), (handout,), kind, "handout"),
        ExportItem("stills", f"The whole lesson: a picture of each of {steps}", (PNG, PDF), stills, kind),
    )


def still_steps(
    data: LessonData, folder: Path, forms: Sequence[str], size: Size, theme: Theme, *, may_replace: bool
) -> Generator[ExportStep, None, None]:
    """Write a picture of each step of a lesson, as the whole screen shows it before a question is answered, in PNG or
    PDF; a step of the work for each file.

    Raises:
        ExportError: the folder or a file cannot be written.
    """
    lesson, done = data.lesson, 0
    total = lesson.step_count * len(forms)
    make_folder(folder)
    yield ExportStep(0, total)
    with closing(PagePicture(ShownStep(data, 0), size, theme)) as picture:
        for step in range(lesson.step_count):
            picture.show_step(ShownStep(data, step))
            for form in forms:
                path = folder / f"{step_stem(lesson, step)}.{form}"
                with export_errors(path):
                    write_file(path, _bytes_of(picture, form, lesson.title), may_replace=may_replace)
                done += 1
                yield ExportStep(done, total, path)


def handout_steps(
    data: LessonData, path: Path, title: str | None = None, paper: Paper = Paper.A4, *, may_replace: bool
) -> Generator[ExportStep, None, None]:
    """Write one handout of all steps of a lesson, one after the other; a step of the work for each of them.

    Raises:
        ExportError: the file cannot be written.
    """
    lesson = data.lesson
    make_folder(path.parent)
    with closing(LessonHandout(data)) as handout:
        for done in handout.steps():
            yield ExportStep(done, lesson.step_count + 1)
        with export_errors(path):
            write_file(
                path, handout.pages(lesson.title if title is None else title, paper).pdf(), may_replace=may_replace
            )
    yield ExportStep(lesson.step_count + 1, lesson.step_count + 1, path)


def whole_lesson_steps(
    data: LessonData, choice: ExportChoice, theme: Theme, *, may_replace: bool
) -> Generator[ExportStep, None, None]:
    """Write what a choice has of a whole lesson.

    Raises:
        ExportError: the folder or a file cannot be written.
    """
    names = of_lesson(choice)
    forms = [form for form in (PNG, PDF) if f"{step_stem(data.lesson, 0)}.{form}" in names]
    if handout_name(data.lesson) in names:
        yield from handout_steps(data, choice.folder / handout_name(data.lesson), may_replace=may_replace)
    if forms:
        yield from still_steps(data, choice.folder, forms, choice.size or SLIDE_SIZE, theme, may_replace=may_replace)


def _bytes_of(picture: PagePicture, form: str, title: str) -> bytes:
    if form == PNG:
        return png_bytes(picture.image())
    size = QSize(*picture.size)
    return pdf_bytes(picture.draw, size, size, title)
