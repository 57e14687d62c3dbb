"""Branches that divide warps, calls, barriers, and launches that cannot end."""

from __future__ import annotations

import re
import threading
import time

import numpy as np
import pytest
from ptx_instructions import kernel, run_kernel
from ptx_words import FILE, INDEX, out_words, run_words

from gemmviz.machine.faults import DeadlockError, KernelFaultError, LaunchCancelledError, NotImplementedInMachineError
from gemmviz.machine.refused import refused_in

_BEFORE_A_LOOK_S = 0.05
"""Ends a launch before the machine looks whether a loop of it can end at all."""


def test_that_a_bulk_copy_is_refused_with_the_target_that_does_without() -> None:
    body = """.reg .b32 %s, %n, %b; .reg .b64 %g;
    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%s], [%g], %n, [%b];"""
    with pytest.raises(NotImplementedInMachineError, match=r"capability 8\.0 to 8\.9, .*machine:sm_80"):
        run_kernel(kernel(body, ""), [])


@pytest.mark.parametrize("opcode", ["mma.sync.aligned", "ldmatrix.sync.aligned", "stmatrix.sync.aligned"])
def test_that_loads_and_stores_of_fragments_are_said_to_belong_to_tensor_cores(opcode: str) -> None:
    refused = refused_in(f"line 3: the machine does not implement {opcode}.m8n8.x4.shared.b16")
    assert refused is not None
    assert refused.words == f"it uses tensor cores ({opcode}), which the PTX machine does not execute"


