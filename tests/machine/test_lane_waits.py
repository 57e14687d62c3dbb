"""Lanes that run apart and wait for each other in a `*.sync` instruction, against threads that are coroutines."""

from __future__ import annotations

import random
from collections.abc import Generator

import numpy as np
import pytest
from numpy.typing import NDArray
from ptx_instructions import kernel, run_kernel

from gemmviz.machine.faults import DeadlockError, KernelFaultError
from gemmviz.machine.memory import Array

FILE = '.file 1 "k.cu"\n'
_HEAD = """
.reg .b32 %i, %v, %d, %x, %r<20>; .reg .b64 %out, %in, %at, %from; .reg .pred %p<99>;
ld.param.u64 %out, [p_out]; ld.param.u64 %in, [p_in]; mov.u32 %i, %tid.x;
mad.wide.u32 %at, %i, 4, %out; mad.wide.u32 %from, %i, 4, %in; ld.global.u32 %v, [%from]; mov.u32 %d, %v;
"""
_STORE = " st.global.u32 [%at], %d;"
_VALUES = np.random.default_rng(7).integers(0, 2**32, 32, dtype=np.uint32)
_FULL = 0xFFFFFFFF


def _run(
    body: str,
    values: NDArray[np.uint32] = _VALUES,
    declarations: str = "",
    limit_s: float = 60,
    level: int | None = None,
) -> list[int]:
    """What each thread stores at %at, whose own value is %v and in %d."""
    given, out = Array(values.nbytes, "in"), Array(values.nbytes, "out")
    given.view(np.uint32)[:] = values
    out.bytes[:] = 0
    text = kernel(_HEAD + body, ".param .u64 p_out, .param .u64 p_in", declarations)
    run_kernel(text, [out, given], block=(values.size, 1, 1), limit_s=limit_s, level=level)
    found: list[int] = out.view(np.uint32).tolist()
    return found


_INDEX = iter(range(10**9))
Thread = Generator[tuple[str, int, int], int, int]
"""What a thread gives in an instruction, by its opcode and mask; it gets the result, and returns its last value."""


class _Step:
    """A piece of a random program: its PTX, and what one lane does."""

    def __init__(self, pick: random.Random, depth: int, kinds: list[tuple[str, int]]) -> None:
        """Every path through the piece comes to instructions of these opcodes and groups, in that order."""
        self.bit, self.constant = pick.randrange(5), pick.randrange(1, 2**31)
        self.kinds = kinds
        self.arms: tuple[_Step, ...] = ()
        if depth and pick.random() < 0.8:
            cut = pick.randrange(len(kinds) + 1)
            self.arms = (_Step(pick, depth - 1, kinds[:cut]), _Step(pick, depth - 1, kinds[:cut]))
            self.rest = _Step(pick, depth - 1, kinds[cut:])

    def ptx(self) -> str:
        text = f"mad.lo.u32 %d, %d, 5, {self.constant}; "
        if self.arms:
            mark = next(_INDEX)
            text += f"shr.u32 %r1, %i, {self.bit}; and.b32 %r1, %r1, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra E{mark}; "
            text += f"{self.arms[0].ptx()} bra J{mark}; E{mark}: {self.arms[1].ptx()} J{mark}: {self.rest.ptx()}"
            return text
        for opcode, group in self.kinds:
            text += f"{_mask_ptx(group)} {_CODE[opcode]} "
        return text

    def run(self, lane: int, value: int) -> Thread:
        value = (value * 5 + self.constant) & _FULL
        if self.arms:
            value = yield from self.arms[0 if lane >> self.bit & 1 else 1].run(lane, value)
            return (yield from self.rest.run(lane, value))
        for opcode, group in self.kinds:
            value = yield opcode, _mask_of(lane, group), value
        return value


