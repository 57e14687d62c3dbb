"""`gemmviz lesson`: all steps of a lesson as a handout and as pictures, as from the window; needs no display."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gemmviz.catalogue.lessons import Lesson, LessonError, load_lessons
from gemmviz.cli.export.memory_options import read_size
from gemmviz.cli.export.overwriting import checked_out
from gemmviz.cli.faults import FAILED, BadInputError, complain
from gemmviz.cli.progress import RunProgress
from gemmviz.cli.signals import heard_between_steps
from gemmviz.cli.terminal import print_line
from gemmviz.domain.runs.tables import ExportError
from gemmviz.domain.session.session import SessionError
from gemmviz.gui.display_check import display_fault
from gemmviz.gui.export.choice import PDF, PNG, Size
from gemmviz.gui.export.film.choice import SLIDE_SIZE
from gemmviz.gui.export.handout.contents import Paper
from gemmviz.gui.export.lesson.file_names import still_names
from gemmviz.gui.export.targets import check_targets, existing, taken_words
from gemmviz.gui.looks.theme import ThemeChoice, theme_for


@dataclass(frozen=True, slots=True)
class LessonWords:
    """The options as they were typed; None where one was not."""

    handout: Path | None = None
    stills: Path | None = None
    formats: str | None = None
    size: str | None = None
    theme: str | None = None
    paper: str | None = None
    title: str | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class _Request:
    """A lesson, the file of its handout and the folder of its stills, None where they are not wanted."""

    lesson: Lesson
    handout: Path | None
    stills: Path | None
    formats: tuple[str, ...]
    size: Size
    theme: ThemeChoice
    paper: Paper
    title: str | None
    force: bool


def write_lesson(lesson_id: str, words: LessonWords) -> int:
    """Write what some words ask for of a lesson, and print the names of the files; the exit code.

    Raises:
        BadInputError: there is no such lesson, an option means nothing, or a file cannot be written.
    """
    request = _read(lesson_id, words)
    fault = display_fault({"QT_QPA_PLATFORM": "offscreen"})
    if fault is not None:
        complain(f"lesson {lesson_id}: {fault.split(';')[0]}")
        return FAILED
    try:
        written = _write(request)
    except ExportError as error:
        raise BadInputError(str(error)) from error
    except (LessonError, SessionError) as error:
        complain(f"lesson {lesson_id}: {error}")
        return FAILED
    for path in written:
        print_line(str(path))
    return 0


def _read(lesson_id: str, words: LessonWords) -> _Request:
    lessons = {lesson.id: lesson for lesson in load_lessons()}
    lesson = lessons.get(lesson_id)
    if lesson is None:
        raise BadInputError(f"{lesson_id}: there is no such lesson. Choose from {', '.join(lessons)}")
    if words.handout is None and words.stills is None:
        raise BadInputError("give --handout FILE, --stills FOLDER or both")
    formats = tuple(dict.fromkeys(word.strip() for word in (words.formats or PNG).split(",")))
    for word in formats:
        if word not in (PNG, PDF):
            raise BadInputError(f"--format {word}: choose from {PNG}, {PDF}")
    theme, paper = words.theme or ThemeChoice.LIGHT, words.paper or Paper.A4
    if theme not in ("light", "dark"):
        raise BadInputError(f"--theme {theme}: choose light or dark")
    if paper not in set(Paper):
        raise BadInputError(f"--paper {paper}: choose {' or '.join(Paper)}")
    size = SLIDE_SIZE if words.size is None else read_size(words.size)
    handout = checked_out(words.handout, words.force, "--handout")
    targets = [words.stills / name for name in still_names(lesson, formats)] if words.stills is not None else []
    taken = existing(targets)
    if taken and not words.force:
        raise BadInputError(
            f"--stills {words.stills}: {taken_words(taken)} already {'exists' if len(taken) == 1 else 'exist'}. "
            "Choose another folder, or replace them with --force"
        )
    try:
        check_targets(targets, may_replace=words.force)
    except ExportError as error:
        raise BadInputError(f"--stills {words.stills}: {error}") from error
    choice = ThemeChoice(theme)
    return _Request(lesson, handout, words.stills, formats, size, choice, Paper(paper), words.title, words.force)


def _write(request: _Request) -> list[Path]:
    from gemmviz.gui.export.lesson.whole_lesson import handout_steps, still_steps
    from gemmviz.gui.export.offscreen import application
    from gemmviz.gui.export.steps import ExportStep
    from gemmviz.gui.lessons.lesson_data import read_lesson_data

    application()
    data, force, theme = read_lesson_data(request.lesson), request.force, theme_for(request.theme, False)
    works = list[Iterator[ExportStep]]()
    if request.handout is not None:
        asked = request.title, request.paper
        works.append(handout_steps(data, request.handout, *asked, may_replace=force))
    if request.stills is not None:
        drawn = request.formats, request.size, theme
        works.append(still_steps(data, request.stills, *drawn, may_replace=force))
    written: list[Path] = []
    with RunProgress(len(works)) as progress, heard_between_steps() as check:
        for work in works:
            progress.next()
            for step in work:
                progress.advance(step.done / max(step.total, 1))
                written += [step.path] if step.path is not None else []
                check()
    return written
