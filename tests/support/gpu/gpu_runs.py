"""Runs of a GPU made by hand, for tests without one: no figure here was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.kernels.resources import NO_RESOURCES, Resources
from gemmviz.domain.runs.gauges import NO_GAUGES, Gauges, Reading, gauges_of
from gemmviz.domain.runs.result import Accuracy, RunResult, Timing
from gemmviz.domain.runs.roof import Roof, RoofKind, Roofs
from gemmviz.domain.runs.whole_runs import NO_WHOLE_RUNS, WholeRun, whole_runs_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, Params, RunSpec
from gemmviz.domain.terms import Arithmetic, Fill, Mode, StopReason

FACTS = nvidia_facts(
    (9, 0),
    uuid="GPU-made-by-hand",
    static_shared_bytes=49152,
    shared_bytes_per_unit=233472,
    reserved_shared_bytes=1024,
    registers_per_block=65536,
    registers_per_unit=65536,
    threads_per_unit=2048,
    blocks_per_unit=32,
    memory_clock_mhz=3201,
    memory_bus_bits=6144,
)
GPU = Device(
    "cuda:0",
    "cuda",
    "GPU made by hand",
    DeviceKind.GPU,
    "nobody",
    "13.0",
    132,
    1024,
    (1024, 1024, 64),
    (2**31 - 1, 65535, 65535),
    232448,
    2**37,
    2**37,
    50 * 2**20,
    1980,
    ("cuda",),
    gpu_facts=FACTS,
)
POWER_LIMIT = 0x4


def gauges(clocks: Sequence[float], held: Sequence[int] = (), power_w: float = 640.0) -> Gauges:
    """A reading for each clock; samples of the places `held` were taken at the power limit."""
    return gauges_of(
        [
            Reading(clock, 3201.0, 55.0 + place % 3, power_w, POWER_LIMIT if place in held else 0)
            for place, clock in enumerate(clocks)
        ]
    )


def gpu_run(
    kernel: str = "tiled",
    ms: Sequence[float] = (1.0, 1.0, 1.0, 1.02),
    *,
    size: str = "4096x4096x4096",
    params: Params = (("TILE", 16),),
    arithmetic: Arithmetic = Arithmetic.FP32,
    registers: int = 128,
    spilled: int = 0,
    threads: int = 256,
    shared: int = 16384,
    told: Gauges | None = None,
    pinned: tuple[float, float] = (2.5, 1.25),
    device: Device = GPU,
    finished: str = "2025-01-02T03:04:05+00:00",
) -> RunResult:
    """A run whose blocks have `threads` threads; without `registers` neither compiler nor gauges told anything."""
    samples, shape = np.array(ms, np.float64), Shape.parse(size)
    resources = Resources(registers, spilled, spilled, spilled, shared) if registers else NO_RESOURCES
    if told is None:
        told = gauges([1980.0] * samples.size) if registers else NO_GAUGES
    timing = Timing(
        Mode.COLD,
        samples,
        samples + 0.01,
        1,
        3,
        StopReason.STEADY,
        3.0,
        900.0,
        0.004,
        whole_runs_of([WholeRun(9.5, 1.0, 5.0, 15.8), WholeRun(9.5, 1.0, 5.0, 16.0), WholeRun(9.5, 1.0, 5.0, 16.4)]),
        whole_runs_of([WholeRun(pinned[0], 1.0, pinned[1], sum(pinned) + 1.5)] if any(pinned) else []),
        told,
    )
    accuracy = Accuracy(1e-7, 2.5, float(shape.k), True, "float64", 0, 1.0, "cpu_ijk", 9, 10, ())
    launch = Launch((shape.n // 16, shape.m // 16, 1), (threads, 1, 1), static_shared_bytes=shared)
    return RunResult(
        RunSpec(kernel, shape, params, device.id, Fill.UNIFORM, 0, Mode.COLD),
        device,
        arithmetic,
        launch,
        f"nvcc 13.0 for sm_90, {registers} registers, no spills",
        timing,
        accuracy,
        finished=finished,
        resources=resources,
    )


def made_roofs(device: Device = GPU, floor_ms: float = 0.0021) -> Roofs:
    """Copy 4000 GB/s, fp32 60 TFLOP/s, TF32 400 TFLOP/s, bf16 800 TFLOP/s: round figures, made by hand."""
    rates = {RoofKind.COPY: 4e3, RoofKind.FP32: 6e4, RoofKind.TF32: 4e5, RoofKind.BF16: 8e5}
    instructions = {
        RoofKind.COPY: "128-bit loads and stores",
        RoofKind.FP32: "float32 fused multiply-add",
        RoofKind.TF32: "wgmma m64n256k8 tf32",
        RoofKind.BF16: "wgmma m64n256k16 bf16",
    }
    ms = np.array([9.9, 10.0, 10.0, 10.1])
    made = tuple(
        Roof(
            kind,
            int(rate * 1e7),
            ms,
            "made by hand",
            instructions[kind],
            "no build",
            StopReason.STEADY,
            gauges([1755.0] * 4),
        )
        for kind, rate in rates.items()
    )
    return Roofs(device, "2025-01-02T03:04:05+00:00", floor_ms, made)


def on_cpu(run: RunResult, device: Device) -> RunResult:
    """The same run on a device that tells nothing."""
    timing = replace(run.timing, gauges=NO_GAUGES, pinned_runs=NO_WHOLE_RUNS)
    spec = replace(run.spec, device=device.id)
    return replace(run, device=device, spec=spec, timing=timing, resources=NO_RESOURCES)
