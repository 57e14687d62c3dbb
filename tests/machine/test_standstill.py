"""A block in which no thread can go on, because the one that it waits for does not come, is told at once."""

from __future__ import annotations

import time

import numpy as np
import pytest
from ptx_instructions import kernel, run_kernel

from gemmviz.machine.faults import DeadlockError, LaunchCancelledError
from gemmviz.machine.memory import Array

LIMIT_S = 60.0
_HEAD = """
.reg .b32 %i, %k, %r<9>; .reg .b64 %out, %at, %rd<9>; .reg .pred %p<9>;
.shared .align 8 .b8 full[16]; .shared .align 4 .b8 flag[4];
ld.param.u64 %out, [p_out]; mov.u32 %i, %tid.x; mad.wide.u32 %at, %i, 4, %out;
.loc 1 5 0
setp.eq.u32 %p1, %i, 0; @%p1 st.shared.u32 [flag], 0; @%p1 mbarrier.init.shared.b64 [full+8], 64; bar.sync 0;
"""
_WAIT = """
.loc 1 9 0
again: mbarrier.try_wait.parity.shared.b64 %p3, [full+8], 0; @!%p3 bra again;
st.global.u32 [%at], %i;
"""


def _run(body: str, limit_s: float = LIMIT_S, block: int = 64, grid: int = 1) -> list[int]:
    out = Array(4 * 64, "out")
    text = kernel(_HEAD + body, ".param .u64 p_out", '.file 1 "k.cu"\n.global .align 4 .u32 ready;\n')
    run_kernel(text, [out], grid=(grid, 1, 1), block=(block, 1, 1), limit_s=limit_s)
    return out.view(np.uint32).tolist()


@pytest.mark.parametrize(
    ("arrives", "words"),
    [
        (
            "setp.lt.u32 %p2, %i, 40; @%p2 mbarrier.arrive.shared.b64 %rd1, [full+8];",
            "deadlock: 40 of 64 arrivals have come at the mbarrier full + 8 bytes, whose phase has parity 0, and no "
            "thread can go on: threads 0 to 63 wait for an mbarrier in line 9",
        ),
        (
            "setp.ge.u32 %p2, %i, 40; @%p2 exit; mbarrier.arrive.shared.b64 %rd1, [full+8];",
            "deadlock: 40 of 64 arrivals have come at the mbarrier full + 8 bytes, whose phase has parity 0, and no "
            "thread can go on: threads 0 to 39 wait for an mbarrier in line 9",
        ),
        (
            "setp.lt.u32 %p2, %i, 32; @%p2 bra meets; .loc 1 7 0\nbar.sync 1, 64; "
            "meets: mbarrier.arrive.shared.b64 %rd1, [full+8];",
            "deadlock: 32 of 64 arrivals have come at the mbarrier full + 8 bytes, whose phase has parity 0, and no "
            "thread can go on: threads 0 to 31 wait for an mbarrier in line 9, threads 32 to 63 wait at barrier 1 in "
            "line 7",
        ),
        (
            "@%p1 mbarrier.expect_tx.shared.b64 [full+8], 96; bar.sync 0; mbarrier.arrive.shared.b64 %rd1, [full+8];",
            "deadlock: 64 of 64 arrivals have come and 96 bytes are missing at the mbarrier full + 8 bytes, whose "
            "phase has parity 0, and no thread can go on: threads 0 to 63 wait for an mbarrier in line 9",
        ),
    ],
)
def test_that_an_mbarrier_that_too_few_threads_arrive_at_is_a_deadlock(arrives: str, words: str) -> None:
    begin = time.monotonic()
    with pytest.raises(DeadlockError) as found:
        _run(arrives + _WAIT)
    assert time.monotonic() - begin < LIMIT_S / 2
    assert found.value.words == words
    assert found.value.place.line == 9


def test_that_a_flag_in_shared_memory_that_nobody_sets_is_a_deadlock() -> None:
    body = ".loc 1 9 0\nagain: ld.volatile.shared.u32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0; @%p2 bra again;"
    with pytest.raises(DeadlockError, match="no thread can go on: threads 0 to 63 run in line 9") as found:
        _run(body)
    assert found.value.place.line == 9


def test_that_threads_that_wait_at_a_barrier_are_named_beside_those_in_a_loop() -> None:
    body = """
    setp.ge.u32 %p2, %i, 32; @%p2 bra meets;
    .loc 1 9 0
    again: ld.volatile.shared.u32 %r1, [flag]; setp.eq.u32 %p3, %r1, 0; @%p3 bra again;
    .loc 1 11 0
    meets: bar.sync 0;
    """
    with pytest.raises(DeadlockError) as found:
        _run(body)
    assert found.value.words == (
        "deadlock: no thread can go on: threads 0 to 31 run in line 9, threads 32 to 63 wait at a barrier in line 11"
    )
    assert found.value.place.line == 9


def test_that_a_flag_in_global_memory_may_be_set_by_another_block() -> None:
    body = ".loc 1 9 0\nagain: ld.volatile.global.u32 %r1, [ready]; setp.eq.u32 %p2, %r1, 0; @%p2 bra again;"
    with pytest.raises(DeadlockError, match="threads 0 to 63 run in line 9"):
        _run(body)
    with pytest.raises(LaunchCancelledError, match="did not end within 2 s"):
        _run(body, 2, grid=2)


def test_that_a_flag_that_no_block_sets_is_a_deadlock_once_all_others_have_ended() -> None:
    body = """
    mov.u32 %k, %ctaid.x; setp.ne.u32 %p4, %k, 1; @%p4 exit;
    .loc 1 9 0
    again: ld.volatile.global.u32 %r1, [ready]; setp.eq.u32 %p2, %r1, 0; @%p2 bra again;
    """
    with pytest.raises(DeadlockError, match="threads 0 to 63 run in line 9") as found:
        _run(body, grid=3)
    assert (found.value.block, found.value.place.line) == ((1, 0, 0), 9)


