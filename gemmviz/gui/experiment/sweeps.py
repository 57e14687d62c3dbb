"""Which sweeps a kernel offers, with the number of runs of each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.figures import counted
from gemmviz.gui.work.experiment import Experiment, SweepError, sweep_jobs


@dataclass(frozen=True, slots=True)
class Sweep:
    """Parameters to sweep together, and the words for them; `refusal` says why that cannot be."""

    names: tuple[str, ...]
    text: str
    refusal: str = ""


def names_to_sweep(kernel: Kernel) -> tuple[tuple[str, ...], ...]:
    """Each parameter alone, then pairs where there are three or more, then all together."""
    names = tuple(parameter.name for parameter in kernel.parameters)
    alone = tuple((name,) for name in names)
    pairs = tuple(combinations(names, 2)) if len(names) > 2 else ()
    return (*alone, *pairs, *((names,) if len(names) > 1 else ()))


def sweep_of(experiment: Experiment, catalogue: Catalogue, names: tuple[str, ...], device: Device | None) -> Sweep:
    """One sweep, counted."""
    title = sweep_title(catalogue.get(experiment.kernel), names)
    try:
        runs = len(sweep_jobs(experiment, catalogue, names, device))
    except SweepError as error:
        reason = str(error)
        return Sweep(names, title, reason[:1].upper() + reason[1:] + ".")
    return Sweep(names, f"{title} ({counted(runs, 'run')})")


def sweep_title(kernel: Kernel, names: tuple[str, ...]) -> str:
    """ "Sweep TILE", "Sweep all combinations"."""
    is_all = len(names) > 1 and len(names) == len(kernel.parameters)
    return "Sweep all combinations" if is_all else f"Sweep {' × '.join(names)}"
