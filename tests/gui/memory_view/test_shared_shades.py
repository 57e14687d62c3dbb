"""The slots of shared memory, for frames written down as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory_view.block_analysis import analyse_block
from gemmviz.gui.memory_view.picture import Picture, picture_of
from gemmviz.gui.memory_view.shades import Roles
from gemmviz.gui.memory_view.shared_shades import Slot, copied_slots, copies, is_copied_by
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Text = Callable[[Roles], str]


def pictures(trace: BlockTrace, mode: FrameMode = FrameMode.PHASE) -> list[Picture]:
    frames, analysis = Frames(trace, mode), analyse_block(trace)
    return [picture_of(analysis, frames.frame(i)) for i in range(len(frames))]


def test_that_slots_are_empty_then_filled_then_read(recorded: Record, block_of: BlockOf, slots_as_text: Text) -> None:
    shown = pictures(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)))
    assert [slots_as_text(picture.shared["As"].before) for picture in shown[:3]] == [". .\n. .", "a a\na a", "a a\na a"]
    assert [slots_as_text(picture.shared["As"].after) for picture in shown] == [
        "aw aw\naw aw",
        "ar ar\nar ar",
        "aw aw\naw aw",
        "ar ar\nar ar",
        "a a\na a",
    ]
    assert slots_as_text(shown[0].shared["Bs"].after) == "bw bw\nbw bw"


def test_that_slots_of_the_last_tile_are_stale_until_they_are_overwritten(
    recorded: Record, block_of: BlockOf, slots_as_text: Text
) -> None:
    """Warps of 32 of the 64 threads store one after the other, so a tile of 8 is replaced in two requests."""
    shown = pictures(block_of(recorded("tiled", "16x16x16", (0, 0), TILE=8)), FrameMode.REQUEST)
    stores = [p for p in shown if p.shared["As"].written is not None]
    half_old = slots_as_text(stores[2].shared["As"].after).splitlines()
    assert half_old[:4] == [" ".join(["aw"] * 8)] * 4
    assert half_old[4:] == [" ".join(["a~"] * 8)] * 4
    assert "~" not in slots_as_text(stores[3].shared["As"].after)


def test_that_zeros_beyond_the_matrix_differ_from_elements(
    recorded: Record, block_of: BlockOf, slots_as_text: Text
) -> None:
    shown = pictures(block_of(recorded("tiled", "17x33x5", (8, 4), TILE=4)))
    assert slots_as_text(shown[0].shared["As"].after) == "aw aw aw aw\n" + "\n".join(["0w 0w 0w 0w"] * 3)
    assert slots_as_text(shown[2].shared["Bs"].after).splitlines()[:2] == ["bw 0w 0w 0w", "0w 0w 0w 0w"]


def test_that_the_column_of_padding_is_never_touched(recorded: Record, block_of: BlockOf, slots_as_text: Text) -> None:
    shown = pictures(block_of(recorded("tiled_padded", "8x8x8", (0, 0), TILE=4)))
    assert slots_as_text(shown[0].shared["As"].after).splitlines()[0] == "aw aw aw aw #"
    assert slots_as_text(shown[0].shared["As"].before).splitlines()[0] == ". . . . #"


def test_that_partial_sums_are_computed_values(recorded: Record, block_of: BlockOf, slots_as_text: Text) -> None:
    shown = pictures(block_of(recorded("dot", "1x1x16", (0, 0), THREADS=4)))
    assert [slots_as_text(picture.shared["sums"].after) for picture in shown] == [
        "*w *w *w *w",
        "*rw *rw *~r *~r",
        "*rw *~r *~ *~",
        "*r *~ *~ *~",
    ]


def test_that_a_copy_tells_the_matrix_of_slots_whose_values_nobody_recorded(
    recorded: Record, block_of: BlockOf, slots_as_text: Text
) -> None:
    """As on a GPU, where no snapshots are taken. A copy runs ahead of its reads, so what it stored is not stale."""
    run = recorded("cp_async", "64x64x32", (0, 0), BM=64, BN=64, BK=8, TM=8, TN=8, STAGES=3)
    shown = pictures(replace(block_of(run), snapshots=()))
    letters = {letter for p in shown for held in p.shared.values() for letter in slots_as_text(held.after)}
    assert {"a", "b"} <= letters  # also where one instruction copies from both, by turns
    assert not {"~", "*"} & letters
    of_both = {site.index for site in run.sites if site.array in ("A", "B") and site.text.startswith("cp.async.ca")}
    (stored,) = (site.index for site in run.sites if site.array == "buffers" and site.text.startswith("cp.async.ca"))
    assert len(of_both) == 2
    assert copied_slots(run.sites)[stored] == Slot.OTHER
    of_a_alone = tuple(replace(site, array="A") if site.index in of_both else site for site in run.sites)
    assert copied_slots(of_a_alone)[stored] == Slot.A


def test_that_a_store_of_no_copy_tells_no_matrix(recorded: Record, block_of: BlockOf, slots_as_text: Text) -> None:
    shown = pictures(replace(block_of(recorded("tiled", "4x4x4", (1, 0), TILE=2)), snapshots=()))
    assert slots_as_text(shown[0].shared["As"].after) == "*w *w\n*w *w"


def test_that_a_copy_is_of_what_its_instruction_has_loaded_from_right_before(
    recorded: Record, block_of: BlockOf
) -> None:
    trace = block_of(recorded("cp_async", "64x64x32", (0, 0), BM=64, BN=64, BK=8, TM=8, TN=8, STAGES=3))
    of_moments = copies(trace)
    arrays = {Slot[trace.sites[site].array] for site in trace.slot_site[:2].tolist() if trace.sites[site].array in "AB"}
    first = next(moment for moment, site in enumerate(trace.slot_site.tolist()) if is_copied_by(trace.sites[site]))
    assert {Slot(of_moments[first])} == arrays
    assert of_moments[-1] == Slot.OTHER
