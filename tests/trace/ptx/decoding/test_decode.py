"""Traces out of logs written as text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, BlockTrace, MappedArray, Space
from gemmviz.domain.spec import Launch, TensorMap
from gemmviz.domain.terms import Element
from gemmviz.machine.log import SLOT_WORDS
from gemmviz.trace.hazards.hazards import find_hazards
from gemmviz.trace.ptx.decoding.cells import block_table, in_batches, logs_of, recording_cells
from gemmviz.trace.ptx.decoding.cluster import BlockLogs, block_logs, cluster_of, with_neighbours
from gemmviz.trace.ptx.decoding.decode import Arrays, as_one_warp, block_trace
from gemmviz.trace.ptx.decoding.expand import Expander
from gemmviz.trace.ptx.decoding.log import read_log
from gemmviz.trace.ptx.probing.instrument import instrument_ptx
from gemmviz.trace.ptx.probing.sites import sites_of

Module = Callable[[str], str]
SYMBOLS = 2
"""Where the module's two shared variables lie is told by the first two values."""
A, B, C, TILES, AS = 0x7000, 0x9000, 0xB000, 2048, 1024
ARRAYS = Arrays(
    (
        MappedArray("A", Space.GLOBAL, 1 << 40, 8, 64),
        MappedArray("B", Space.GLOBAL, 2 << 40, 8, 64),
        MappedArray("C", Space.GLOBAL, 3 << 40, 8, 64),
        MappedArray("tiles", Space.SHARED, 1 << 36, 1, 1024),
        MappedArray("As", Space.SHARED, 1 << 37, 1, 256),
    ),
    (A, B, C, TILES, AS),
)
MAP = TensorMap("B", 8, 64, Element.FLOAT32, (32, 2), 128)


def words_of(text: str) -> NDArray[np.uint64]:
    """A warp's slots, one a line, as `3: 7000 +4 x8`: value 3, lanes 0 to 7 with 0x7000, 0x7004 and so on; or
    `3: 5 5 . 6`, lane by lane, `.` one that takes no part.
    """
    slots = []
    for line in (line.strip() for line in text.splitlines() if line.strip()):
        number, _, lanes = line.partition(":")
        slot = np.zeros(SLOT_WORDS, np.uint64)
        words = lanes.split()
        if words[-1].startswith("x"):
            first, step, count = int(words[0], 16), int(words[1]), int(words[2][1:])
            values = [first + step * lane for lane in range(count)]
        else:
            values = [None if word == "." else int(word, 0) for word in words]
        mask = sum(1 << lane for lane, value in enumerate(values) if value is not None)
        slot[0] = int(number) | mask << 32
        for lane, value in enumerate(values):
            slot[1 + lane] = 0xDEAD if value is None else value % 2**64
        slots.append(slot)
    return np.concatenate(slots) if slots else np.zeros(0, np.uint64)


def expander(text: str) -> Expander:
    made = instrument_ptx(text, "kernel", "kernel.cu")
    return Expander(made.probed.probes, sites_of(made.probed), {"B": MAP})


def traced(text: str, *warps: str) -> BlockTrace:
    logs = BlockLogs([words_of(warp) for warp in warps])
    return block_trace(expander(text), logs, ARRAYS, (1, 2, 0), 32 * len(warps))


def offsets(trace: BlockTrace, warp: int, slot: int) -> list[int | None]:
    """Bytes from the start of the slot's array; None for an inactive lane."""
    site = trace.sites[trace.slot_site[slot]]
    (base,) = (array.base for array in trace.arrays if array.name == site.array)
    return [None if a == INACTIVE else a - base for a in trace.addresses[warp, slot].tolist()]


def sites_in(trace: BlockTrace) -> list[str]:
    return [
        "barrier" if s == BARRIER_SITE else f"{trace.sites[s].kind.value} {trace.sites[s].array}"
        for s in trace.slot_site
    ]


LOAD_AND_STORE = "ld.global.f32 %f2, [%rd1];\nst.shared.f32 [%r3], %f2;\nbar.sync 0;\nld.shared.f32 %f3, [%r3];"


def test_that_a_log_says_who_took_part() -> None:
    log = read_log(words_of("5: 7 . 9"))
    assert log.number.tolist() == [5]
    assert log.lanes[0, :4].tolist() == [7, INACTIVE, 9, INACTIVE]


