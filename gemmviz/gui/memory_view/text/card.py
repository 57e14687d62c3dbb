"""What is said about the element under the pointer."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import numpy as np

from gemmviz.domain.elements import element_name
from gemmviz.domain.figures import count, counted
from gemmviz.domain.recordings.access import AccessKind, MappedArray, Space, result_name
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Evidence
from gemmviz.explain.block.grid_of_blocks import Block, BlockGrid
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.block.shared_places import shared_places
from gemmviz.explain.block.turns import RacedSlot
from gemmviz.explain.runs.recorded_extent import loaders_words
from gemmviz.gui.memory_view.picture import Picture
from gemmviz.gui.memory_view.shared_shades import HELD, Slot
from gemmviz.gui.memory_view.text.cell_values import whole_text
from gemmviz.gui.memory_view.text.labels import block_words, is_transposed, origin_name, threads_words
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import FACTORS
from gemmviz.trace.model.rules import bank_of

_VERBS = ((AccessKind.LOAD, "loaded"), (AccessKind.STORE, "stored"))


@dataclass(frozen=True, slots=True)
class HoverCard:
    """A title, lines of a name and a figure each, the evidence of the figures, and what is wrong, "" if nothing is."""

    title: str
    lines: tuple[tuple[str, str], ...]
    evidence: str = ""
    hazard: str = ""


def element_card(
    run: TraceRun,
    picture: Picture | None,
    grid: BlockGrid | None,
    current: Block,
    array: MappedArray,
    row: int,
    column: int,
    value: float | None = None,
    maker: int | None = None,
    at_hand: Container[Block] = (),
    raced: RacedSlot | None = None,
) -> HoverCard:
    """What there is to say about an element of any array; `maker` is the thread that makes an element of the
    result.

    `at_hand` are the blocks that are recorded and kept; `raced` is what threads find in a slot of shared memory for
    which they race, None where all find the same.
    """
    name = array.name_of(row, column)
    title = f"{name} = {whole_text(value)}" if value is not None else name
    lines: list[tuple[str, str]] = []
    if picture is not None:
        touched = _threads(picture, array, row, column)
        touched += _copies(picture, array, row, column, with_stores=not touched)
        lines += touched or [("in this frame", "not touched")]
        lines += _heat(picture, array, row, column)
    if array.space is Space.SHARED:
        lines += _slot(picture, array, row, column, raced)
    elif array.name in ("A", "B"):
        loads = run.a_loads if array.name == "A" else run.b_loads
        lines.append((f"loads by {loaders_words(run)}", count(int(loads[row * array.columns + column]))))
        lines += _holders(picture, array, row, column) if picture is not None else []
    elif array.name == result_name(run.arrays) and grid is None and maker is not None:
        lines.append(("computed by", f"thread {count(maker)} of {block_words(current)}"))
    elif array.name == result_name(run.arrays) and grid is not None:
        lines += _block(array.name, grid, current, at_hand, row, column, maker)
    hazards = () if picture is None else picture.hazards
    wrong = next((mark for mark in hazards if mark.about(array.name, row, column)), None)
    said = wrong.words if wrong is not None else ""
    return HoverCard(title, tuple(lines), str(Evidence.RECORDED) if lines else "", said)


def _threads(picture: Picture, array: MappedArray, row: int, column: int) -> list[tuple[str, str]]:
    lines = []
    for kind, verb in _VERBS:
        touch = picture.frame.touch(array.name, kind)
        threads = [] if touch is None else touch.threads(row, column).tolist()
        if touch is not None and threads:
            times = int(np.sum(touch.access_element == row * array.columns + column))
            often = "" if times == len(threads) else f", {count(times)} times"
            lines.append((f"{verb} in this frame", f"by {threads_words(threads)}{often}"))
    return lines


def _copies(picture: Picture, array: MappedArray, row: int, column: int, with_stores: bool) -> list[tuple[str, str]]:
    """Who reads the shared slots that hold an element of A or B in this frame, and who stores them."""
    lines = []
    for shared, slot in _held_at(picture, array, row, column):
        for kind, verb in _VERBS if with_stores else _VERBS[:1]:
            touch = picture.frame.touch(shared.name, kind)
            threads = [] if touch is None else touch.threads(*divmod(slot, shared.columns)).tolist()
            if threads:
                lines.append((f"its copy {_slot_name(shared, slot)}", f"{verb} by {threads_words(threads)}"))
    return lines


def _heat(picture: Picture, array: MappedArray, row: int, column: int) -> list[tuple[str, str]]:
    """The figure whose colour the element has; that of all loads is told anyhow."""
    heat = picture.heat
    layer = heat.layers.get(array.name) if heat is not None else None
    if heat is None or layer is None or heat.kind is HeatKind.IN_ALL or not layer.box.holds(row, column):
        return []
    figure = int(layer.figures.full[row - layer.box.row_start, column - layer.box.column_start])
    if figure < heat.low:
        return []
    evidence = "" if heat.evidence is Evidence.RECORDED else f", {heat.evidence}"
    return [(f"{heat.title.lower()}{evidence}", count(figure))]


def _holders(picture: Picture, array: MappedArray, row: int, column: int) -> list[tuple[str, str]]:
    places = _held_at(picture, array, row, column)
    return [
        ("lies in", f"{_slot_name(shared, slot)}, bank {bank_of(shared.address_of(0, slot))}")
        for shared, slot in places
    ]


def _held_at(picture: Picture, array: MappedArray, row: int, column: int) -> list[tuple[MappedArray, int]]:
    """The shared slots that hold an element of A or B when the frame ends, the first of each array."""
    first: dict[str, tuple[MappedArray, int]] = {}
    for place in shared_places(picture.frame, array.name, row, column):
        first.setdefault(place.array.name, (place.array, place.row * place.array.columns + place.column))
    return list(first.values())


def _slot_name(shared: MappedArray, slot: int) -> str:
    return shared.name_of(*divmod(slot, shared.columns))


def _slot(
    picture: Picture | None, array: MappedArray, row: int, column: int, raced: RacedSlot | None
) -> list[tuple[str, str]]:
    offset = (row * array.columns + column) * array.element_bytes
    bank = bank_of(array.address_of(row, column))
    lines = [("bank", f"{bank}, byte {count(offset)} of {array.name}")]
    if picture is not None and array.name in picture.shared:
        after = picture.shared[array.name].contents.after
        held = origin_name(int(after.origin[row, column]), int(after.matrix[row, column]), picture.frame.arrays)
        is_unused = int(picture.shared[array.name].after[row, column]) & HELD == Slot.UNUSED
        words = {
            "": "nothing: padding, never touched" if is_unused else "nothing yet",
            "0": "a zero, stored",
            "sum": "a computed value",
            "?": "a value not recorded",
        }.get(held, held)
        if raced is not None and raced.after is not None:
            names = ["nothing" if each is None else element_name(*each) for each in (raced.before, raced.after)]
            words = f"{' or '.join(names)}: a race" if raced.is_read_first or held == names[1] else words
        lines.insert(0, ("holds", words))
        matrix = next((each for each in picture.frame.arrays if each.name == held[:1] and "[" in held), None)
        if matrix is not None and is_transposed(after, after.matrix == FACTORS.index(matrix.name), matrix):
            lines.insert(1, ("transposed", f"a row here is a column of {matrix.name}"))
    return lines


def _block(
    name: str, grid: BlockGrid, current: Block, at_hand: Container[Block], row: int, column: int, maker: int | None
) -> list[tuple[str, str]]:
    """Which block computes an element of the result `name`, and for the block that is shown which of its threads."""
    found = grid.block_at(row, column)
    if found is None:
        return []
    if found == current:
        who = f"thread {count(maker)} of " if maker is not None else ""
        return [("computed by", f"{who}{block_words(found)}")]
    part: Rectangle = grid.part_of(*found)
    does = "show" if found in at_hand else "record"
    size = f"{count(part.rows)}×{counted(part.columns, 'element', 'element' if part.size == 1 else 'elements')}"
    return [("computed by", f"{block_words(found)}: click to {does} it"), (f"its part of {name}", size)]
