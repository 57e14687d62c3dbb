"""What other blocks of a cluster bring into a block's shared memory, in traces written down by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gemmviz.domain.recordings.access import AccessPath, BlockTrace
from gemmviz.trace.frames.arrivals import arriving_slots
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

TraceOf = Callable[..., BlockTrace]
OWN = "0 | A:0-31\n1 | tiles:0-31"
BESIDE = "3 | tiles:32-63"
SITES = "7 global load 4 A\n7 shared store 4 tiles\n8 global load 4 B\n8 shared store 4 tiles"


@pytest.fixture
def copied(trace_of: TraceOf) -> Callable[[str], BlockTrace]:
    """A block whose copy engine makes all accesses, by its slots."""

    def made(slots: str) -> BlockTrace:
        trace = trace_of(SITES, slots, "A global 8x16\nB global 8x16\ntiles shared 1x128")
        return replace(trace, sites=tuple(replace(site, path=AccessPath.COPY_ENGINE) for site in trace.sites))

    return made


def caption(trace: BlockTrace) -> str:
    frames = Frames(trace)
    assert len(frames) == 1
    return frames.frame(0).caption


@pytest.mark.parametrize(
    ("slots", "arriving"),
    [
        (OWN, [0, 0]),
        (BESIDE, [1]),
        (f"{BESIDE}\n{OWN}", [1, 0, 0]),
        (f"{OWN}\n{BESIDE}", [0, 0, 1]),
        (f"{BESIDE}\n{BESIDE}\n{OWN}\n{BESIDE}\n{OWN}", [1, 1, 0, 0, 1, 0, 0]),
        ("0 | A:0-31\n0 | A:32-63\n1 | tiles:0-31\n1 | tiles:32-63\n3 | tiles:64-95", [0, 0, 0, 0, 1]),
        ("2 | B:0-31\n1 | tiles:0-31\n1 | tiles:32-63", [0, 0, 1]),
        ("barrier\n0 | A:0-31\nbarrier\n1 | tiles:0-31\nbarrier", [0, 0, 0, 0, 0]),
    ],
)
def test_that_what_is_stored_without_a_load_before_it_was_loaded_by_another_block(
    copied: Callable[[str], BlockTrace], slots: str, arriving: list[int]
) -> None:
    assert arriving_slots(copied(slots)).astype(int).tolist() == arriving


def test_that_zeros_from_beyond_a_matrix_are_the_blocks_own(copied: Callable[[str], BlockTrace]) -> None:
    """The engine loads nothing there, but its slots are in the trace."""
    trace = copied("0 | A:0-15\n0 | .*32\n1 | tiles:0-31\n1 | tiles:32-63")
    assert not arriving_slots(trace).any()
    assert "cluster" not in caption(trace)


def test_that_stores_of_threads_do_not_come_from_another_block(trace_of: TraceOf) -> None:
    trace = trace_of(SITES, BESIDE, "A global 8x16\nB global 8x16\ntiles shared 1x128")
    assert not arriving_slots(trace).any()


def test_that_a_caption_says_how_much_the_rest_of_the_cluster_fetched(copied: Callable[[str], BlockTrace]) -> None:
    fetched = "filled by other blocks of the cluster"
    assert caption(copied(f"{BESIDE}\n{OWN}")).endswith(
        f"copy rows 0–1, columns 0–15 of A into elements 0–63 of tiles by the TMA, 32 elements {fetched}"
    )
    assert caption(copied(f"{OWN}\n3 | tiles:32")).endswith(
        f"copy rows 0–1, columns 0–15 of A into elements 0–32 of tiles by the TMA, 1 element {fetched}"
    )
    assert caption(copied(BESIDE)).endswith(f"copy into elements 32–63 of tiles by the TMA, all {fetched}")
    assert caption(copied(OWN)).endswith("copy rows 0–1, columns 0–15 of A into elements 0–31 of tiles by the TMA")


def test_that_slots_filled_twice_are_said_once(copied: Callable[[str], BlockTrace]) -> None:
    assert ", all filled by" in caption(copied(f"{BESIDE}\n{BESIDE}"))


def test_that_a_request_of_another_block_is_not_said_to_be_a_warps(copied: Callable[[str], BlockTrace]) -> None:
    frames = Frames(copied(f"{BESIDE}\n{OWN}"), FrameMode.REQUEST)
    said = [frames.frame(index).caption.partition(": ")[2] for index in range(3)]
    assert said[0] == "TMA for another block of the cluster: copy into elements 32–63 of tiles, line 8"
    assert [words.partition(":")[0] for words in said[1:]] == ["TMA for warp 0"] * 2
    assert np.count_nonzero(arriving_slots(frames.trace)) == 1
