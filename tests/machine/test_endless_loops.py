"""Loops that provably never end are told at once, others are left to the time limit."""

from __future__ import annotations

import time

import numpy as np
import pytest
from ptx_instructions import kernel, run_kernel

from gemmviz.machine.faults import EndlessLoopError, KernelFaultError, LaunchCancelledError
from gemmviz.machine.memory import Array

LIMIT_S = 60.0
_FILE = '.file 1 "k.cu"\n.global .align 4 .u32 flag;\n'
_HEAD = """
.reg .b32 %i, %k, %n, %r<9>; .reg .b64 %out, %at, %rd<9>; .reg .pred %p<9>; .reg .f32 %f<9>;
.shared .align 4 .b8 own[256]; .shared .align 8 .b64 bar; .local .align 8 .b8 depot[16]; .reg .b64 %SP, %SPL;
mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL; st.local.v2.u32 [depot], {0, 3}; st.local.v2.u32 [depot+8], {0, 0};
ld.param.u64 %out, [p_out]; mov.u32 %i, %tid.x; mad.wide.u32 %at, %i, 4, %out; mov.u32 %n, 100; mov.u32 %k, 0;
mov.u32 %r1, 0;
.loc 1 7 0
"""


def _run(body: str, limit_s: float = LIMIT_S, block: int = 64, grid: int = 1, functions: str = "") -> Array:
    out = Array(4 * 64, "out")
    text = kernel(_HEAD + body, ".param .u64 p_out", _FILE + functions)
    run_kernel(text, [out], grid=(grid, 1, 1), block=(block, 1, 1), limit_s=limit_s)
    return out


_COUNTS = "busy: add.u32 %k, %k, 1; mad.lo.u32 %r1, %r1, %k, 7; setp.ne.u32 %p1, %k, 0; @%p1 bra busy;"


def _beside_a_warp_that_counts(body: str) -> str:
    """The second warp of the block counts for a very long time, and then stores."""
    return f"setp.ge.u32 %p3, %i, 32; @%p3 bra busy; {body} bra behind; {_COUNTS} behind: st.shared.u32 [own], %k;"


ENDLESS = {
    "nothing in it": ("again: bra again;", "threads 0 to 63"),
    "a counter that is not counted": (
        "again: ld.global.f32 %f1, [%at]; add.f32 %f2, %f2, %f1; setp.lt.u32 %p1, %k, %n; @%p1 bra again;",
        "threads 0 to 63",
    ),
    "a barrier in it": (
        "again: st.shared.u32 [own], %i; bar.sync 0; ld.shared.u32 %r2, [own]; bar.sync 0; "
        "setp.lt.u32 %p1, %k, %n; @%p1 bra again;",
        "threads 0 to 63",
    ),
    "a counter that goes in a circle": (
        "again: add.u32 %k, %k, 1; and.b32 %k, %k, 7; setp.lt.u32 %p1, %k, %n; @%p1 bra again;",
        "threads 0 to 63",
    ),
    "a loop that ends in one that does not": (
        "again: mov.u32 %r1, 0; inner: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 5; @%p2 bra inner; "
        "setp.lt.u32 %p1, %k, %n; @%p1 bra again;",
        "threads 0 to 63",
    ),
    "one thread stays": ("again: setp.eq.u32 %p1, %i, 33; @%p1 bra again;", "thread 33"),
    "a counter in memory that is not counted": (
        "add.u64 %rd1, %SP, 4; again: st.u32 [%SP+8], %r2; ld.u32 %r1, [%rd1]; add.u32 %r2, %r2, 1; "
        "setp.lt.u32 %p1, %r1, %n; @%p1 bra again;",
        "threads 0 to 63",
    ),
    "a counter in memory that goes in a circle": (
        "again: ld.local.u32 %r1, [%SPL+4]; add.u32 %r1, %r1, 1; and.b32 %r1, %r1, 7; st.u32 [%SP+4], %r1; "
        "setp.lt.u32 %p1, %r1, %n; @%p1 bra again;",
        "threads 0 to 63",
    ),
    "an array of the thread's own": (
        "and.b32 %r1, %i, 3; mad.wide.u32 %rd1, %r1, 4, %SPL; again: ld.local.u32 %r2, [%rd1]; "
        "setp.ne.u32 %p1, %r2, 3; @%p1 bra again;",
        "threads 0, 2 to 4, 6 to 8, 10 to 12 and 38 more",
    ),
    "pauses": ("again: nanosleep.u32 5; bra again;", "threads 0 to 63"),
}


