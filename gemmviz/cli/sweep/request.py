"""`gemmviz sweep`: which settings are examined, checked before anything starts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gemmviz.catalogue.gpus import UnknownGpuError, default_gpu, emulated, find_gpu
from gemmviz.catalogue.kernel import Kernel, ParameterError
from gemmviz.catalogue.values.further_values import with_values
from gemmviz.cli.export.overwriting import checked_out
from gemmviz.cli.faults import BadInputError
from gemmviz.cli.options.option_numbers import shown
from gemmviz.cli.run.request import CheckedRun, read_request
from gemmviz.domain.device import EMULATOR, Device
from gemmviz.domain.terms import Mode
from gemmviz.engine.settings import SettingsError, SettingsToExamine, settings_of, with_further


@dataclass(frozen=True, slots=True)
class SweepFiguresRequest:
    """A checked `gemmviz sweep`: one kernel, its settings, the GPU that it is compiled for, the file of the table. The
    kernel of the run also offers further values that `kernel`, as it is described, does not.
    """

    kernel: Kernel
    run: CheckedRun
    settings: SettingsToExamine
    gpu: Device
    csv: Path | None = None


def read_sweep_request(over: str | None, csv: Path | None, gpu: str | None, **run: Any) -> SweepFiguresRequest:
    """Check every option.

    Raises:
        BadInputError: naming the option, its value and what would be right.
    """
    if (run["kernel"] is None) == (not run["kernel_file"]):
        raise BadInputError("name one kernel, or give one file with --kernel-file")
    device = EMULATOR if gpu is None else f"{EMULATOR}:{gpu}"
    fixed: dict[str, Any] = {"preset": None, "fill": None, "seed": 0, "mode": Mode.COLD, "budget": 1.0, "out": None}
    found = read_request(device=device, takes_further=True, **fixed, **run)
    if len({kernel.id for kernel, _ in found.jobs}) > 1:
        raise BadInputError("one kernel is swept at a time; give one")
    kernel = found.jobs[0][0]
    chosen = _chosen(run["param"])
    several = [name for name, values in chosen.items() if len(values) > 1]
    names = [name.strip() for name in over.split(",")] if over is not None else several
    names = names or [one.name for one in kernel.parameters if one.name not in chosen]
    try:
        machine, target = emulated(gpu or ""), find_gpu(gpu) if gpu is not None else default_gpu(kernel)
    except UnknownGpuError as error:
        raise BadInputError(f"--gpu {shown(gpu or '')}: {error}") from error
    try:
        further = with_values(kernel, chosen)
        made = settings_of(further, names, chosen, found.shape, machine)
        settings = with_further(kernel, dict(kernel.params({})), chosen, made)
    except SettingsError as error:
        raise BadInputError(f"{'--over ' + shown(over) + ': ' if over is not None else ''}{error}") from error
    except ParameterError as error:
        raise BadInputError(f"--param: {error}") from error
    jobs = tuple((further, params) for params in settings.each)
    return SweepFiguresRequest(
        kernel, replace(found, jobs=jobs), settings, target, checked_out(csv, run["force"], "--csv") if csv else None
    )


def _chosen(words: list[str]) -> dict[str, tuple[int, ...]]:
    """The values of each parameter; `read_request` has seen that they are some."""
    pairs = (word.partition("=") for word in words)
    return {name.strip(): tuple(dict.fromkeys(map(int, values.split(",")))) for name, _, values in pairs}
