"""The options of `gemmviz lesson`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gemmviz.cli.options.common_options import Force
from gemmviz.cli.options.option_numbers import path_of


def lesson(
    lesson_id: Annotated[str, typer.Argument(metavar="ID", help="A lesson; an unknown ID lists them.")],
    handout: Annotated[
        Path | None,
        typer.Option(
            "--handout", parser=path_of("--handout"), metavar="F.pdf", help="Write all steps as one handout to print."
        ),
    ] = None,
    stills: Annotated[
        Path | None,
        typer.Option(
            "--stills",
            parser=path_of("--stills"),
            metavar="DIR",
            help="Folder for a picture of each step; it is created if it does not exist.",
        ),
    ] = None,
    formats: Annotated[
        str | None, typer.Option("--format", metavar="png,pdf", help="Formats of the pictures (default png).")
    ] = None,
    size: Annotated[
        str | None, typer.Option("--size", metavar="WxH", help="Size of the pictures in pixels (default 1920x1080).")
    ] = None,
    theme: Annotated[
        str | None, typer.Option("--theme", metavar="light|dark", help="Colours of the pictures (default light).")
    ] = None,
    paper: Annotated[
        str | None, typer.Option("--paper", metavar="a4|letter", help="Paper of the handout (default a4).")
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="Title of the handout (default: that of the lesson).")
    ] = None,
    force: Force = False,
) -> int:
    """Write a whole lesson: a handout of all its steps, a picture of each step, or both."""
    from gemmviz.cli.lesson.writing import LessonWords, write_lesson

    return write_lesson(lesson_id, LessonWords(handout, stills, formats, size, theme, paper, title, force))