_CODE = {
    "shfl": "shfl.sync.bfly.b32 %d, %d, 1, 31, %x;",
    "redux": "redux.sync.xor.b32 %d, %d, %x;",
    "ballot": "and.b32 %r2, %d, 4; setp.ne.u32 %p2, %r2, 0; vote.sync.ballot.b32 %d, %p2, %x;",
    "match": "and.b32 %r2, %d, 3; match.any.sync.b32 %d, %r2, %x;",
    "elect": "elect.sync %r2|%p2, %x; selp.b32 %r3, 1, 0, %p2; mad.lo.u32 %r2, %r2, 2, %r3; xor.b32 %d, %d, %r2;",
    "bar": "bar.warp.sync %x;",
}


def _mask_ptx(group: int) -> str:
    """The mask of the lanes with the same upper bits: groups of 32, 16, 8, 4 or 2 lanes."""
    size = 32 >> group
    mask = (1 << size) - 1
    return f"and.b32 %r4, %i, {32 - size}; mov.u32 %x, {mask}; shl.b32 %x, %x, %r4;"


def _mask_of(lane: int, group: int) -> int:
    size = 32 >> group
    return ((1 << size) - 1) << (lane & (32 - size))


def _results(opcode: str, given: dict[int, int]) -> dict[int, int]:
    """What each lane of a group gets."""
    if opcode == "shfl":
        return {lane: given[lane ^ 1] for lane in given}
    if opcode == "redux":
        everything = 0
        for value in given.values():
            everything ^= value
        return dict.fromkeys(given, everything)
    if opcode == "ballot":
        return dict.fromkeys(given, sum(1 << lane for lane, value in given.items() if value & 4))
    if opcode == "match":
        return {
            lane: sum(1 << other for other, theirs in given.items() if theirs & 3 == value & 3)
            for lane, value in given.items()
        }
    if opcode == "elect":
        leader = min(given)
        return {lane: value ^ (2 * leader + (lane == leader)) for lane, value in given.items()}
    return given


def _threads_run(program: _Step) -> list[int]:
    """Run the threads one by one until all of a group have come to their next instruction."""
    threads = {lane: program.run(lane, int(_VALUES[lane])) for lane in range(32)}
    ended: dict[int, int] = {}
    waiting: dict[int, tuple[str, int, int]] = {}

    def advance(lane: int, value: int | None) -> None:
        try:
            waiting[lane] = next(threads[lane]) if value is None else threads[lane].send(value)
        except StopIteration as end:
            ended[lane] = end.value

    for lane in threads:
        advance(lane, None)
    while waiting:
        opcode, mask, _ = next(
            one
            for one in waiting.values()
            if all(waiting.get(lane, ("", 0, 0))[:2] == one[:2] for lane in range(32) if one[1] >> lane & 1)
        )
        given = {lane: waiting.pop(lane)[2] for lane in range(32) if mask >> lane & 1}
        for lane, value in _results(opcode, given).items():
            advance(lane, value)
    return [ended[lane] for lane in range(32)]


_OPTIMISED = 8
"""So many programs are optimised, which takes seven times as long as to run them as they are lowered."""


@pytest.mark.parametrize("seed", range(40))
def test_that_lanes_at_different_places_of_a_program_meet_as_threads_do(seed: int) -> None:
    pick = random.Random(seed)
    kinds = [(pick.choice(list(_CODE)), pick.choice([0, 0, 1, 2, 4])) for _ in range(pick.randrange(1, 7))]
    program = _Step(pick, 3, kinds)
    level = None if seed < _OPTIMISED else 0
    assert _run(program.ptx() + _STORE, level=level) == _threads_run(program)


def test_that_lanes_which_have_left_are_not_waited_for() -> None:
    body = """
    setp.ge.u32 %p1, %i, 24; @%p1 exit; setp.ge.u32 %p1, %i, 8; @%p1 bra late; bra meet;
    late: mov.u32 %r5, 0; again: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 9000; @%p2 bra again;
    setp.ge.u32 %p1, %i, 16; @%p1 exit;
    meet: shfl.sync.bfly.b32 %d, %v, 1, 31, -1;
    """
    found = _run(body + _STORE)
    assert found[:16] == [int(_VALUES[lane ^ 1]) for lane in range(16)]
    assert found[16:] == [0] * 16


