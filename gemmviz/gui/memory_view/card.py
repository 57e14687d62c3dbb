"""What is said about the element under the pointer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gemmviz.domain.access import AccessKind, MappedArray, Space
from gemmviz.domain.figures import count
from gemmviz.domain.terms import Evidence
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.memory_view.grid_of_blocks import Block, BlockGrid
from gemmviz.gui.memory_view.labels import block_words, origin_name, threads_words, value_text
from gemmviz.gui.memory_view.picture import Picture
from gemmviz.gui.memory_view.shared_shades import HELD, Slot
from gemmviz.trace.frame_regions import Rectangle

BANKS, WORD_BYTES = 32, 4


@dataclass(frozen=True, slots=True)
class Card:
    """A title, lines of a name and a figure each, the evidence of the figures, and what is wrong, "" if nothing is."""

    title: str
    lines: tuple[tuple[str, str], ...]
    evidence: str = ""
    hazard: str = ""


def element_card(
    run: TraceRun, picture: Picture | None, grid: BlockGrid | None, current: Block, array: MappedArray, row: int,
    column: int, value: float | None = None, maker: int | None = None,
) -> Card:  # fmt: skip
    """What there is to say about an element of any array; `maker` is the thread that makes an element of C."""
    name = f"{array.name}[{column}]" if array.space is Space.SHARED and array.rows == 1 else (
        f"{array.name}[{row}, {column}]"
    )  # fmt: skip
    title = f"{name} = {value_text(value)}" if value is not None else name
    lines: list[tuple[str, str]] = []
    if picture is not None:
        lines += _threads(picture, array, row, column)
    if array.space is Space.SHARED:
        lines += _slot(picture, array, row, column)
    elif array.name in ("A", "B"):
        loads = run.a_loads if array.name == "A" else run.b_loads
        whole = run.blocks_recorded == run.blocks_in_grid
        of = "by the whole grid" if whole else "by the recorded blocks"
        lines.append((f"loads {of}", count(int(loads[row * array.columns + column]))))
    elif array.name == "C" and grid is not None:
        lines += _block(grid, current, row, column)
        lines += [("its thread", str(maker))] if maker is not None else []
    hazards = () if picture is None else picture.hazards
    wrong = next((mark for mark in hazards if mark.about(array.name, row, column)), None)
    meeting = ""
    if wrong is not None:
        meeting = f"{wrong.words} ({threads_words(wrong.threads)})" if wrong.threads else wrong.words
    return Card(title, tuple(lines), str(Evidence.RECORDED) if lines else "", meeting)


def _threads(picture: Picture, array: MappedArray, row: int, column: int) -> list[tuple[str, str]]:
    lines = []
    for kind, verb in ((AccessKind.LOAD, "read"), (AccessKind.STORE, "written")):
        touch = picture.frame.touch(array.name, kind)
        threads = [] if touch is None else touch.threads(row, column).tolist()
        if touch is not None and threads:
            times = int(np.sum(touch.access_element == row * array.columns + column))
            often = "" if times == len(threads) else f", {count(times)} times"
            lines.append((f"{verb} in this frame", f"by {threads_words(threads)}{often}"))
    return lines or [("in this frame", "not touched")]


def _slot(picture: Picture | None, array: MappedArray, row: int, column: int) -> list[tuple[str, str]]:
    offset = (row * array.columns + column) * array.element_bytes
    bank = offset // WORD_BYTES % BANKS
    lines = [("bank", f"{bank}, byte {count(offset)} of {array.name}")]
    if picture is not None and array.name in picture.shared:
        after = picture.shared[array.name].contents.after
        held = origin_name(int(after.origin[row, column]), int(after.matrix[row, column]), picture.frame.arrays)
        is_unused = int(picture.shared[array.name].after[row, column]) & HELD == Slot.UNUSED
        words = {
            "": "nothing: padding, never touched" if is_unused else "nothing yet",
            "0": "a zero, stored",
            "sum": "a computed value",
        }.get(held, held)
        lines.insert(0, ("holds", words))
    return lines


def _block(grid: BlockGrid, current: Block, row: int, column: int) -> list[tuple[str, str]]:
    found = grid.block_at(row, column)
    if found is None:
        return []
    part: Rectangle = grid.part_of(*found)
    size = f"{count(part.rows)} × {count(part.columns)} elements"
    if found == current:
        return [("made by", f"{block_words(found)}, which is shown"), ("its part of C", size)]
    return [("made by", f"{block_words(found)}: click to record it"), ("its part of C", size)]
