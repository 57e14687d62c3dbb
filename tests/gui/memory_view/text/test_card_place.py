"""Where the card of a running sum stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.text.card_place import NEAR, place_card, pointed_at
from gemmviz.trace.frames.frames import Frames

Record = Callable[..., TraceRun]
Show = Callable[..., tuple[MemoryView, Frames]]


@pytest.mark.parametrize("window", [(676, 474), (980, 560), (1314, 690)])
@pytest.mark.parametrize(("size", "block"), [("8x8x8", (0, 0)), ("64x64x64", (1, 2))])
def test_that_the_card_of_a_sum_stands_beside_it(
    show: Show, recorded: Record, window: tuple[int, int], size: str, block: tuple[int, int]
) -> None:
    tile = 4 if size == "8x8x8" else 16
    view, _ = show(recorded("tiled", size, block, TILE=tile), 1)
    view.resize(*window)
    scene = view.picture_state()
    assert scene is not None
    lens = scene.lens("C")
    assert lens is not None
    for row, column in ((0, 0), (1, tile - 1), (tile - 1, 2)):
        cell = lens.place.cell_of(row, column)
        at = cell.middle_x, cell.middle_y
        element = scene.element_at(*at)
        assert element is not None
        view._composer.pointer = at
        view._hover(element)
        now = view.picture_state()
        assert now is not None
        card, pointed = place_card(now, looks_of(LIGHT)), pointed_at(now)
        assert card is not None
        assert pointed is not None
        across = max(pointed.x - card.box.right, card.box.x - pointed.right, 0.0)
        down = max(pointed.y - card.box.bottom, card.box.y - pointed.bottom, 0.0)
        assert across + down <= NEAR
        assert not card.box.meets(pointed)
