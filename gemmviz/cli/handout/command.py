"""`gemmviz report --pdf`: a saved session as a handout, the same pages as from the window; needs no display."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.lessons import load_lessons
from gemmviz.cli.export.overwriting import checked_out
from gemmviz.cli.faults import FAILED, BadInputError, complain
from gemmviz.cli.terminal import print_line
from gemmviz.domain.runs.tables import ExportError
from gemmviz.domain.session.session import SessionError, load_session
from gemmviz.gui.display_check import display_fault
from gemmviz.gui.export.handout.contents import (
    NOT_OF_SESSIONS,
    HandoutChoice,
    HandoutPart,
    Paper,
    PartKind,
    first_choice,
)

ALL = "all"


@dataclass(frozen=True, slots=True)
class HandoutWords:
    """The options as they were typed; None where one was not."""

    pdf: Path | None = None
    paper: str | None = None
    title: str | None = None
    parts: str | None = None
    force: bool = False

    @property
    def stray(self) -> str:
        """An option that needs --pdf, "" where none was given."""
        given = {"--paper": self.paper, "--title": self.title, "--parts": self.parts, "--force": self.force or None}
        return next((option for option, value in given.items() if value is not None), "")


def write_handout(session: Path, words: HandoutWords) -> int:
    """Write the handout that some words ask for; the exit code.

    Raises:
        BadInputError: the file is no session, or an option means nothing.
    """
    out = checked_out(words.pdf, words.force, "--pdf")
    assert out is not None  # the command asks for a file
    paper = words.paper or Paper.A4
    if paper not in set(Paper):
        raise BadInputError(f"--paper {paper}: choose {' or '.join(Paper)}")
    try:
        loaded = load_session(session)
    except SessionError as error:
        raise BadInputError(str(error)) from error
    fault = display_fault({"QT_QPA_PLATFORM": "offscreen"})
    if fault is not None:
        complain(f"--pdf {out}: {fault.split(';')[0]}; without --pdf the report is printed")
        return FAILED
    from gemmviz.catalogue.loader import load_catalogue
    from gemmviz.gui.charts.plot_table import Charted
    from gemmviz.gui.export.files import export_errors, write_file
    from gemmviz.gui.export.handout.maker import HandoutMaker
    from gemmviz.gui.export.offscreen import application

    application()
    maker = HandoutMaker(loaded, Charted(loaded.runs, loaded.traces), load_catalogue())
    try:
        if not maker.parts:
            complain(f"{session} holds no runs and no recordings")
            return FAILED
        title = title_of(session) if words.title is None else words.title
        choice = HandoutChoice(title, _parts(maker.parts, words.parts), Paper(paper))
        maker.prepare(choice)
        with export_errors(out):
            data = maker.pages(choice).pdf()
        write_file(out, data, may_replace=words.force)
    except ExportError as error:
        raise BadInputError(f"--pdf {error}") from error
    finally:
        maker.close()
    print_line(str(out))
    return 0


def title_of(session: Path) -> str:
    """The title of an example or a lesson whose session it is, also of a copy; else the file's name."""
    named = [(example.path, example.title) for example in load_examples()]
    named += [(lesson.session_path, lesson.title) for lesson in load_lessons() if lesson.recordings]
    return next((title for path, title in named if cmp(session, path, shallow=False)), session.stem)


def _parts(known: Collection[HandoutPart], asked: str | None) -> frozenset[str]:
    """The names of the parts that are asked for: by their names, or by those of their kinds.

    Raises:
        BadInputError: a name that no part has.
    """
    if asked is None:
        return first_choice(known)
    found = set[str]()
    kinds = [kind.value.lower() for kind in PartKind if kind not in NOT_OF_SESSIONS]
    for word in (word.strip() for word in asked.split(",")):
        named = {part.name for part in known if word in (part.name, part.kind.value.lower(), ALL)}
        if not named and word not in kinds:
            names = (part.name for part in known)
            raise BadInputError(f"--parts {word}: choose from {', '.join(dict.fromkeys((ALL, *kinds, *names)))}")
        found |= named
    return frozenset(found)
