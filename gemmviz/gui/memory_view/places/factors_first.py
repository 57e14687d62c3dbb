"""Room for shared arrays whose numbers a text speaks of: before the matrices, the loads and the registers."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.shape import Shape
from gemmviz.gui.memory_view.places.matrix_layout import MatrixLayout, lay_out_beside
from gemmviz.gui.memory_view.places.onchip_layout import OnchipContents, OnchipLayout

WANTED_SLOT = 40.0
"""Pixels of a slot in which two numbers, one below the other, can be read."""
WORTH_IT = 1.2
"""How much larger slots get at least where other parts of the picture give way."""
MOST_SLOTS = 8
"""Rows and columns of arrays whose numbers a text can speak of."""
PARTS = tuple(0.46 - 0.04 * step for step in range(8))
"""Of the width, for the matrices."""


def with_factors_first(
    shape: Shape, layout: MatrixLayout, arranged: OnchipLayout, content: OnchipContents
) -> tuple[MatrixLayout, OnchipLayout]:
    """The layout and its on-chip panel as they are where slots have WANTED_SLOT, where no text speaks of them, or where
    they are too many for numbers. Else the panel stands to the left of the matrices, without the figures: these give
    way until slots have WANTED_SLOT, then the registers do.
    """
    edge = arranged.edge(content.factors)
    is_small = all(max(size) <= MOST_SLOTS for size in content.factors)
    if not (content.is_spoken_of and content.factors and is_small) or edge >= WANTED_SLOT:
        return layout, arranged
    found, largest = (layout, arranged), WORTH_IT * edge
    bare = replace(content, lines=0)
    for each in (bare, replace(bare, sums=None)):
        for part in PARTS:
            beside = lay_out_beside(shape, layout.width, layout.height, (each,), part)
            beside = replace(beside, figures_height=0.0)
            placed = each.arranged(beside.onchip, beside.least_panel)
            edge = placed.edge(each.factors)
            if edge > largest:
                found, largest = (beside, placed), edge
            if edge >= WANTED_SLOT:
                return beside, placed
    return found
