"""Why nothing was proven of a kernel, for a person: file, line, what is not supported, and what to do about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import Self

from gemmviz.machine.refused import refused_in, with_remedy

NO_RACES_SEARCHED = "races were not looked for"


class FaultKind(Enum):
    """What a fault says of a kernel, where more follows from it than its words: a remedy, or what else is told."""

    NO_PART = auto()
    """What its first block wrote is no part of a product."""
    NO_FACTOR = auto()
    """A parameter that seemed to be a factor is none."""
    NOTHING_CHANGED = auto()
    """It wrote nothing that was not there before."""
    LEFT_OUT = auto()
    """An element of the result was not written."""
    UNCLEAR = auto()
    """Its results are products, and do not show what a parameter stands for."""
    ENDLESS = auto()
    """A loop of it never ends."""
    STUCK = auto()
    """Threads of it wait for what does not come."""
    TOO_SLOW = auto()
    """A run did not end in time."""
    NO_TIME = auto()
    """The time limit of the search has ended."""
    PAST_END = auto()
    """It accesses what lies a little past the end of an array."""
    FAR_PAST_END = auto()
    """It accesses what lies far past the end of the nearest array."""
    OUTSIDE = auto()
    """It accesses what lies far from every array, and not known to be past the end of one."""
    TOO_LITTLE_SHARED = auto()
    """It accesses shared memory that the launch does not give it."""
    UNSUPPORTED = auto()
    """It uses what the PTX machine does not execute."""
    NOT_COMPILED = auto()
    """The compiler refuses a line of it."""
    UNDEFINED = auto()
    """The compiler refuses a name that nothing defines."""
    MISSING_FILE = auto()
    """The same, where a file that it includes was not found."""
    BEYOND_GPU = auto()
    """Its launch needs more than a GPU has, or than its launch bounds allow."""
    WRONG = auto()
    """Elements of the result are wrong."""
    RACE = auto()
    """Threads of a block race."""
    WARP_RACE = auto()
    """Threads of a warp race."""
    TWO_WRITERS = auto()
    """Threads of a block write one element by one line."""
    UPDATE_RACE = auto()
    """Threads update one element in one line, not atomically."""
    BLOCKS_RACE = auto()
    """Blocks race."""
    MISSING_FENCE = auto()
    """Blocks race where a fence would put them in order."""
    UNINITIALISED = auto()
    """Its result depends on memory that nothing has been written to."""
    KEEPS_STATE = auto()
    """A variable of its file keeps something from launch to launch."""
    NOT_FIRST = auto()
    """It takes two matrices, as what adds up the parts that another kernel of the file wrote."""
    LOOKS_LIKE = auto()
    """It looks like another operation."""
    LOOKS_LIKE_COPY = auto()
    """It looks like a copy."""
    LOOKS_DESCRIBABLE = auto()
    """It looks like another operation that can be described as a product."""
    SOUNDS_LIKE = auto()
    """A name in it sounds like another operation."""
    UNLIKE = auto()
    """What it wrote is like no product of two of its matrices."""
    OTHER = auto()

    @property
    def is_past_end(self) -> bool:
        """Whether it accesses what lies past the end of an array."""
        return self in (FaultKind.PAST_END, FaultKind.FAR_PAST_END)

    @property
    def is_race_in_block(self) -> bool:
        """Whether threads of a block race."""
        return self in (FaultKind.RACE, FaultKind.WARP_RACE, FaultKind.TWO_WRITERS, FaultKind.UPDATE_RACE)

    @property
    def is_told_once(self) -> bool:
        """Whether several reasons of the kind, in one line, differ in their numbers or in a parameter alone."""
        return self in _TOLD_ONCE

    @property
    def is_likeness(self) -> bool:
        """Whether the kernel looks like another operation."""
        return self in (FaultKind.LOOKS_LIKE, FaultKind.LOOKS_LIKE_COPY, FaultKind.LOOKS_DESCRIBABLE)


_TOLD_ONCE = frozenset(
    {
        FaultKind.NO_PART,
        FaultKind.NOTHING_CHANGED,
        FaultKind.LEFT_OUT,
        FaultKind.WRONG,
        FaultKind.UNCLEAR,
        FaultKind.ENDLESS,
        FaultKind.STUCK,
        FaultKind.TOO_SLOW,
        FaultKind.PAST_END,
        FaultKind.FAR_PAST_END,
        FaultKind.OUTSIDE,
        FaultKind.TOO_LITTLE_SHARED,
        FaultKind.BEYOND_GPU,
    }
)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why nothing was proven. `is_guessed`: it was seen in a launch that gemmviz guessed. `line` is that of the file at
    fault, 0 for the kernel's; `place` is where a compiler sees the fault, as it writes it ("mm.cuh:3: "), "" for none.
    """

    words: str
    kind: FaultKind = FaultKind.OTHER
    is_guessed: bool = False
    line: int = 0
    place: str = ""

    def with_words(self, words: str) -> Self:
        """The same reason in other words."""
        return replace(self, words=words)


