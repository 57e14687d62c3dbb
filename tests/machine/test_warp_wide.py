"""Lanes that see each other, atomics, and asynchronous copies."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from ptx_instructions import kernel, run_kernel

from gemmviz.machine.faults import KernelFaultError
from gemmviz.machine.memory import Array

_HEAD = """
.reg .b32 %i, %v, %d, %r<20>; .reg .b64 %out, %in, %at, %from, %rd<9>; .reg .pred %p<9>; .reg .f32 %f<9>;
ld.param.u64 %out, [p_out]; ld.param.u64 %in, [p_in]; mov.u32 %i, %tid.x;
mad.wide.u32 %at, %i, 4, %out; mad.wide.u32 %from, %i, 4, %in; ld.global.u32 %v, [%from];
"""
_PARAMETERS = ".param .u64 p_out, .param .u64 p_in"


def _run(body: str, values: NDArray[np.uint32], words: int | None = None, grid: int = 1) -> NDArray[np.uint32]:
    """What each thread stores at %at, whose own value is %v."""
    given, out = Array(values.nbytes, "in"), Array(4 * (words or values.size), "out")
    given.view(np.uint32)[:] = values
    out.bytes[:] = 0
    run_kernel(kernel(_HEAD + body, _PARAMETERS), [out, given], grid=(grid, 1, 1), block=(values.size, 1, 1))
    found: NDArray[np.uint32] = out.view(np.uint32)
    return found


_STORE = " st.global.u32 [%at], %d;"
_VALUES = np.random.default_rng(1).integers(0, 2**32, 32, dtype=np.uint32)


@pytest.mark.parametrize("width", [32, 16, 8, 4])
@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
def test_that_shuffles_read_the_lane_that_the_manual_says(mode: str, width: int) -> None:
    """The C for `__shfl_*_sync` of a width: the segments' mask, and 31, for `up` 0, as clamp."""
    amount = 3
    control = (32 - width) << 8 | (0 if mode == "up" else 31)
    body = f"shfl.sync.{mode}.b32 %d|%p1, %v, {amount}, {control}, -1; @!%p1 add.u32 %d, %d, 1;"
    found = _run(body + _STORE, _VALUES)
    for lane in range(32):
        begin = lane // width * width
        wanted = {"up": lane - amount, "down": lane + amount, "bfly": lane ^ amount, "idx": begin + amount % width}[
            mode
        ]
        inside = begin <= wanted < begin + width
        value = int(_VALUES[wanted if inside else lane]) + (0 if inside else 1)
        assert found[lane] == value & 0xFFFFFFFF, lane


def test_that_votes_count_the_lanes_of_the_mask() -> None:
    body = """
    setp.gt.u32 %p1, %v, 0x7FFFFFFF; vote.sync.ballot.b32 %d, %p1, -1; vote.sync.any.pred %p2, %p1, -1;
    vote.sync.all.pred %p3, %p1, -1; selp.u32 %r1, 1, 0, %p2; selp.u32 %r2, 2, 0, %p3; or.b32 %r1, %r1, %r2;
    xor.b32 %d, %d, %r1;
    """
    above = _VALUES > 0x7FFFFFFF
    ballot = sum(1 << lane for lane in range(32) if above[lane])
    assert set(_run(body + _STORE, _VALUES).tolist()) == {ballot ^ (int(above.any()) | 2 * int(above.all()))}


def test_that_a_shuffle_within_a_branch_sees_only_lanes_that_run_there() -> None:
    body = """
    setp.lt.u32 %p1, %i, 16; mov.u32 %d, 5; @!%p1 bra behind;
    shfl.sync.bfly.b32 %d, %v, 1, 31, 0xFFFF; activemask.b32 %r1; xor.b32 %d, %d, %r1; behind:
    """
    found = _run(body + _STORE, _VALUES)
    assert found[:16].tolist() == [int(_VALUES[lane ^ 1]) ^ 0xFFFF for lane in range(16)]
    assert found[16:].tolist() == [5] * 16