def test_that_each_lane_leaves_a_loop_on_its_own() -> None:
    body = """
    mov.u32 %r1, %i; mov.u32 %r2, 0;
    again: setp.eq.u32 %p1, %r1, 1; setp.eq.u32 %p2, %r1, 0; or.pred %p1, %p1, %p2; @%p1 bra done;
    and.b32 %r3, %r1, 1; setp.eq.u32 %p3, %r3, 0; @%p3 bra even;
    mad.lo.u32 %r1, %r1, 3, 1; bra joined;
    even: shr.u32 %r1, %r1, 1;
    joined: add.u32 %r2, %r2, 1; bra again;
    done: st.global.u32 [%at], %r2;
    """

    def steps(value: int) -> int:
        count = 0
        while value > 1:
            value, count = (value // 2 if value % 2 == 0 else 3 * value + 1), count + 1
        return count

    assert run_words(body) == [steps(value) for value in range(64)]


def test_that_registers_without_a_percent_sign_live_on_behind_a_branch() -> None:
    """Inline assembly declares such ones."""
    body = """
    { .reg .b32 x, count; .reg .pred again; add.u32 x, %i, 5; mov.u32 count, 0;
    loop: add.u32 count, count, x; setp.lt.u32 again, count, 100; @again bra loop; st.global.u32 [%at], count; }
    """

    def counted(lane: int) -> int:
        return -(-100 // (lane + 5)) * (lane + 5)

    assert run_words(body) == [counted(lane) for lane in range(64)]


def test_that_lanes_that_leave_a_branch_early_meet_the_others() -> None:
    body = """
    setp.lt.u32 %p1, %i, 20; @%p1 bra low;
    mov.u32 %r1, 7; setp.gt.u32 %p2, %i, 50; @%p2 exit; bra behind;
    low: and.b32 %r2, %i, 3; setp.eq.u32 %p3, %r2, 3; @%p3 bra three; mov.u32 %r1, 1; bra behind;
    three: mov.u32 %r1, 2;
    behind: activemask.b32 %r4; st.global.u32 [%at], %r4;
    """
    found = run_words(body)
    assert found[:32] == [0xFFFFFFFF] * 32  # all lanes of the first warp run together again
    assert found[32:51] == [(1 << 19) - 1] * 19
    assert found[51:] == [0xEEEEEEEE] * 13


def test_that_a_function_is_called_by_lanes_that_return_at_different_places() -> None:
    function = """
    .func (.param .b32 result) twice_or_none(.param .b32 given)
    {
    .reg .b32 %r<4>; .reg .pred %p<2>;
    ld.param.u32 %r1, [given]; setp.gt.u32 %p1, %r1, 9; @%p1 bra none;
    add.u32 %r2, %r1, %r1; st.param.b32 [result], %r2; ret;
    none: mov.u32 %r2, 0; st.param.b32 [result], %r2; ret;
    }
    """
    body = """
    { .param .b32 one; .param .b32 back; st.param.b32 [one], %i; call.uni (back), twice_or_none, (one);
      ld.param.b32 %r1, [back]; }
    { .param .b32 one; .param .b32 back; st.param.b32 [one], %r1; call.uni (back), twice_or_none, (one);
      ld.param.b32 %r2, [back]; }
    add.u32 %r2, %r2, %r1; st.global.u32 [%at], %r2;
    """

    def twice(value: int) -> int:
        return 0 if value > 9 else 2 * value

    wanted = [twice(twice(value)) + twice(value) for value in range(32)]
    assert run_words(body, 32, 32, function) == wanted


def test_that_divergent_lanes_call_one_function_from_several_places() -> None:
    functions = """
    .func (.param .b32 result) half(.param .b32 given)
    {
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [given]; shr.u32 %r2, %r1, 1; st.param.b32 [result], %r2; ret;
    }
    .func (.param .b32 result) quarter(.param .b32 given)
    {
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [given];
    { .param .b32 one; .param .b32 back; st.param.b32 [one], %r1; call.uni (back), half, (one);
      ld.param.b32 %r2, [back]; }
    { .param .b32 one; .param .b32 back; st.param.b32 [one], %r2; call.uni (back), half, (one);
      ld.param.b32 %r3, [back]; }
    st.param.b32 [result], %r3; ret;
    }
    """
    body = """
    and.b32 %r1, %i, 1; setp.eq.u32 %p1, %r1, 0; shl.b32 %r2, %i, 4; @%p1 bra even;
    { .param .b32 one; .param .b32 back; st.param.b32 [one], %r2; call.uni (back), half, (one);
      ld.param.b32 %r3, [back]; }
    bra joined;
    even:
    { .param .b32 one; .param .b32 back; st.param.b32 [one], %r2; call.uni (back), quarter, (one);
      ld.param.b32 %r3, [back]; }
    joined: activemask.b32 %r4; popc.b32 %r4, %r4; mad.lo.u32 %r3, %r4, 1000, %r3; st.global.u32 [%at], %r3;
    """
    assert run_words(body, 32, 32, functions) == [32000 + lane * (8 if lane % 2 else 4) for lane in range(32)]


def test_that_a_function_that_calls_itself_is_refused() -> None:
    function = ".func f(.param .b32 x)\n{\n{ .param .b32 y; call.uni f, (y); }\nret;\n}\n"
    with pytest.raises(NotImplementedInMachineError, match="f comes to call itself"):
        run_words("{ .param .b32 y; call.uni f, (y); }", declarations=function)


def test_that_a_barrier_that_some_threads_never_reach_is_a_deadlock() -> None:
    body = ".loc 1 12 3\nbar.sync 1, 128; st.global.u32 [%at], %i;"
    out = out_words(64)
    text = kernel(INDEX + body, ".param .u64 p_out", FILE)
    with pytest.raises(DeadlockError, match=r"64 of 128 threads wait at barrier 1") as caught:
        run_kernel(text, [out], block=(64, 1, 1))
    assert caught.value.place.line == 12
    assert caught.value.words.endswith("no other can go on: threads 0 to 63 wait at barrier 1 in line 12")


def test_that_a_deadlock_and_a_time_limit_tell_who_waits_for_what() -> None:
    body = """
    .loc 1 10 1
    .shared .align 8 .b8 bar[8]; setp.eq.u32 %p1, %i, 0; @%p1 mbarrier.init.shared.b64 [bar], 64; bar.sync 0;
    setp.lt.u32 %p2, %i, 40; @%p2 bra waits;
    .loc 1 20 1
    bar.sync 2, 64; bra behind;
    waits: LOC bar.sync 3, 64; AWAIT
    behind: st.global.u32 [%at], %i;
    """
    named = body.replace("LOC", ".loc 1 30 1\n").replace("AWAIT", "")
    with pytest.raises(DeadlockError) as caught:
        run_words(named)
    assert "threads 0 to 39 wait at barrier 3 in line 30, threads 40 to 63 wait at barrier 2 in line 20" in str(
        caught.value
    )
    assert caught.value.place.line == 20, "of the barrier that it is about, not of the kernel's first one"
    wait = "again: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra again;"
    spinning = body.replace("LOC bar.sync 3, 64;", ".loc 1 30 1\n").replace("AWAIT", wait)
    with pytest.raises(LaunchCancelledError) as late:
        run_words(spinning, limit_s=_BEFORE_A_LOOK_S)
    assert str(late.value) == (
        "the kernel did not end within 0.05 s: in block (0, 0, 0) threads 0 to 39 wait for an mbarrier in line 30, "
        "threads 40 to 63 wait at barrier 2 in line 20; the mbarrier tested last: 0 of 64 arrivals have come at "
        "the mbarrier bar, whose phase has parity 0"
    )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("mbarrier.arrive.shared.b64 %rd1, [bar];", "arrive.shared.b64 of an mbarrier that nothing has initialised"),
        ("mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;", "that nothing has initialised"),
        (
            "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 64;",
            "at which all that it expects have arrived already",
        ),
        (
            "mbarrier.init.shared.b64 [bar], 3; bar.sync 0; mbarrier.arrive.noComplete.shared.b64 %rd1, [bar], 2;",
            "at which all that it expects have arrived already",
        ),
        (
            "mbarrier.init.shared.b64 [bar], 64; bar.sync 0; mbarrier.arrive.noComplete.shared.b64 %rd1, [bar], 1;",
            "arrive.noComplete.shared.b64 completes the phase of an mbarrier, which noComplete denies",
        ),
    ],
)
def test_that_a_misused_mbarrier_is_a_fault(body: str, words: str) -> None:
    with pytest.raises(KernelFaultError, match=re.escape(words)) as caught:
        run_words(".loc 1 7 1\n.shared .align 8 .b8 bar[8]; " + body)
    assert caught.value.place.line == 7


