"""The words on a single sum, which stands in a low panel below the row that it is the sum of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.onchip_layout import PAD
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.remark import Remark
from gemmviz.gui.memory_view.text.text_item import TextItem, text_in

APART = 12.0
"""Pixels between a sum and its words, and between two of these."""
REGISTERS = "Registers"
"""The head of the panel of the sums, at the right of that line."""


def words_beside_sum(
    scene: Scene,
    looks: Looks,
    area: Box,
    names: Sequence[str],
    colour: str,
    remarks: Sequence[Remark],
    held: Sequence[str],
) -> list[TextItem]:
    """Right of the sum, which fills `area`, what it is called and how far it has come; below that its element of C.

    Of `names`, `remarks` and `held`, longer and shorter, those that have room; the last name has it always.
    """
    registers = scene.onchip.registers
    end = scene.camera.seen(registers).right - PAD if registers is not None else scene.window.right
    whole = Box(area.right + APART, area.y, end - area.right - APART, area.height / 2)
    room = whole.width - looks.width(REGISTERS, Face.HEAD) - APART
    shortest = APART + min((looks.width(each.widest, Face.SMALL) for each in remarks), default=-APART)
    name = next((name for name in names if looks.width(name, Face.NAME) + shortest <= room), names[-1])
    found = [text_in(looks, name, whole, Face.NAME, colour)]
    taken = looks.width(name, Face.NAME) + APART
    beside, below = replace(whole, x=whole.x + taken, width=room - taken), replace(whole, y=whole.bottom)
    said = [each.words for each in remarks if looks.width(each.widest, Face.SMALL) <= beside.width]
    becomes = [label for label in held if label and looks.width(label, Face.SMALL) <= below.width]
    found += [text_in(looks, words, beside, Face.SMALL, looks.theme.muted) for words in said[:1]]
    found += [text_in(looks, words, below, Face.SMALL, looks.theme.muted) for words in becomes[:1]]
    return found
