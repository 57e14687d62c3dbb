"""One frame of a block as values: what is drawn of it, wherever one looks."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtGui import QImage

from gemmviz.domain.recordings.access import AccessKind
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.explain.block.heat_maps import HeatMap
from gemmviz.explain.block.load_counters import LoadCounters
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis
from gemmviz.gui.memory_view.shades import MatrixShade, matrix_shade
from gemmviz.gui.memory_view.shared_shades import SharedShade, shared_shade
from gemmviz.gui.memory_view.tile_motion import TileMotion, tile_motions
from gemmviz.trace.frames.regions import Rectangle, bounding
from gemmviz.trace.frames.values import FACTORS, Frame
from gemmviz.trace.hazards.rules.hazard_marks import hazard_marks
from gemmviz.trace.hazards.rules.mark import HazardMark


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """The tiles of one matrix: what this frame loads and stores, what shared memory holds of it when the frame ends,
    and what is still to come; None if nothing is.
    """

    loaded: Rectangle | None
    stored: Rectangle | None
    held: Rectangle | None
    to_come: Rectangle | None

    @property
    def current(self) -> Rectangle | None:
        """What takes part in this frame."""
        return self.loaded or self.stored or self.held


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One frame, by the names of the arrays. `load_counters` counts the loads up to its end, as its caption does.

    `images` keeps the tiles that move in it, as they were painted first."""

    frame: Frame
    matrices: dict[str, MatrixShade]
    tiles: dict[str, Tiles]
    shared: dict[str, SharedShade]
    tile_motions: tuple[TileMotion, ...]
    hazards: tuple[HazardMark, ...]
    load_counters: LoadCounters
    heat: HeatMap | None = None
    images: dict[Hashable, QImage] = field(default_factory=dict)


def picture_of(
    analysis: BlockAnalysis, frame: Frame, hazards: tuple[Hazard, ...] = (), heat: HeatMap | None = None
) -> Picture:
    """The picture of a frame."""
    shades = {name: matrix_shade(analysis.timeline, firsts, frame) for name, firsts in analysis.firsts.items()}
    shared = {
        contents.array.name: shared_shade(analysis.trace, analysis.timeline, frame, contents)
        for contents in frame.shared
    }
    tiles = {name: _tiles(frame, name, shade) for name, shade in shades.items()}
    load_counters = analysis.load_counters.before(analysis.timeline.span(frame)[1])
    marks = hazard_marks(frame, hazards, analysis.trace)
    motions = tile_motions(frame, analysis.part, analysis.kept, analysis.partial_sums)
    return Picture(frame, shades, tiles, shared, motions, marks, load_counters, heat)


def _tiles(frame: Frame, name: str, shade: MatrixShade) -> Tiles:
    touches = (frame.touch(name, kind) for kind in (AccessKind.LOAD, AccessKind.STORE))
    loaded, stored = (touch.box if touch is not None else None for touch in touches)
    return Tiles(loaded, stored, _held(frame, shade), shade.to_come())


def _held(frame: Frame, shade: MatrixShade) -> Rectangle | None:
    """The elements of a matrix that shared arrays hold and this frame reads there."""
    if shade.array.name not in FACTORS:
        return None
    rows, columns = [], []
    for contents in frame.shared:
        read = frame.touch(contents.array.name, AccessKind.LOAD)
        if read is None:
            continue
        origin = contents.after.origin[read.rows, read.columns]
        of_matrix = contents.after.matrix[read.rows, read.columns] == FACTORS.index(shade.array.name)
        row, column = np.divmod(origin[(origin >= 0) & of_matrix], shade.array.columns)
        rows.append(row)
        columns.append(column)
    if not rows or not sum(row.size for row in rows):
        return None
    return bounding(np.concatenate(rows), np.concatenate(columns))
