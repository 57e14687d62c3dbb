"""What a step of a lesson can show: the tables of its file, as values."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class ElementTag:
    """A few words at an element of an array."""

    array: str
    row: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Pictures:
    """One recording played, or two side by side, each with a title and with counters below.

    `mode` is a word of FrameMode. Frames are counted from 0 in the picture that leads; a negative number counts from
    the end. With `plays` the frames from `start` to `stop` play at about `speed` frames a second; otherwise frame
    `start` stands still. `still` is the frame that is printed, None for the last one that plays. `thread` selects a
    thread, `code` shows these lines of the first recording's source, and says that the barrier below line
    `no_barrier_below` is missing (0: none is). `result` shows what its block stores in C beside what it should be.
    Without `hazards` those of the recordings are not marked, so that a reader may find them.
    `align` is a word of Step, "" for what suits the two. `spot` names what the text mentions: arrays, or "counters";
    `tags` are words at elements of it. With `follows_thread` what a thread does is shown as an example.
    """

    show: tuple[str, ...]
    titles: tuple[str, ...]
    mode: str = "request"
    start: int = 0
    stop: int = -1
    still: int | None = None
    plays: bool = True
    speed: float = 1.0
    align: str = ""
    thread: int | None = None
    counters: tuple[str, ...] = ()
    code: tuple[int, int] | None = None
    no_barrier_below: int = 0
    result: bool = False
    hazards: bool = True
    spot: tuple[str, ...] = ()
    tags: tuple[ElementTag, ...] = ()
    follows_thread: bool = True


@dataclass(frozen=True, slots=True)
class Banks:
    """The bank stage for the first request of a recording that loads or stores (`kind`) a shared array.

    `padding` is in elements, `swizzle` a word of Swizzle; with `controls` a reader may change both.
    """

    show: str
    title: str
    array: str
    kind: str
    padding: int = 0
    swizzle: str = "none"
    plays: bool = True
    controls: bool = False


@dataclass(frozen=True, slots=True)
class Sectors:
    """The coalescing stage for the first request of a recording that loads or stores (`kind`) a matrix."""

    show: str
    title: str
    array: str
    kind: str
    plays: bool = True


@dataclass(frozen=True, slots=True)
class LessonChart:
    """A chart of runs in an example session. `view` is "kernel", "rate", "speedup", "roofline" or, for the
    relative errors, "error"; the runs of `kernels` are shown in this order.

    Rates of kernels that the step is `about`, all others if it names none, are compared with that of the one that they
    are `against`. In a roofline the marks of those that it is `about` have rings.
    """

    session: str
    view: str
    kernels: tuple[str, ...]
    against: str = ""
    about: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        missing = [name for name in (*self.about, self.against) if name and name not in self.kernels]
        if missing:
            raise ValueError(f"the chart of {', '.join(self.kernels)} does not show {', '.join(missing)}")
        if bool(self.against) != (self.view == "rate"):
            raise ValueError("a chart of rates, and no other, says which kernel the others are compared `against`")

    def is_like(self, other: LessonChart) -> bool:
        """Whether another chart differs in nothing, or in the rings of a roofline alone."""
        return self == other or (self.view == "roofline" and replace(self, about=other.about) == other)

    @property
    def spoken_of(self) -> tuple[str, ...]:
        """The kernels that the step is about."""
        return self.about or tuple(name for name in self.kernels if name != self.against)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The block schedule of a kernel in an example session: which SM ran which block, and when.

    With `idle` the SMs that never ran a block are in sight and framed.
    """

    session: str
    kernel: str
    title: str
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Warps:
    """What the warps of one SM do, in an example session: a panel for each of `kernels` and each number of `blocks` on
    the SM.

    `rows` of the warps are shown, 0 for all, from the first to the last of two clock `cycles`, 0 and 0 for all.
    """

    session: str
    kernels: tuple[str, ...]
    blocks: tuple[int, ...]
    title: str
    rows: int = 0
    cycles: tuple[int, int] = (0, 0)
    plays: bool = True


@dataclass(frozen=True, slots=True)
class Fragments:
    """How the threads of a warp hold the matrices of one mma instruction."""

    title: str


@dataclass(frozen=True, slots=True)
class Loops:
    """The order in which the loops of CPU kernels walk through A, B and C."""

    show: tuple[str, ...]
    plays: bool = True


@dataclass(frozen=True, slots=True)
class Gap:
    """A place between two source lines where a barrier could go: below `line`. `says` answers who puts it there."""

    line: int
    says: str


@dataclass(frozen=True, slots=True)
class Repair:
    """Source with a barrier missing: the reader puts it into one of the gaps; `right` is the place in `gaps`.

    `broken` plays until then, and `fixed` from then on. `more` is then said in place of what the step said, which told
    what to choose from.
    """

    broken: str
    fixed: str
    more: str
    code: tuple[int, int]
    gaps: tuple[Gap, ...]
    right: int
    mode: str = "request"
    speed: float = 2.0
    start: int = 0


Scene = Pictures | Banks | Sectors | LessonChart | Schedule | Warps | Fragments | Loops | Repair
