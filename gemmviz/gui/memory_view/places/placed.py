"""Where everything lies in a picture: the matrices with their panel, and what stands in it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from gemmviz.domain.shape import Shape
from gemmviz.gui.memory_view.places.as_in_window import as_in_window, can_be_as_in_window
from gemmviz.gui.memory_view.places.factors_first import with_factors_first
from gemmviz.gui.memory_view.places.matrix_layout import MatrixLayout, Purpose, lay_out
from gemmviz.gui.memory_view.places.onchip_contents import together
from gemmviz.gui.memory_view.places.onchip_layout import OnchipContents, OnchipLayout

NO_REGISTERS = "No room for registers"
WIDEN = f"{NO_REGISTERS}: widen the pane or the window"
_STEP, _MOST = 5, 150
"""Per cent by which widths are tried in which the registers have room, and the largest of them."""

Size = tuple[float, float]


@lru_cache(maxsize=64)  # of two pictures, in the window and on the whole screen, and while a window is resized
def placed(
    shape: Shape, own: Size, size: Size, shown: tuple[OnchipContents, ...], purpose: Purpose
) -> tuple[MatrixLayout, OnchipLayout]:
    """Where everything is in a window of size `own`, laid out as in one of `size`, the first of `shown` in it. A note
    says so where the registers have no room, but not to an audience, which cannot change the size of the picture, nor
    where a text speaks of the arrays that they gave way to.
    """
    layout, arranged = _arranged(shape, size, shown, purpose)
    gave_way = purpose is Purpose.PRESENTED or shown[0].is_spoken_of
    if shown[0].sums is not None and arranged.sums is None and not gave_way:
        layout = replace(layout, notes=_notes(layout.notes, _needed(shape, size, shown, purpose), purpose))
    added = layout.added if shown[0].has_d else None
    return replace(layout, width=own[0], height=own[1], added=added), arranged


def _arranged(
    shape: Shape, size: Size, shown: tuple[OnchipContents, ...], purpose: Purpose
) -> tuple[MatrixLayout, OnchipLayout]:
    contents = together(shown)
    enlarged = contents[0].enlarged
    if enlarged > 1.0 and can_be_as_in_window(contents):
        in_window = tuple(replace(each, enlarged=1.0) for each in shown)
        larger = size[0] * enlarged, size[1] * enlarged
        of_each = [_arranged(shape, larger, _first(place, in_window), Purpose.LESSON) for place in range(len(shown))]
        return as_in_window(shape, size, contents, of_each)
    layout = lay_out(shape, *size, *contents, purpose=purpose)
    arranged = contents[0].arranged(layout.onchip, layout.least_panel, layout.figures_height)
    return with_factors_first(shape, layout, arranged, contents[0]) if len(shown) == 1 else (layout, arranged)


def _first(place: int, contents: tuple[OnchipContents, ...]) -> tuple[OnchipContents, ...]:
    """The same with the one of that place before the others."""
    return contents[place], *contents[:place], *contents[place + 1 :]


def _needed(shape: Shape, size: Size, shown: tuple[OnchipContents, ...], purpose: Purpose) -> int:
    """Per cent of the width and height in which the registers have room, _MOST at most; 0 if that is too little."""
    for percent in range(100 + _STEP, _MOST + 1, _STEP):
        larger = size[0] * percent / 100, size[1] * percent / 100
        if _arranged(shape, larger, shown, purpose)[1].sums is not None:
            return percent
    return 0


def _notes(others: tuple[str, ...], percent: int, purpose: Purpose) -> tuple[str, ...]:
    """What is said, longer and shorter: why registers are not shown, and on the page what to do."""
    told = [f"{NO_REGISTERS}: a picture {percent - 100} % larger has room for them"] if percent else []
    longest = [f"{note}. {told[0]}" for note in (others[:1] if told else ())]
    return (*longest, *told, *((WIDEN,) if purpose is Purpose.PAGE else ()), NO_REGISTERS)
