"""A barrier that no thread comes to ends nothing: not an interval, not a phase, and shared memory is not looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from own_recordings import recorder_of_text

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.domain.recordings.access import BARRIER_SITE, INACTIVE, PADDING, UNWRITTEN
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.hazards.hazards import find_hazards

SHAPE = Shape(4, 4, 12)
TILES = 3
LAUNCH = Launch((1, 1, 1), (4, 4, 1))
BODY = """
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {{
    __shared__ float As[4][4], Bs[4][4];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 4) {{
        As[ty][tx] = A[ty * K + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * N + tx];
        __syncthreads();
        for (int k = 0; k < 4; ++k) acc += As[ty][k] * Bs[k][tx];
        {second}
    }}
    C[ty * N + tx] = acc;
}}
"""
Make = Callable[[str], MachineRecorder]


@pytest.fixture(scope="module")
def recorder(machine: MachineDevice) -> Make:
    """A recorder of a tiled product in one block, with these words in place of its second barrier."""
    return lambda second: recorder_of_text(machine, BODY.format(second=second), LAUNCH, SHAPE)


# The words, and after which of the three tiles the block comes to the second barrier.
REACHED = {
    "__syncthreads();": [0, 1, 2],
    "if (0) __syncthreads();": [],
    "if (K > 1000) __syncthreads();": [],
    "if (k0 == 0) __syncthreads();": [0],
    "if (k0 > 0) __syncthreads();": [1, 2],
    "if (k0 == 0) continue; __syncthreads();": [1, 2],
    "if (k0 != 4) { continue; } else { __syncthreads(); }": [1],
    "while (k0 > 100) __syncthreads();": [],
    "if (k0 < 100) ; else if (k0 < 200) __syncthreads(); else { __syncthreads(); }": [],
    "if (k0 + 4 >= K) break; __syncthreads();": [0, 1],
    "M > 4 ? __syncthreads() : (void)0;": [],
    "switch (k0) { case 4: __syncthreads(); }": [1],
}


@pytest.mark.parametrize("second", REACHED)
def test_that_only_a_barrier_that_the_block_comes_to_separates(recorder: Make, second: str) -> None:
    found = recorder(second)
    trace = next(found.blocks(np.zeros(1, np.int32)))
    reached = (trace.addresses[:, trace.slot_site == BARRIER_SITE] != INACTIVE).any(axis=(0, 2))
    tiles = int(reached.sum()) - len(REACHED[second])
    assert tiles == TILES
    assert trace.slot_epoch[-1] == reached.sum()

    # A tile is stored while others still read the last one, unless the second barrier stands between.
    races = [hazard for hazard in find_hazards(trace) if hazard.kind is HazardKind.RACE]
    missing = [tile for tile in range(TILES - 1) if tile not in REACHED[second]]
    assert sorted(hazard.text for hazard in races) == ["As[ty][tx]", "Bs[ty][tx]"] * bool(missing)
    assert {hazard.count for hazard in races} == ({16 * len(missing)} if missing else set())
    assert len(find_hazards(trace)) == len(races)


@pytest.mark.parametrize("second", REACHED)
def test_that_shared_memory_is_looked_at_where_the_block_waits(recorder: Make, second: str) -> None:
    found = recorder(second)
    trace = next(found.blocks(np.zeros(1, np.int32)))
    snapshots = found.snapshots(0)
    waits = TILES + len(REACHED[second])
    assert [snapshot.epoch for snapshot in snapshots if snapshot.array == "As"] == list(range(waits + 1))

    frames = Frames(replace(trace, snapshots=snapshots))
    phases = [frames.frame(i) for i in range(len(frames))]
    assert len(phases) == waits + 1  # C is stored behind the last
    assert [phase.epoch for phase in phases] == list(range(len(phases)))
    tile, held = -1, None
    for phase in phases[:-1]:
        a = next(contents.after for contents in phase.shared if contents.array.name == "As")
        assert not np.isin(a.origin, (UNWRITTEN, PADDING)).any()
        if any(touch.array.name == "A" for touch in phase.touches):
            tile += 1
            held = [[row * SHAPE.k + 4 * tile + column for column in range(4)] for row in range(4)]
        assert a.origin.tolist() == held


def test_that_a_barrier_that_some_come_to_ends_an_interval_and_is_at_fault(recorder: Make) -> None:
    trace = next(recorder("if (tx != k0) __syncthreads();").blocks(np.zeros(1, np.int32)))
    (hazard,) = [h for h in find_hazards(trace) if h.kind is HazardKind.DIVERGENT_BARRIER]
    assert (hazard.line, hazard.count, hazard.threads) == (11, 1, (0, 4, 8, 12))
    assert trace.slot_epoch[-1] == 2 * TILES