def test_that_lanes_waiting_for_others_of_their_warp_do_not_starve_them() -> None:
    body = """
    .shared .align 4 .b8 flag[4]; mov.u32 %r1, 0; st.shared.u32 [flag], %r1; bar.sync 0;
    setp.eq.u32 %p1, %i, 5; @%p1 bra sets;
    waits: ld.volatile.shared.u32 %r2, [flag]; setp.eq.u32 %p2, %r2, 0; @%p2 bra waits; bra behind;
    sets: mov.u32 %r3, 1; st.volatile.shared.u32 [flag], %r3;
    behind: st.global.u32 [%at], %i;
    """
    assert run_words(body, 64, 64, limit_s=20) == list(range(64))


def test_that_a_kernel_that_never_ends_is_ended_by_its_limit_and_by_a_cancel() -> None:
    text = kernel(INDEX + "again: add.u32 %r1, %r1, 1; bra again;", ".param .u64 p_out")
    begin = time.monotonic()
    with pytest.raises(LaunchCancelledError, match=r"did not end within 0\.05 s"):
        run_kernel(text, [out_words(64)], grid=(4, 1, 1), limit_s=_BEFORE_A_LOOK_S)
    assert time.monotonic() - begin < 5
    from gemmviz.machine.launch import MachineLaunch
    from gemmviz.machine.program import compile_ptx

    cancelled = threading.Event()
    launch = MachineLaunch(compile_ptx(text, "k", "k.cu"), (4, 1, 1), (32, 1, 1), [out_words(64)])
    threading.Timer(_BEFORE_A_LOOK_S, cancelled.set).start()
    with pytest.raises(LaunchCancelledError, match="cancelled"):
        launch.run(cancelled=cancelled)


def test_that_accesses_outside_an_array_name_line_block_and_thread() -> None:
    body = ".loc 1 21 5\nst.global.u32 [%at+40], %i;"
    text = kernel(INDEX + body, ".param .u64 p_out", FILE)
    with pytest.raises(KernelFaultError, match=r"past the end of out, which has 1 element \("):
        run_kernel(text, [out_words(1)], block=(1, 1, 1))
    words = r"line 21: st\.global\.u32 4 bytes \(1 element\) past the end of out, which has 64 elements"
    with pytest.raises(KernelFaultError, match=words) as caught:
        run_kernel(text, [out_words(64)], grid=(3, 1, 1), block=(64, 1, 1))
    assert caught.value.thread == (54, 0, 0)
    assert caught.value.block[1:] == (0, 0)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("st.global.u32 [%at+2], %i;", "not aligned"),
        ("st.global.u32 [%at-8], %i;", r"8 bytes \(2 elements\) before the start of out, which has 32 elements"),
        (".shared .b8 s[64]; mov.u32 %r1, s; st.shared.u32 [%r1+64], %i;", "byte 64 of shared memory, which has 64"),
        ("ld.global.u8 %r1, [%at+124];", r"ld\.global\.u8 1 byte past the end of out, which has 128 bytes \("),
        ("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%at];", "not aligned"),
        ("trap;", "trap"),
    ],
)
def test_that_wrong_accesses_are_told_in_words(body: str, words: str) -> None:
    text = kernel(INDEX + body, ".param .u64 p_out", FILE)
    with pytest.raises(KernelFaultError, match=words):
        run_kernel(text, [out_words(32)])


def test_that_an_unknown_instruction_is_refused_by_name_and_line() -> None:
    body = ".loc 1 33 1\nfma.rn.f8 %r1, %r2, %r3, %r4;"
    with pytest.raises(NotImplementedInMachineError, match=r"line 33: the machine does not implement fma\.rn\.f8 %r1"):
        run_words(body)


