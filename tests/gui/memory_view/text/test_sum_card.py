"""A running sum in a register has a card of its own: what is in it now, not what becomes of C."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.text.card import HoverCard
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.regions import Rectangle

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]


def card_at(view: MemoryView, row: int, column: int, *, onchip_box: bool) -> HoverCard:
    """The card while the pointer is at an element of C: as a sum in the corner, or where C is."""
    scene = view.picture_state()
    assert scene is not None
    part = Rectangle(row, row + 1, column, column + 1)
    cell = scene.enlarged("C", part) if onchip_box else scene.part("C", part)
    assert cell is not None
    at = QPointF(cell.middle_x, cell.middle_y)
    none = Qt.MouseButton.NoButton
    QApplication.sendEvent(
        view, QMouseEvent(QMouseEvent.Type.MouseMove, at, at, none, none, Qt.KeyboardModifier.NoModifier)
    )
    scene = view.picture_state()
    assert scene is not None
    assert scene.card is not None
    return scene.card


def test_that_a_sum_in_a_register_tells_its_value_its_terms_and_its_thread(show: Show, recorded: Record) -> None:
    """A row of 1, 2, 3, 4 and B = 10: 10, then 30, then 60, then 100; TILE 2 adds one product in a step."""
    view, frames = show(recorded("tiled", "4x4x4", (1, 0), TILE=2), mode=FrameMode.STEP)
    view.set_values(np.tile(np.arange(1, 5, dtype=np.float32), (4, 1)), np.full((4, 4), 10, np.float32))
    said = []
    for index in range(len(frames)):
        view.show_frame(frames.frame(index))
        card = card_at(view, 1, 3, onchip_box=True)
        assert ("kept by", "thread 3, in a register") in card.lines
        assert card.evidence == "derived"
        said.append((card.title, dict(card.lines)["terms so far"], dict(card.lines)["in C"]))
    name = "sum of C[1,3]"
    assert said == [
        (f"{name} = 0", "0 of 4", "not stored yet"),
        (f"{name} = 10", "1 of 4", "not stored yet"),
        (f"{name} = 30", "2 of 4", "not stored yet"),
        (f"{name} = 30", "2 of 4", "not stored yet"),
        (f"{name} = 60", "3 of 4", "not stored yet"),
        (f"{name} = 100", "4 of 4", "not stored yet"),
        (f"{name} = 100", "4 of 4", "stored"),
    ]


@pytest.mark.parametrize("index", [1, 3, 8])
def test_that_a_sum_of_a_large_product_is_added_up_as_far_as_it_has_come(
    show: Show, recorded: Record, index: int
) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (1, 2)), index)
    a, b = (np.random.default_rng(seed).random((64, 64), np.float32) for seed in (1, 2))
    view.set_values(a, b)
    card = card_at(view, 40, 20, onchip_box=True)
    terms = {1: 16, 3: 32, 8: 64}[index]
    assert dict(card.lines)["terms so far"] == f"{terms} of 64"
    assert float(card.title.partition(" = ")[2]) == pytest.approx(float(a[40, :terms] @ b[:terms, 20]), rel=0.01)


def test_that_c_itself_keeps_its_card_and_the_pointer_tells_which(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "4x4x4", (1, 0), TILE=2), 1)
    assert card_at(view, 0, 2, onchip_box=True).title.startswith("sum of C[0,2]")
    assert card_at(view, 0, 2, onchip_box=False).title.startswith("C[0,2]")
    assert card_at(view, 0, 2, onchip_box=True).title.startswith("sum of C[0,2]")