def test_that_a_lane_which_its_own_mask_leaves_out_is_no_guess() -> None:
    body = "shfl.sync.down.b32 %d, %v, 1, 31, 0xFFFF;"
    with pytest.raises(KernelFaultError, match="by a lane that its own mask leaves out") as caught:
        _run(body + _STORE, _VALUES)
    assert caught.value.thread == (16, 0, 0)


@pytest.mark.parametrize(
    ("operation", "rule"),
    [
        ("add.u32", lambda v: int(v.astype(np.uint64).sum()) & 0xFFFFFFFF),
        ("min.u32", lambda v: int(v.min())),
        ("max.s32", lambda v: int(v.view(np.int32).max()) & 0xFFFFFFFF),
        ("and.b32", np.bitwise_and.reduce),
        ("or.b32", np.bitwise_or.reduce),
        ("xor.b32", np.bitwise_xor.reduce),
        ("min.s32", lambda v: int(v.view(np.int32).min()) & 0xFFFFFFFF),
    ],
)
def test_that_a_reduction_covers_the_warp(operation: str, rule: object) -> None:
    assert callable(rule)
    assert set(_run(f"redux.sync.{operation} %d, %v, -1;" + _STORE, _VALUES).tolist()) == {int(rule(_VALUES))}


def test_that_match_names_the_lanes_with_the_same_value() -> None:
    values = _VALUES % 3
    found = _run("match.any.sync.b32 %d, %v, -1;" + _STORE, values.astype(np.uint32))
    assert found.tolist() == [sum(1 << lane for lane in range(32) if values[lane] == one) for one in values]
    alike = np.full(32, 4, np.uint32)
    assert set(_run("match.all.sync.b32 %d|%p1, %v, -1;" + _STORE, alike).tolist()) == {0xFFFFFFFF}
    assert set(_run("match.all.sync.b32 %d|%p1, %v, -1;" + _STORE, values.astype(np.uint32)).tolist()) == {0}


def test_that_one_lane_is_elected() -> None:
    body = "elect.sync %r1|%p1, -1; selp.u32 %d, 7, 0, %p1; add.u32 %d, %d, %r1;"
    assert _run(body + _STORE, _VALUES).tolist() == [7] + [0] * 31


@pytest.mark.parametrize(
    ("operation", "begin", "rule"),
    [
        ("add.u32", 5, lambda s, v: int(s + v.astype(np.uint64).sum()) & 0xFFFFFFFF),
        ("min.s32", 5, lambda s, v: min(s, int(v.view(np.int32).min())) & 0xFFFFFFFF),
        ("max.u32", 5, lambda s, v: max(s, int(v.max()))),
        ("and.b32", 0xFF00, lambda s, v: s & int(np.bitwise_and.reduce(v))),
        ("or.b32", 1, lambda s, v: s | int(np.bitwise_or.reduce(v))),
        ("xor.b32", 9, lambda s, v: s ^ int(np.bitwise_xor.reduce(v))),
    ],
)
def test_that_atomics_take_every_thread_of_every_block(operation: str, begin: int, rule: object) -> None:
    assert callable(rule)
    values = np.random.default_rng(2).integers(0, 2**32, 64, dtype=np.uint32)
    body = f"atom.global.{operation} %d, [%out], %v;"
    given, out = Array(values.nbytes, "in"), Array(4, "out")
    given.view(np.uint32)[:], out.view(np.uint32)[0] = values, begin
    run_kernel(kernel(_HEAD + body, _PARAMETERS), [out, given], grid=(3, 1, 1), block=(64, 1, 1))
    assert int(out.view(np.uint32)[0]) == rule(begin, np.tile(values, 3))


def test_that_an_atomic_returns_what_was_there() -> None:
    found = _run("atom.global.add.u32 %d, [%out+128], 1;" + _STORE, np.zeros(32, np.uint32), words=33)
    assert sorted(found[:32].tolist()) == list(range(32))
    assert found[32] == 32


