"""What is said about the element under the pointer, and what is marked with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gemmviz.domain.recordings.access import AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.turns import RacedSlot
from gemmviz.gui.inspector.element_card import element_card as inspected_card
from gemmviz.gui.memory_view.block_analysis import analyse_block, recorded_blocks, thread_that_makes
from gemmviz.gui.memory_view.highlights import element_marks, thread_marks, warp_marks
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.picture import picture_of
from gemmviz.gui.memory_view.text.card import HoverCard, element_card
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.regions import Rectangle

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Show = Callable[..., tuple[MemoryView, Frames]]


def card(run: TraceRun, trace: BlockTrace, index: int, name: str, row: int, column: int) -> HoverCard:
    picture = picture_of(analyse_block(trace), Frames(trace).frame(index), run.hazards)
    array = next(a for a in trace.arrays if a.name == name)
    maker = thread_that_makes(trace, array, row, column) if name == "C" else None
    grid = recorded_blocks(run).grid
    return element_card(run, picture, grid, (trace.block[0], trace.block[1]), array, row, column, None, maker)


def test_that_an_element_of_a_names_its_threads_and_its_loads(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("naive", "4x4x4", (0, 0))
    found = card(run, block_of(run), 0, "A", 1, 2)
    assert found.title == "A[1,2]"
    assert found.lines == (
        ("loaded in this frame", "by threads 16–19"),
        ("loads by the whole grid", "4"),
    )
    assert found.evidence == "recorded"


def test_that_loads_are_counted_over_no_block_but_those_of_the_recording_that_is_shown(
    recorded: Record, block_of: BlockOf
) -> None:
    """Two recordings of one kernel, a block each: A[36,4] is a row of the blocks (x, 4) for tiles of 8."""

    def loads(run: TraceRun) -> list[tuple[str, str]]:
        return [line for line in card(run, block_of(run), 1, "A", 36, 4).lines if line[0].startswith("loads")]

    beside, other = recorded("tiled", "64x64x64", (4, 4), TILE=8), recorded("tiled", "64x64x64", (1, 2), TILE=8)
    assert loads(beside) == [("loads by this block", "1")]
    assert loads(other) == [("loads by this block", "0")]
    assert loads(replace(other, blocks_recorded=3)) == [("loads by the 3 blocks of this recording", "0")]


def test_that_a_slot_names_both_elements_that_racing_threads_find_there(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "8x8x8", (0, 0), TILE=4)
    trace = block_of(run)
    picture = picture_of(analyse_block(trace), Frames(trace).frame(1), run.hazards)
    bs = next(a for a in trace.arrays if a.name == "Bs")
    grid, block = recorded_blocks(run).grid, (trace.block[0], trace.block[1])

    def holds(raced: RacedSlot | None) -> str:
        return dict(element_card(run, picture, grid, block, bs, 1, 0, raced=raced).lines)["holds"]

    assert holds(None) == "B[1,0]"
    assert holds(RacedSlot(("B", 1, 0), ("B", 5, 0), is_read_first=True)) == "B[1,0] or B[5,0]: a race"
    assert holds(RacedSlot(None, ("B", 1, 0), is_read_first=False)) == "nothing or B[1,0]: a race"
    assert holds(RacedSlot(("B", 1, 0), ("B", 5, 0), is_read_first=False)) == "B[1,0]", "not stored yet"


def test_that_an_element_names_who_reads_its_copy(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled_padded", "64x64x64", (1, 2))
    assert card(run, block_of(run), 3, "A", 37, 19).lines[0] == ("its copy As[3,5]", "loaded by threads 80–95")
    assert card(run, block_of(run), 3, "A", 37, 3).lines[0] == ("in this frame", "not touched")


def test_that_a_slot_names_what_it_holds_and_its_bank(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled_padded", "64x64x64", (1, 2))
    found = card(run, block_of(run), 3, "As", 3, 5)
    assert found.lines == (
        ("loaded in this frame", "by threads 80–95"),
        ("holds", "A[37,19]"),
        ("transposed", "a row here is a column of A"),
        ("bank", "24, byte 224 of As"),
    )
    padding = card(run, block_of(run), 3, "As", 3, 16)
    assert padding.lines[:2] == (("in this frame", "not touched"), ("holds", "nothing: padding, never touched"))


def test_that_a_bank_is_that_of_the_address_wherever_the_array_begins(recorded: Record, block_of: BlockOf) -> None:
    """Arrays of compiled kernels begin at any word: this card and the inspector's tell the same bank."""
    run = recorded("tiled_padded", "64x64x64", (1, 2))
    whole = block_of(run)
    base = min(array.base for array in whole.arrays if array.space is Space.SHARED)
    later = np.where(whole.addresses >= base, whole.addresses + 64, whole.addresses)
    arrays = tuple(replace(a, base=a.base + 64 * (a.space is Space.SHARED)) for a in whole.arrays)
    moved = replace(whole, arrays=arrays, addresses=later)
    assert ("bank", "8, byte 224 of As") in card(run, moved, 3, "As", 3, 5).lines
    assert ("lies in", "As[3,5], bank 8") in card(run, moved, 3, "A", 37, 19).lines
    inspected = inspected_card(Frames(moved).frame(3), "As", 3, 5)
    assert [line.value for line in inspected.lines if line.words == "bank"] == ["8"]


