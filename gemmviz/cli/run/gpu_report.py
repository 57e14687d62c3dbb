"""What a GPU's compiler and gauges told about runs: registers, occupancy, clock, temperature, power, throttling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from gemmviz.domain import figures
from gemmviz.domain.kernels.occupancy_words import occupancy_words
from gemmviz.domain.kernels.resources import occupancy
from gemmviz.domain.memory import format_bytes
from gemmviz.domain.runs.result import RunResult

COMPILER_NOTES = (
    "registers, spilled: registers and spilled bytes per thread, from the compiler",
    "occupancy: warps that fit on a multiprocessor over the warps it has room for, and what limits them (derived)",
)
SENSOR_NOTES = (
    "clock, °C, W: medians of what NVML reported after each sample; ! the clock was throttled",
    "pinned in, out: transfers of A and B in and C out with page-locked memory",
)


def have_facts(runs: Sequence[RunResult]) -> bool:
    """Whether there is anything to say."""
    return any(run.resources.are_known or run.timing.gauges.count for run in runs)


def have_sensors(runs: Sequence[RunResult]) -> bool:
    """Whether there is anything besides the compiler's figures; of emulated runs there is not."""
    return any(run.timing.gauges.count or run.timing.pinned.n for run in runs)


def fill_gpu_table(table: Table, runs: Sequence[RunResult], names: Sequence[Text]) -> None:
    """The figures of each run, its name in front, the sensors' where there are any."""
    with_sensors = have_sensors(runs)
    sensors = ("clock", "°C", "W", "pinned in", "out") if with_sensors else ()
    for column in ("registers", "spilled", "occupancy", *sensors):
        table.add_column(column, justify="right", no_wrap=column != "occupancy", overflow="fold")
    pinned = [run.timing.pinned for run in runs if run.timing.pinned.n]
    units = figures.time_unit(one.in_ms for one in pinned), figures.time_unit(one.out_ms for one in pinned)
    for run, name in zip(runs, names, strict=True):
        known = run.resources.are_known
        table.add_row(
            name,
            str(run.resources.registers) if known else "",
            format_bytes(run.resources.spill_store_bytes) if known else "",
            occupancy_words(occupancy(run.resources, run.launch, run.device.gpu_facts)),
            *(_sensor_cells(run, units) if with_sensors else ()),
        )


def _sensor_cells(run: RunResult, units: tuple[str, str]) -> tuple[str, ...]:
    pinned = run.timing.pinned
    ways = zip((pinned.in_ms, pinned.out_ms), units, strict=True)
    times = (figures.milliseconds(ms, unit) if pinned.n else "" for ms, unit in ways)
    return (*_gauges(run), *times)


def _gauges(run: RunResult) -> tuple[str, str, str]:
    gauges = run.timing.gauges
    if not gauges.count:
        return "", "", ""
    mark = "!" if gauges.throttled.any() else ""
    return (
        f"{mark}{figures.megahertz(float(np.median(gauges.clock_mhz)))}",
        f"{np.median(gauges.temperature_c):.0f}",
        f"{np.median(gauges.power_w):.0f}",
    )


def throttle_notes(runs: Sequence[RunResult]) -> list[str]:
    """A sentence for each run that something slowed down."""
    return [
        f"{run.spec.kernel}: {int(run.timing.gauges.throttled.sum())} of {run.timing.gauges.count} samples were taken "
        f"while the clock was throttled by {', '.join(run.timing.gauges.throttles)}"
        for run in runs
        if run.timing.gauges.throttled.any()
    ]


def gpu_entry(run: RunResult) -> dict[str, Any] | None:
    """The same for the JSON document; None where nothing is known."""
    if not have_facts([run]):
        return None
    gauges, resources = run.timing.gauges, run.resources
    fits = occupancy(resources, run.launch, run.device.gpu_facts)
    return {
        "registers": resources.registers,
        "local_bytes": resources.local_bytes,
        "spill_store_bytes": resources.spill_store_bytes,
        "spill_load_bytes": resources.spill_load_bytes,
        "static_shared_bytes": resources.static_shared_bytes,
        "blocks_per_unit": fits.blocks if fits is not None else None,
        "occupancy": fits.fraction if fits is not None else None,
        "limited_by": list(fits.limited_by) if fits is not None else [],
        "clock_mhz": gauges.clock_mhz.tolist(),
        "memory_clock_mhz": gauges.memory_clock_mhz.tolist(),
        "temperature_c": gauges.temperature_c.tolist(),
        "power_w": gauges.power_w.tolist(),
        "throttled": gauges.throttled.tolist(),
        "throttles": list(gauges.throttles),
    }
