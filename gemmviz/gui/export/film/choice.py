"""What a person wants of an animation, as a value, and why it cannot be made. No Qt."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from gemmviz.domain.figures import count as count_words
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.gui.export.film.estimate import film_bytes, range_words, size_words
from gemmviz.gui.export.film.formats import FilmFormat, film_name
from gemmviz.gui.export.film.plan import MOST_PICTURES, pictures_in, shots_in
from gemmviz.gui.player.schedule import SPEEDS, frame_seconds
from gemmviz.gui.recording.block_names import Beside
from gemmviz.trace.frames.plan import FrameMode

Size = tuple[int, int]

SLIDE_SIZE: Size = (1920, 1080)
"""Pixels of a picture in the form of a presentation, and of a film for which nobody chose a size."""
FILM_SIZES: tuple[Size, ...] = ((960, 540), (1280, 720), SLIDE_SIZE)
SMALLEST: Size = (320, 240)
LARGEST: Size = (3840, 2160)
"""Pixels across and down."""
RATES = (10, 15, 20, 25, 30, 50, 60)
"""Pictures a second that are offered."""
FASTEST, FASTEST_GIF = 60, 50
"""Pictures a second at most; a GIF counts hundredths of a second, and its readers slow down below two."""
MOST_BYTES = 2_000_000_000


@dataclass(frozen=True, slots=True)
class FilmChoice:
    """An animation. `first` and `last` frame are counted from 1, `fps` are pictures a second, `size` pixels.

    A `mode` of None is the one that suits the block; `is_animated` lets the tiles travel; `loop` is for GIF only;
    `selection` is what is chosen in the block. Of PNG frames there is one for each frame of the recording, its tiles at
    their places, or, with `every_picture`, one for each picture of the film. `is_slide` has the form of a presentation,
    where another block may stand `beside`.
    """

    formats: tuple[FilmFormat, ...]
    first: int
    last: int
    speed: float = 1.0
    fps: int = 25
    size: Size = SLIDE_SIZE
    mode: FrameMode | None = None
    heat: HeatKind = HeatKind.NONE
    is_animated: bool = True
    loop: bool = True
    selection: Selection = NOTHING
    every_picture: bool = False
    is_slide: bool = False
    beside: Beside | None = None

    @property
    def is_frames_alone(self) -> bool:
        """Whether all that is wanted is one PNG file for each frame."""
        return self.formats == (FilmFormat.FRAMES,) and not self.every_picture

    @property
    def files(self) -> int:
        """How many PNG files the frames become."""
        return self.pictures if self.every_picture else self.last - self.first + 1

    @property
    def pictures(self) -> int:
        """How many pictures the film has."""
        return pictures_in(self.last - self.first + 1, self.speed, self.fps)

    @property
    def seconds(self) -> float:
        return self.pictures / self.fps

    def bytes_of(self, form: FilmFormat) -> tuple[int, int]:
        """How many bytes the film probably has in a format, at least and at most."""
        shots = shots_in(self.last - self.first + 1, self.speed, self.fps, self.is_animated)
        return film_bytes(form, self.files if form is FilmFormat.FRAMES else self.pictures, shots, self.size)

    def names(self, stem: str) -> tuple[str, ...]:
        """The names of what is made: two files at most, and a folder."""
        return tuple(film_name(stem, form) for form in self.formats)

    def paths(self, folder: Path, stem: str) -> tuple[Path, ...]:
        return tuple(folder / name for name in self.names(stem))


@dataclass(frozen=True, slots=True)
class FilmFaults:
    """Why an animation cannot be made, each beside what it is about; "" where there is nothing wrong."""

    size: str = ""
    frames: str = ""
    speed: str = ""
    fps: str = ""
    length: str = ""

    @property
    def sentence(self) -> str:
        """What to do first, "" where nothing is wrong."""
        first = self.size or self.frames or self.speed or self.fps or self.length
        return f"{first[:1].upper()}{first[1:]}"

    @property
    def any(self) -> bool:
        return bool(self.sentence)


def film_faults(choice: FilmChoice, count: int) -> FilmFaults:
    """What is wrong with a choice for a recording of `count` frames."""
    faults = FilmFaults(
        size=size_fault(choice.size, choice.formats),
        frames=_range_fault(choice, count),
        speed=_speed_fault(choice),
        fps=_rate_fault(choice),
    )
    return faults if faults.any else FilmFaults(length=_length_fault(choice))


def size_fault(size: Size, formats: Collection[FilmFormat]) -> str:
    """Why a film cannot have a size; "" if it can."""
    width, height = size
    if not (SMALLEST[0] <= width <= LARGEST[0] and SMALLEST[1] <= height <= LARGEST[1]):
        return f"choose from {_times(SMALLEST)} to {_times(LARGEST)}"
    if FilmFormat.MP4 in formats and (width % 2 or height % 2):
        return f"MP4 needs an even width and height. Choose {_times((width - width % 2, height - height % 2))}"
    return ""


def _range_fault(choice: FilmChoice, count: int) -> str:
    if not count:
        return "there is no frame to show"
    if 1 <= choice.first <= choice.last <= count:
        return ""
    if choice.first > choice.last:
        return "the first frame comes after the last. Swap them"
    return f"choose frames from 1 to {count}"


def _speed_fault(choice: FilmChoice) -> str:
    return "" if SPEEDS[0] <= choice.speed <= SPEEDS[-1] else f"choose from {SPEEDS[0]:g} to {SPEEDS[-1]:g}"


def _rate_fault(choice: FilmChoice) -> str:
    most = FASTEST_GIF if FilmFormat.GIF in choice.formats else FASTEST
    if not 1 <= choice.fps <= most:
        return f"choose from 1 to {most} fps" + (" for a GIF" if most == FASTEST_GIF else "")
    rate = 1.0 / frame_seconds(choice.speed)
    if choice.fps < rate:
        return f"frames would be left out. Choose {ceil(rate)} fps or more, or a lower speed"
    return ""


def _length_fault(choice: FilmChoice) -> str:
    less = "Choose fewer frames, a higher speed or fewer fps"
    pictures = choice.files if choice.is_frames_alone else choice.pictures
    if pictures > MOST_PICTURES:
        return f"{count_words(pictures)} video frames are more than the limit of {count_words(MOST_PICTURES)}. {less}"
    size = max((choice.bytes_of(form) for form in choice.formats), default=(0, 0))
    if size[0] > MOST_BYTES:
        return f"{range_words(size)} are more than {size_words(MOST_BYTES)}. {less}, or a smaller size"
    return ""


def _times(size: Size) -> str:
    return f"{size[0]}x{size[1]}"