def test_that_an_element_of_c_names_its_block_and_its_thread(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("tiled", "17x33x5", (8, 4), TILE=4)
    own, other = card(run, block_of(run), 4, "C", 16, 32), card(run, block_of(run), 4, "C", 5, 2)
    assert own.lines == (
        ("stored in this frame", "by thread 0"),
        ("computed by", "thread 0 of block (8, 4)"),
    )
    assert ("computed by", "block (0, 1): click to record it") in other.lines


def test_that_a_hazard_is_told_with_its_threads(recorded: Record, block_of: BlockOf) -> None:
    run = recorded("no_second_barrier.cu", "32x32x32", (1, 1))
    trace = block_of(run)
    found = [card(run, trace, index, "As", 0, 0).hazard for index in range(len(Frames(trace)))]
    said = [words for words in found if words]
    assert said
    assert said[0].startswith("Race, line ")
    assert "thread 0 writes As[0,0]" in said[0]


def test_that_a_thread_is_marked_with_its_row_and_its_column(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)))
    marks = thread_marks(frames, frames.frame(1), 2)
    now = {(m.name, str(m.kind)): list(zip(m.rows.tolist(), m.columns.tolist(), strict=True)) for m in marks.now}
    assert now == {("As", "load"): [(1, 0), (1, 1)], ("Bs", "load"): [(0, 0), (1, 0)]}
    assert marks.path == (
        ("A", Rectangle(1, 2, 0, 1)),
        ("A", Rectangle(1, 2, 2, 3)),
        ("B", Rectangle(1, 2, 2, 3)),
        ("B", Rectangle(3, 4, 2, 3)),
        ("C", Rectangle(1, 2, 2, 3)),
    )
    naive = Frames(block_of(recorded("naive", "4x4x4", (0, 0))))
    assert ("A", Rectangle(0, 1, 0, 4)) in thread_marks(naive, naive.frame(0), 2).path, "neighbours are one"


def test_that_a_warp_is_marked_with_all_its_threads_touch(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("tiled", "64x64x64", (1, 2))))
    marks = warp_marks(frames.frame(0), 1)
    boxes = {m.name: m.box for m in marks.now}
    assert boxes["A"] == Rectangle(34, 36, 0, 16)
    assert boxes["As"] == Rectangle(2, 4, 0, 16)


def test_that_an_element_is_marked_where_it_lies_in_shared_memory(recorded: Record, block_of: BlockOf) -> None:
    frames = Frames(block_of(recorded("tiled_transposed", "64x64x64", (1, 2))))
    there = {m.name: (int(m.rows[0]), int(m.columns[0])) for m in element_marks(frames.frame(0), "A", 33, 4).now}
    assert there == {"A": (33, 4), "As": (4, 1)}
    back = {m.name: (int(m.rows[0]), int(m.columns[0])) for m in element_marks(frames.frame(0), "As", 4, 1).now}
    assert back == {"As": (4, 1), "A": (33, 4)}
    assert all(m.kind is AccessKind.LOAD for m in element_marks(frames.frame(0), "A", 33, 4).now)


def test_that_a_block_at_hand_is_not_to_be_recorded_again(show: Show, recorded: Record) -> None:
    view, _ = show(recorded("tiled", "64x64x64", (0, 0)), 2)
    view.show_recorded_blocks([(2, 2)])
    said = []
    for row in (20, 40):
        view._hover(("C", row, 40))
        scene = view.picture_state()
        assert scene is not None
        assert scene.card is not None
        said += [figure for name, figure in scene.card.lines if name == "computed by"]
    assert said == ["block (2, 1): click to record it", "block (2, 2): click to show it"]
