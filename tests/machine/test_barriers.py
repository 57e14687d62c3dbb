"""Barriers of a block: what is seen behind them, named ones, and votes."""

from __future__ import annotations

import pytest
from ptx_words import run_words


def test_that_all_threads_see_what_was_stored_before_a_barrier() -> None:
    body = """
    .shared .align 4 .b8 tile[1024]; mov.u32 %r1, tile; mad.lo.u32 %r2, %i, 4, %r1; st.shared.u32 [%r2], %i;
    bar.sync 0; mov.u32 %r3, 255; sub.u32 %r3, %r3, %i; mad.lo.u32 %r4, %r3, 4, %r1; ld.shared.u32 %r5, [%r4];
    st.global.u32 [%at], %r5;
    """
    assert run_words(body, 256, 256) == list(range(255, -1, -1))


def test_that_threads_that_have_ended_are_not_waited_for() -> None:
    body = "setp.ge.u32 %p1, %i, 40; @%p1 exit; bar.sync 0; st.global.u32 [%at], %i;"
    assert run_words(body, 128, 128)[:40] == list(range(40))


def test_that_a_barrier_in_both_arms_of_a_branch_is_one_barrier() -> None:
    body = """
    and.b32 %r1, %i, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra even; bar.sync 0; mov.u32 %r2, 1; bra behind;
    even: bar.sync 0; mov.u32 %r2, 2; behind: st.global.u32 [%at], %r2;
    """
    assert run_words(body) == [2, 1] * 32


def test_that_named_barriers_count_the_threads_they_name() -> None:
    body = """
    .shared .align 4 .b8 word[4]; setp.lt.u32 %p1, %i, 32; @%p1 bra producer;
    bar.sync 1, 64; ld.shared.u32 %r1, [word]; st.global.u32 [%at], %r1; exit;
    producer: mov.u32 %r1, 99; st.shared.u32 [word], %r1; bar.arrive 1, 64; st.global.u32 [%at], %i;
    """
    found = run_words(body)
    assert found[32:] == [99] * 32
    assert found[:32] == list(range(32))


def test_that_a_reducing_barrier_tells_everyone_the_votes() -> None:
    body = """
    setp.lt.u32 %p1, %i, 37; bar.red.popc.u32 %r1, 0, %p1; bar.red.or.pred %p2, 0, %p1; bar.red.and.pred %p3, 0, %p1;
    selp.u32 %r2, 1000, 0, %p2; selp.u32 %r3, 5000, 0, %p3; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3;
    st.global.u32 [%at], %r1;
    """
    assert run_words(body, 96, 96) == [1037] * 96


@pytest.mark.parametrize("threads", [1, 33, 64, 96])
@pytest.mark.parametrize("against", [-1, 0, 32])
def test_that_the_last_barrier_of_a_kernel_tells_every_warp_whether_all_agree(threads: int, against: int) -> None:
    """The first warps have ended before the others take the result."""
    body = f"""
    setp.ne.s32 %p1, %i, {against}; bar.red.and.pred %p2, 0, %p1; selp.u32 %r1, 1, 0, %p2; st.global.u32 [%at], %r1;
    """
    assert run_words(body, threads, threads) == [int(not 0 <= against < threads)] * threads


@pytest.mark.parametrize("against", [-1, 40])
def test_that_some_warps_agree_at_a_barrier_of_their_own(against: int) -> None:
    body = f"""
    setp.lt.u32 %p1, %i, 64; @!%p1 bra others; setp.ne.s32 %p1, %i, {against};
    barrier.cta.red.and.pred %p2, 3, 64, %p1; barrier.cta.red.popc.u32 %r2, 3, 64, %p1; selp.u32 %r1, 1000, 0, %p2;
    add.u32 %r1, %r1, %r2; bra behind;
    others: mov.u32 %r1, 7; barrier.cta.sync 4, 64;
    behind: st.global.u32 [%at], %r1;
    """
    agree = 1064 if against < 0 else 63
    assert run_words(body, 128, 128) == [agree] * 64 + [7] * 64


def test_that_all_threads_leave_a_loop_in_one_round_when_the_last_agrees() -> None:
    body = """
    mov.u32 %r1, 0; again: add.u32 %r1, %r1, 1; setp.ge.u32 %p1, %r1, 5; setp.lt.u32 %p2, %r1, 50;
    bar.red.and.pred %p3, 0, %p1; not.pred %p4, %p3; and.pred %p5, %p4, %p2; @%p5 bra again; st.global.u32 [%at], %r1;
    """
    assert run_words(body) == [5] * 64
