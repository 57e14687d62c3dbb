"""The cells of shared arrays: padding between slots that are used."""

from __future__ import annotations

import numpy as np

from gemmviz.gui.memory_view.paint.onchip import MOST_PADDING, without_padding
from gemmviz.gui.memory_view.shared_shades import WRITTEN, Slot

A, B, NONE = Slot.A | WRITTEN, Slot.B | WRITTEN, int(Slot.UNUSED)


def test_that_padding_between_slots_is_shown_as_the_slot_before_it() -> None:
    cells = np.array([[A, A, NONE, A], [A, NONE, B, B], [NONE, NONE, NONE, NONE]], np.uint8)
    assert without_padding(cells).tolist() == [[A, A, A, A], [A, A, B, B], [NONE] * 4]


def test_that_a_part_that_is_never_used_stays_empty() -> None:
    cells = np.array([[A, *[NONE] * MOST_PADDING, A]], np.uint8)
    assert without_padding(cells).tolist() == cells.tolist()
