"""The warps of an SM on a real GPU: more warps, or loads ahead, leave the SM less often without work."""

from __future__ import annotations

import pytest
from gpu_record.stamped_kernels import INSERTIONS
from record_warps import run_probe, timelines_of

from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.domain.device import Device
from gemmviz.explain.runs.warp_timeline import launch_share


def test_that_an_sm_computes_more_of_the_time_with_more_warps(device: Device) -> None:
    if find_tool("nvcc") is None:
        pytest.skip("needs nvcc")
    timelines = timelines_of("tiled", run_probe("tiled"), device, "")
    assert [one.blocks_per_unit for one in timelines] == [1, 2, 4, 8]
    assert launch_share(timelines[0]) < launch_share(timelines[-1])


def test_that_an_sm_computes_more_of_the_time_if_tiles_are_loaded_ahead(device: Device) -> None:
    if find_tool("nvcc") is None:
        pytest.skip("needs nvcc")
    first, ahead = (timelines_of(name, run_probe(name), device, "")[0] for name in INSERTIONS)
    assert [one.spec.kernel for one in (first, ahead)] == ["warp_tiled", "double_buffered"]
    assert launch_share(first) < launch_share(ahead)
