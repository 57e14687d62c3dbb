"""What merged accesses to shared memory cost, derived from recordings and counted by an H200 (docs/RECORD.md)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.recordings.machine_accesses import MachineAccesses, SharedMemoryCost, WidthCount
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch
from gemmviz.trace.explain import totals_of
from gemmviz.trace.merged_requests import merged_requests

pytestmark = pytest.mark.usefixtures("nvrtc")

SLOW = pytest.mark.slow


def recorded(name: str, size: str, form: CodeForm = CodeForm.AS_COMPILED) -> TraceRun:
    kernel = load_catalogue().get(name)
    device = device_for_recording(kernel, "machine", form=form)
    conditions = Conditions(
        Shape.parse(size), Fill.ONES, 0, device=device.id, launch_limit_s=60.0, form=form, values=False
    )
    return record(Job(kernel, kernel.params({})), conditions, device, [(0, 0, 0)], Watch())


def cost_of(run: TraceRun) -> SharedMemoryCost | None:
    found = totals_of(run)
    assert run.machine is not None
    return run.machine.shared_cost(SharedMemoryCost(found.shared_requests, found.wavefronts, found.excess_wavefronts))


@pytest.mark.parametrize(
    ("name", "loads", "stores"),
    [
        ("tiled", 49_152, 4_096),
        ("register_2d", 12_288, 1_024),
        ("vectorized", 8_192, 2_304),
        pytest.param("tiled_wide", 49_152, 6_144, marks=SLOW),
        pytest.param("register_1d", 20_480, 1_024, marks=SLOW),
        pytest.param("warp_tiled", 4_096, 512, marks=SLOW),
        pytest.param("double_buffered", 4_096, 576, marks=SLOW),
    ],
)
def test_that_the_derived_wavefronts_are_those_that_an_h200_counted(name: str, loads: int, stores: int) -> None:
    run = recorded(name, "128x128x64")
    cost = cost_of(run)
    assert cost is not None
    assert cost.wavefronts < totals_of(run).wavefronts
    assert cost.wavefronts * run.blocks_in_grid == loads + stores


def test_that_a_recording_as_written_tells_nothing_of_machine_code() -> None:
    assert recorded("tiled", "16x16x16", CodeForm.AS_WRITTEN).machine is None


def test_that_accesses_that_do_not_fit_together_are_not_joined() -> None:
    run = recorded("tiled", "16x16x16")
    assert run.machine is not None
    assert [one.lines for one in merged_requests(run)] == [one.lines for one in run.machine.merged] != []
    (block,) = run.blocks
    loads = [site.index for site in run.sites if site.line in run.machine.merged[0].lines]
    addresses = block.addresses.reshape(-1, block.slot_site.size, 32).copy()
    addresses[0, np.isin(block.slot_site, loads), 3] += 4
    moved = replace(run, blocks=(replace(block, addresses=addresses.reshape(-1)),))
    assert merged_requests(moved) == ()
    assert cost_of(replace(moved, machine=replace(run.machine, merged=()))) is None


def test_that_nothing_is_derived_where_machine_code_has_more_accesses_or_a_block_is_not_kept() -> None:
    run = recorded("tiled", "16x16x16")
    machine = run.machine
    assert machine is not None
    more = tuple(
        replace(one, sass=(*one.sass[:-1], WidthCount(one.sass[-1].nbytes, one.sass[-1].count + 1)))
        for one in machine.lines
    )
    assert merged_requests(replace(run, machine=MachineAccesses("sm_90a", "NVRTC", more))) == ()
    assert merged_requests(replace(run, blocks=())) == ()
    assert merged_requests(replace(run, blocks_recorded=2)) == ()
