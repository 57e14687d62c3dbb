"""Each fault that a trace can show, in the fewest accesses that have it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BarrierPlace, BlockTrace, MappedArray, Space
from gemmviz.trace.hazards.hazards import Hazard, HazardKind, find_hazards, merged
from gemmviz.trace.hazards.naming import name_at

TraceOf = Callable[..., BlockTrace]
FAR = 1 << 40


def only(trace: BlockTrace) -> Hazard:
    (hazard,) = find_hazards(trace)
    return hazard


def kinds(trace: BlockTrace) -> list[HazardKind]:
    return [hazard.kind for hazard in find_hazards(trace)]


def with_barrier_of(trace: BlockTrace, slot: int, arrived: range) -> BlockTrace:
    """The same trace, but only some threads come to the barrier at a slot."""
    addresses = trace.addresses.copy()
    assert trace.slot_site[slot] == BARRIER_SITE
    addresses[:, slot] = INACTIVE
    for thread in arrived:
        addresses[thread // 32, slot, thread % 32] = 0
    return replace(trace, addresses=addresses)


NEIGHBOUR = "38 shared store 4 s\n44 shared load 4 s"


def test_that_reading_a_neighbours_slot_without_a_barrier_is_a_race(trace_of: TraceOf) -> None:
    trace = trace_of(NEIGHBOUR, "0 | s:0-31\nbarrier\n0 | s:0-31\n1 | s:1-31", "s shared 1x32", block=(2, 1, 0))
    assert only(trace) == Hazard(
        kind=HazardKind.RACE,
        line=44,
        text="s[1]",
        block=(2, 1, 0),
        threads=(1, 0),
        epoch=1,
        count=31,
        detail="thread 0 reads s[1] (line 44) while thread 1 writes it (line 38) between barriers 1 and 2; "
        "both are in warp 0; "
        "a barrier between the two accesses is missing",
        sites=(0, 1),
        blocks=1,
    )


def test_that_two_warps_are_named_where_any_two_race(trace_of: TraceOf) -> None:
    """Of one warp race first, in the first epoch, and at the first element."""
    steps = "0 | s:0-31\n1 | s:1-31\nbarrier\n0 | s:0-31 | s:32-63\n1 | s:1-31 | s:31-62"
    trace = trace_of(NEIGHBOUR, steps, "s shared 1x64", threads=64)
    (hazard,) = find_hazards(trace)
    assert (hazard.threads, hazard.epoch) == ((31, 32), 1)
    assert "thread 32 reads s[31]" in hazard.detail
    assert hazard.count == 31 + 31 + 32


def test_that_overwriting_what_a_neighbour_still_reads_is_a_race(trace_of: TraceOf) -> None:
    hazard = only(trace_of(NEIGHBOUR, "0 | s:0-31\nbarrier\n1 | s:1-31\n0 | s:0-31", "s shared 1x32"))
    assert (hazard.kind, hazard.line, hazard.sites, hazard.threads, hazard.count) == (
        HazardKind.RACE,
        38,
        (1, 0),
        (0, 1),
        31,
    )
    assert hazard.detail.startswith("thread 1 writes s[1] (line 38) while thread 0 still reads it (line 44)")


def test_that_a_barrier_between_them_is_enough(trace_of: TraceOf) -> None:
    slots = "0 | s:0-31\nbarrier\n1 | s:1-31\nbarrier\n0 | s:0-31"
    assert find_hazards(trace_of(NEIGHBOUR, slots, "s shared 1x32")) == ()


def test_that_a_warp_in_step_is_no_barrier(trace_of: TraceOf) -> None:
    assert kinds(trace_of(NEIGHBOUR, "0 | s:5\n1 | . s:5", "s shared 1x32")) == [HazardKind.RACE]


def test_that_a_threads_own_reads_and_writes_are_no_race(trace_of: TraceOf) -> None:
    assert find_hazards(trace_of(NEIGHBOUR, "0 | s:0-31\n1 | s:0-31\n0 | s:0-31", "s shared 1x32")) == ()


def test_that_reads_alone_are_no_race(trace_of: TraceOf) -> None:
    slots = "0 | A:0*32\n0 | A:0-31\n1 | A:1*32"
    assert find_hazards(trace_of("1 global load 4 A\n2 global load 16 A", slots, "A global 5x7")) == ()


def test_that_two_writers_of_one_request_race_whatever_they_write(trace_of: TraceOf) -> None:
    hazard = only(trace_of("7 global store 4 C", "0 | C:0-3 C:3*2", "C global 3x3"))
    assert (hazard.kind, hazard.threads, hazard.count, hazard.sites) == (HazardKind.RACE, (3, 4), 2, (0, 0))
    assert hazard.detail == (
        "threads 3 and 4 both write C[1,0] (line 7) between barriers 0 and 1; the order of the two is undefined"
    )


def test_that_two_writers_at_two_sites_race(trace_of: TraceOf) -> None:
    hazard = only(trace_of("7 shared store 4 s\n9 shared store 4 s", "0 | s:2\n1 | . s:2", "s shared 3x3"))
    assert hazard.detail.startswith("thread 0 writes s[0,2] (line 7) and thread 1 writes it too (line 9)")


def test_that_a_writer_of_two_is_never_the_reader_itself(trace_of: TraceOf) -> None:
    hazards = find_hazards(trace_of(NEIGHBOUR, "0 | s:4*2\n1 | s:4 s:4", "s shared 1x32"))
    assert [(hazard.sites, hazard.threads, hazard.count) for hazard in hazards] == [
        ((0, 0), (0, 1), 1),
        ((0, 1), (1, 0), 2),
    ]


@pytest.mark.parametrize(("element", "races"), [(3, False), (4, True), (7, True), (8, False)])
def test_that_a_float4_races_with_each_float_in_it(trace_of: TraceOf, element: int, races: bool) -> None:
    sites = "1 shared store 16 s\n2 shared store 4 s"
    found = find_hazards(trace_of(sites, f"0 | s:4\n1 | . s:{element}", "s shared 1x32"))
    assert [hazard.detail.split()[3] for hazard in found] == ([f"s[{element}]"] if races else [])


def test_that_an_access_of_several_elements_counts_once(trace_of: TraceOf) -> None:
    sites = "1 shared store 16 s\n2 shared load 16 s"
    assert only(trace_of(sites, "0 | s:4\n1 | . s:4", "s shared 1x32")).count == 1


@pytest.mark.parametrize(("offset", "races"), [(0, False), (1, False), (2, True), (3, True)])
def test_that_bytes_within_one_word_are_told_apart(trace_of: TraceOf, offset: int, races: bool) -> None:
    sites = "1 shared store 2 s\n2 shared store 1 s"
    slots = [(0, np.array([FAR + 2])), (1, np.array([INACTIVE, FAR + offset]))]
    assert bool(find_hazards(trace_of(sites, slots, "s shared 1x4"))) == races


def test_that_global_memory_races_too_within_a_block(trace_of: TraceOf) -> None:
    sites = "1 global store 4 C\n2 global load 4 C"
    assert kinds(trace_of(sites, "0 | C:0-31\n1 | C:1-31", "C global 6x6")) == [HazardKind.RACE]
    assert find_hazards(trace_of(sites, "0 | C:0-31\nbarrier\n1 | C:1-31", "C global 6x6")) == ()


def test_that_a_million_races_are_few_findings(trace_of: TraceOf) -> None:
    slots = "0 | s:0-31\n1 | s:1-31 s:0\n" * 500
    found = find_hazards(trace_of(NEIGHBOUR, slots, "s shared 1x32"))
    assert [(hazard.sites, hazard.count) for hazard in found] == [((0, 1), 16_000), ((1, 0), 15_968)]


def test_that_an_access_past_the_end_tells_how_far(trace_of: TraceOf) -> None:
    trace = trace_of("5 global load 4 A", "0 | A:12-16", "A global 3x5\nB global 4x4")
    assert only(trace) == Hazard(
        kind=HazardKind.OUT_OF_BOUNDS,
        line=5,
        text="A[0]",
        block=(0, 0, 0),
        threads=(3, 4),
        epoch=0,
        count=2,
        detail="thread 3 reads A[0] (line 5): that is 4 bytes (1 element) past the end of A, which has 3×5 elements",
        sites=(0,),
        blocks=1,
    )


def test_that_an_access_before_the_start_tells_how_far(trace_of: TraceOf) -> None:
    detail = only(trace_of("5 shared store 4 s", "0 | s:0 s:-3", "s shared 4x4")).detail
    assert (
        detail == "thread 1 writes s[0] (line 5): that is 12 bytes (3 elements) before the start of s, "
        "which has 4×4 elements"
    )
    assert (
        ", which has 1 element;" in only(trace_of("5 shared load 4 s", "0 | t:2", "s shared 1x1\nt shared 1x4")).detail
    )


def test_that_a_wide_access_partly_outside_is_out_of_bounds(trace_of: TraceOf) -> None:
    hazard = only(trace_of("5 global load 16 A", "0 | A:0 A:12", "A global 3x5"))
    assert (hazard.kind, hazard.threads) == (HazardKind.OUT_OF_BOUNDS, (1,))
    assert "4 bytes (1 element) past the end of A" in hazard.detail


def test_that_a_site_reaches_the_array_of_its_name_only(trace_of: TraceOf) -> None:
    hazard = only(trace_of("5 shared load 4 s", "0 | t:2", "s shared 1x4\nt shared 1x4"))
    assert hazard.kind is HazardKind.OUT_OF_BOUNDS
    assert hazard.detail.endswith("it lands in t[2]")


def test_that_a_moved_pointer_reaches_every_array_of_its_space(trace_of: TraceOf) -> None:
    arrays = "A global 2x2\nB global 2x2\ns shared 1x4"
    assert find_hazards(trace_of("5 global load 4 from", "0 | A:0-3 B:0-3", arrays)) == ()
    hazard = only(trace_of("5 global load 4 from", "0 | B:0-4", arrays))
    assert "past the end of B" in hazard.detail
    assert "past the end" in only(trace_of("5 global load 4 from", "0 | s:0", arrays)).detail


def test_that_out_of_bounds_is_not_a_race_or_unwritten_as_well(trace_of: TraceOf) -> None:
    assert kinds(trace_of("5 shared store 4 s\n6 shared load 4 s", "0 | s:9*4\n1 | s:9*4", "s shared 1x4")) == [
        HazardKind.OUT_OF_BOUNDS,
        HazardKind.OUT_OF_BOUNDS,
    ]


@pytest.mark.parametrize("address", [0, 1, 2**63 - 1, 2**63 - 4, -2, -(2**63)])
def test_that_an_address_far_from_everything_is_told_and_harmless(trace_of: TraceOf, address: int) -> None:
    hazard = only(trace_of("5 global store 16 C", [(0, np.array([INACTIVE, address]))], "C global 2x2"))
    assert (hazard.kind, hazard.threads) == (HazardKind.OUT_OF_BOUNDS, (1,))


def test_that_at_most_eight_threads_are_named(trace_of: TraceOf) -> None:
    hazard = only(trace_of("5 global store 4 C", "0 | C:9-40 | C:50-81\n0 | C:9-40 | C:50-81", "C global 3x3"))
    assert (hazard.threads, hazard.count) == ((0, 1, 2, 3, 4, 5, 6, 7), 128)


def test_that_a_space_without_arrays_is_a_finding(trace_of: TraceOf) -> None:
    assert "no shared array" in only(trace_of("5 shared load 4 s", [(0, np.array([64]))], "A global 2x2")).detail


def test_that_reading_what_nobody_wrote_is_found(trace_of: TraceOf) -> None:
    trace = trace_of(NEIGHBOUR, "0 | s:0-30\nbarrier\n1 | s:0-31\nbarrier\n1 | s:31*32", "s shared 1x32")
    hazard = only(trace)
    assert (hazard.kind, hazard.line, hazard.epoch, hazard.count) == (HazardKind.UNWRITTEN_READ, 44, 1, 33)
    assert hazard.threads == (31, 0, 1, 2, 3, 4, 5, 6)
    assert hazard.detail == (
        "thread 31 reads s[31] (line 44) between barriers 1 and 2, but no thread has written it: its value is undefined"
    )


def test_that_writing_later_does_not_help_an_earlier_read(trace_of: TraceOf) -> None:
    assert kinds(trace_of(NEIGHBOUR, "1 | s:0-31\n0 | s:0-31", "s shared 1x32")) == [HazardKind.UNWRITTEN_READ]
    slots = "1 | s:0-31\nbarrier\n0 | s:0-31"
    assert kinds(trace_of(NEIGHBOUR, slots, "s shared 1x32")) == [HazardKind.UNWRITTEN_READ]


def test_that_reading_what_another_writes_later_in_the_epoch_is_a_race_and_not_unwritten(trace_of: TraceOf) -> None:
    assert kinds(trace_of(NEIGHBOUR, "1 | s:1-31 .\n0 | s:0-31", "s shared 1x32")) == [HazardKind.RACE]


def test_that_one_unwritten_element_of_a_float4_is_enough(trace_of: TraceOf) -> None:
    sites = "1 shared store 4 s\n2 shared load 16 s"
    hazard = only(trace_of(sites, "0 | s:0-6\nbarrier\n1 | s:0 s:4", "s shared 1x8"))
    assert (hazard.kind, hazard.threads, hazard.count) == (HazardKind.UNWRITTEN_READ, (1,), 1)
    assert "reads s[7]" in hazard.detail


def test_that_global_memory_may_be_read_unwritten(trace_of: TraceOf) -> None:
    sites = "1 global load 4 C\n1 global store 4 C"
    assert find_hazards(trace_of(sites, "0 | C:0-8\n1 | C:0-8", "C global 3x3")) == ()


def test_that_a_barrier_some_do_not_reach_names_them(trace_of: TraceOf) -> None:
    trace = trace_of(NEIGHBOUR, "0 | s:0-31\nbarrier\n1 | s:0-31\nbarrier", "s shared 1x32", threads=20)
    trace = replace(with_barrier_of(trace, 1, range(5, 20)), ended_by=(BarrierPlace(41, "SYNC()"),) * 2)
    hazard = only(trace)
    assert hazard == Hazard(
        kind=HazardKind.DIVERGENT_BARRIER,
        line=41,
        text="SYNC()",
        block=(0, 0, 0),
        threads=(0, 1, 2, 3, 4),
        epoch=0,
        count=1,
        detail="thread 0 and 4 more do not reach barrier 1 in line 41, where 15 of "
        "the block's 20 threads wait: every thread must reach every barrier",
        blocks=1,
    )


def test_that_lanes_beyond_the_block_are_not_missed_at_a_barrier(trace_of: TraceOf) -> None:
    trace = trace_of(NEIGHBOUR, "0 | s:0-16\nbarrier", "s shared 1x32", threads=17)
    assert find_hazards(with_barrier_of(trace, 1, range(17))) == ()
    assert kinds(with_barrier_of(trace, 1, range(16))) == [HazardKind.DIVERGENT_BARRIER]


def test_that_a_barrier_nobody_reached_is_none(trace_of: TraceOf) -> None:
    assert find_hazards(with_barrier_of(trace_of(NEIGHBOUR, "0 | s:0\nbarrier", "s shared 1x32"), 1, range(0))) == ()


def test_that_a_barrier_of_a_loop_is_one_finding(trace_of: TraceOf) -> None:
    trace = trace_of(NEIGHBOUR, "barrier\n" + "0 | s:0-31\nbarrier\n" * 3, "s shared 1x32")
    for slot in (0, 2, 4):
        trace = with_barrier_of(trace, slot, range(31))
    before, inside = BarrierPlace(36, "__syncthreads()"), BarrierPlace(40, "__syncthreads()")
    found = find_hazards(replace(trace, ended_by=(before, inside, inside, inside)))
    assert [(hazard.line, hazard.epoch, hazard.count, hazard.threads) for hazard in found] == [
        (36, 0, 1, (31,)),
        (40, 1, 2, (31,)),
    ]
    assert "thread 31 does not reach" in found[0].detail
    (alone,) = find_hazards(trace)  # a stored trace does not name its barriers
    assert (alone.line, alone.text, alone.count) == (0, "barrier", 3)


def test_that_what_missing_threads_did_not_write_is_told_at_the_barrier(trace_of: TraceOf) -> None:
    trace = trace_of(NEIGHBOUR, "0 | s:0-15\nbarrier\n1 | s:0-31\nbarrier", "s shared 1x32")
    trace = replace(trace, ended_by=(BarrierPlace(41, "__syncthreads()"), BarrierPlace(50, "__syncthreads()")))
    assert kinds(trace) == [HazardKind.UNWRITTEN_READ]
    hazard = only(with_barrier_of(trace, 1, range(16)))
    assert hazard.kind is HazardKind.DIVERGENT_BARRIER
    assert hazard.detail.endswith("; after it, these reads are uninitialised: s[1] (line 44)")
    # A barrier that is missed later has nothing to do with it.
    assert set(kinds(with_barrier_of(trace, 3, range(16)))) == {
        HazardKind.UNWRITTEN_READ,
        HazardKind.DIVERGENT_BARRIER,
    }


def test_that_an_empty_trace_has_no_hazards(trace_of: TraceOf) -> None:
    assert find_hazards(trace_of("", "")) == ()
    assert find_hazards(trace_of(NEIGHBOUR, "0 | .*32\nbarrier\n1 | .*32", "s shared 1x32")) == ()


def test_that_private_memory_is_not_looked_at(trace_of: TraceOf) -> None:
    assert find_hazards(trace_of("1 private store 4 acc", [(0, np.array([8, 8]))], "A global 2x2")) == ()


def test_that_one_hazard_of_many_blocks_is_one(trace_of: TraceOf) -> None:
    def of_block(x: int) -> tuple[Hazard, ...]:
        return find_hazards(trace_of(NEIGHBOUR, "0 | s:0-31\n1 | s:1-31", "s shared 1x32", block=(x, 0, 0)))

    (hazard,) = merged([*of_block(4), *of_block(5), *of_block(6)])
    assert (hazard.block, hazard.count, hazard.blocks) == ((4, 0, 0), 93, 3)
    assert merged([]) == ()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"addresses": np.zeros((1, 2, 31), np.int64)}, "int64 of"),
        ({"addresses": np.zeros((1, 2, 32), np.int32)}, "int64 of"),
        ({"slot_epoch": np.zeros(3, np.int32)}, "slot_epoch is"),
        ({"slot_site": np.zeros(2, np.int64)}, "slot_site is"),
        ({"slot_site": np.array([0, 2], np.int32)}, "slots of site 2"),
        ({"slot_site": np.array([0, -2], np.int32)}, "slots of site -2"),
        ({"threads": 33}, "33 threads in 1 warps"),
        ({"threads": 0}, "0 threads"),
    ],
)
def test_that_a_damaged_trace_is_refused(trace_of: TraceOf, change: dict[str, Any], says: str) -> None:
    trace = trace_of(NEIGHBOUR, "0 | s:0-31\n1 | s:0-31", "s shared 1x32")
    with pytest.raises(ValueError, match=says):
        find_hazards(replace(trace, **change))


def test_that_a_width_no_lane_has_is_refused(trace_of: TraceOf) -> None:
    with pytest.raises(ValueError, match="of 32 bytes"):
        find_hazards(trace_of("1 shared load 32 s", "0 | s:0", "s shared 1x32"))


def test_that_elements_have_names() -> None:
    arrays = [MappedArray("A", Space.GLOBAL, FAR, 1, 5), MappedArray("s", Space.SHARED, 2 * FAR, 1, 5)]
    assert name_at(arrays, FAR + 11) == "A[0,2]"
    assert name_at(arrays, 2 * FAR + 16) == "s[4]"
    with pytest.raises(ValueError, match="lies in none"):
        name_at(arrays, FAR + 20)


def test_that_an_address_must_be_a_multiple_of_what_its_site_says(trace_of: TraceOf) -> None:
    trace = trace_of(
        "5 shared store 16 s\n6 shared load 8 s\n7 shared load 4 s",
        "0 | s:0 s:4 s:6 s:8 s:30\n1 | s:1 s:2\n2 | s:3",
        "s shared 1x32",
    )
    told = [replace(site, aligned_bytes=site.width_bytes) for site in trace.sites]
    kinds = (HazardKind.MISALIGNED, HazardKind.OUT_OF_BOUNDS)
    found = [hazard for hazard in find_hazards(replace(trace, sites=tuple(told))) if hazard.kind in kinds]
    store, load, outside = sorted(found, key=lambda hazard: (hazard.kind, hazard.line))
    assert (store.kind, store.line, store.threads, store.count) == (HazardKind.MISALIGNED, 5, (2,), 1)
    assert store.detail.startswith(
        "thread 2 writes s[0] (line 5) at byte 24 of s: that is 8 bytes past a multiple of 16"
    )
    assert (load.kind, load.line, load.threads, load.count) == (HazardKind.MISALIGNED, 6, (0,), 1)
    assert (outside.kind, outside.line, outside.threads) == (HazardKind.OUT_OF_BOUNDS, 5, (4,))
    # What the hand-written sites do not say is not asked.
    assert HazardKind.MISALIGNED not in {hazard.kind for hazard in find_hazards(trace)}


def test_that_a_component_is_measured_from_the_start_of_its_vector(trace_of: TraceOf) -> None:
    trace = trace_of("5 global load 4 A", "0 | A:2 A:6 A:3", "A global 1x8")
    (site,) = trace.sites
    (hazard,) = find_hazards(replace(trace, sites=(replace(site, aligned_bytes=16, component_bytes=8),)))
    assert (hazard.kind, hazard.threads, hazard.count) == (HazardKind.MISALIGNED, (2,), 1)
    assert "at byte 4 of A: that is 4 bytes past a multiple of 16" in hazard.detail


def test_that_a_boundary_that_is_no_power_of_two_is_refused(trace_of: TraceOf) -> None:
    trace = trace_of("5 global load 4 A", "0 | A:2", "A global 1x8")
    with pytest.raises(ValueError, match="multiples of 12, no power of two"):
        find_hazards(replace(trace, sites=(replace(trace.sites[0], aligned_bytes=12),)))


def test_that_an_access_in_no_line_of_the_kernel_s_file_is_said_to_be_in_an_included_one(trace_of: TraceOf) -> None:
    trace = trace_of(NEIGHBOUR, "0 | s:0-31\n1 | s:1-31", "s shared 1x32")
    first, *others = trace.sites
    (race,) = find_hazards(replace(trace, sites=(replace(first, line=0), *others)))
    assert "writes it (in an included file)" in race.detail