def test_that_compare_and_swap_lets_one_through() -> None:
    body = "add.u32 %r1, %i, 100; atom.global.cas.b32 %d, [%out+128], 0, %r1;"
    found = _run(body + _STORE, np.zeros(32, np.uint32), words=33)
    winner = int(found[32])
    assert found[:32].tolist().count(0) == 1
    assert set(found[:32].tolist()) == {0, winner}


def test_that_floats_are_added_atomically_in_shared_memory() -> None:
    values = np.arange(32, dtype=np.float32)
    body = """
    .shared .align 4 .b8 sum[4]; mov.u32 %r1, 0; st.shared.u32 [sum], %r1; bar.sync 0; mov.b32 %f1, %v;
    red.shared.add.f32 [sum], %f1; bar.sync 0; ld.shared.u32 %d, [sum];
    """
    assert set(_run(body + _STORE, values.view(np.uint32)).view(np.float32).tolist()) == {float(values.sum())}


def test_that_pairs_of_halves_are_added_atomically() -> None:
    pair = np.array([1.5, -2.0], np.float16).view(np.uint32)
    found = _run("red.global.add.noftz.f16x2 [%out], %v;", np.repeat(pair, 32))
    assert found[:1].view(np.float16).tolist() == [48.0, -64.0]


def test_that_an_asynchronous_copy_fills_what_it_does_not_copy_with_zeros() -> None:
    body = """
    .shared .align 16 .b8 tile[512]; mov.u32 %r1, tile; mad.lo.u32 %r1, %i, 16, %r1; shl.b32 %r2, %i, 4;
    cvt.u64.u32 %rd1, %r2; add.u64 %rd1, %rd1, %in; and.b32 %r3, %i, 15; setp.eq.u32 %p1, %i, 3;
    cp.async.ca.shared.global [%r1], [%rd1], 16, %r3; cp.async.commit_group; cp.async.wait_group 0;
    @%p1 cp.async.cg.shared.global [%r1], [%rd1], 16; cp.async.wait_all;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r1]; cvt.u64.u32 %rd2, %r2; add.u64 %rd2, %rd2, %out;
    st.global.v4.u32 [%rd2], {%r4, %r5, %r6, %r7};
    """
    values = np.random.default_rng(3).integers(0, 256, 512, dtype=np.uint8)
    given, out = Array(512, "in"), Array(512, "out")
    given.bytes[:] = values
    run_kernel(kernel(_HEAD + body, _PARAMETERS), [out, given], block=(32, 1, 1))
    for lane in range(32):
        row, count = values[16 * lane : 16 * lane + 16], 16 if lane == 3 else lane % 16
        assert out.bytes[16 * lane : 16 * lane + 16].tolist() == row[:count].tolist() + [0] * (16 - count), lane


_MBARRIER = """
    .shared .align 8 .b8 bar[8]; .shared .align 4 .b8 word[4]; .reg .b64 %state; .reg .b32 %bar; mov.u32 %bar, bar;
    setp.eq.u32 %p1, %i, 0; @%p1 mbarrier.init.shared.b64 [%bar], 64; @%p1 st.shared.u32 [word], 0; bar.sync 0;
"""


def test_that_an_mbarrier_ends_its_phase_with_the_last_arrival() -> None:
    body = (
        _MBARRIER
        + """
    mbarrier.arrive.shared.b64 %state, [%bar]; setp.lt.u32 %p2, %i, 32; @%p2 bra waits;
    bar.sync 1, 32;
    waits: mbarrier.test_wait.shared.b64 %p3, [%bar], %state; @!%p3 bra waits;
    mbarrier.arrive.shared.b64 %state, [%bar];
    again: mbarrier.try_wait.parity.shared.b64 %p3, [%bar], 1; @!%p3 bra again;
    mbarrier.test_wait.parity.shared.b64 %p4, [%bar], 0; selp.u32 %d, 1, 2, %p4;
    """
    )
    assert set(_run(body + _STORE, np.zeros(64, np.uint32)).tolist()) == {2}