def reason_or_none(words: str, kind: FaultKind = FaultKind.OTHER) -> Reason | None:
    """The reason with these words; None where there are none."""
    return Reason(words, kind) if words else None


RACES = "the kernel races"
"""How the reason of a kernel begins that a race keeps from computing its product."""
BLOCKS_RACE = "blocks of the kernel race"
"""How that reason begins where the race is one between blocks."""
UNINITIALISED = "it reads what nothing has been written to"
"""How the reason of a kernel begins whose result depends on uninitialised memory."""
_ON_GPU = "an NVIDIA GPU does if ptxas accepts it: describe the kernel in {name}.toml and run it there"
_OF_PRODUCT = (
    "it was given the matrices of a product, and sizes of one for its numbers, which may stand for something else"
)
WARP_BARRIER = (
    "separate the two accesses by `__syncwarp()`, or by `__syncthreads()` where every thread of the block comes there"
)
"""What mends a race of threads of one warp."""
_REMEDIES = {
    FaultKind.NO_PART: (
        "it was compared with alpha·A·B + beta·C for every order of its pointers and numbers, row-major and "
        "column-major, with its parameters as alpha and beta, or in float32 and double with a constant for each; "
        "gemmviz describes no other kernels"
    ),
    FaultKind.NO_TIME: "allow more time (`gemmviz adopt --time-limit`)",
    FaultKind.TOO_SLOW: "it may loop forever, or need more time",
    FaultKind.MISSING_FILE: "put the missing files beside it",
    FaultKind.RACE: "separate the two accesses by a barrier, and look again",
    FaultKind.WARP_RACE: f"{WARP_BARRIER}, and look again",
    FaultKind.TWO_WRITERS: "no barrier orders two writes of one line: let one thread alone write each element",
    FaultKind.UPDATE_RACE: "add atomically, or let one thread alone write, and look again",
    FaultKind.MISSING_FENCE: "add it, and look again",
    FaultKind.BLOCKS_RACE: (
        "no barrier orders blocks: give each its own memory, or write in a second launch, and look again"
    ),
    FaultKind.UNINITIALISED: "write it before it is read, and look again",
    FaultKind.TOO_LITTLE_SHARED: "its arrays there, or the bytes that its launch gives, are too few for these sizes",
    FaultKind.OUTSIDE: _OF_PRODUCT,
    FaultKind.FAR_PAST_END: _OF_PRODUCT,
    FaultKind.UNDEFINED: "define it in the file, or in one that it includes",
    FaultKind.NOT_COMPILED: "correct that line, or what it needs, and look again",
}


def line_places(words: str, path: Path) -> str:
    """The words with each place of a file as "line 3: " in the place of its path, for where the file is named above."""
    return re.sub(rf"{re.escape(str(path))}:(\d+): ", r"line \1: ", words)


def explained(reason: Reason, path: Path, line: int, described: str) -> Reason:
    """A reason with its place in front, FILE:LINE, and with a remedy behind it; `line` is the kernel's, where the
    reason has none, and `described` the name of the file that a description lies beside.
    """
    place = reason.place or f"{path}:{reason.line or line}: "
    if reason.kind is FaultKind.UNSUPPORTED and refused_in(reason.words) is not None:
        return reason.with_words(f"{place}{with_remedy(reason.words, _ON_GPU.format(name=described))}")
    remedies = [_REMEDIES[reason.kind]] if reason.kind in _REMEDIES else []
    if reason.is_guessed:
        remedies.append(
            f"where its block is another one, write the launch into the file, or `block` into {described}.toml"
        )
    return reason.with_words("; ".join((f"{place}{reason.words}", *remedies)))