def test_that_warps_share_slots_and_a_barrier_divides_them(module: Module) -> None:
    trace = traced(
        module(LOAD_AND_STORE),
        f"2: 7010 +4 x32\n3: {AS:x} +4 x32\n4: 0 +0 x32\n5: {AS:x} +0 x32",
        f"3: {AS + 128:x} +4 x16\n4: 0 +0 x32\n5: {AS:x} +0 x32",
    )
    assert (trace.block, trace.threads) == ((1, 2, 0), 64)
    assert sites_in(trace) == ["load A", "store As", "barrier", "load As"]
    assert trace.slot_epoch.tolist() == [0, 0, 0, 1]
    assert offsets(trace, 0, 0) == [16 + 4 * lane for lane in range(32)]
    assert offsets(trace, 1, 0) == [None] * 32
    assert offsets(trace, 1, 1) == [128 + 4 * lane for lane in range(16)] + [None] * 16
    assert (trace.addresses[:, 2] == 0).all()
    assert [(place.line, place.text) for place in trace.ended_by] == [(7, "bar.sync 0")]
    assert find_hazards(trace) == ()


def test_that_lanes_that_come_to_a_barrier_apart_come_to_one_barrier(module: Module) -> None:
    first, others = "4: 0 +0 x16", "4: " + ". " * 16 + "0 " * 16
    trace = traced(
        module(LOAD_AND_STORE),
        f"2: 7010 +4 x32\n{first}\n3: {AS:x} +4 x16\n{others}\n5: {AS:x} +0 x32\n{others}\n{first}",
    )
    assert sites_in(trace) == ["load A", "store As", "barrier", "load As", "barrier"]
    assert trace.slot_epoch.tolist() == [0, 0, 0, 1, 1]
    assert (trace.addresses[0, [2, 4]] == 0).all(), "all 32 lanes come to each"


def test_that_an_address_outside_its_array_stays_outside(module: Module) -> None:
    trace = traced(module("ld.global.f32 %f2, [%rd1];"), "2: 0x6FFC 0x7000 0x7800")
    assert offsets(trace, 0, 0)[:3] == [-4, 0, 2048]
    (hazard,) = find_hazards(trace)
    assert hazard.count == 2


def test_that_a_pointer_without_a_name_is_told_by_where_it_points(module: Module) -> None:
    trace = traced(module("selp.b64 %rd5, %rd1, %rd4, %p1;\nld.global.f32 %f2, [%rd5];"), f"2: {A + 8} {C + 4} 16")
    assert trace.addresses[0, 0, :2].tolist() == [(1 << 40) + 8, (3 << 40) + 4]
    assert len(find_hazards(trace)) == 1


def test_that_an_access_outside_all_arrays_is_told_by_its_distance_from_the_nearest(module: Module) -> None:
    """A and B are 0x7000 and 0x9000, of 2048 bytes each."""
    body = module("selp.b64 %rd5, %rd1, %rd4, %p1;\nld.global.f32 %f2, [%rd5];")
    trace = traced(body, f"2: {A + 2048 + 8} {B - 4} {C + 2048}")
    assert trace.addresses[0, 0, :3].tolist() == [(1 << 40) + 2056, (2 << 40) - 4, (3 << 40) + 2048]
    (hazard,) = find_hazards(trace)
    past_the_end = "12 bytes (3 elements) past the end of A, the nearest array, which has 8×64 elements"
    assert f"that is {past_the_end}" in hazard.detail


@pytest.mark.parametrize("address", [0, 2**63 - 4, -(2**63)])
def test_that_a_pointer_to_nothing_is_told_by_its_address_which_can_be_stored(module: Module, address: int) -> None:
    far = ARRAYS.mapped, (A + (1 << 46), B + (1 << 46), C + (1 << 46), TILES, AS)
    body = module("selp.b64 %rd5, %rd1, %rd4, %p1;\nld.global.f32 %f2, [%rd5];")
    logs = BlockLogs([words_of(f"2: {address}")])
    trace = block_trace(expander(body), logs, Arrays(*far), (0, 0, 0), 32)
    assert abs(int(trace.addresses[0, 0, 0])) <= 2**62
    (hazard,) = find_hazards(trace)
    assert "where no array lies: the pointer is null, uninitialised or corrupted" in hazard.detail


