"""Which sweeps a kernel offers, with the number of runs of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue
from gemmviz.domain.figures import counted
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.experiment.run_plan import span_words, sweep_span
from gemmviz.gui.kernels.availability import Devices
from gemmviz.gui.work.experiment import Experiment, SweepError, sweep_jobs


@dataclass(frozen=True, slots=True)
class Sweep:
    """Parameters to sweep together, and the words for them; `refusal` says why that cannot be."""

    names: tuple[str, ...]
    text: str
    refusal: str = ""


def names_to_sweep(kernel: Kernel, *, takes_further: bool = False) -> tuple[tuple[str, ...], ...]:
    """Each parameter alone, then pairs where there are three or more, then all together. A parameter with one value is
    left out, unless the sweep `takes_further` values than the kernel offers.
    """
    names = tuple(one.name for one in kernel.parameters if takes_further or len(one.choices) > 1)
    alone = tuple((name,) for name in names)
    pairs = tuple(combinations(names, 2)) if len(names) > 2 else ()
    return (*alone, *pairs, *((names,) if len(names) > 1 else ()))


def sweep_of(
    experiment: Experiment,
    catalogue: Catalogue,
    names: tuple[str, ...],
    devices: Devices,
    results: Sequence[RunResult] = (),
) -> Sweep:
    """One sweep, counted, with about how long it takes; `results` tell how fast the kernel is on the devices here."""
    kernel = catalogue.get(experiment.kernel)
    title, device = sweep_title(kernel, names), devices.of(kernel, experiment.device)
    try:
        runs = len(sweep_jobs(experiment, catalogue, names, device))
    except SweepError as error:
        reason = str(error)
        return Sweep(names, title, reason[:1].upper() + reason[1:] + ".")
    time = span_words(sweep_span(experiment, kernel, runs, devices, results))
    return Sweep(names, f"{title} ({counted(runs, 'run')}, {time})")


def sweep_title(kernel: Kernel, names: tuple[str, ...]) -> str:
    """ "Sweep TILE", "Sweep all combinations"."""
    swept = [one.name for one in kernel.parameters if len(one.choices) > 1]
    is_all = len(names) > 1 and len(names) >= len(swept)
    return "Sweep all combinations" if is_all else f"Sweep {' × '.join(names)}"