@pytest.mark.parametrize(("body", "who"), ENDLESS.values(), ids=ENDLESS)
def test_that_a_loop_whose_end_nothing_can_bring_is_told_at_once(body: str, who: str) -> None:
    begin = time.monotonic()
    with pytest.raises(EndlessLoopError) as found:
        _run(body)
    assert time.monotonic() - begin < LIMIT_S / 2
    assert found.value.place.line == 7
    assert found.value.words == f"a loop that never ends: it repeats with the same values in {who}"


NESTED = """
.loc 1 8 0
outer: add.u32 %r1, %r1, 1; mov.u32 %k, 0;
.loc 1 9 0
inner: add.u32 %k, %k, {step}; and.b32 %r2, %k, 1; setp.eq.u32 %p2, %r2, 0; @%p2 bra even;
mov.u32 %r3, 1;
even: setp.lt.u32 %p1, %k, 5; @%p1 bra inner;
.loc 1 10 0
setp.ge.u32 %p1, %n, {bound}; @%p1 bra outer;
"""


@pytest.mark.parametrize(("step", "bound", "line"), [(0, "%r1", 9), (1, "%k", 8)], ids=["the inner", "the outer"])
def test_that_of_nested_loops_the_one_that_never_ends_is_named(step: int, bound: str, line: int) -> None:
    with pytest.raises(EndlessLoopError) as found:
        _run(NESTED.format(step=step, bound=bound))
    assert found.value.place.line == line


UNDECIDED = {
    "another thread may end it": _beside_a_warp_that_counts(
        "again: ld.volatile.shared.u32 %r2, [own]; setp.ne.u32 %p1, %r2, 1; @%p1 bra again;"
    ),
    "another block may end it": (
        "mov.u64 %rd1, flag; again: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra again;"
    ),
    "an atomic operation may end it": (
        "again: atom.shared.cas.b32 %r2, [own], 7, 7; setp.ne.u32 %p1, %r2, 7; @%p1 bra again;"
    ),
    "a clock may end it": "again: mov.u32 %r2, %clock; setp.ne.u32 %p1, %r2, 1; @%p1 bra again;",
    "other lanes may end it": ("again: setp.eq.u32 %p2, %k, 1; vote.sync.any.pred %p1, %p2, -1; @!%p1 bra again;"),
    "what another thread stores in shared memory is kept in its own": _beside_a_warp_that_counts(
        "again: ld.volatile.shared.u32 %r2, [own]; st.local.u32 [%SPL], %r2; ld.u32 %r3, [%SP]; "
        "setp.ne.u32 %p1, %r3, 1; @%p1 bra again;"
    ),
    "what is stored in its own memory comes from elsewhere, by an address from memory": (
        "st.u64 [%SP+8], %SP; again: ld.volatile.shared.u32 %r2, [own]; ld.u64 %rd1, [%SP+8]; st.u32 [%rd1], %r2; "
        "ld.u32 %r3, [%SP]; setp.ne.u32 %p1, %r3, 1; @%p1 bra again;"
    ),
    "an address that may lie outside its own memory": (
        "mad.wide.u32 %rd1, %k, 4, %SP; again: ld.u32 %r2, [%rd1]; setp.ne.u32 %p1, %r2, 3; @%p1 bra again;"
    ),
    "an address that is set twice": (
        "add.u64 %rd1, %SP, 4; setp.eq.u32 %p2, %i, 99; @%p2 mov.u64 %rd1, %at; again: ld.u32 %r2, [%rd1]; "
        "setp.eq.u32 %p1, %r2, 3; @%p1 bra again;"
    ),
    "it counts very long in its own memory": (
        "again: ld.u32 %r1, [%SP]; add.u32 %r1, %r1, 1; st.u32 [%SP], %r1; mad.lo.u32 %r2, %r1, %k, 7; "
        "setp.ne.u32 %p1, %r1, 0; @%p1 bra again;"
    ),
    "it counts very long": (
        "again: add.u32 %k, %k, 1; mad.lo.u32 %r1, %r1, %k, 7; setp.ne.u32 %p1, %k, 0; @%p1 bra again;"
    ),
}


