"""What a person wants of the film of a lesson's step, as a value, and why it cannot be made. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from pathlib import Path

from gemmviz.domain.figures import count as count_words
from gemmviz.gui.export.film.choice import (
    FASTEST,
    FASTEST_GIF,
    MOST_BYTES,
    SLIDE_SIZE,
    FilmFaults,
    Size,
    size_fault,
)
from gemmviz.gui.export.film.estimate import film_bytes, range_words, size_words
from gemmviz.gui.export.film.formats import FilmFormat, film_name
from gemmviz.gui.export.film.plan import END_S, MOST_PICTURES

SPEEDS = (0.5, 1.0, 2.0, 4.0)
"""Times as fast as in the lesson."""


@dataclass(frozen=True, slots=True)
class StepFilmChoice:
    """A film of a step that takes `step_seconds` in the lesson, from its beginning to its end: `speed` times as fast,
    `fps` pictures a second, of a `size` in pixels. PNG frames are all its pictures. `loop` is for GIF only.
    """

    stem: str
    step_seconds: float
    formats: tuple[FilmFormat, ...]
    speed: float = 1.0
    fps: int = 25
    size: Size = SLIDE_SIZE
    loop: bool = True

    @property
    def every_picture(self) -> bool:
        """PNG frames are all pictures."""
        return True

    @property
    def moving_pictures(self) -> int:
        """How many pictures the step plays in."""
        return ceil(self.step_seconds / self.speed * self.fps) + 1

    @property
    def pictures(self) -> int:
        """How many pictures the film has."""
        return self.moving_pictures + round(END_S * self.fps)

    @property
    def seconds(self) -> float:
        return self.pictures / self.fps

    def bytes_of(self, form: FilmFormat) -> tuple[int, int]:
        """How many bytes the film probably has in a format, at least and at most."""
        return film_bytes(form, self.pictures, self.moving_pictures, self.size)

    def paths(self, folder: Path, stem: str = "") -> tuple[Path, ...]:
        """What is made: two files at most, and a folder; `stem` is another name than its own."""
        return tuple(folder / film_name(stem or self.stem, form) for form in self.formats)


def step_film_faults(choice: StepFilmChoice) -> FilmFaults:
    """What is wrong with a choice."""
    most = FASTEST_GIF if FilmFormat.GIF in choice.formats else FASTEST
    fps = "" if choice.fps <= most else f"choose from 1 to {most} fps{' for a GIF' if most == FASTEST_GIF else ''}"
    faults = FilmFaults(size=size_fault(choice.size, choice.formats), fps=fps)
    return faults if faults.any else FilmFaults(length=_length_fault(choice))


def _length_fault(choice: StepFilmChoice) -> str:
    less = "Choose a higher speed or fewer fps"
    if choice.pictures > MOST_PICTURES:
        return f"{count_words(choice.pictures)} video frames are more than {count_words(MOST_PICTURES)}. {less}"
    least = max((choice.bytes_of(form) for form in choice.formats), default=(0, 0))
    if least[0] > MOST_BYTES:
        return f"{range_words(least)} are more than {size_words(MOST_BYTES)}. {less}, or a smaller size"
    return ""
