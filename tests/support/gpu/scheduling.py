"""Schedules for tests: a GPU that hands out blocks as they are told, and columns written by hand."""

from __future__ import annotations

import heapq
from dataclasses import replace

import numpy as np

from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.domain.terms import Mode

FACTS = nvidia_facts(
    (9, 0),
    uuid="GPU-00112233-4455-6677-8899-aabbccddeeff",
    static_shared_bytes=49152,
    shared_bytes_per_unit=233472,
    reserved_shared_bytes=1024,
    registers_per_block=65536,
    registers_per_unit=65536,
    threads_per_unit=2048,
    blocks_per_unit=32,
)


def gpu(units: int = 132, blocks_per_unit: int = 32) -> Device:
    """A GPU of a test."""
    return Device(
        id="cuda:00112233",
        backend="cuda",
        name="Test GPU",
        kind=DeviceKind.GPU,
        vendor="NVIDIA",
        driver="",
        compute_units=units,
        max_threads_per_block=1024,
        max_block=(1024, 1024, 64),
        max_grid=(2**31 - 1, 65535, 65535),
        shared_bytes_per_block=232448,
        global_bytes=2**36,
        max_allocation_bytes=2**36,
        cache_bytes=2**20,
        clock_mhz=1980,
        capabilities=("cuda",),
        gpu_facts=replace(FACTS, blocks_per_unit=blocks_per_unit),
    )


def written(
    rows: list[tuple[int, int, int]], grid: tuple[int, int, int] | None = None, units: int = 2, slots: int = 32
) -> BlockSchedule:
    """A schedule from (unit, start, end) of each block; `slots` blocks fit on a unit, 0 means that nobody knows."""
    unit, start, end = zip(*rows, strict=True)
    return BlockSchedule(
        spec=RunSpec("tiled", Shape(64, 64, 64), (("TILE", 16),), "cuda:00112233", mode=Mode.COLD),
        device=gpu(units, slots or 32),
        launch=Launch(grid or (len(rows), 1, 1), (32, 1, 1)),
        resources=Resources(32) if slots else Resources(),
        unit=np.array(unit, np.int32),
        start_ns=np.array(start, np.int64),
        end_ns=np.array(end, np.int64),
        launches_before=5,
        kernel_ms=0.5,
        plain_ms=0.49,
        finished="2025-01-02T03:04:05+00:00",
    )


def simulated(
    grid: tuple[int, int, int] = (32, 16, 1),
    units: int = 132,
    slots: int = 2,
    block_ns: int = 60_000,
    seed: int = 1,
    kernel: str = "tiled",
) -> BlockSchedule:
    """What a GPU would do that gives each block, in order, to the slot that is free first; times vary by a tenth."""
    rng = np.random.default_rng(seed)
    free = [(int(rng.integers(0, 40)) * 32, unit, slot) for slot in range(slots) for unit in range(units)]
    heapq.heapify(free)
    rows = []
    for _ in range(grid[0] * grid[1] * grid[2]):
        start, unit, slot = heapq.heappop(free)
        end = start + round(block_ns * rng.uniform(0.95, 1.05) / 32) * 32
        rows.append((unit, start, end))
        heapq.heappush(free, (end + 32 * int(rng.integers(10, 30)), unit, slot))
    first = min(start for _, start, _ in rows)
    made = written([(unit, start - first, end - first) for unit, start, end in rows], grid, units, slots)
    return replace(made, spec=replace(made.spec, kernel=kernel, shape=Shape(512, 1024, 512)))


def at_each_start(schedule: BlockSchedule, unit: int) -> list[int]:
    """How many blocks run on a unit when each of its blocks starts."""
    chosen = schedule.unit == unit
    start, end = schedule.start_ns[chosen], schedule.end_ns[chosen]
    return [int(((start <= now) & (now < end)).sum()) for now in start.tolist()]


def most_at_once(schedule: BlockSchedule, unit: int) -> int:
    """How many blocks run on a unit at most."""
    return max(at_each_start(schedule, unit), default=0)