@pytest.mark.parametrize("body", UNDECIDED.values(), ids=UNDECIDED)
def test_that_a_loop_that_may_end_is_left_to_the_time_limit(body: str) -> None:
    with pytest.raises(LaunchCancelledError, match=r"did not end within 1\.5 s: in block \([01], 0, 0\)"):
        _run(body, 1.5, grid=2)


def test_that_a_loop_that_runs_out_of_its_memory_is_told_so() -> None:
    """Nothing else decides when it ends: its condition does not change."""
    with pytest.raises(KernelFaultError, match="past the end of out") as found:
        _run("again: ld.global.u32 %r2, [%at]; add.u64 %at, %at, 4; setp.lt.u32 %p1, %k, %n; @%p1 bra again;")
    assert not isinstance(found.value, EndlessLoopError)


def test_that_a_loop_that_counts_in_its_own_memory_ends() -> None:
    body = """
    again: ld.u32 %r1, [%SP]; add.u32 %r1, %r1, 1; st.local.u32 [%SPL], %r1; bar.sync 0;
    setp.lt.u32 %p1, %r1, 300000; @%p1 bra again;
    st.global.u32 [%at], %r1;
    """
    assert set(_run(body).view(np.uint32).tolist()) == {300_000}


_FLAG = """
.func (.param .b32 result) has_flag (.param .b32 count) {
.reg .b32 %c; .reg .pred %q; ld.param.u32 %c, [count]; setp.lt.u32 %q, %c, 100; selp.u32 %c, 1, 0, %q;
st.param.u32 [result], %c; ret; }
"""
_CALL = "{ .param .b32 one; .param .b32 other; st.param.u32 [one], %k; call (other), has_flag, (one); "


def test_that_a_loop_with_a_call_whose_result_never_changes_is_told() -> None:
    body = f"again: {_CALL} ld.param.u32 %r2, [other]; }} setp.eq.u32 %p1, %r2, 1; @%p1 bra again;"
    with pytest.raises(EndlessLoopError, match="threads 0 to 63"):
        _run(body, functions=_FLAG)


def test_that_a_loop_with_a_call_whose_result_changes_ends() -> None:
    body = f"""
    again: {_CALL} ld.param.u32 %r2, [other]; }} add.u32 %r3, %r3, 1; and.b32 %r4, %r3, 65535;
    setp.eq.u32 %p2, %r4, 0; @%p2 add.u32 %k, %k, 1; setp.eq.u32 %p1, %r2, 1; @%p1 bra again;
    st.global.u32 [%at], %k;
    """
    assert set(_run(f"mov.u32 %r3, 0; {body}", functions=_FLAG).view(np.uint32).tolist()) == {100}


@pytest.mark.parametrize("turns", [300_000, 3_000_000])
def test_that_a_long_loop_ends(turns: int) -> None:
    body = f"""
    mov.u32 %n, {turns}; mov.u32 %r1, 0;
    again: ld.global.u32 %r2, [%at]; add.u32 %k, %k, 1; and.b32 %r3, %k, 3; setp.eq.u32 %p2, %r3, %r1;
    bar.sync 0; setp.lt.u32 %p1, %k, %n; @%p1 bra again;
    st.global.u32 [%at], %k;
    """
    assert set(_run(body).view(np.uint32).tolist()) == {turns}


def test_that_a_function_called_again_and_again_with_the_same_is_no_endless_loop() -> None:
    """Its inner loop comes to the same place with the same values in each call."""
    called = """
    .func f () { .reg .b32 %c; .reg .pred %q; mov.u32 %c, 0;
    inner: add.u32 %c, %c, 1; setp.lt.u32 %q, %c, 5000; @%q bra inner; ret; }
    """
    body = """
    mov.u32 %n, 20000;
    again: call f; add.u32 %k, %k, 1; setp.lt.u32 %p1, %k, %n; @%p1 bra again;
    st.global.u32 [%at], %k;
    """
    out = Array(4 * 64, "out")
    text = kernel(_HEAD + body, ".param .u64 p_out", _FILE + called)
    run_kernel(text, [out], block=(32, 1, 1), limit_s=LIMIT_S)
    assert out.view(np.uint32)[0] == 20000