def test_that_an_index_beyond_all_memory_keeps_addresses_that_can_be_stored(module: Module) -> None:
    trace = traced(module("ld.global.f32 %f2, [%rd1];"), f"2: {2**63 - 4} {-(2**63)}")
    assert (np.abs(trace.addresses[0, 0, :2]) <= 2**62).all()
    (hazard,) = find_hazards(trace)
    assert hazard.count == 2


def test_that_a_copy_reads_and_writes_and_may_read_nothing(module: Module) -> None:
    trace = traced(
        module("cp.async.ca.shared.global [%r2], [%rd1], 4, %r1;"),
        f"2: {A} -1 {A + 8}\n3: {TILES} {TILES + 4} {TILES + 8}",
    )
    assert sites_in(trace) == ["load A", "store tiles"]
    assert offsets(trace, 0, 0)[:4] == [0, None, 8, None]
    assert offsets(trace, 0, 1)[:4] == [0, 4, 8, None]


def test_that_rows_of_matrices_are_given_by_the_lanes_that_count(module: Module) -> None:
    trace = traced(module("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4, %r5}, [%r2];"), f"2: {TILES:x} +16 x32")
    assert offsets(trace, 0, 0) == [16 * row for row in range(16)] + [None] * 16


TENSOR = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd2, {%r4, %r5}], [%r3];"


def test_that_a_tensor_copy_is_its_boxes_rows(module: Module) -> None:
    """Columns 32 to 63 and rows 7 and 8 of an 8 x 64 matrix, of which row 8 is not there."""
    trace = traced(module(TENSOR), f"2: {TILES}\n3: 99\n4: 32\n5: 7\n6: 0")
    assert sites_in(trace) == ["load B", "store tiles"]
    assert offsets(trace, 0, 0) == [7 * 256 + 128 + 16 * piece for piece in range(8)] + [None] * 24
    row = [16 * piece for piece in range(8)]
    assert offsets(trace, 0, 1) == row + [128 + (16 * piece ^ 16) for piece in range(8)] + [None] * 16


