"""What a block asks for, against a plain walk through its frames: loads, those of C, and how often each was loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable

import numpy as np
import pytest

from gemmviz.domain.figures import count
from gemmviz.domain.recordings.access import AccessKind, AccessPath, BlockTrace, MappedArray, Site, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.warp import LANES
from gemmviz.explain.block.load_counters import LoadCounter, LoadCounters, RunningLoadCounters
from gemmviz.explain.block.load_counts import LoadCounts
from gemmviz.explain.block.timeline import Timeline, timeline_of
from gemmviz.trace.frames.frames import Frames, natural_mode
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.values import Frame

Record = Callable[..., TraceRun]
BlockOf = Callable[..., BlockTrace]
Parts = tuple[RunningLoadCounters, Timeline]

KERNELS = [
    ("tiled", "17x33x5"),
    ("naive", "17x33x5"),
    ("row_shared", "17x33x5"),
    ("register_2d", "64x64x64"),
    ("register_1d", "64x64x32"),
    ("vectorized", "64x64x32"),
    ("dot", "1x1x300"),
    ("global_accumulate", "17x33x5"),
    ("tiled_global_accumulate", "17x33x5"),
    ("double_buffered", "64x64x64"),
]


def parts(trace: BlockTrace) -> Parts:
    timeline = timeline_of(trace)
    return RunningLoadCounters(trace, timeline), timeline


def in_the_end(trace: BlockTrace) -> LoadCounters:
    load_counters, timeline = parts(trace)
    return load_counters.before(trace.slot_site.size * timeline.warps)


class Reads:
    """How often each thing was read so far; with a walk to the end, which of them will not be read again."""

    def __init__(self, end: Reads | None = None) -> None:
        self.times: Counter[Hashable] = Counter()
        self.how_many: Counter[int] = Counter()
        """Things by how often they were read."""
        self.done: Counter[int] = Counter()
        """Of these, the ones that were read for the last time."""
        self._end = end

    def read(self, thing: Hashable) -> None:
        self.times[thing] += 1
        times = self.times[thing]
        self.how_many[times] += 1
        if times > 1:
            self.how_many[times - 1] -= 1
        if self._end is not None and times == self._end.times[thing]:
            self.done[times] += 1


class Walk:
    """Counts request by request: the loads from each array, and the reads of each value since it was stored."""

    def __init__(self, end: Walk | None = None) -> None:
        self.loads: Counter[str] = Counter()
        self.filled: Counter[tuple[str, int]] = Counter()
        self.elements: Reads = Reads(end.elements if end is not None else None)
        self.values: Reads = Reads(end.values if end is not None else None)

    def go(self, frame: Frame) -> None:
        for touch in frame.touches:
            name, is_load = touch.array.name, touch.kind is AccessKind.LOAD
            for element in touch.access_element.tolist():
                if touch.array.space is Space.SHARED:
                    if is_load:
                        self.values.read((name, element, self.filled[name, element]))
                    else:
                        self.filled[name, element] += 1
                if is_load:
                    self.loads["shared" if touch.array.space is Space.SHARED else name] += 1
                    if name in ("A", "B"):
                        self.elements.read((name, element))


@pytest.mark.parametrize(("kernel", "size"), KERNELS)
def test_that_the_tally_counts_every_load_and_says_of_what_is_done_with_how_often(
    recorded: Record, block_of: BlockOf, kernel: str, size: str
) -> None:
    trace = block_of(recorded(kernel, size, (0, 0)))
    running, timeline = parts(trace)
    made = Frames(trace, FrameMode.REQUEST)
    frames = [made.frame(index) for index in range(len(made))]
    end = Walk()
    for frame in frames:
        end.go(frame)
    walk = Walk(end)
    loads, most = 0, (0, 0)
    for frame in frames:
        walk.go(frame)
        load_counters = running.before(timeline.span(frame)[1])
        assert load_counters.global_loads == sum(walk.loads[name] for name in "ABC")
        assert (load_counters.c_loads, load_counters.shared_loads) == (walk.loads["C"], walk.loads["shared"])
        done = walk.elements.done
        expected = (min(done), max(done)) if done else (0, 0)
        assert (load_counters.elements.least, load_counters.elements.most) == expected
        assert load_counters.elements.is_partial == (done.total() < len(walk.elements.times))
        read = [times for times, things in walk.values.how_many.items() if things]
        if not load_counters.values.is_partial and read:
            assert (load_counters.values.least, load_counters.values.most) == (min(read), max(read))
        if load_counters.values.is_partial and load_counters.values.most:  # of some values that are as they will stay
            assert {load_counters.values.least, load_counters.values.most} <= set(walk.values.done)
        assert load_counters.global_loads + load_counters.shared_loads >= loads
        assert (load_counters.elements.most, load_counters.values.most) >= most
        loads, most = (
            load_counters.global_loads + load_counters.shared_loads,
            (load_counters.elements.most, load_counters.values.most),
        )


@pytest.mark.parametrize("kernel", ["naive", "global_accumulate", "tiled_global_accumulate", "tiled", "row_per_block"])
@pytest.mark.parametrize("size", ["64x64x64", "4x4x4"])
def test_that_global_loads_are_those_that_the_recording_counted(
    recorded: Record, block_of: BlockOf, kernel: str, size: str
) -> None:
    run = recorded(kernel, size, (0, 0))
    loads = [s.index for s in run.sites if s.space is Space.GLOBAL and s.kind is AccessKind.LOAD]
    assert in_the_end(block_of(run)).global_loads == run.counts.accesses[loads].sum()


def test_that_what_is_loaded_of_c_is_said_apart(recorded: Record, block_of: BlockOf) -> None:
    last = in_the_end(block_of(recorded("global_accumulate", "64x64x64", (0, 0), TILE=16)))
    (line,) = last.lines
    assert (last.global_loads, last.c_loads) == (49152, 16384)
    c = "16\N{NARROW NO-BREAK SPACE}384 loads of C"
    assert line.remarks == (
        f"{c}; each element of A and B loaded 16 times",
        f"{c}; A, B each loaded 16 times",
        f"{c}; A, B loaded 16×",
        c,
    )
    assert in_the_end(block_of(recorded("naive", "64x64x64", (0, 0)))).c_loads == 0


def test_that_the_tally_says_how_often_each_element_was_asked_for(recorded: Record, block_of: BlockOf) -> None:
    def last(kernel: str, block: tuple[int, int] = (1, 2)) -> tuple[LoadCounter, ...]:
        return in_the_end(block_of(recorded(kernel, "64x64x64", block))).lines

    sixteen = ("each element loaded 16 times", "each loaded 16 times", "loaded 16×")
    once = ("each element loaded once", "each loaded once", "loaded 1×")
    shared = "shared memory"
    assert last("naive") == (LoadCounter("global memory", 32768, 32768, sixteen, "global memory"),)
    assert last("tiled") == (
        LoadCounter("global memory", 2048, 32768, once, shared),
        LoadCounter(
            "shared memory", 32768, 32768, ("each value read 16 times", "each read 16 times", "read 16×"), shared
        ),
    )
    assert last("row_shared", (1, 0))[1].remarks[0] == "each value read 64 times"
    assert last("register_1d", (0, 0))[1].remarks[0] == "each value read 8 to 64 times"


def test_that_what_the_rest_of_a_cluster_brought_is_said_beside_what_the_block_loaded() -> None:
    """A multicast is a store of the TMA without a load of this block: first it arrives, then its own comes."""
    arrays = (MappedArray("A", Space.GLOBAL, 1 << 40, 8, 8), MappedArray("tiles", Space.SHARED, 1 << 36, 1, 256))
    sites = tuple(
        Site(index, 7, 1, "copy", array.space, kind, 16, array.name, path=AccessPath.COPY_ENGINE)
        for index, (array, kind) in enumerate(zip(arrays, (AccessKind.LOAD, AccessKind.STORE), strict=True))
    )
    lanes = 16 * np.arange(LANES, dtype=np.int64)
    addresses = np.stack((arrays[1].base + 512 + lanes, arrays[0].base + lanes % 256, arrays[1].base + lanes))
    slot_site = np.array([1, 0, 1], np.int32)
    trace = BlockTrace((0, 0, 0), LANES, sites, arrays, slot_site, np.zeros(3, np.int32), addresses[None])
    load_counters, _ = parts(trace)
    assert [load_counters.before(position).brought for position in range(4)] == [0, 128, 128, 128]
    assert [load_counters.before(position).global_loads for position in range(4)] == [0, 0, 128, 128]
    assert load_counters.before(1).lines[0].remarks == ("128 from its cluster",)
    assert load_counters.before(3).lines[0].remarks[0] == "each element loaded twice; 128 more from its cluster"


def test_that_what_is_still_being_read_is_left_out_by_name() -> None:
    assert LoadCounts(16, 16, is_partial=True).labels("value", "read") == (
        "each finished value read 16 times",
        "each finished one read 16 times",
        "read 16× when finished",
    )
    of_two = LoadCounts(2, 2, is_partial=True).labels("element of A and B", "loaded")
    assert of_two[0] == "each finished element of A and B loaded twice"
    assert LoadCounts(2, 2).labels("element", "loaded") == (
        "each element loaded twice",
        "each loaded twice",
        "loaded 2×",
    )
    assert LoadCounts(is_partial=True).labels("element", "loaded") == ()


def test_that_before_the_first_load_nothing_is_said_of_elements(recorded: Record, block_of: BlockOf) -> None:
    load_counters, _ = parts(block_of(recorded("tiled", "64x64x64", (1, 2))))
    begun = tuple(LoadCounter(name, 0, 32768, full_of="shared memory") for name in ("global memory", "shared memory"))
    assert load_counters.before(0).lines == begun
    assert [line.share for line in begun] == [0.0, 0.0]


@pytest.mark.parametrize(("kernel", "size"), [*KERNELS, ("register_2d", "64x64x32")])
def test_that_a_caption_says_of_each_slot_what_the_picture_says(
    recorded: Record, block_of: BlockOf, kernel: str, size: str
) -> None:
    """Its loads are those that the tally grows by."""
    trace = block_of(recorded(kernel, size, (0, 0)))
    load_counters, timeline = parts(trace)
    frames = Frames(trace, natural_mode(trace))
    for frame in (frames.frame(index) for index in range(len(frames))):
        begin, end = timeline.span(frame)
        loads = load_counters.before(end).shared_loads - load_counters.before(begin).shared_loads
        said = [clause for clause in frame.caption.split("; ") if clause.endswith((" value", " values"))]
        assert len(said) == (loads > 0)
        for clause in said:
            assert clause.endswith(f": {count(loads)} value{'s' * (loads > 1)}")
            for touch in frame.touches:
                least, most = int(touch.counts.min()), int(touch.counts.max())
                if touch.array.space is Space.SHARED and touch.kind is AccessKind.LOAD and most > 2 and least == most:
                    assert f"{'each element ' * (touch.rows.size > 1)}{count(most)} times" in clause
