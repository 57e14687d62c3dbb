"""Pictures of lessons on the whole screen: no part is smaller than in a window, as far as larger type allows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gemmviz.domain.shape import Shape
from gemmviz.gui.memory_view.places.matrix_layout import PLACE_LINE, MatrixLayout, lay_out_beside, lay_out_on_paper
from gemmviz.gui.memory_view.places.onchip_layout import OnchipContents, OnchipLayout

PAPER_PARTS = (0.0, *(0.3 + 0.02 * step for step in range(18)))
"""Of the height, for a panel above A: as it asks for, or so much."""
BESIDE_PARTS = tuple(0.62 - 0.03 * step for step in range(13))
"""Of the width, for matrices beside their panel."""
WORTH_FIGURES, WORTH_SENTENCE = 0.06, 0.03
"""The part of their size that all others give up for the figures of loads, and for a sentence in the panel."""
Placed = tuple[MatrixLayout, OnchipLayout]


def can_be_as_in_window(contents: Sequence[OnchipContents]) -> bool:
    """Whether room can be shared anew: a tree of sums, whose numbers are type, and C beside D have no other layout."""
    return not any(content.is_tree or content.has_d or not content.factors for content in contents)


def as_in_window(
    shape: Shape, size: tuple[float, float], contents: Sequence[OnchipContents], in_window: Sequence[Placed]
) -> Placed:
    """The layout with the panel of the first of `contents`, whose type is enlarged: of all, that in which what gets
    smallest, compared to the same picture `in_window`, is largest: cells of the matrices, of arrays on chip and sums.

    `in_window` has the layout of each of `contents`. Sums that are not shown there are left out.
    """
    shown = tuple(
        content if arranged.sums is not None else replace(content, sums=None)
        for content, (_, arranged) in zip(contents, in_window, strict=True)
    )
    enlarged = contents[0].enlarged
    wanted = [
        [extent / enlarged for extent in _extents(*each, content)]
        for content, each in zip(shown, in_window, strict=True)
    ]
    has_figures = any(_has_figures(layout) for layout, _ in in_window)
    best: tuple[tuple[float, float], Placed] | None = None
    for layout in _layouts(shape, size, shown, has_figures=has_figures):
        for each in dict.fromkeys((shown, tuple(replace(content, lines=0) for content in shown))):
            arranged = [content.arranged(layout.onchip, layout.least_panel, layout.figures_height) for content in each]
            ratios = [
                extent / least
                for content, one, leasts in zip(each, arranged, wanted, strict=True)
                for extent, least in zip(_extents(layout, one, content), leasts, strict=True)
                if least
            ]
            has_sentence = any(one.lines for one in arranged)
            worth = min(*ratios, 1.0) + WORTH_FIGURES * _has_figures(layout) + WORTH_SENTENCE * has_sentence
            if best is None or (worth, sum(ratios)) > best[0]:
                best = (worth, sum(ratios)), (layout, arranged[0])
    assert best is not None
    return best[1]


def _layouts(
    shape: Shape, size: tuple[float, float], contents: tuple[OnchipContents, ...], *, has_figures: bool
) -> Iterator[MatrixLayout]:
    """All that are tried, without the line of the place where all is to scale; with figures where these are wanted,
    and without.
    """
    width, height = size
    for place, parts in enumerate((PAPER_PARTS, BESIDE_PARTS)):
        for part in parts:
            for high in (height + PLACE_LINE, height):
                if place:
                    found = lay_out_beside(shape, width, high, contents, part)
                else:
                    found = lay_out_on_paper(shape, width, high, contents, part)
                if not found.notes:
                    break
            if has_figures and _has_figures(found):
                yield found
            if not (has_figures and found.figures is not None):
                yield replace(found, figures=None, figures_height=0.0)


def _extents(layout: MatrixLayout, arranged: OnchipLayout, content: OnchipContents) -> tuple[float, ...]:
    """Of M, N and K in the layout, and of a cell of the arrays on chip and of the sums; 0 for what is not there."""
    sums = arranged.sums.width if arranged.sums is not None else 0.0
    return layout.a.height, layout.b.width, layout.a.width, arranged.edge(content.factors), sums


def _has_figures(layout: MatrixLayout) -> bool:
    return layout.figures is not None or bool(layout.figures_height)
