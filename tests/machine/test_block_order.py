"""The order in which the blocks of a launch are begun, and which faults are accesses."""

from __future__ import annotations

import numpy as np
import pytest

from gemmviz.machine.faults import KernelFaultError, MachineError, WaitsForBlocksError
from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.layout import Fault
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx

_TICKETS = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry tickets(.param .u64 counter, .param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [counter];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %ctaid.x;
    atom.global.add.u32 %r2, [%rd1], 1;
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r2;
    ret;
}
"""
BLOCKS = 50


def places(order: list[int] | None) -> list[int]:
    """Which ticket each block drew, with one thread to run them."""
    counter, out = Array(4, "counter"), Array(4 * BLOCKS, "out")
    program = compile_ptx(_TICKETS, "tickets", "tickets.cu", None)
    launch = MachineLaunch(program, (BLOCKS, 1, 1), (1, 1, 1), [counter, out], threads=1, order=order)
    launch.run(30.0)
    return [int(one) for one in out.view(np.uint32)]


def test_that_blocks_begin_in_ascending_order_where_nobody_says_otherwise() -> None:
    assert places(None) == list(range(BLOCKS))


@pytest.mark.parametrize("seed", [1, 2])
def test_that_they_begin_in_the_order_that_is_asked_for(seed: int) -> None:
    order = [int(one) for one in np.random.default_rng(seed).permutation(BLOCKS)]
    drawn = places(order)
    assert sorted(range(BLOCKS), key=drawn.__getitem__) == order


def test_that_blocks_that_an_order_leaves_out_do_not_run() -> None:
    assert places([7, 3]) == [{7: 0, 3: 1}.get(block, 0) for block in range(BLOCKS)]
    assert [block for block, ticket in enumerate(places([7, 3, 9])) if ticket] == [3, 9]


@pytest.mark.parametrize("order", [[0] * BLOCKS, list(range(1, BLOCKS + 1)), [-1]])
def test_that_an_order_with_other_blocks_or_one_of_them_twice_is_refused(order: list[int]) -> None:
    with pytest.raises(MachineError, match="blocks from 0 to 49, each at most once"):
        places(order)


@pytest.mark.parametrize(("nbytes", "words"), [(-4, "a launch takes 0 or more"), (1 << 30, "no GPU has that many")])
def test_that_an_amount_of_shared_memory_that_no_gpu_has_is_refused(nbytes: int, words: str) -> None:
    program = compile_ptx(_TICKETS, "tickets", "tickets.cu", None)
    launch = MachineLaunch(program, (1, 1, 1), (1, 1, 1), [Array(4), Array(4)], dynamic_shared_bytes=nbytes)
    with pytest.raises(MachineError, match=words):
        launch.run(30.0)


def test_that_a_fault_says_whether_it_is_an_access() -> None:
    assert [kind.name for kind in Fault if kind.is_access] == [
        "OUT_OF_BOUNDS",
        "MISALIGNED",
        "SHARED_OUT_OF_BOUNDS",
        "LOCAL_OUT_OF_BOUNDS",
        "UNRECORDED_OUT_OF_BOUNDS",
        "LOCAL_ARRAY_OUT_OF_BOUNDS",
    ]
    program = compile_ptx(_TICKETS, "tickets", "tickets.cu", None)
    with pytest.raises(KernelFaultError) as fault:
        MachineLaunch(program, (2, 1, 1), (1, 1, 1), [Array(4), Array(4)]).run(30.0)
    assert fault.value.is_access


_WAITS = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry waits(.param .u64 flag)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    .reg .pred %p<3>;
    ld.param.u64 %rd1, [flag];
    mov.u32 %r1, %ctaid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra LOOP;
    st.volatile.global.u32 [%rd1], 1;
    ret;
LOOP:
    ld.volatile.global.u32 %r2, [%rd1];
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra LOOP;
    ret;
}
"""


@pytest.mark.parametrize(("order", "waits"), [((0, 1, 2), False), ((1, 2, 0), True)])
def test_that_a_block_that_waits_for_a_later_one_is_at_fault_where_each_runs_alone(
    order: tuple[int, ...], waits: bool
) -> None:
    flag = Array(4, "flag")
    program = compile_ptx(_WAITS, "waits", "waits.cu", None)
    launch = MachineLaunch(program, (3, 1, 1), (1, 1, 1), [flag], threads=1, order=order)
    if not waits:
        launch.run(30.0)
        return
    with pytest.raises(WaitsForBlocksError, match="waits for a value that a block which starts later may set"):
        launch.run(30.0)