@pytest.mark.parametrize("turns", [200_000, 2_000_000])
def test_that_a_thread_that_comes_late_is_waited_for(turns: int) -> None:
    """The last thread counts long before it arrives; the others test the mbarrier all that time."""
    body = f"""
    setp.eq.u32 %p4, %i, 63; @!%p4 bra meets; mov.u32 %k, 0;
    counts: add.u32 %k, %k, 1; setp.lt.u32 %p5, %k, {turns}; @%p5 bra counts;
    meets: mbarrier.arrive.shared.b64 %rd1, [full+8];
    """
    assert _run(body + _WAIT) == list(range(64))


def test_that_threads_that_give_up_after_some_tests_go_on() -> None:
    body = """
    mov.u32 %k, 0;
    again: mbarrier.try_wait.parity.shared.b64 %p3, [full+8], 0; @%p3 bra behind;
    add.u32 %k, %k, 1; setp.lt.u32 %p4, %k, 100000; @%p4 bra again;
    behind: st.global.u32 [%at], %k;
    """
    assert _run(body) == [100_000] * 64


@pytest.mark.parametrize(
    ("clock", "why"),
    [
        (
            "mov.u64 %rd2, %globaltimer;",
            "; whether more will come cannot be proven, because the loop reads a clock",
        ),
        ("ld.volatile.global.u64 %rd2, [%out];", ""),
    ],
)
def test_that_the_time_limit_tells_what_an_mbarrier_lacks_where_no_deadlock_can_be_proven(clock: str, why: str) -> None:
    """A waiting loop as `cuda::barrier` has it, which pauses the longer the longer it has waited."""
    body = f"""
    setp.lt.u32 %p2, %i, 40; @%p2 mbarrier.arrive.shared.b64 %rd1, [full+8];
    .loc 1 9 0
    again: mbarrier.test_wait.parity.shared.b64 %p3, [full+8], 0; @%p3 bra behind;
    {clock} and.b64 %rd3, %rd2, 64; setp.eq.u64 %p4, %rd3, 0; @%p4 bra again;
    nanosleep.u32 20; bra again;
    behind: st.global.u32 [%at], %i;
    """
    with pytest.raises(LaunchCancelledError) as found:
        _run(body, 3, grid=2)
    lacks = "40 of 64 arrivals have come at the mbarrier full + 8 bytes, whose phase has parity 0"
    assert f"; the mbarrier tested last: {lacks}{why}" in str(found.value)
    assert ("clock" in str(found.value)) is bool(why)


def test_that_the_time_limit_names_no_mbarrier_in_another_loop() -> None:
    body = f"""
    mbarrier.arrive.shared.b64 %rd1, [full+8];
    {_WAIT.replace("st.global.u32 [%at], %i;", "")}
    turns: mov.u64 %rd2, %globaltimer; setp.ne.u64 %p4, %rd2, 0; @%p4 bra turns;
    """
    with pytest.raises(LaunchCancelledError) as found:
        _run(body, 2)
    assert "threads 0 to 63 run in line 9" in str(found.value)
    assert "mbarrier" not in str(found.value)


_TEST = """
.func (.param .b32 has_come) test (.param .b64 where)
{
    .reg .b64 %a; .reg .pred %c; .reg .b32 %d;
    ld.param.u64 %a, [where];
    mbarrier.test_wait.parity.shared.b64 %c, [%a], 0;
    selp.u32 %d, 1, 0, %c; st.param.u32 [has_come], %d; ret;
}
.func (.param .b32 has_come) test_twice (.param .b64 where)
{
    .reg .b64 %a; .reg .b32 %d;
    ld.param.u64 %a, [where];
    { .param .b64 at; .param .b32 one; st.param.u64 [at], %a; call (one), test, (at); ld.param.u32 %d, [one]; }
    st.param.u32 [has_come], %d; ret;
}
"""


def _called(function: str, register: str) -> str:
    call = f"call (come), {function}, (at); ld.param.u32 {register}, [come];"
    return f"{{ .param .b64 at; .param .b32 come; st.param.u64 [at], %rd2; {call} }}"


@pytest.mark.parametrize("arrivals", [40, 64])
def test_that_a_function_that_tests_an_mbarrier_may_be_called_outside_the_loop_too(arrivals: int) -> None:
    """As in `cuda::barrier`, a thread tests once before its loop; what it stores between is not in the loop."""
    body = f"""
    setp.lt.u32 %p2, %i, {arrivals}; @%p2 mbarrier.arrive.shared.b64 %rd1, [full+8];
    mov.u64 %rd2, full; add.u64 %rd2, %rd2, 8;
    .loc 1 8 0
    {_called("test", "%r1")}
    st.global.u32 [%at], %i;
    .loc 1 9 0
    again: {_called("test_twice", "%r2")}
    setp.eq.u32 %p3, %r2, 0; @%p3 bra again;
    {_called("test", "%r3")}
    st.global.u32 [%at], %r3;
    """
    text = kernel(_HEAD + body, ".param .u64 p_out", '.file 1 "k.cu"\n' + _TEST)
    out = Array(4 * 64, "out")
    if arrivals == 64:
        run_kernel(text, [out], block=(64, 1, 1), limit_s=LIMIT_S)
        assert out.view(np.uint32).tolist() == [1] * 64
        return
    with pytest.raises(DeadlockError, match="40 of 64 arrivals have come at the mbarrier full") as found:
        run_kernel(text, [out], block=(64, 1, 1), limit_s=LIMIT_S)
    assert "no thread can go on" in found.value.words
