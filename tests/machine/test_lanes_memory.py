"""Loads and stores of all lanes at once, from neighbours and from anywhere, beside the same done lane by lane."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from ptx_instructions import kernel

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine.launch import MachineLaunch
from gemmviz.machine.memory import Array
from gemmviz.machine.program import compile_ptx

ROOM = 2 * LANES
LANE = np.arange(LANES)
PLACES = {
    "neighbours": LANE,
    "neighbours further on": LANE + 7,
    "all but the last": np.where(LANE == LANES - 1, 0, LANE),
    "backwards": LANE[::-1],
    "every second": 2 * LANE,
    "one place": np.full(LANES, 5),
    "anywhere": np.random.default_rng(1).permutation(ROOM)[:LANES],
}
MASKS = 0xFFFFFFFF, 0xFFFFFFFE, 0x7FFFFFFF, 0x0000FFFF, 0x55555555, 0x00000100, 0


def copying(width: int) -> str:
    """Each lane whose bit is set copies an element from one place to another; `from` and `to` are offsets in bytes."""
    bits = 8 * width
    body = f"""
    .reg .b64 %from, %to, %source, %target, %i, %at; .reg .b32 %t, %m; .reg .pred %in; .reg .b{max(bits, 16)} %d;
    ld.param.u64 %from, [p_from]; ld.param.u64 %to, [p_to];
    ld.param.u64 %source, [p_source]; ld.param.u64 %target, [p_target]; ld.param.u32 %m, [p_mask];
    mov.u32 %t, %tid.x; shr.b32 %m, %m, %t; and.b32 %m, %m, 1; setp.ne.u32 %in, %m, 0; cvt.u64.u32 %i, %t;
    mad.lo.u64 %at, %i, 8, %from; ld.global.u64 %at, [%at]; add.u64 %at, %at, %source;
    @%in ld.global.b{bits} %d, [%at];
    mad.lo.u64 %at, %i, 8, %to; ld.global.u64 %at, [%at]; add.u64 %at, %at, %target;
    @%in st.global.b{bits} [%at], %d;"""
    pointers = ", ".join(f".param .u64 p_{name}" for name in ("from", "to", "source", "target"))
    return kernel(body, f"{pointers}, .param .u32 p_mask")


def held(values: NDArray[np.int64] | NDArray[np.uint8]) -> Array:
    made = Array(values.nbytes)
    made.view(values.dtype)[:] = values
    return made


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_that_each_lane_reads_and_writes_its_own_place_and_the_highest_lane_comes_last(width: int) -> None:
    program = compile_ptx(copying(width), "k", "k.cu")
    source = np.random.default_rng(width).integers(0, 256, ROOM * width, dtype=np.uint8)
    for from_name, begin in PLACES.items():
        for to_name, end in PLACES.items():
            for mask in MASKS:
                target = Array(ROOM * width)
                target.bytes[:] = 0xAB
                offsets = [held(places.astype(np.int64) * width) for places in (begin, end)]
                MachineLaunch(program, (1, 1, 1), (LANES, 1, 1), [*offsets, held(source), target, mask]).run(60)
                wanted = np.full((ROOM, width), 0xAB, np.uint8)
                for lane in range(LANES):
                    if mask >> lane & 1:
                        wanted[end[lane]] = source.reshape(ROOM, width)[begin[lane]]
                found = target.view(np.uint8).reshape(ROOM, width)
                assert np.array_equal(found, wanted), (from_name, to_name, hex(mask))
