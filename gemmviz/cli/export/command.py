"""`gemmviz export`: a saved session's charts, tables, memory views and animations as files, with no display."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from gemmviz.cli.export.film import FILM_FORMATS, FilmJob, asked_block_names, check_stills, draw_films, film_jobs
from gemmviz.cli.export.memory_options import UNSAID, MemoryRequest, MemoryWords, read_memory_words
from gemmviz.cli.faults import FAILED, BadInputError, complain
from gemmviz.cli.progress import RunProgress
from gemmviz.cli.signals import heard_between_steps
from gemmviz.cli.terminal import print_line
from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.tables import ExportError
from gemmviz.domain.session.session import SessionError, load_session
from gemmviz.gui.charts.mapped_runs import left_out
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.display_check import display_fault
from gemmviz.gui.export.pictures.still_choice import StillChoice
from gemmviz.gui.export.plan import FORMATS
from gemmviz.gui.export.tables import export_tables
from gemmviz.gui.export.targets import check_targets, existing, export_targets, taken_words
from gemmviz.gui.looks.theme import ThemeChoice, theme_for
from gemmviz.gui.recording.block_names import BlockName

MOST_SCALE = 8.0


@dataclass(frozen=True, slots=True)
class _Request:
    """What is exported of a loaded session: `plots` None for all, `block_names` the recorded blocks that are meant."""

    session: Session
    out: Path
    formats: tuple[str, ...]
    films: tuple[FilmJob, ...]
    plots: list[str] | None
    block_names: tuple[BlockName, ...]
    scale: float
    theme: ThemeChoice
    memory: MemoryRequest
    force: bool

    @property
    def targets(self) -> tuple[Path, ...]:
        """Everything that is written."""
        pictures: tuple[Path, ...] = ()
        if self.formats:
            pictures = export_targets(self.session, self.out, self.formats, self.plots, self.still, self.fixed)
        return (*pictures, *(path for job in self.films for path in job.choice.paths(self.out, job.name.stem)))

    @property
    def fixed(self) -> tuple[str, ...] | None:
        """The tables of all runs and recordings that are written: None for all; none where charts are named."""
        return None if self.plots is None else ()

    @property
    def still(self) -> StillChoice:
        asked = self.memory
        return StillChoice(
            asked.mode, asked.heat, asked.frames, tuple(name.stem for name in self.block_names), is_slide=asked.is_slide
        )


def export_and_print(
    session: Path,
    out: Path,
    formats: str,
    scale: float = 1.0,
    theme: str = "light",
    plots: str | None = None,
    memory: MemoryWords = UNSAID,
    force: bool = False,
) -> int:
    """Write every format asked for and print the names of the files; the exit code.

    Raises:
        BadInputError: an unknown format, theme or chart, a figure out of range, a file that is no session, a folder
            that cannot be written to.
    """
    wanted = _words("--format", formats, (*FORMATS, *FILM_FORMATS))
    names = None if plots is None else _words("--plot", plots, tuple(Plot))
    if theme not in ("light", "dark"):
        raise BadInputError(f"--theme {theme}: choose light or dark")
    if not 0.1 <= scale <= MOST_SCALE:
        raise BadInputError(f"--scale {scale:g}: give a number from 0.1 to {MOST_SCALE:g}")
    asked = read_memory_words(memory)
    try:
        loaded = load_session(session)
    except SessionError as error:
        raise BadInputError(str(error)) from error
    films = [word for word in wanted if word in FILM_FORMATS]
    if films and names is not None and Plot.MEMORY not in names:
        raise BadInputError(f"--plot {plots}: {', '.join(films)} can show recordings only; add {Plot.MEMORY}")
    block_names = asked_block_names(loaded, asked.block)
    if films and not block_names:
        complain(
            f"{session} holds no recorded block to animate; record one with `gemmviz trace --block 0,0 --out FILE`"
        )
        return FAILED
    stills = tuple(word for word in wanted if word in FORMATS)
    if set(stills) - {"csv"} and (names is None or Plot.MEMORY in names):
        check_stills(loaded, block_names, asked)
    jobs = film_jobs(loaded, block_names, films, asked) if films else ()
    request = _Request(loaded, out, stills, jobs, names, block_names, scale, ThemeChoice(theme), asked, force)
    try:
        _check_targets(request)
        written = _write(request, formats)
    except ExportError as error:
        raise BadInputError(f"--out {out}: {error}") from error
    if written is None:
        return FAILED
    for path in written:
        print_line(str(path))
    if set(stills) - {"csv"} and (names is None or Plot.ERROR_MAP in names) and left_out(loaded):
        complain(left_out(loaded))
    if not written:
        complain(f"{session} has nothing for these charts" if names else f"{session} holds no runs and no recordings")
        return FAILED
    return 0


def _check_targets(request: _Request) -> None:
    """See that every file can be written, before the first one is.

    Raises:
        BadInputError: some are there and are not to be replaced.
        ExportError: one cannot be written.
    """
    targets = request.targets
    taken = existing(targets)
    if taken and not request.force:
        raise BadInputError(
            f"--out {request.out}: {taken_words(taken)} already {'exists' if len(taken) == 1 else 'exist'}. "
            "Choose another folder, or replace them with --force"
        )
    check_targets(targets, may_replace=request.force)


def _words(option: str, given: str, known: Sequence[str]) -> list[str]:
    words = list(dict.fromkeys(word.strip() for word in given.split(",")))
    for word in words:
        if word not in known:
            raise BadInputError(f"{option} {word}: choose from {', '.join(known)}")
    return words


def _write(request: _Request, formats: str) -> list[Path] | None:
    """The paths written; None, and a complaint, where pictures cannot be made at all."""
    if set(request.formats) == {"csv"} and not request.films:  # nothing of Qt is needed, nor imported
        return export_tables(request.session, request.out, request.plots, may_replace=request.force)
    fault = display_fault({"QT_QPA_PLATFORM": "offscreen"})
    if fault is not None:
        complain(f"--format {formats}: {fault.split(';')[0]}; --format csv needs no pictures and still works")
        return None
    from gemmviz.gui.export.film.mp4 import NoFfmpegError

    written: list[Path] = []
    with RunProgress(len(request.films) + bool(request.formats)) as progress, heard_between_steps() as check:
        try:
            with closing(_steps(request, progress)) as steps:
                for paths in steps:
                    written += paths
                    check()
            return written
        except NoFfmpegError as error:
            progress.stop()
            complain(f"--format {formats}: {error}")
            return None


def _steps(request: _Request, progress: RunProgress) -> Generator[tuple[Path, ...], None, None]:
    """After each step what was written by it."""
    yield from _stills(request, progress)
    theme = theme_for(request.theme, False)
    yield from draw_films(request.session, request.films, request.out, theme, progress, request.force)


def _stills(request: _Request, progress: RunProgress) -> Iterator[tuple[Path, ...]]:
    from gemmviz.gui.export.offscreen import export_offscreen

    if not request.formats:
        return
    asked, theme = request.memory, theme_for(request.theme, False)
    progress.next()
    for step in export_offscreen(
        request.session,
        request.out,
        request.formats,
        request.scale,
        theme,
        request.plots,
        asked.size,
        request.still,
        request.force,
        request.fixed,
    ):
        if step.path is not None:
            progress.say(step.path.name)
            progress.advance(step.done / max(step.total, 1))
        yield (step.path,) if step.path is not None else ()
