"""The report of `gemmviz schedule` for a person, and its JSON document, format 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.table import Table

from gemmviz.cli.run.document import FORMAT, device_entry, launch_entry, shape_entry
from gemmviz.cli.terminal import Terminal
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.runs.schedule_words import circumstances, facts, nanoseconds, sentence
from gemmviz.domain.runs.waves import ScheduleFigures, figures_of, filled
from gemmviz.domain.spec import format_params

_LEVELS = "·▁▂▃▄▅▆▇█"
_MOST_ROWS = 22
_COLUMNS = 72
_LEAST_COLUMNS = 8


def print_schedule(terminal: Terminal, schedule: BlockSchedule) -> None:
    """The sentence, the figures, and which SMs had how much to do when."""
    found, spec = figures_of(schedule), schedule.spec
    params = f" {format_params(spec.params)}".rstrip()
    terminal.print_words((spec.kernel, "bold"), f"{params}  {spec.shape}, block schedule")
    terminal.print_words(sentence(schedule, found))
    terminal.print()
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(style="dim")
    for row in facts(schedule, found):
        table.add_row(*row)
    terminal.print_table(table)
    terminal.print()
    room = terminal.width - len(f"{schedule.units - 1}-{schedule.units - 1} ")
    for line in timeline(schedule, found, max(min(_COLUMNS, room), _LEAST_COLUMNS)):
        terminal.print_words(line)
    for words in circumstances(schedule):
        terminal.print_words(f"{words[:1].upper()}{words[1:]}.", style="dim")


def timeline(schedule: BlockSchedule, found: ScheduleFigures, columns: int = _COLUMNS) -> list[str]:
    """A line of `columns` moments for every few SMs: how full their slots are from the first start to the last end."""
    units, span = schedule.units, schedule.makespan_ns
    if not span:
        return []
    rows = min(units, _MOST_ROWS)
    groups = np.arange(units) * rows // units
    slots = max(found.slots, found.waves.slots) * np.bincount(groups, minlength=rows)
    shares = filled(schedule, groups, np.linspace(0.0, span, columns + 1)) / slots[:, np.newaxis]
    levels = np.where(shares > 0, np.clip(np.ceil(shares * (len(_LEVELS) - 1)), 1, len(_LEVELS) - 1), 0).astype(int)
    names = [_name(np.flatnonzero(groups == row)) for row in range(rows)]
    width = max(len("SM"), *map(len, names))
    lines = [
        f"{name.rjust(width)} {''.join(_LEVELS[level] for level in row)}"
        for name, row in zip(names, levels.tolist(), strict=True)
    ]
    end = nanoseconds(span)
    lines.insert(0, f"{'SM'.rjust(width)} slots in use: {_LEVELS[0]} none to {_LEVELS[-1]} all")
    lines.append(f"{' ' * width} 0{end.rjust(columns - 1)}")
    return lines


def _name(units: np.ndarray[Any, Any]) -> str:
    return str(units[0]) if units.size == 1 else f"{units[0]}-{units[-1]}"


def schedule_document(schedule: BlockSchedule) -> dict[str, Any]:
    """All of it: `blocks` are columns in linear order, x fastest; times in ns count from the first start."""
    found, spec, fits = figures_of(schedule), schedule.spec, schedule.occupancy
    tail = found.tail
    return {
        "format": FORMAT,
        "kernel": spec.kernel,
        "params": dict(spec.params),
        "device": device_entry(schedule.device),
        "shape": shape_entry(spec.shape),
        "fill": str(spec.fill),
        "seed": spec.seed,
        "mode": str(spec.mode),
        "launch": launch_entry(schedule.launch),
        "launches_before": schedule.launches_before,
        "kernel_ms": schedule.kernel_ms,
        "plain_ms": schedule.plain_ms,
        "finished": schedule.finished,
        "resolution_ns": schedule.resolution_ns,
        "makespan_ns": schedule.makespan_ns,
        "units": schedule.units,
        "units_used": found.units_used,
        "achieved_occupancy": found.achieved,
        "blocks_that_fit": fits.blocks if fits is not None else None,
        "most_at_once": found.waves.slots,
        "waves": found.waves_needed,
        "blocks_per_unit": found.blocks_per_unit.tolist(),
        "busy": found.busy.tolist(),
        "tail": {
            "begin_ns": tail.begin_ns,
            "ns": tail.ns,
            "fraction": tail.fraction,
            "waiting": tail.waiting,
            "wasted": tail.wasted,
        },
        "blocks": {
            "unit": schedule.unit.tolist(),
            "start_ns": schedule.start_ns.tolist(),
            "end_ns": schedule.end_ns.tolist(),
            "slot": found.waves.slot.tolist(),
            "wave": found.waves.wave.tolist(),
        },
    }
