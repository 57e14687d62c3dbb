"""Keeps what is shown and how one looks at it, and makes the scene of it. Knows no widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, MappedArray, Space, result_name, result_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import RunSpec
from gemmviz.explain.block.arithmetic import Floats
from gemmviz.explain.block.grid_of_blocks import Block
from gemmviz.explain.block.heat_maps import HeatKind, HeatMaker
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis, RecordedBlocks, recorded_blocks, thread_that_makes
from gemmviz.gui.memory_view.block_sums import BlockSums
from gemmviz.gui.memory_view.example import ThreadExample, elements_made, example_of, thread_for_example
from gemmviz.gui.memory_view.highlights import NOTHING, Highlights, element_marks, thread_marks, warp_marks
from gemmviz.gui.memory_view.picture import Picture, load_counters_at, picture_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.camera import Camera
from gemmviz.gui.memory_view.places.matrix_layout import MatrixLayout, lay_out
from gemmviz.gui.memory_view.places.onchip_contents import Reads, lenses_of, onchip_contents_of, reads_of, shared_places
from gemmviz.gui.memory_view.places.onchip_layout import OnchipContents, OnchipLayout, together
from gemmviz.gui.memory_view.scene import Element, Scene, Values
from gemmviz.gui.memory_view.text.card import HoverCard, element_card
from gemmviz.gui.memory_view.text.signs import LegendEntry
from gemmviz.gui.memory_view.text.sum_card import sum_card
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Frame

NEAREST = 140.0
"""Pixels of an element when one is as near as one gets."""
NO_BLOCK = (-1, -1, 0)
ALIKE = 2.0
"""Pixels by which windows beside each other may differ in size and have one layout all the same."""
Needs = tuple[Shape, OnchipContents, tuple[float, float]]
"""What a layout depends on: M, N, K, what the on-chip panel shows, and the size of the window."""


class Composer:
    """The state of a memory view. Nothing is computed before `scene` asks for it."""

    def __init__(self) -> None:
        self.camera = Camera()
        self.glide = 1.0
        self.others: tuple[Block, ...] = ()
        self.spot: tuple[str, ...] = ()
        self.tags: tuple[tuple[str, int, int, str], ...] = ()
        self.names_device = True
        self.kept_legend: tuple[LegendEntry, ...] = ()
        self.beside: Needs | None = None
        self.hovered: Element | None = None
        self.pointer: tuple[float, float] | None = None
        self.chosen: Element | None = None
        self.thread: int | None = None
        self.warp: int | None = None
        self.frame: Frame | None = None
        self.frames: Frames | None = None
        self.analysis: BlockAnalysis | None = None
        self._run: TraceRun | None = None
        self._block: BlockTrace | None = None
        self._blocks = RecordedBlocks(None, {})
        self._values = Values()
        self._heat = HeatKind.NONE
        self._maker: HeatMaker | None = None
        self._picture: Picture | None = None
        self._terms: NDArray[np.int32] | None = None
        self._earlier: NDArray[np.int32] | None = None
        self._block_sums: BlockSums | None = None
        self._reads: Reads | None = None
        self._followed: int | None = None
        self._made: tuple[int, tuple[Rectangle, ...]] | None = None
        self._layout: tuple[object, tuple[MatrixLayout, OnchipLayout]] | None = None
        self._size = (640.0, 480.0)

    @property
    def run(self) -> TraceRun | None:
        return self._run

    @property
    def heat(self) -> HeatKind:
        return self._heat

    def show(
        self, run: TraceRun | None, block: BlockTrace | None, frames: Frames | None, analysis: BlockAnalysis | None
    ) -> None:
        """Another recording, block or way of dividing it; what was pointed at in the last one is forgotten."""
        if run is not self._run:
            self._blocks = recorded_blocks(run) if run is not None else RecordedBlocks(None, {})
            self.others = ()
            old, new = (None if one is None else one.spec for one in (self._run, run))
            if old is None or new is None or old.shape != new.shape:
                self.camera = Camera()
            if old is None or new is None or (old.shape, old.fill, old.seed) != (new.shape, new.fill, new.seed):
                self._values = Values()
            if run is not None and result_name(run.arrays) != self._values.result:
                self._values = Values(self._values.a, self._values.b)
        is_other = (
            self._kernel(run) != self._kernel(self._run)
            or (block is None) != (self._block is None)
            or (block is not None and self._block is not None and block.block != self._block.block)
        )
        if is_other:
            self.hovered = self.chosen = self.thread = self.warp = None
        self._run, self._block, self.frames, self.analysis = run, block, frames, analysis
        self._maker = HeatMaker(run, frames) if run is not None and frames is not None else None
        self.frame = self._picture = self._reads = self._followed = self._made = self._earlier = None
        self._block_sums = None

    def show_frame(self, frame: Frame) -> None:
        follows = self.frame is not None and self._picture is not None and frame.index == self.frame.index + 1
        self._earlier = self._terms if follows else None
        self.frame, self._picture = frame, None

    def use_analysis(self, analysis: BlockAnalysis) -> None:
        self.analysis, self._picture, self._followed, self._made = analysis, None, None, None
        self._block_sums = None

    def use_heat(self, kind: HeatKind) -> None:
        self._heat, self._picture = kind, None

    def use_values(self, a: Floats | None, b: Floats | None, c: Floats | None) -> None:
        self._values = Values(a, b, c, result_name(self._run.arrays if self._run is not None else ()))
        self._picture = self._block_sums = None

    def resize(self, width: float, height: float) -> None:
        """Another size of the window; what was in its middle stays there."""
        old, self._size = self._size, (max(width, 1.0), max(height, 1.0))
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

    def scene(self) -> Scene | None:
        """What is to be painted; None where nothing is recorded."""
        run = self._run
        if run is None:
            return None
        shared = [array for array in run.arrays if array.space is Space.SHARED]
        picture, reads = self._made_picture(run), self._known_reads(shared)
        layout, onchip = self._laid_out(run.spec.shape, onchip_contents_of(run, self.analysis, reads))
        part = self.analysis.part if self.analysis is not None and self.analysis.progress is not None else None
        thread = self._thread_in_question(picture)
        totals, kept = self._sums.at(self._arrived) if picture is not None else ({}, {})
        scene = Scene(
            run,
            self._block.block if self._block is not None else NO_BLOCK,
            run.arrays,
            layout,
            shared_places(shared, onchip),
            self.camera,
            self._known_blocks(),
            self.analysis,
            picture,
            self.glide,
            self._values,
            self.hovered,
            self.chosen,
            self._marks(),
            self._sums.of_thread(thread, self._arrived) if thread is not None and self.frame is not None else (),
            thread,
            None,
            onchip,
            lenses_of(onchip, run.arrays, reads, self.frame, part),
            self._example() if picture is not None else None,
            self._known_terms() if picture is not None else None,
            totals,
            self.pointer,
            self._sums.tree,
            self.thread,
            kept,
            self.names_device,
            self._sums.in_shared,
            self.beside is not None,
            self.spot,
            self.tags,
            self._sums.unknown,
            self.kept_legend,
            load_counters_at(picture, self.analysis, self.glide),
        )
        return replace(scene, card=self._card(scene)) if self.hovered is not None else scene

    def needs(self, size: tuple[float, float]) -> Needs | None:
        """What the layout in a window of that size depends on; None where nothing is recorded."""
        run = self._run
        if run is None:
            return None
        shared = [array for array in run.arrays if array.space is Space.SHARED]
        return run.spec.shape, onchip_contents_of(run, self.analysis, self._known_reads(shared)), size

    def _laid_out(self, shape: Shape, content: OnchipContents) -> tuple[MatrixLayout, OnchipLayout]:
        """Where everything is, as in the picture of the same M, N and K beside this one; kept while nothing changes."""
        other, (width, height) = self.beside, self._size
        shown = (content, other[1]) if other is not None and other[0] == shape else (content,)
        if other is not None and max(abs(width - other[2][0]), abs(height - other[2][1])) <= ALIKE:
            width, height = min(width, other[2][0]), min(height, other[2][1])
        key = (shape, self._size, width, height, shown)
        if self._layout is None or self._layout[0] != key:
            contents = together(shown)
            layout = lay_out(shape, width, height, *contents)
            arranged = contents[0].arranged(layout.onchip, layout.a.width, layout.figures_height)
            added, (whole_width, whole_height) = layout.added if content.has_d else None, self._size
            own = replace(layout, width=whole_width, height=whole_height, added=added)
            self._layout = key, (own, arranged)
        return self._layout[1]

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

    def _made_picture(self, run: TraceRun) -> Picture | None:
        if self._picture is None and self.frame is not None and self.analysis is not None and self._maker is not None:
            heat = self._maker.heat(self._heat, self.frame)
            self._picture = picture_of(self.analysis, self.frame, run.hazards, heat)
            self._terms = self.analysis.progress.terms(self.frame) if self.analysis.progress is not None else None
        return self._picture

    @property
    def _arrived(self) -> int:
        """The last frame whose work is done: while its tiles are under way a frame has done nothing yet."""
        assert self.frame is not None
        return self.frame.index if self.glide >= 1.0 else self.frame.index - 1

    def _known_terms(self) -> NDArray[np.int32] | None:
        """The products added at the moment shown; where sums are written out, those of the frames that are done."""
        analysis = self.analysis
        if self.glide >= 1.0 or analysis is None or analysis.progress is None or self.frame is None:
            return self._terms
        if analysis.writes_sums_out:
            return self._earlier if self._earlier is not None else self._terms
        return analysis.progress.terms_before(analysis.timeline.moment(self.frame, self.glide))

    @property
    def _sums(self) -> BlockSums:
        """What is known of the sums of the block that is shown."""
        if self._block_sums is None:
            self._block_sums = BlockSums(self._run, self._block, self.frames, self.analysis, self._values)
        return self._block_sums

    def _known_reads(self, shared: Sequence[MappedArray]) -> Reads:
        """What the threads of a kernel without shared memory read at a time."""
        if shared or self.frames is None:
            return ()
        if self._reads is None:
            self._reads = reads_of(self.frames)
        return self._reads

    def _example(self) -> ThreadExample | None:
        """What is done by the thread that is chosen, else the one pointed at, else one near the middle of the block."""
        analysis, frame = self.analysis, self.frame
        if analysis is None or frame is None or analysis.part is None or analysis.tree is not None:
            return None
        c, thread = result_of(analysis.trace.arrays), self.thread
        assert c is not None  # since the block makes a part of it
        if thread is None and self.hovered is not None:
            thread = self.thread_of(self.hovered)
        if thread is None and analysis.writes_sums_out:
            thread = 0  # the one whose sums are written out
        if thread is None:
            if self._followed is None:
                self._followed = thread_for_example(analysis.trace, c, analysis.part)
            thread = self._followed
        if thread is None or not 0 <= thread < analysis.trace.threads:
            return None
        if self._made is None or self._made[0] != thread:
            self._made = thread, elements_made(analysis.trace, c, thread)
        return example_of(frame, thread, self._made[1], self.glide)

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
        if scene.hovered is None:
            return None
        name, row, column = scene.hovered
        array = scene.array(name)
        if array is None or not (0 <= row < array.rows and 0 <= column < array.columns):
            return None
        value = scene.in_result(row, column) if name == scene.result else scene.values.of(name, row, column)
        maker = self.thread_of(scene.hovered)
        of_sum = sum_card(
            scene, maker, self._sums.recorded(row, column, self._arrived) if self.frame is not None else None
        )
        if of_sum is not None:
            return of_sum
        current = (scene.block[0], scene.block[1])
        return element_card(
            scene.run,
            scene.picture,
            scene.blocks.grid,
            current,
            array,
            row,
            column,
            value,
            maker,
            scene.blocks.parts,
        )

    def _nearest(self) -> float:
        """The zoom at which an element is as large as it gets."""
        if self._run is None:
            return 1.0
        shape = self._run.spec.shape
        layout = lay_out(shape, *self._size)  # whatever stands on chip: the limit may be rough
        sizes = layout.c.width / shape.n, layout.c.height / shape.m, layout.a.width / shape.k
        return max(NEAREST / max(min(sizes), 1e-9), 1.0)
