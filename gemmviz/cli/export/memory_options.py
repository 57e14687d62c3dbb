"""What `gemmviz export` is told about the memory view and its animation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from gemmviz.cli.faults import BadInputError
from gemmviz.cli.options.option_numbers import shown, whole_numbers
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.player.schedule import SPEEDS
from gemmviz.trace.frames.plan import FrameMode

HEATS = {kind.name.lower().replace("_", "-"): kind for kind in HeatKind}
"""What can be shown instead of the roles, by its word on the command line."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MemoryWords:
    """The options as they were typed; None where one was not."""

    size: str | None = None
    frames: str | None = None
    speed: float | None = None
    fps: int = 25
    mode: str | None = None
    block: str | None = None
    heat: str = "none"
    is_animated: bool | None = None
    loop: bool = True
    is_slide: bool = False


UNSAID = MemoryWords()


@dataclass(frozen=True, slots=True)
class MemoryRequest:
    """The same, understood."""

    size: tuple[int, int] | None
    frames: tuple[int, int] | None
    speed: float | None
    fps: int
    mode: FrameMode | None
    block: tuple[int, int, int] | None
    heat: HeatKind
    is_animated: bool | None
    loop: bool
    is_slide: bool = False


def read_memory_words(words: MemoryWords) -> MemoryRequest:
    """Understand the options.

    Raises:
        BadInputError: one that means nothing; the message names it, its value and the remedy.
    """
    if words.speed is not None and not SPEEDS[0] <= words.speed <= SPEEDS[-1]:
        raise BadInputError(f"--speed {words.speed:g}: choose from {SPEEDS[0]:g} to {SPEEDS[-1]:g}")
    mode = None if words.mode is None else _one_of("--mode", words.mode, {str(mode): mode for mode in FrameMode})
    return MemoryRequest(
        None if words.size is None else read_size(words.size),
        None if words.frames is None else _range(words.frames),
        words.speed,
        words.fps,
        mode,
        None if words.block is None else _block(words.block),
        _one_of("--heat", words.heat, HEATS),
        words.is_animated,
        words.loop,
        words.is_slide,
    )


def read_size(text: str) -> tuple[int, int]:
    sides = whole_numbers(text.lower(), "x") or []
    if len(sides) != 2 or not all(0 <= side < 100_000 for side in sides):
        raise BadInputError(f"--size {shown(text)}: write WIDTHxHEIGHT in pixels, for instance 1920x1080")
    return sides[0], sides[1]


def _range(text: str) -> tuple[int, int]:
    ends = whole_numbers(text, ":") or []
    if not 1 <= len(ends) <= 2:
        raise BadInputError(
            f"--frames {shown(text)}: write FIRST:LAST, counted from 1, for instance 3:20, or one frame"
        )
    first, last = ends[0], ends[-1]
    if first < 1 or first > last:
        raise BadInputError(f"--frames {text}: count frames from 1 and give the first one first, for instance 3:20")
    return first, last


def _block(text: str) -> tuple[int, int, int]:
    from gemmviz.cli.run.request import read_block

    return read_block(text)


def _one_of(option: str, text: str, known: Mapping[str, T]) -> T:
    if text not in known:
        raise BadInputError(f"{option} {text}: choose from {', '.join(known)}")
    return known[text]
