"""The recorded blocks of a session, each as a picture of one frame, painted and written in a thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from gemmviz.domain.runs.result import Session
from gemmviz.gui.export.files import awaited, export_errors, write_file
from gemmviz.gui.export.film_source import FilmSource, film_source_of
from gemmviz.gui.export.pictures.still import slide_bytes, still_bytes, still_frame
from gemmviz.gui.export.pictures.still_choice import StillChoice
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.recording.block_names import BlockName, recorded_block_names

SIZE = (1200, 750)
"""Where nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class StillLook:
    """How the pictures are made: which frames, `size` times `scale` pixels, in which colours."""

    choice: StillChoice
    size: tuple[int, int]
    scale: float
    theme: Theme
    may_replace: bool = True


def stills_written(
    pool: ThreadPoolExecutor,
    session: Session,
    names: Sequence[str],
    folder: Path,
    suffixes: Sequence[str],
    look: StillLook,
) -> Iterator[Path | None]:
    """Write the pictures whose stems are `names`: every file when it is written, and None while there is more to do.

    Raises:
        ExportError: a file cannot be written, a picture is too large.
        ValueError: a block has no such frame.
    """
    for name in (name for name in recorded_block_names(session) if name.stem in names):
        source = pool.submit(_source, session, name, look)
        yield from awaited(source)
        for suffix in suffixes if len(source.result().frames) else ():
            path = folder / f"{look.choice.file_of(name.stem)}.{suffix}"
            yield from awaited(pool.submit(_draw_and_write, source.result(), name.stem, path, suffix, look))
            yield path


def _source(session: Session, name: BlockName, look: StillLook) -> FilmSource:
    return film_source_of(session.traces[name.recording], name.place, look.choice.mode, name.others)


def _draw_and_write(source: FilmSource, stem: str, path: Path, suffix: str, look: StillLook) -> None:
    with export_errors(path):
        chosen, beside = look.choice.selection_of(stem), look.choice.beside_of(stem) if look.choice.is_slide else None
        index = still_frame(source, look.choice.frames_of(stem) if beside is None else None)
        if beside is not None and look.choice.frame is not None:
            index = look.choice.frame[1] - 1  # a moment of both
        if look.choice.is_slide:
            data = slide_bytes(source, index, look.choice.heat, suffix, look.theme, chosen, beside, look.scale)
        else:
            data = still_bytes(source, index, look.choice.heat, suffix, look.size, look.scale, look.theme, chosen)
    write_file(path, data, may_replace=look.may_replace)
