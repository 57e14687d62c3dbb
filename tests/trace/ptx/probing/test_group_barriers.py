"""Barriers of groups of several warps of cooperative_groups put accesses in order."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from own_recordings import HEAD, block_0, recorder_of_text

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.trace.hazards.hazards import find_hazards
from gemmviz.trace.ptx.probing.group_barriers import GroupStep, groups_of

CG = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
BODY = """auto block = cg::this_thread_block();
auto tile = cg::tiled_partition<64>(block);
__shared__ float s[128];
int t = threadIdx.x;
s[t] = A[t];
SYNC
C[t] = s[t ^ OTHER];
"""
Make = Callable[..., MachineRecorder]


@pytest.fixture
def recorder(machine: MachineDevice) -> Make:
    def make(sync: str, other: int) -> MachineRecorder:
        body = BODY.replace("SYNC", sync).replace("OTHER", str(other))
        launch = Launch((1, 1, 1), (128, 1, 1))
        return recorder_of_text(machine, f"{CG}{HEAD}{body}}}\n", launch, Shape(16, 16, 16))

    return make


@pytest.mark.parametrize(
    ("sync", "other", "races"),
    [("tile.sync();", 32, False), ("tile.sync();", 64, True), ("", 32, True), ("tile.sync(); tile.sync();", 32, False)],
)
def test_that_a_barrier_of_two_warps_separates_their_accesses_and_no_others(
    recorder: Make, sync: str, other: int, races: bool
) -> None:
    found = {hazard.kind for hazard in find_hazards(block_0(recorder(sync, other)))}
    assert found == ({HazardKind.RACE} if races else set())


def test_that_a_warp_of_several_groups_is_of_none_that_is_known() -> None:
    """Warps 0 and 1 are a group; with 2 and 3 they are another one, to which these come alone."""
    first = [GroupStep(5, 1, False), GroupStep(9, 1, False), GroupStep(10, 0b1111, True)]
    second = [GroupStep(1, 2, True), GroupStep(5, 2, False), GroupStep(6, 0b11, True), GroupStep(9, 2, False)]
    third, fourth = [GroupStep(2, 4, False)], [GroupStep(3, 8, False)]
    groups, comes = groups_of([first, second, third, fourth])
    assert groups == (0, 0, 0b1111, 0b1111)
    assert comes == [[], [], [2], [3]]
