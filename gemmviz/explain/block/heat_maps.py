"""Heat: one figure for each element instead of what becomes of it, with a legend that says which and on what scale."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import MappedArray, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Evidence
from gemmviz.explain.block.pooled import Pyramid
from gemmviz.explain.block.request_heat import request_heat
from gemmviz.explain.runs.recorded_extent import loaders_words
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.model.rules import LANES

LEVELS = 254
"""Levels of heat above "none", which is 0."""


class HeatKind(StrEnum):
    """What can be shown instead of the roles."""

    NONE = "none"
    SO_FAR = "loads so far"
    IN_ALL = "loads in all"
    SECTORS = "sectors"
    BANKS = "bank conflicts"
    AGE = "age in shared memory"


def colour_words(kind: HeatKind) -> str:
    """What elements are coloured by, as a list offers it: "Colour by: role", "Colour by: loads so far"."""
    return f"Colour by: {'role' if kind is HeatKind.NONE else kind}"


def short_colour_words(kind: HeatKind) -> str:
    """The same where there is little room: "Colour: role", "bank conflicts"."""
    return {HeatKind.NONE: "Colour: role", HeatKind.AGE: "Colour: age"}.get(kind, str(kind))


@dataclass(frozen=True, slots=True, eq=False)
class HeatLayer:
    """The figures of one array: those of the elements of `box`, 0 where there is none, behind `figures.full`."""

    array: MappedArray
    box: Rectangle
    figures: Pyramid


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """Layers by the name of the array; figures run from `low` (palest) to `high`. `note` says what is counted.

    `in_doubles` spreads the colours over doublings, not over steps of one.
    """

    kind: HeatKind
    layers: dict[str, HeatLayer]
    low: int
    high: int
    title: str
    note: str
    evidence: Evidence
    in_doubles: bool = False

    @property
    def space(self) -> Space:
        """The memory it speaks of; arrays elsewhere go on showing what becomes of them."""
        return Space.SHARED if self.kind in (HeatKind.BANKS, HeatKind.AGE) else Space.GLOBAL

    def place(self, figure: int) -> float:
        """Where a figure stands on the scale, 0 to 1."""
        return float(self.levels(np.array([figure], np.int32))[0] - 1) / (LEVELS - 1)

    def levels(self, figures: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Figures as levels of colour, same shape: 0 where there is none, else 1 to LEVELS."""
        if self.in_doubles:
            logs = (np.log2(np.maximum(figures, 1)), np.log2(self.low), np.log2(self.high))
            return np.where(figures < self.low, np.uint8(0), _levels(*logs))
        return np.where(figures < self.low, np.uint8(0), _levels(figures.astype(np.float64), self.low, self.high))

    @property
    def marks(self) -> tuple[int, ...]:
        """The figures that the legend names, ascending."""
        if self.in_doubles:
            return tuple(1 << place for place in range(self.low.bit_length() - 1, self.high.bit_length()))
        middle = (self.low + self.high) // 2
        return tuple(sorted({self.low, middle, self.high}))


