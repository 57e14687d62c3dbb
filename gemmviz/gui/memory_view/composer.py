"""Keeps what is shown and how one looks at it, and makes the scene of it. Knows no widget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from gemmviz.domain.recordings.access import BlockTrace, Space, result_name, result_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import RunSpec
from gemmviz.explain.block.arithmetic import Floats
from gemmviz.explain.block.grid_of_blocks import Block
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.block.load_counters import LoadCounters
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis, RecordedBlocks, recorded_blocks, thread_that_makes
from gemmviz.gui.memory_view.example import ThreadExample
from gemmviz.gui.memory_view.highlights import NOTHING, Highlights, element_marks, thread_marks, warp_marks
from gemmviz.gui.memory_view.paint.painted import legend_of
from gemmviz.gui.memory_view.picture import Picture
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.camera import Camera
from gemmviz.gui.memory_view.places.matrix_layout import (
    PLACE_LINE,
    SECOND_LINE,
    TWO_LINES_BELOW,
    MatrixLayout,
    Purpose,
    lay_out,
)
from gemmviz.gui.memory_view.places.onchip_contents import lenses_of, onchip_contents_of, shared_places
from gemmviz.gui.memory_view.places.onchip_layout import OnchipContents, OnchipLayout
from gemmviz.gui.memory_view.places.placed import placed
from gemmviz.gui.memory_view.sampled_frames import sampled
from gemmviz.gui.memory_view.scene import Element, Pointed, Scene, SceneNotes, ShownSums, Values
from gemmviz.gui.memory_view.shown_block import DividedBlock, DrawnFrame, ShownBlock
from gemmviz.gui.memory_view.spoken_of import SpokenOf
from gemmviz.gui.memory_view.text.card import HoverCard, element_card
from gemmviz.gui.memory_view.text.detail import Detail, detail_of
from gemmviz.gui.memory_view.text.signs import LegendEntry, Sign, merged
from gemmviz.gui.memory_view.text.sum_card import sum_card
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Frame

NEAREST = 140.0
"""Pixels of an element when one is as near as one gets."""
NO_BLOCK = (-1, -1, 0)
ALIKE = 2.0
"""Pixels by which windows beside each other may differ in size and have one layout all the same."""


class PictureNeeds(NamedTuple):
    """What a picture beside another depends on: its size of the product, what its on-chip panel shows, the width and
    height of its window in pixels, and its loads from global and from shared memory in the end.
    """

    shape: Shape
    content: OnchipContents
    size: tuple[float, float]
    loads: tuple[int, int]


class Composer:
    """The state of a memory view. Nothing is computed before `scene` asks for it."""

    def __init__(self) -> None:
        self.camera = Camera()
        self.arrival = 1.0
        self.others: tuple[Block, ...] = ()
        self.spoken_of = SpokenOf()
        self.names_device, self.can_zoom, self.is_in_lesson = True, False, False
        self.covered, self.enlarged = 0.0, 1.0
        self.is_single = self._is_presented = False
        self._kept_legend: tuple[LegendEntry, ...] = ()
        self._legend_of: tuple[Frames, BlockAnalysis | None, HeatKind] | None = None
        self.beside: PictureNeeds | None = None
        self.hovered: Element | None = None
        self.pointer: tuple[float, float] | None = None
        self.chosen: Element | None = None
        self.thread: int | None = None
        self.warp: int | None = None
        self._shown = ShownBlock()
        self._moment: DrawnFrame | None = None
        self._blocks = RecordedBlocks(None, {})
        self._heat = HeatKind.NONE
        self._size, self._least_label = (640.0, 480.0), 0.0

    @property
    def run(self) -> TraceRun | None:
        return self._shown.divided.run

    @property
    def frames(self) -> Frames | None:
        return self._shown.divided.frames

    @property
    def analysis(self) -> BlockAnalysis | None:
        return self._shown.analysis

    @property
    def frame(self) -> Frame | None:
        return self._moment.frame if self._moment is not None else None

    @property
    def heat(self) -> HeatKind:
        return self._heat

    def show(
        self, run: TraceRun | None, block: BlockTrace | None, frames: Frames | None, analysis: BlockAnalysis | None
    ) -> None:
        """Another recording, block or way of dividing it; what was pointed at in the last one is forgotten."""
        before, values = self._shown.divided, self._shown.values
        if run is not before.run:
            self._blocks = recorded_blocks(run) if run is not None else RecordedBlocks(None, {})
            self.others = ()
            old, new = (None if one is None else one.spec for one in (before.run, run))
            if old is None or new is None or old.shape != new.shape:
                self.camera = Camera()
            if old is None or new is None or (old.shape, old.fill, old.seed) != (new.shape, new.fill, new.seed):
                values = Values()
            if run is not None and result_name(run.arrays) != values.result:
                values = Values(values.a, values.b)
        is_other = (
            self._kernel(run) != self._kernel(before.run)
            or (block is None) != (before.block is None)
            or (block is not None and before.block is not None and block.block != before.block.block)
        )
        if is_other:
            self.hovered = self.chosen = self.thread = self.warp = None
        self._shown, self._moment = ShownBlock(DividedBlock(run, block, frames), analysis, values), None

    def show_frame(self, frame: Frame) -> None:
        last = self._moment
        before = last.terms if last is not None and frame.index == last.frame.index + 1 else None
        self._moment = DrawnFrame(self._shown, frame, self._heat, before)

    def use_analysis(self, analysis: BlockAnalysis) -> None:
        self._show_anew(replace(self._shown, analysis=analysis))

    def use_heat(self, kind: HeatKind) -> None:
        self._heat = kind
        self._show_anew(self._shown)

    def use_values(self, a: Floats | None, b: Floats | None, c: Floats | None) -> None:
        values = Values(a, b, c, result_name(self.run.arrays if self.run is not None else ()))
        self._show_anew(replace(self._shown, values=values))

    def _show_anew(self, shown: ShownBlock) -> None:
        self._shown = shown
        if self._moment is not None:
            self._moment = replace(self._moment, shown=shown, kind=self._heat)

    def resize(self, width: float, height: float, least_label: float = 0.0) -> None:
        """Another size of the window, and of the smallest labels; what was in its middle stays there."""
        old, self._size, self._least_label = self._size, (max(width, 1.0), max(height, 1.0)), least_label
        if self.camera.shows_all or old == self._size:
            self.camera = Camera() if self.camera.shows_all else self.camera
            return
        across, down = self._size[0] / old[0], self._size[1] / old[1]
        self.camera = replace(self.camera, x=self.camera.x * across, y=self.camera.y * down).within(*self._size)

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Nearer or farther, the point (x, y) of the window staying where it is."""
        self.camera = self.camera.zoomed(factor, x, y, self._nearest()).within(*self._size)

    def show_large(self, box: Box) -> None:
        """Fill the window with a box of the layout."""
        self.camera = Camera().fitted(box, *self._size, self._nearest())

    def move(self, x: float, y: float) -> None:
        self.camera = self.camera.moved(x, y).within(*self._size)

    def centre(self, x: float, y: float) -> None:
        """Bring a point of the layout to the middle of the window."""
        self.camera = self.camera.centred_on(x, y, *self._size)

    def reveal(self, box: Box | None) -> None:
        """Bring what is seen at a box to the middle of the window, where it is not in the window as a whole."""
        width, height = self._size
        if box is not None and (min(box.x, box.y) < 0.0 or box.right > width or box.bottom > height):
            at = self.camera.looked_at(box)
            self.centre(at.middle_x, at.middle_y)

    def scene(self) -> Scene | None:
        """What is to be painted; None where nothing is recorded."""
        run, shown, moment = self.run, self._shown, self._moment
        if run is None:
            return None
        picture = moment.picture if moment is not None else None
        layout, onchip = self._laid_out(run.spec.shape, self._contents(run))
        part = shown.analysis.part if shown.analysis is not None and shown.analysis.progress is not None else None
        scene = Scene(
            run=run,
            block=shown.divided.block.block if shown.divided.block is not None else NO_BLOCK,
            arrays=run.arrays,
            layout=layout,
            places=shared_places([array for array in run.arrays if array.space is Space.SHARED], onchip),
            camera=self.camera,
            blocks=self._known_blocks(),
            analysis=shown.analysis,
            picture=picture,
            arrival=self.arrival,
            values=shown.values,
            onchip=onchip,
            pointed=Pointed(self.hovered, self.chosen, self.thread, self._marks(), self.pointer),
            sums=self._sums(picture, self.camera.seen(onchip.sums) if onchip.sums is not None else None),
            notes=self._notes(),
            lenses=lenses_of(onchip, run.arrays, shown.divided.reads, moment.reads if moment else {}, part),
            example=self._example() if picture is not None else None,
            is_compared=self.beside is not None,
            load_counters=self._load_counters(picture),
        )
        return replace(scene, card=self._card(scene)) if self.hovered is not None else scene

    def _notes(self) -> SceneNotes:
        shown = self.names_device, self.spoken_of, self._legend(), self.covered, self._least_label
        return SceneNotes(*shown, can_zoom=self.can_zoom and self.names_device, is_in_lesson=self.is_in_lesson)

    def keep_legend(self, indices: Sequence[int], *, is_animated: bool = True) -> None:
        """Give in the legend of every frame a place to what any of these, counted from 0, shows, where `is_animated`
        also before its tiles have arrived: what most of them show at rest comes first, so that gaps are at the end. Of
        many, some from everywhere are asked.
        """
        frames = self.frames
        if frames is None:
            return
        moment, arrival, self._kept_legend = self._moment, self.arrival, ()
        found: list[LegendEntry] = []
        at_rest: Counter[Sign] = Counter()
        asked = sampled(indices)
        for index in asked:
            self.show_frame(frames.frame(index))
            for self.arrival in (1.0, 0.0)[: 1 + is_animated]:
                scene = self.scene()
                entries = legend_of(scene) if scene is not None else ()
                found = list(merged(found, entries))
                at_rest.update(entry.sign for entry in entries if self.arrival)
        found.sort(key=lambda entry: -at_rest[entry.sign])  # else in the order of Sign
        self._moment, self.arrival, self._kept_legend = moment, arrival, tuple(found)

    def present(self, is_presented: bool, *, names_device: bool = False) -> None:
        """Whether it is shown on a slide, where width is used and the legend keeps its places from frame to frame; and
        whether it says even there where the recording was made, as nobody else does.
        """
        self.names_device, self._is_presented = names_device or not is_presented, is_presented
        self._legend_of, self._kept_legend = None, ()

    def _legend(self) -> tuple[LegendEntry, ...]:
        """What has a place in the legend besides what is painted; looked for anew where that may have changed."""
        frames = self.frames
        if self._is_presented and not self.is_single and frames is not None:
            asked = frames, self.analysis, self._heat
            known = self._legend_of
            if known is None or any(one is not other for one, other in zip(known, asked, strict=True)):
                self._legend_of = asked
                self.keep_legend(range(len(frames)))
        return self._kept_legend

    def _load_counters(self, picture: Picture | None) -> LoadCounters | None:
        """The loads up to the end of the frame, on one scale with those of the picture beside this one."""
        found = picture.load_counters if picture is not None else None
        if found is None or self.beside is None:
            return found
        far, near = map(max, found.totals, self.beside.loads)
        return replace(found, totals=(far, near))

    def needs(self, size: tuple[float, float]) -> PictureNeeds | None:
        """What the layout in a window of that size depends on; None where nothing is recorded."""
        loads = self.analysis.load_counters.totals if self.analysis is not None else (0, 0)
        run = self.run
        return PictureNeeds(run.spec.shape, self._contents(run), size, loads) if run is not None else None

    def _contents(self, run: TraceRun) -> OnchipContents:
        return onchip_contents_of(run, self.analysis, self._shown.divided.reads, self.spoken_of.arrays, self.enlarged)

    def _laid_out(self, shape: Shape, content: OnchipContents) -> tuple[MatrixLayout, OnchipLayout]:
        """Where everything is, as in the picture of the same M, N and K beside this one; kept while nothing changes."""
        other, (width, height) = self.beside, self._size
        shown = (content, other.content) if other is not None and other.shape == shape else (content,)
        if other is not None and max(abs(width - other.size[0]), abs(height - other.size[1])) <= ALIKE:
            width, height = min(width, other.size[0]), min(height, other.size[1])
        if self._is_presented and self.names_device:  # where others have the captions of A and C
            height -= PLACE_LINE + (SECOND_LINE if width < TWO_LINES_BELOW else 0.0)
        purpose = Purpose.LESSON if self.is_in_lesson else Purpose.PAGE
        return placed(shape, self._size, (width, height), shown, Purpose.PRESENTED if self._is_presented else purpose)

    def thread_of(self, element: Element) -> int | None:
        """The thread that makes an element of the result in this block."""
        analysis, (name, row, column) = self.analysis, element
        c = result_of(analysis.trace.arrays) if analysis is not None else None
        if analysis is None or c is None or name != c.name or analysis.part is None:
            return None
        return thread_that_makes(analysis.trace, c, row, column) if analysis.part.holds(row, column) else None

    @staticmethod
    def _kernel(run: TraceRun | None) -> RunSpec | None:
        return None if run is None else run.spec

    def _known_blocks(self) -> RecordedBlocks:
        """The recorded blocks, with those that other recordings keep."""
        grid = self._blocks.grid
        if grid is None or not self.others:
            return self._blocks
        return RecordedBlocks(grid, {block: grid.part_of(*block) for block in self.others} | self._blocks.parts)

    def _sums(self, picture: Picture | None, at: Box | None) -> ShownSums:
        """What the threads have added up at the moment shown; `at` is where their sums are seen."""
        known, moment = self._shown.sums, self._moment
        if moment is None:
            return ShownSums(tree=known.tree, in_shared=known.in_shared, unknown=known.unknown)
        arrived, thread = moment.arrived(self.arrival), self._thread_in_question(picture)
        part = self.analysis.part if self.analysis is not None else None
        is_near = at is not None and part is not None and _is_read(at, part)
        totals, kept = known.at(arrived, is_near=is_near) if picture is not None else ({}, {})
        return ShownSums(
            of_thread=known.of_thread(thread, arrived) if thread is not None else (),
            thread=thread,
            terms=moment.terms_at(self.arrival) if picture is not None else None,
            totals=totals,
            kept=kept,
            tree=known.tree,
            in_shared=known.in_shared,
            open_slots=known.open_slots(picture.frame.epoch) if picture is not None else {},
            unknown=known.unknown_at(arrived),
        )

    def _example(self) -> ThreadExample | None:
        """What is done by the thread that is chosen, else the one pointed at, else one near the middle of the block."""
        analysis, frame = self.analysis, self.frame
        if analysis is None or frame is None or analysis.part is None or analysis.tree is not None:
            return None
        thread = self.thread
        if thread is None and self.hovered is not None:
            thread = self.thread_of(self.hovered)
        if thread is None and self.spoken_of.follows_thread:  # the one whose sums are written out, else another
            thread = 0 if analysis.writes_sums_out else self._shown.example_thread
        return self._shown.example(frame, thread, self.arrival) if thread is not None else None

    def _marks(self) -> Highlights:
        if self.frame is None or self.frames is None:
            return NOTHING
        if self.thread is not None and 0 <= self.thread < self.frames.trace.threads:
            return thread_marks(self.frames, self.frame, self.thread)
        if self.warp is not None:
            return warp_marks(self.frame, self.warp)
        if self.chosen is not None:
            return element_marks(self.frame, *self.chosen)
        return NOTHING

    def _thread_in_question(self, picture: Picture | None) -> int | None:
        """Whose sums are written out: the chosen thread, else the one of the element pointed at, else the first."""
        if picture is None or self.analysis is None or not self.analysis.writes_sums_out:
            return None
        made = self.thread_of(self.hovered) if self.thread is None and self.hovered is not None else self.thread
        return made if made is not None else 0

    def _card(self, scene: Scene) -> HoverCard | None:
        if scene.pointed.hovered is None:
            return None
        name, row, column = scene.pointed.hovered
        array = scene.array(name)
        if array is None or not (0 <= row < array.rows and 0 <= column < array.columns):
            return None
        value = scene.in_result(row, column) if name == scene.result else scene.values.of(name, row, column)
        maker = self.thread_of(scene.pointed.hovered)
        moment = self._moment
        recorded = self._shown.sums.recorded(row, column, moment.arrived(self.arrival)) if moment is not None else None
        of_sum = sum_card(scene, maker, recorded)
        if of_sum is not None:
            return of_sum
        return element_card(
            scene.run,
            scene.picture,
            scene.blocks.grid,
            (scene.block[0], scene.block[1]),
            array,
            row,
            column,
            value,
            maker,
            scene.blocks.parts,
            scene.sums.open_slots.get(scene.pointed.hovered),
        )

    def _nearest(self) -> float:
        """The zoom at which an element is as large as it gets."""
        if self.run is None:
            return 1.0
        shape = self.run.spec.shape
        layout = lay_out(shape, *self._size)  # whatever stands on chip: the limit may be rough
        sizes = layout.c.width / shape.n, layout.c.height / shape.m, layout.a.width / shape.k
        return max(NEAREST / max(min(sizes), 1e-9), 1.0)


def _is_read(at: Box, part: Rectangle) -> bool:
    """Whether the sums of a part of the result are seen so large that their values are written."""
    return detail_of(at.width / part.columns, at.height / part.rows) is Detail.VALUES
