"""What runs that stand in one table are called there, and which of them ran on which device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.text import Text

from gemmviz.cli.terminal import words
from gemmviz.domain.device import HOST, Device
from gemmviz.domain.places import place_words
from gemmviz.domain.runs.doubts import doubt_of_device
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.spec import Params


def names_of(runs: Sequence[RunResult]) -> dict[RunResult, Text]:
    """Kernel and parameters, and the device's id where the same ran on several devices."""
    several = _on_several_devices(runs)
    names = {}
    for run in runs:
        details = [f"{name}={value}" for name, value in run.spec.params]
        details += [run.device.id] if _what(run) in several else []
        names[run] = words((run.spec.kernel, "bold"), *(part for detail in details for part in (" ", (detail, "dim"))))
    return names


def device_lines(runs: Sequence[RunResult]) -> list[str]:
    """A line for each device with its driver and the days, the first that is not the host before the others; these
    begin with what ran there.
    """
    of_device: dict[Device, list[RunResult]] = {}
    for run in sorted(runs, key=lambda run: run.device.backend == HOST):
        of_device.setdefault(run.device, []).append(run)
    several = _on_several_devices(runs)
    lines: list[str] = []
    for device, some in of_device.items():
        line = f"{place_words(device, *(run.finished for run in some))}, {device.compute_units} compute units"
        if doubt := doubt_of_device(device):
            line += f": {doubt}."
        if lines:
            marks = ((run, f" {device.id}" if _what(run) in several else "") for run in some)
            line = f"{', '.join(dict.fromkeys(f'{run.spec.kernel}{mark}' for run, mark in marks))}: {line}"
        lines.append(line)
    return lines


def _what(run: RunResult) -> tuple[str, Params]:
    return run.spec.kernel, run.spec.params


def _on_several_devices(runs: Sequence[RunResult]) -> set[tuple[str, Params]]:
    """Kernels with parameters that would have one name on different devices."""
    ran = {(_what(run), run.device.id) for run in runs}
    return {what for what, count in Counter(what for what, _ in ran).items() if count > 1}
