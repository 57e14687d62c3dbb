"""The animations of `gemmviz export`: checked before anything is written, then made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NoReturn

from gemmviz.cli.export.memory_options import MemoryRequest
from gemmviz.cli.faults import BadInputError, complain
from gemmviz.cli.progress import RunProgress
from gemmviz.domain.runs.result import Session
from gemmviz.gui.export.film.choice import SLIDE_SIZE, FilmChoice, FilmFaults, film_faults
from gemmviz.gui.export.film.estimate import seconds_words
from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.export.film.plan import short_range
from gemmviz.gui.export.film_source import counted, film_source_of
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.recording.block_names import BlockName, recorded_block_names
from gemmviz.gui.work.time_left import TimeLeft
from gemmviz.trace.frames.plan import FrameMode

FILM_FORMATS = tuple(str(form) for form in FilmFormat)
_OPTIONS = {"size": "--size", "frames": "--frames", "speed": "--speed", "fps": "--fps", "length": "--frames"}
_NAMED = 6
"""Blocks that a refusal names."""


def asked_block_names(session: Session, block: tuple[int, int, int] | None) -> tuple[BlockName, ...]:
    """The recorded blocks that are meant: all, or those of one place in their grids.

    Raises:
        BadInputError: no recording keeps that block.
    """
    names = recorded_block_names(session)
    chosen = tuple(name for name in names if block is None or name.block == block)
    if names and not chosen and block is not None:
        x, y, z = block
        at = f"{x},{y},{z}" if z else f"{x},{y}"
        kept = list(dict.fromkeys(",".join(map(str, name.block[: 3 if name.block[2] else 2])) for name in names))
        more = f" and {len(kept) - _NAMED} more" if len(kept) > _NAMED else ""
        raise BadInputError(
            f"--block {at}: no recording holds this block. Choose from {' '.join(kept[:_NAMED])}{more}, or "
            f"record it with `gemmviz trace --block {at}`"
        )
    return chosen


@dataclass(frozen=True, slots=True)
class FilmJob:
    """A film to be made: of which block, how, and what to say about its range, "" if nothing."""

    name: BlockName
    choice: FilmChoice
    note: str


def film_jobs(
    session: Session, names: Sequence[BlockName], formats: Sequence[str], asked: MemoryRequest
) -> tuple[FilmJob, ...]:
    """The films of these blocks, all sound; of a block that accesses no memory there is none, which is said.

    Raises:
        BadInputError: a size, a range, a speed or a rate that cannot be, or no block accesses memory.
    """
    shown = [name for name in names if _frames_in(session, name, asked.mode)]
    idle = [f"{name.title} accesses no memory, so it has no frames" for name in names if name not in shown]
    if idle and not shown:
        raise BadInputError(f"{idle[0]}. Choose another block with --block, or record one with `gemmviz trace`")
    for words in idle:
        complain(words)
    return tuple(_job(session, name, tuple(FilmFormat(form) for form in formats), asked) for name in shown)


def check_stills(session: Session, names: Sequence[BlockName], asked: MemoryRequest) -> None:
    """See that every block has the frames that are to be shown.

    Raises:
        BadInputError: one has not.
    """
    if asked.frames is not None:
        for name in names:
            count = _frames_in(session, name, asked.mode)
            if asked.frames[1] > count:
                _refuse(asked, FilmFaults(frames=f"{name.title} has frames 1 to {count}"))


def draw_films(
    session: Session, jobs: Sequence[FilmJob], out: Path, theme: Theme, progress: RunProgress, may_replace: bool
) -> Iterator[tuple[Path, ...]]:
    """Make the films; after each picture what was written by it: nothing, until a film is through.

    Raises:
        NoFfmpegError, ExportError: see `film_steps`.
    """
    from gemmviz.gui.export.film.steps import film_steps
    from gemmviz.gui.export.offscreen import application

    application()
    for job in jobs:
        progress.next()
        progress.say(job.name.stem)
        source = film_source_of(session.traces[job.name.recording], job.name.place, job.choice.mode, job.name.others)
        left = TimeLeft()
        with closing(film_steps(source, job.choice, out, job.name.stem, theme, may_replace)) as steps:
            for step in steps:
                part = step.done / max(step.total, 1)
                progress.advance(part)
                left.note(part)
                rest = left.words()
                progress.say(f"{job.name.stem}{f', {rest}' if rest else ''}")
                yield step.paths
        if job.note:
            complain(job.note)


def _job(session: Session, name: BlockName, formats: tuple[FilmFormat, ...], asked: MemoryRequest) -> FilmJob:
    count = _frames_in(session, name, asked.mode)
    short = short_range(count, asked.speed)
    first, last = asked.frames or (short.first, short.last)
    speed = short.speed if asked.frames is None else (1.0 if asked.speed is None else asked.speed)
    size = asked.size or SLIDE_SIZE
    choice = FilmChoice(
        formats,
        first,
        last,
        speed,
        asked.fps,
        size,
        asked.mode,
        asked.heat,
        asked.is_animated is not False,
        asked.loop,
        every_picture=asked.is_animated is True,
        is_slide=asked.is_slide,
    )
    faults = film_faults(choice, count)
    if faults.any:
        _refuse(asked, faults, choice)
    note = ""
    if asked.frames is None and (not short.is_whole or (asked.speed is None and speed != 1.0)):
        what = f"frames {first} to {last} of {count}" if not short.is_whole else f"all {count} frames"
        note = f"{name.stem}: {what} at speed {speed:g}, {seconds_words(choice.seconds)}"
        note += f"; --frames 1:{count} exports all" if not short.is_whole else ""
    if FilmFormat.FRAMES in formats and not choice.every_picture:
        files = "1 PNG file" if choice.files == 1 else f"{choice.files} PNG files, one for each frame"
        note = "; ".join(filter(None, (note, f"{name.stem}_frames: {files} (--animate: {choice.pictures})")))
    return FilmJob(name, choice, note)


def _refuse(asked: MemoryRequest, faults: FilmFaults, choice: FilmChoice | None = None) -> NoReturn:
    """Say what is wrong with the first option that is."""
    said = {field.name: getattr(faults, field.name) for field in fields(faults)}
    place, words = next((place, words) for place, words in said.items() if words)
    first, last = asked.frames or ((choice.first, choice.last) if choice is not None else (1, 1))
    width, height = asked.size or SLIDE_SIZE
    speed = asked.speed if choice is None else choice.speed
    values = {"size": f"{width}x{height}", "speed": f"{speed:g}" if speed is not None else "", "fps": str(asked.fps)}
    value = values.get(place, f"{first}:{last}")
    raise BadInputError(f"{_OPTIONS[place]} {value}: {words}")


def _frames_in(session: Session, name: BlockName, mode: FrameMode | None) -> int:
    return counted(session.traces[name.recording], name.place, mode)[1]