def test_that_lanes_wait_for_those_that_leave_while_others_spin() -> None:
    """Lanes 0 to 7 wait for 8 to 15, which leave; 16 to 31 spin until lane 0 has gone on."""
    body = """
    setp.ge.u32 %p1, %i, 16; @%p1 bra spin; setp.ge.u32 %p1, %i, 8; @%p1 bra leave;
    bar.warp.sync 0xFFFF; st.volatile.global.u32 [%at], 7; bra behind;
    leave: exit;
    spin: ld.volatile.global.u32 %r1, [%out]; setp.ne.u32 %p2, %r1, 7; @%p2 bra spin; mov.u32 %d, 5;
    st.global.u32 [%at], %d;
    behind: exit;
    """
    assert _run(body) == [7] * 8 + [0] * 8 + [5] * 16


def test_that_a_mask_names_lanes_that_went_past_the_branch() -> None:
    """They come to the next instruction of that kind, as threads would that nobody holds up where the branch ends."""
    body = """
    setp.ge.u32 %p1, %i, 16; @%p1 bra behind; shfl.sync.bfly.b32 %d, %v, 16, 31, -1;
    behind: shfl.sync.bfly.b32 %x, %d, 16, 31, -1; setp.ge.u32 %p1, %i, 16; @%p1 mov.b32 %d, %x;
    """
    found = _run(body + _STORE)
    assert found == [int(_VALUES[lane ^ 16]) for lane in range(32)]


def test_that_lanes_with_masks_of_their_own_are_sets_of_their_own() -> None:
    body = "shr.u32 %r1, %i, 3; shl.b32 %r1, %r1, 3; mov.u32 %x, 255; shl.b32 %x, %x, %r1;"
    bits = [int(value > 0x7FFFFFFF) for value in _VALUES]
    ballots = _run(body + "setp.gt.u32 %p1, %v, 0x7FFFFFFF; vote.sync.ballot.b32 %d, %p1, %x;" + _STORE)
    groups = [lane & 24 for lane in range(32)]
    assert ballots == [sum(bits[g + k] << (g + k) for k in range(8)) for g in groups]
    sums = _run(body + "redux.sync.add.u32 %d, %v, %x;" + _STORE)
    assert sums == [sum(map(int, _VALUES[g : g + 8])) & _FULL for g in groups]
    votes = _run(
        body
        + "vote.sync.any.pred %p2, %p1, %x; selp.u32 %d, 1, 0, %p2;".join(["setp.gt.u32 %p1, %v, 0x7FFFFFFF;", _STORE])
    )
    assert votes == [int(any(bits[g : g + 8])) for g in groups]


def test_that_a_deadlock_says_who_waits_where_for_whom() -> None:
    body = """
    .loc 1 5 1
    setp.ge.u32 %p1, %i, 16; @%p1 bra upper;
    .loc 1 6 1
    shfl.sync.bfly.b32 %d, %v, 1, 31, -1; bra behind;
    upper:
    .loc 1 8 1
    vote.sync.any.pred %p2, %p1, -1;
    behind:
    """
    with pytest.raises(DeadlockError) as caught:
        _run(body + _STORE, declarations=FILE)
    assert "no thread can go on: threads 0 to 15 wait in shfl.sync.bfly.b32 in line 6 for threads 16 to 31" in str(
        caught.value
    )
    assert "threads 16 to 31 wait in vote.sync.any.pred in line 8 for threads 0 to 15" in str(caught.value)
    assert caught.value.place.line == 6


def test_that_a_lane_that_its_mask_leaves_out_is_a_fault_apart_as_well() -> None:
    body = "setp.ge.u32 %p1, %i, 16; @%p1 bra upper; bar.warp.sync 0xFFFF; upper: bar.warp.sync 0xFFFF;"
    with pytest.raises(KernelFaultError, match="by a lane that its own mask leaves out"):
        _run(body + _STORE)
