"""The warps of an SM on a real GPU: the probe runs, and more warps leave the SM less often without work."""

from __future__ import annotations

import pytest
from record_warps import run_probe, timelines_of

from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.domain.device import Device
from gemmviz.explain.runs.warp_timeline import launch_share


def test_that_an_sm_computes_more_of_the_time_with_more_warps(device: Device) -> None:
    if find_tool("nvcc") is None:
        pytest.skip("needs nvcc")
    timelines = timelines_of(run_probe(), device, "")
    assert [one.blocks_per_unit for one in timelines] == [1, 2, 4, 8]
    assert launch_share(timelines[0]) < launch_share(timelines[-1])
