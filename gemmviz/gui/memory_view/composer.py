"""Keeps what is shown and how one looks at it, and makes the scene of it. Knows no widget."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.access import BlockTrace, Space
from gemmviz.domain.spec import RunSpec
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.memory_view.arithmetic import Floats, Sum, sums_of
from gemmviz.gui.memory_view.camera import Camera
from gemmviz.gui.memory_view.card import Card, element_card
from gemmviz.gui.memory_view.grid_of_blocks import Block
from gemmviz.gui.memory_view.heat_maps import HeatKind, HeatMaker
from gemmviz.gui.memory_view.material import Material, RecordedBlocks, recorded_blocks, thread_that_makes
from gemmviz.gui.memory_view.partners import NOTHING, Marks, element_marks, thread_marks, warp_marks
from gemmviz.gui.memory_view.picture import Picture, picture_of
from gemmviz.gui.memory_view.scene import Element, Scene, Values
from gemmviz.gui.memory_view.shared_layout import place_shared, wanted_height
from gemmviz.gui.memory_view.stage import lay_out
from gemmviz.trace.frame_values import Frame
from gemmviz.trace.frames import Frames

NEAREST = 140.0
"""Pixels of an element when one is as near as one gets."""
NO_BLOCK = (-1, -1, 0)


class Composer:
    """The state of a memory view. Nothing is computed before `scene` asks for it."""

    def __init__(self) -> None:
        self.camera = Camera()
        self.glide = 1.0
        self.others: tuple[Block, ...] = ()
        self.overview = True
        self.hovered: Element | None = None
        self.chosen: Element | None = None
        self.thread: int | None = None
        self.warp: int | None = None
        self.frame: Frame | None = None
        self.frames: Frames | None = None
        self.material: Material | None = None
        self._run: TraceRun | None = None
        self._block: BlockTrace | None = None
        self._blocks = RecordedBlocks(None, {})
        self._values = Values()
        self._heat = HeatKind.NONE
        self._maker: HeatMaker | None = None
        self._picture: Picture | None = None
        self._size = (640.0, 480.0)

    @property
    def run(self) -> TraceRun | None:
        return self._run

    @property
    def heat(self) -> HeatKind:
        return self._heat

    def show(
        self, run: TraceRun | None, block: BlockTrace | None, frames: Frames | None, material: Material | None
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
        is_other = self._kernel(run) != self._kernel(self._run) or (block is None) != (self._block is None) or (
            block is not None and self._block is not None and block.block != self._block.block
        )  # fmt: skip
        if is_other:
            self.hovered = self.chosen = self.thread = self.warp = None
        self._run, self._block, self.frames, self.material = run, block, frames, material
        self._maker = HeatMaker(run, frames) if run is not None and frames is not None else None
        self.frame = self._picture = None

    def show_frame(self, frame: Frame) -> None:
        self.frame, self._picture = frame, None

    def use_material(self, material: Material) -> None:
        self.material, self._picture = material, None

    def use_heat(self, kind: HeatKind) -> None:
        self._heat, self._picture = kind, None

    def use_values(self, a: Floats | None, b: Floats | None, c: Floats | None) -> None:
        self._values = Values(a, b, c)

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

    def move(self, x: float, y: float) -> None:
        self.camera = self.camera.moved(x, y).within(*self._size)

    def centre(self, x: float, y: float) -> None:
        """Bring a point of the stage to the middle of the window."""
        self.camera = self.camera.centred_on(x, y, *self._size)

    def scene(self) -> Scene | None:
        """What is to be painted; None where nothing is recorded."""
        run = self._run
        if run is None:
            return None
        shared = [array for array in run.arrays if array.space is Space.SHARED]
        stage = lay_out(run.spec.shape, *self._size, wanted_height(shared))
        picture = self._made_picture(run)
        thread = self._thread_in_question(picture)
        scene = Scene(
            run, self._block.block if self._block is not None else NO_BLOCK, run.arrays, stage,
            place_shared(shared, stage.corner, stage.corner_foot), self.camera, self._known_blocks(), self.material,
            picture, self.glide, self._values, self.hovered, self.chosen, self._marks(), self._sums(thread), thread,
            None, self.overview,
        )  # fmt: skip
        return replace(scene, card=self._card(scene)) if self.hovered is not None else scene

    def thread_of(self, element: Element) -> int | None:
        """The thread that makes an element of C in this block."""
        if self.material is None or element[0] != "C" or self.material.part is None:
            return None
        c = next((array for array in self.material.trace.arrays if array.name == "C"), None)
        if c is None or not self.material.part.holds(element[1], element[2]):
            return None
        return thread_that_makes(self.material.trace, c, element[1], element[2])

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
        if self._picture is None and self.frame is not None and self.material is not None and self._maker is not None:
            heat = self._maker.heat(self._heat, self.frame)
            self._picture = picture_of(self.material, self.frame, run.hazards, heat)
        return self._picture

    def _marks(self) -> Marks:
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
        if picture is None or self.material is None or not self.material.writes_sums_out:
            return None
        if self.thread is not None:
            return self.thread
        made = self.thread_of(self.hovered) if self.hovered is not None else None
        return made if made is not None else 0

    def _sums(self, thread: int | None) -> tuple[Sum, ...]:
        if thread is None or self.frames is None or self.frame is None or thread >= self.frames.trace.threads:
            return ()
        return sums_of(self.frames, thread, self.frame.index, self._values.a, self._values.b)

    def _card(self, scene: Scene) -> Card | None:
        if scene.hovered is None:
            return None
        name, row, column = scene.hovered
        array = scene.array(name)
        if array is None or not (0 <= row < array.rows and 0 <= column < array.columns):
            return None
        value = scene.values.of(name, row, column) if name != "C" else None
        current = (scene.block[0], scene.block[1])
        return element_card(
            scene.run, scene.picture, scene.blocks.grid, current, array, row, column, value,
            self.thread_of(scene.hovered),
        )  # fmt: skip

    def _nearest(self) -> float:
        """The zoom at which an element is as large as it gets."""
        run = self._run
        if run is None:
            return 1.0
        stage = lay_out(run.spec.shape, *self._size)  # whatever the corner wants: the limit may be rough
        sizes = [min(stage.c.width / run.spec.shape.n, stage.c.height / run.spec.shape.m)]
        sizes.append(stage.a.width / run.spec.shape.k)
        return max(NEAREST / max(min(sizes), 1e-9), 1.0)