def test_that_an_mbarrier_waits_for_its_bytes() -> None:
    body = """
    .shared .align 8 .b8 bar[8]; .reg .b64 %state; .reg .b32 %bar; mov.u32 %bar, bar; setp.eq.u32 %p1, %i, 0;
    @!%p1 exit; mbarrier.init.shared.b64 [%bar], 1; mbarrier.arrive.expect_tx.shared.b64 %state, [%bar], 96;
    mbarrier.test_wait.shared.b64 %p2, [%bar], %state; mbarrier.complete_tx.shared.b64 [%bar], 64;
    mbarrier.test_wait.shared.b64 %p3, [%bar], %state; mbarrier.complete_tx.shared.b64 [%bar], 32;
    mbarrier.test_wait.shared.b64 %p4, [%bar], %state; selp.u32 %r1, 1, 0, %p2; selp.u32 %r2, 2, 0, %p3;
    selp.u32 %r3, 4, 0, %p4; or.b32 %d, %r1, %r2; or.b32 %d, %d, %r3;
    """
    assert _run(body + _STORE, np.zeros(32, np.uint32))[0] == 4


def test_that_a_thread_may_leave_an_mbarrier() -> None:
    body = (
        _MBARRIER.replace("[%bar], 64", "[%bar], 32")
        + """
    setp.ge.u32 %p5, %i, 16; @%p5 bra leaves; mbarrier.arrive.shared.b64 %state, [%bar]; bra waits;
    leaves: mbarrier.arrive_drop.shared.b64 %state, [%bar]; mov.u32 %d, 9; bra behind;
    waits: mbarrier.test_wait.shared.b64 %p3, [%bar], %state; @!%p3 bra waits;
    mbarrier.arrive.shared.b64 %state, [%bar]; mbarrier.pending_count.b64 %d, %state;
    again: mbarrier.test_wait.shared.b64 %p3, [%bar], %state; @!%p3 bra again;
    behind:
    """
    )
    found = _run(body + _STORE, np.zeros(32, np.uint32))
    assert sorted(found[:16].tolist()) == list(range(1, 17))
    assert set(found[16:].tolist()) == {9}


def test_that_an_asynchronous_copy_arrives_at_an_mbarrier() -> None:
    body = (
        _MBARRIER
        + """
    .shared .align 4 .b8 tile[256]; mov.u32 %r1, tile; mad.lo.u32 %r1, %i, 4, %r1;
    cp.async.ca.shared.global [%r1], [%from], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%bar];
    waits: mbarrier.test_wait.parity.shared.b64 %p3, [%bar], 0; @!%p3 bra waits; xor.b32 %r2, %i, 33;
    mov.u32 %r1, tile; mad.lo.u32 %r1, %r2, 4, %r1; ld.shared.u32 %d, [%r1];
    """
    )
    values = np.arange(64, dtype=np.uint32) * 7
    assert _run(body + _STORE, values).tolist() == [7 * (thread ^ 33) for thread in range(64)]


@pytest.mark.parametrize("absent", ["not named", "ended"])
def test_that_a_shuffle_reads_0_from_a_lane_that_takes_no_part(absent: str) -> None:
    """The PTX ISA leaves it open; so it was on an H100, whether the lane ran elsewhere, had ended or never was."""
    if absent == "ended":
        body = "setp.ge.u32 %p2, %i, 20; @%p2 exit; shfl.sync.down.b32 %d, %v, 8, 31, -1;"
    else:
        body = "mov.u32 %d, 0; setp.lt.u32 %p2, %i, 20; @%p2 shfl.sync.down.b32 %d, %v, 8, 31, 0xFFFFF;"
    found = _run(body + _STORE, _VALUES)
    assert found.tolist() == [*_VALUES[8:20].tolist(), *[0] * 20]


def test_that_a_shuffle_reads_0_where_a_warp_is_not_whole() -> None:
    found = _run("shfl.sync.down.b32 %d, %v, 8, 31, -1;" + _STORE, _VALUES[:20])
    assert found.tolist() == [*_VALUES[8:20].tolist(), *[0] * 8]