def test_that_printf_and_assert_reach_the_host() -> None:
    declarations = """
    .extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
    .global .align 1 .b8 words[15] = {37, 100, 32, 105, 115, 32, 37, 53, 46, 50, 102, 59, 32, 0};
    """
    body = """
    .local .align 8 .b8 depot[16]; .reg .b64 %sp; .reg .f64 %fd;
    setp.lt.u32 %p1, %i, 3; @!%p1 exit;
    mov.u64 %rd1, depot; cvta.local.u64 %sp, %rd1; st.local.u32 [%rd1], %i; cvt.rn.f64.u32 %fd, %i;
    st.local.f64 [%rd1+8], %fd; mov.u64 %rd2, words; cvta.global.u64 %rd3, %rd2;
    { .param .b64 p0; .param .b64 p1; .param .b32 r0; st.param.b64 [p0], %rd3; st.param.b64 [p1], %sp;
      call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r1, [r0]; }
    st.global.u32 [%at], %r1;
    """
    out = out_words(32)
    outcome = run_kernel(kernel(INDEX + body, ".param .u64 p_out", declarations), [out])
    assert outcome.printed == "0 is  0.00; 1 is  1.00; 2 is  2.00; "
    assert out.view(np.uint32)[:4].tolist() == [12, 12, 12, 0xEEEEEEEE]


@pytest.mark.parametrize(("nbytes", "is_launched"), [(512 * 1024, True), (512 * 1024 + 16, False)])
def test_that_more_local_memory_than_a_gpu_gives_a_thread_is_refused(nbytes: int, is_launched: bool) -> None:
    body = (
        f".local .align 16 .b8 depot[{nbytes}]; mov.u64 %rd1, depot; st.local.u32 [%rd1], %i; st.global.u32 [%at], %i;"
    )
    text = kernel(INDEX + body, ".param .u64 p_out", FILE)
    if is_launched:
        run_kernel(text, [out_words(1)], block=(1, 1, 1))
        return
    with pytest.raises(
        KernelFaultError, match=r"a thread needs 524\u202f304 bytes of local memory.* 524\u202f288 at most"
    ):
        run_kernel(text, [out_words(1)], block=(1, 1, 1))


@pytest.mark.parametrize("space", ["shared", "global"])
def test_that_a_lane_that_holds_a_lock_goes_on_while_the_others_of_its_warp_wait(space: str) -> None:
    """As on an H100, where ptxas puts YIELD into the loop."""
    place = "[%rd9]" if space == "global" else "[lock]"
    text = f"""
    .shared .align 4 .b8 lock[4]; .reg .b32 %got, %held; .reg .b64 %rd9;
    ld.param.u64 %rd9, [p_out]; cvta.to.global.u64 %rd9, %rd9; add.u64 %rd9, %rd9, 128;
    setp.ne.u32 %p1, %i, 0; @%p1 bra begun; st.{space}.u32 {place}, 0; begun: bar.warp.sync -1;
    again: atom.{space}.cas.b32 %got, {place}, 0, 1; setp.ne.u32 %p2, %got, 0; @%p2 bra again;
    ld.global.u32 %held, [%rd9+4]; add.u32 %held, %held, 1; st.global.u32 [%rd9+4], %held; st.global.u32 [%at], %held;
    membar.gl; atom.{space}.exch.b32 %got, {place}, 0;
    """
    out = out_words(34)
    stored = out.view(np.uint32)
    stored[33] = 0
    run_kernel(kernel(INDEX + text, ".param .u64 p_out", FILE), [out], block=(32, 1, 1), limit_s=30)
    assert sorted(stored[:32].tolist()) == list(range(1, 33))
    assert stored[33] == 32


def test_that_lanes_behind_a_loop_that_waits_for_nobody_stay_together() -> None:
    """A long loop of one lane does not divide those that wait for it: they are one split behind it."""
    text = """
    .reg .b32 %n, %active; mov.u32 %n, 0; setp.eq.u32 %p1, %i, 0; @!%p1 bra behind;
    again: add.u32 %n, %n, 1; setp.lt.u32 %p2, %n, 20000; @%p2 bra again;
    behind: activemask.b32 %active; st.global.u32 [%at], %active;
    """
    assert run_words(text, words=32, block=32) == [0xFFFFFFFF] * 32


def test_that_the_barrier_of_a_grid_without_a_cooperative_launch_is_told() -> None:
    body = "mov.u32 %r1, %envreg2; setp.eq.u32 %p1, %r1, 0; @%p1 trap; st.global.u32 [%at], %i;"
    with pytest.raises(KernelFaultError, match="unless the launch is cooperative"):
        run_words(body)
    with pytest.raises(KernelFaultError, match=r"by a trap \("):
        run_words("setp.eq.u32 %p1, %i, 0; @%p1 trap; st.global.u32 [%at], %i;")