def test_that_the_four_warps_of_a_group_read_a_quarter_of_a_each_and_one_reads_b(module: Module) -> None:
    """128-byte swizzle, eight rows 1024 bytes apart: A is 64 rows of 32 bytes, B 8 of them, at 2048 and 10240."""
    body = "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f1,%f2,%f3,%f4}, %rd5, %rd6, %p1, 1, 1;"
    mode = 1 << 62 | 64 << 32
    logs = f"2: {mode | 2048 >> 4}\n3: {mode | 10240 >> 4}"
    trace = traced(module("cvt.u64.u32 %rd5, %r2;\ncvt.u64.u32 %rd6, %r2;\n" + body), *[logs] * 8)
    a, b = 0, 1
    assert sites_in(trace) == ["load tiles"] * 2
    for warp in range(8):
        rows = {offset // 128 for offset in offsets(trace, warp, a) if offset is not None}
        assert rows == set(range(16 * (warp % 4), 16 * (warp % 4) + 16))
        is_active = [offset is not None for offset in offsets(trace, warp, b)]
        assert sum(is_active) == (16 if warp % 4 == 0 else 0)


def test_that_a_tile_of_a_warp_is_recorded_by_its_rows(module: Module) -> None:
    body = "wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r4, %r5, %r6, %r7}, [%r2], %r1;"
    trace = traced(module(body), f"2: {TILES:x} +0 x32\n3: 24 +0 x32")
    assert offsets(trace, 0, 0) == [row * 0x24 * 4 + half * 16 for row in range(16) for half in range(2)]


def test_that_a_warp_that_copies_and_one_that_reads_are_ordered_by_their_waits(module: Module) -> None:
    body = (
        TENSOR + "\nmbarrier.arrive.shared::cta.b64 _, [%r3];\n"
        "mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], %r1;\nld.shared.v4.f32 {%f1,%f2,%f3,%f4}, [%r2];"
    )
    copy = f"7: {AS}\n2: {TILES}\n3: 99\n4: 0\n5: 0\n6: 0"
    trace = traced(module(body), f"8: {AS}\n9: 0\n10: {TILES:x} +16 x8", copy)
    assert sites_in(trace) == ["load B", "store tiles", "load tiles"]
    assert trace.slot_epoch.tolist() == [0, 0, 1]
    assert find_hazards(trace) == ()
    (race,) = find_hazards(traced(module(body), f"10: {TILES:x} +16 x8", copy))
    assert race.kind.value == "race"


def test_that_all_warps_are_one_where_only_costs_count(module: Module) -> None:
    warps = [f"2: 7010 +4 x32\n4: 0 +0 x32\n5: {AS:x} +0 x32", f"4: 0 +0 x32\n5: {AS:x} +0 x32"]
    one = as_one_warp(expander(module(LOAD_AND_STORE)), BlockLogs([words_of(warp) for warp in warps]), ARRAYS)
    assert one.addresses.shape == (1, 3, 32)
    assert sites_in(one) == ["load A", "load As", "load As"]


FOR_ALL = TENSOR.replace("complete_tx::bytes", "complete_tx::bytes.multicast::cluster").replace(
    "[%r3];", "[%r3], %rs1;"
)


def copies(*shared: int, mask: int) -> str:
    return "\n".join(f"2: {to}\n3: 99\n4: 0\n5: 0\n6: {mask}" for to in shared)


def test_that_a_neighbours_copies_come_with_the_blocks_own(module: Module) -> None:
    """Each of two blocks copies half a stage for both; the neighbour's second copy stands beside the own second."""
    known = expander(module(FOR_ALL))
    own, other = (
        [words_of(copies(*shared, mask=3))] for shared in ((TILES, TILES + 2048), (TILES + 1024, TILES + 3072))
    )
    trace = block_trace(known, BlockLogs(own, 0, (other,)), ARRAYS, (0, 0, 0), 32)
    assert sites_in(trace) == ["load B", "store tiles", "store tiles"] * 2
    assert [offsets(trace, 0, slot)[0] for slot in range(6)] == [0, 0, 1024, 0, 2048, 3072]


def test_that_a_copy_for_other_blocks_alone_does_not_arrive(module: Module) -> None:
    known = expander(module(FOR_ALL))
    other = [words_of(copies(TILES + 256, mask=1))]
    own = [words_of(copies(TILES, mask=3))]
    assert len(block_trace(known, BlockLogs(own, 1, (other,)), ARRAYS, (0, 0, 0), 32).slot_site) == 2
    assert len(block_trace(known, BlockLogs(own, 0, (other,)), ARRAYS, (0, 0, 0), 32).slot_site) == 3


def test_that_a_cluster_is_neighbours_in_all_directions() -> None:
    launch = Launch((4, 4, 2), (32, 1, 1), cluster=(2, 2, 1))
    assert cluster_of(0, launch) == [0, 1, 4, 5]
    assert cluster_of(16 + 4 + 3, launch) == [18, 19, 22, 23]
    assert with_neighbours(np.array([5, 0, 23], np.int32), launch).tolist() == [0, 1, 4, 5, 18, 19, 22, 23]
    alone = Launch((4, 1, 1), (32, 1, 1))
    assert with_neighbours(np.array([3, 1], np.int32), alone).tolist() == [3, 1]


def test_that_a_block_knows_its_rank_and_the_others_logs() -> None:
    launch = Launch((4, 1, 1), (32, 1, 1), cluster=(2, 1, 1))
    logs = {index: [words_of(f"{index}: 0")] for index in range(4)}
    found = block_logs(3, logs, launch)
    assert (found.rank, found.own) == (1, logs[3])
    assert found.others == (logs[2],)


def test_that_each_warp_has_exactly_the_room_it_needs() -> None:
    room = np.array([[2, 1], [0, 3]], np.int64)
    cells = recording_cells(room, 4096)
    assert cells["room"].tolist() == [2, 1, 0, 3]
    assert cells["slots"].tolist() == [4096 + 264 * before for before in (0, 2, 3, 3)]
    words = np.arange(6 * SLOT_WORDS, dtype=np.uint64)
    logs = logs_of(words, room, np.array([[2, 1], [0, 2]], np.int64))
    assert [[read_log(log).number.tolist() for log in block] for block in logs] == [[[0, 33], [66]], [[], [99, 132]]]


def test_that_blocks_know_their_place_among_the_recorded() -> None:
    assert block_table(5, [3, 1]).tolist() == [-1, 1, -1, 0, -1]


def test_that_batches_hold_as_many_blocks_as_fit() -> None:
    slots = np.array([1, 1, 1, 5, 1], np.int64)
    assert in_batches(slots, 2 * 264) == [slice(0, 2), slice(2, 3), slice(3, 4), slice(4, 5)]
    assert in_batches(slots[:0], 100) == []
