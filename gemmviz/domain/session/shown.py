"""What of a session a person looked at when it was saved."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.session.field_ranges import Index
from gemmviz.domain.spec import RunSpec


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """A block by its place among those that a recording keeps, and a frame of it in a mode; all counted from 0.

    `mode` is a word of FrameMode. `padding` and `swizzle` are the layout of shared arrays that was tried on its banks:
    columns, and a word of Swizzle, "" for none. Nothing promises that the session has what this names.
    """

    recording: Index
    block: Index
    mode: str
    frame: Index
    padding: Index = 0
    swizzle: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is played, what plays beside it, each None for nothing, by what words the colours and the steps of the two
    go, the tab that was in front, the plot that it showed, what was set up to run, which runs were chosen, what
    speed-ups were against and whether the charts of times showed all of many runs.

    `heat` is a word of HeatKind; `step` one of Step, "" where nobody chose one; `tab` is a tab's title, "" where it is
    not known; `plot` a word of Plot, "" for a tab without plots. `memory_view` is what the page of memory had in front:
    "animation", "banks", "sectors" or "totals"; "" where it is not known. `set_up` names its device as a person chose
    it, "" for the preferred one; None where it is not known. `chosen` are the places of the runs that charts compare,
    from 0; () where none was chosen. `baseline` is the place of a run that others were compared with, None where it is
    not known.
    """

    first: ShownFrame | None = None
    beside: ShownFrame | None = None
    heat: str = ""
    step: str = ""
    tab: str = ""
    plot: str = ""
    memory_view: str = ""
    set_up: RunSpec | None = None
    chosen: tuple[Index, ...] = ()
    baseline: Index | None = None
    shows_all: bool = False
