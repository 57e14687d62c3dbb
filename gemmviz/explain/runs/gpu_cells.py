"""The cells of what a GPU, its compiler and its gauges told of a run; nothing where nobody told. No Qt."""

from __future__ import annotations

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.kernels.occupancy_words import limit_words, limited_by_words
from gemmviz.domain.kernels.resources import occupancy
from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.runs.cells import NOTHING, Cell, cell_of
from gemmviz.explain.runs.columns import Key


def gpu_cells(run: RunResult) -> dict[Key, Cell]:
    """Registers, spills, occupancy, clock and power of a run."""
    known, taken = run.resources.are_known, run.resources
    return {
        Key.REGISTERS: cell_of(figures.count(taken.registers), taken.registers) if known else NOTHING,
        Key.SPILLS: _spills(run) if known else NOTHING,
        Key.OCCUPANCY: _occupancy(run),
        Key.CLOCK: _clock(run),
        Key.POWER: _power(run),
    }


def _spills(run: RunResult) -> Cell:
    taken = run.resources
    stored = taken.spill_store_bytes
    tip = f"{figures.counted(stored, 'byte')} stored, {figures.count(taken.spill_load_bytes)} loaded"
    return cell_of(f"{figures.count(stored)} B" if stored else "none", stored, tip)


def _occupancy(run: RunResult) -> Cell:
    facts = run.device.gpu_facts
    found = occupancy(run.resources, run.launch, facts)
    if found is None:
        return NOTHING
    share = 100 * found.fraction
    by = limited_by_words(run.resources, run.launch, facts)
    limits = "\n".join(limit_words(run.resources, run.launch, facts))
    words = f"{found.warps} of {found.most_warps} warps, {found.blocks} blocks per multiprocessor; limited by {by}"
    tip = f"{words}\n{limits}"
    return cell_of(f"{share:.3g} %", share, tip)


def _clock(run: RunResult) -> Cell:
    gauges = run.timing.gauges
    if not gauges.count:
        return NOTHING
    median, throttled = float(np.median(gauges.clock_mhz)), gauges.throttled_words
    tip = "\n".join(filter(None, (f"lowest {figures.megahertz(float(gauges.clock_mhz.min()))}", throttled)))
    return cell_of(f"{'!' if throttled else ''}{figures.megahertz(median)}", median, tip)


def _power(run: RunResult) -> Cell:
    gauges = run.timing.gauges
    if not gauges.count:
        return NOTHING
    median = float(np.median(gauges.power_w))
    tip = f"{np.median(gauges.temperature_c):.0f} °C; at most {gauges.power_w.max():.0f} W"
    return cell_of(f"{median:.0f} W", median, tip)