class HeatMaker:
    """Makes the heat of the frames of one block; what all frames share is made once."""

    def __init__(self, run: TraceRun, frames: Frames) -> None:
        self._run = run
        self._frames = frames
        self._reuse: dict[str, HeatLayer] | None = None
        self._most = 0

    def heat(self, kind: HeatKind, frame: Frame) -> HeatMap | None:
        """The heat of a frame; None for NONE."""
        match kind:
            case HeatKind.SO_FAR:
                return self._so_far(frame)
            case HeatKind.IN_ALL:
                return self._in_all()
            case HeatKind.SECTORS:
                note = "32-byte sectors per request (32 adjacent floats make 4)"
                if any(site.is_past_l1 and site.space is Space.GLOBAL for site in frame.sites):
                    note = f"{note}; requests of cp.async.cg count by target address"
                return self._of_requests(kind, frame, "Sectors per request", note)
            case HeatKind.BANKS:
                note = "Words one warp request needs from the same bank (1 = no conflict)"
                return self._of_requests(kind, frame, "Words per bank", note)
            case HeatKind.AGE:
                return self._age(frame)
        return None

    def _of_requests(self, kind: HeatKind, frame: Frame, title: str, note: str) -> HeatMap:
        space = Space.GLOBAL if kind is HeatKind.SECTORS else Space.SHARED
        arrays = {array.name: array for array in frame.arrays}
        layers = {
            name: HeatLayer(arrays[name], box, Pyramid(figures, np.maximum))
            for name, (box, figures) in request_heat(self._frames.trace, frame, space).items()
        }
        note = note if layers else _why_none(frame, space)
        return HeatMap(kind, layers, 1, LANES, title, note, Evidence.DERIVED, in_doubles=True)

    def _in_all(self) -> HeatMap:
        self._reuse = self._reuse if self._reuse is not None else reuse_layers(self._run)
        most = max((int(layer.figures.full.max(initial=1)) for layer in self._reuse.values()), default=1)
        note = f"Loads of each element by {loaders_words(self._run)}"
        if self._run.blocks_recorded != self._run.blocks_in_grid:
            note = f"{note}; record the whole grid to see all"
        return HeatMap(HeatKind.IN_ALL, self._reuse, 1, most, "Loads in all", note, Evidence.RECORDED)

    def _so_far(self, frame: Frame) -> HeatMap:
        arrays = [a for a in self._frames.trace.arrays if a.space is Space.GLOBAL and a.name in ("A", "B")]
        if not self._most:  # the scale is that of the last frame: colours mean the same from the first to the last
            last = len(self._frames) - 1
            counts = (self._frames.heat(array.name, last).counts for array in arrays)
            self._most = max((int(count.max(initial=1)) for count in counts), default=1)
        layers = {}
        for array in arrays:
            heat = self._frames.heat(array.name, frame.index)
            layers[array.name] = HeatLayer(array, heat.box, Pyramid(heat.counts, np.maximum))
        note = "Loads of each element by this block so far"
        return HeatMap(HeatKind.SO_FAR, layers, 1, self._most, "Loads so far", note, Evidence.RECORDED)

    def _age(self, frame: Frame) -> HeatMap:
        layers, most = {}, 4
        for array in self._frames.trace.arrays:
            if array.space is Space.SHARED:
                stored = self._frames.last_stored(array.name, frame.index)
                age = np.where(stored < 0, 0, frame.index - stored + 1).astype(np.int32)
                box = Rectangle(0, array.rows, 0, array.columns)
                layers[array.name] = HeatLayer(array, box, Pyramid(age, np.maximum))
                most = max(most, int(age.max(initial=1)))
        note = f"{frame.mode.words.capitalize()}s since the element was stored (1 = this one)"
        return HeatMap(HeatKind.AGE, layers, 1, most, "Age", note, Evidence.RECORDED)


def warm(frames: Frames) -> None:
    """Let frames count what heat asks for first. Takes a while for a large trace: for the thread that makes them."""
    for array in frames.trace.arrays if len(frames) else ():
        if array.space is Space.SHARED:
            frames.last_stored(array.name, 0)
        else:
            frames.heat(array.name, 0)


def reuse_layers(run: TraceRun) -> dict[str, HeatLayer]:
    """How often each element of A and B was loaded, over the blocks of this recording."""
    shape = run.spec.shape
    found = {}
    for name, loads, rows, columns in (("A", run.a_loads, shape.m, shape.k), ("B", run.b_loads, shape.k, shape.n)):
        array = next((a for a in run.arrays if a.name == name), None)
        if array is not None:
            counts = np.minimum(loads, np.iinfo(np.int32).max).astype(np.int32).reshape(rows, columns)
            found[name] = HeatLayer(array, Rectangle(0, rows, 0, columns), Pyramid(counts, np.maximum))
    return found


def _levels(figures: NDArray[np.float64], low: float, high: float) -> NDArray[np.uint8]:
    """1 for `low` to LEVELS for `high` and more; LEVELS where the two are the same."""
    part = (figures - low) / (high - low) if high > low else np.ones(figures.shape)
    return (1 + np.rint(np.clip(part, 0.0, 1.0) * (LEVELS - 1))).astype(np.uint8)


def _why_none(frame: Frame, space: Space) -> str:
    if any(touch.array.space is space for touch in frame.touches):
        return f"No warp asks for {space.value} memory in this frame: it is copied as a whole"
    return f"This frame touches no {space.value} memory"
