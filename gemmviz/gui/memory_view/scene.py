"""The picture as one looks at it: a frame, the layout, the camera, and what is pointed at. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import MappedArray, Space, result_name
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.arithmetic import Floats, Sum
from gemmviz.explain.block.grid_of_blocks import Block
from gemmviz.explain.block.heat_maps import HeatMap
from gemmviz.explain.block.load_counters import LoadCounters
from gemmviz.explain.block.tree_values import TreeLeaf, TreeValues
from gemmviz.explain.block.turns import RacedSlot
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis, RecordedBlocks
from gemmviz.gui.memory_view.example import ThreadExample
from gemmviz.gui.memory_view.highlights import NOTHING, Highlights
from gemmviz.gui.memory_view.picture import Picture
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.camera import Camera
from gemmviz.gui.memory_view.places.matrix_layout import MatrixLayout
from gemmviz.gui.memory_view.places.onchip_layout import PAD, OnchipLayout
from gemmviz.gui.memory_view.places.shared_layout import Lens, SharedArrayPlace
from gemmviz.gui.memory_view.spoken_of import SpokenOf
from gemmviz.gui.memory_view.text.card import HoverCard
from gemmviz.gui.memory_view.text.detail import Detail, detail_of
from gemmviz.gui.memory_view.text.number_samples import NumberSamples, number_samples
from gemmviz.gui.memory_view.text.picture_numbers import PictureNumbers
from gemmviz.gui.memory_view.text.signs import LegendEntry
from gemmviz.trace.frames.regions import Rectangle

Element = tuple[str, int, int]
"""The name of an array, row, column."""


@dataclass(frozen=True, eq=False)
class Values:
    """The numbers of A, B and the result, as far as they are known: `c` are those of the matrix called `result`."""

    a: Floats | None = None
    b: Floats | None = None
    c: Floats | None = None
    result: str = "C"

    def of(self, name: str, row: int, column: int) -> float | None:
        """The value of an element; None if it is not known."""
        matrix = {"A": self.a, "B": self.b, self.result: self.c}.get(name)
        if matrix is None or not (0 <= row < matrix.shape[0] and 0 <= column < matrix.shape[1]):
            return None
        return float(matrix[row, column])

    def samples_of(self, name: str) -> NumberSamples:
        """What the numbers of A and B together are like, or those of the result."""
        return self._of_result if name == self.result else self._of_factors

    @cached_property
    def _of_factors(self) -> NumberSamples:
        return number_samples(self.a, self.b)

    @cached_property
    def _of_result(self) -> NumberSamples:
        return number_samples(self.c)


@dataclass(frozen=True, slots=True, eq=False)
class Pointed:
    """What a person points at or has chosen: an element, a thread, where the mouse is, the elements it is about."""

    hovered: Element | None = None
    chosen: Element | None = None
    thread: int | None = None
    marks: Highlights = NOTHING
    pointer: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ShownSums:
    """What the threads have added up at the moment shown.

    `of_thread` are the sums of `thread`, the one in question. `terms` counts the products added to each sum, shape of
    the block's part of the result; `totals` are their float32 sums by row and column, or what was stored where the sums
    are not known; `kept` is what lies in the result where a kernel stores it more than once. `tree` has the numbers of
    a tree of sums, None where they are not written out, `in_shared` the sums that slots of a dot product come to hold.
    `unknown` says in few words why nobody knows what the threads added up, "" where it is known. `open_slots` are the
    slots of shared memory in which threads find one or another element in this epoch, by array, row and column.
    """

    of_thread: tuple[Sum, ...] = ()
    thread: int | None = None
    terms: NDArray[np.int32] | None = None
    totals: Mapping[tuple[int, int], float | None] = field(default_factory=dict)
    kept: Mapping[tuple[int, int], float | None] = field(default_factory=dict)
    tree: TreeValues | None = None
    in_shared: Mapping[int, TreeLeaf] = field(default_factory=dict)
    open_slots: Mapping[Element, RacedSlot] = field(default_factory=dict)
    unknown: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class SceneNotes:
    """What is said beside the arrays: the device, if `names_device`; what is `spoken_of` by a text beside the
    picture. `kept_legend` has a place in the legend in any case: what other frames of a film show. `covered` are pixels
    at the foot of the picture that others write on. Names and values of elements have letters of `least_label` pixels
    at least where they are presented; others are left out. With `can_zoom` a person may come nearer. `is_in_lesson`:
    for a reader who knows no PTX. The legend has `legend_lines` lines at least, as that of a picture beside this one.
    """

    names_device: bool = True
    spoken_of: SpokenOf = field(default_factory=SpokenOf)
    kept_legend: tuple[LegendEntry, ...] = ()
    covered: float = 0.0
    least_label: float = 0.0
    can_zoom: bool = False
    is_in_lesson: bool = False
    legend_lines: int = 1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scene:
    """All that is painted. `picture` and `analysis` are None while the frames are being made.

    `arrival` runs from 0 (the tiles are still where they come from) to 1. `onchip` says where the panels above A are,
    `lenses` what is seen enlarged in them beside the shared arrays; `example` is the thread that is followed.
    `load_counters` counts the loads up to the end of the frame. `is_compared`: whether another picture is beside it.
    `numbers` says how numbers are written once the size is known in which the picture is painted.
    """

    run: TraceRun
    block: tuple[int, int, int]
    arrays: tuple[MappedArray, ...]
    blocks: RecordedBlocks
    analysis: BlockAnalysis | None
    picture: Picture | None
    arrival: float
    values: Values
    layout: MatrixLayout
    places: tuple[SharedArrayPlace, ...]
    camera: Camera
    onchip: OnchipLayout
    lenses: tuple[Lens, ...]
    is_compared: bool
    pointed: Pointed
    sums: ShownSums
    notes: SceneNotes
    example: ThreadExample | None
    load_counters: LoadCounters | None
    card: HoverCard | None = None
    numbers: PictureNumbers | None = None

    @property
    def result(self) -> str:
        """The name of the matrix that the kernel computes."""
        return result_name(self.arrays)

    @property
    def adds_in_memory(self) -> bool:
        """Whether threads add each product to the result in global memory, so that no register holds a sum."""
        return self.analysis is not None and not self.analysis.stores_once and self.lens(self.result) is None

    @property
    def outlined(self) -> dict[Block, Rectangle]:
        """The recorded blocks that are outlined on the result, with their parts; beside another picture the shown one
        alone, since the other recording may keep other blocks.
        """
        shown = self.block[:2]
        return {
            block: part
            for block, part in self.blocks.parts.items()
            if part.size and (block == shown or not self.is_compared)
        }

    def in_result(self, row: int, column: int) -> float | None:
        """What the block has stored of the result when the frame ends, before it while things are under way.

        None where it has stored nothing, or it is not known.
        """
        if self.analysis is None or self.picture is None or self.result not in self.picture.matrices:
            return None
        if not self.analysis.stores_once:
            return self.sums.kept.get((row, column))
        is_stored = self.picture.matrices[self.result].is_stored(row, column, arrived=self.arrival >= 1.0)
        return self.values.of(self.result, row, column) if is_stored else None

    @property
    def figures(self) -> Box | None:
        """Where the figures of the block stand, in the layout: left of A, or at the foot of the panel above it."""
        if self.layout.figures is not None or not self.layout.figures_height:
            return self.layout.figures
        panel = self.onchip.panel
        return Box(
            panel.x + PAD,
            panel.bottom - self.layout.figures_height,
            panel.width - 2 * PAD,
            self.layout.figures_height - PAD,
        )

    def heat_of(self, space: Space) -> HeatMap | None:
        """The heat of the arrays in a memory; None if what becomes of them is shown."""
        heat = self.picture.heat if self.picture is not None else None
        return heat if heat is not None and heat.space is space else None

    def array(self, name: str) -> MappedArray | None:
        return next((array for array in self.arrays if array.name == name), None)

    def place(self, name: str) -> SharedArrayPlace | None:
        """The shared array of that name."""
        return next((place for place in self.places if place.array.name == name), None)

    def area(self, name: str) -> Box | None:
        """Where an array is seen."""
        place = self.place(name)
        box = place.box if place is not None else self.layout.place(name)
        return self.camera.seen(box) if box is not None else None

    @property
    def spots(self) -> tuple[Box, ...]:
        """Where the arrays are seen that a text speaks of."""
        return tuple(
            area
            for name in self.notes.spoken_of.arrays
            if (area := self.area(name)) is not None and area.meets(self.window)
        )

    def part(self, name: str, part: Rectangle) -> Box | None:
        """Where a rectangle of elements is seen."""
        array, area, place = self.array(name), self.area(name), self.place(name)
        if array is None or area is None:
            return None
        if place is not None:
            return self.camera.seen(place.part_of(part))
        return area.part(array.rows, array.columns, part.row_start, part.column_start, part.rows, part.columns)

    def parts(self, name: str, part: Rectangle) -> list[Box]:
        """Where a rectangle of elements is seen: in its array, and enlarged beside the shared arrays."""
        found = [self.part(name, part)]
        found += [self.enlarged(name, part)]
        return [box for box in found if box is not None]

    def enlarged(self, name: str, part: Rectangle) -> Box | None:
        """Where elements of a matrix are seen through a lens; None if they are not."""
        lens = self.lens(name)
        box = lens.seen(part) if lens is not None else None
        return self.camera.seen(box) if box is not None else None

    def lens(self, name: str) -> Lens | None:
        return next((lens for lens in self.lenses if lens.name == name), None)

    def cell(self, name: str, row: int, column: int) -> Box | None:
        """Where one element is seen."""
        return self.part(name, Rectangle(row, row + 1, column, column + 1))

    @property
    def shows_numbers(self) -> bool:
        """Whether anything is large enough for numbers."""
        on_chip = [self.camera.seen(place.cell_of(0, 0)) for place in (*self.places, *(x.place for x in self.lenses))]
        seen = [*(self.detail(name) for name in self.layout.places), *(detail_of(x.width, x.height) for x in on_chip)]
        return self.shows_tree or Detail.VALUES in seen

    def detail(self, name: str) -> Detail:
        """What there is room to say about an element of an array."""
        cell = self.cell(name, 0, 0)
        return detail_of(cell.width, cell.height) if cell is not None else Detail.TILES

    def element_at(self, x: float, y: float) -> Element | None:
        """The element at a point of the window."""
        point = self.camera.looked_at(Box(x, y, 0, 0))
        for place in self.places:
            slot = place.slot_at(point.x, point.y)
            if slot is not None and not self.shows_tree:
                return place.array.name, *slot
        for lens in self.lenses:
            element = lens.element_at(point.x, point.y)
            if element is not None:
                return lens.name, *element
        for name, box in self.layout.places.items():
            array = self.array(name)
            if array is not None and box.holds(point.x, point.y):
                row = min(int((point.y - box.y) / box.height * array.rows), array.rows - 1)
                column = min(int((point.x - box.x) / box.width * array.columns), array.columns - 1)
                return name, row, column
        return None

    def array_at(self, x: float, y: float) -> Box | None:
        """The place, in the layout, of the array at a point of the window."""
        point = self.camera.looked_at(Box(x, y, 0, 0))
        boxes = [] if self.shows_tree else [place.box for place in self.places]
        boxes += [lens.place.box for lens in self.lenses]
        boxes += self.layout.places.values()
        return next((box for box in boxes if box.holds(point.x, point.y)), None)

    def block_at(self, x: float, y: float) -> Block | None:
        """The block that makes the element of the result at a point of the window."""
        element = self.element_at(x, y)
        return self.block_of(element[1], element[2]) if element is not None and element[0] == self.result else None

    def block_of(self, row: int, column: int) -> Block | None:
        """The block that computes an element of the result."""
        return self.blocks.grid.block_at(row, column) if self.blocks.grid is not None else None

    @property
    def hovered_block(self) -> Block | None:
        """The block of the result under the pointer that a click would ask for."""
        if self.pointed.hovered is None or self.pointed.hovered[0] != self.result or self.blocks.grid is None:
            return None
        block = self.blocks.grid.block_at(self.pointed.hovered[1], self.pointed.hovered[2])
        return block if block != self.block[:2] else None

    @property
    def shows_tree(self) -> bool:
        return self.analysis is not None and self.analysis.tree is not None

    @property
    def depth(self) -> int:
        """How many columns of A and rows of B a block takes at a time; 0 if it takes all."""
        return self.analysis.depth if self.analysis is not None else 0

    @property
    def window(self) -> Box:
        return Box(0.0, 0.0, self.layout.width, self.layout.height)
