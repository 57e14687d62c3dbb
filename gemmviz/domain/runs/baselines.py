"""What speed-ups are against: the vendor's library, of each kernel in its own arithmetic, or a CPU variant; where
neither has run, another kernel of the run.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from gemmviz.domain.device import HOST, NO_GPU_FACTS
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.spec import Params, format_params
from gemmviz.domain.terms import Arithmetic

IN_ITS_OWN = "in the kernel's own arithmetic (float32 for three TF32 products), with the same seed and device"
"""How a kernel is compared with a library; shown wherever it is."""

LIBRARY_ARITHMETIC = {Arithmetic.TF32X3: Arithmetic.FP32}
"""Three TF32 products stay within float32's error bound, and no library calls them an arithmetic of their own."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What others are compared with: a CPU variant or a device's kernel with its parameters; a library by its name."""

    name: str
    params: Params = ()
    is_library: bool = False
    is_device_kernel: bool = False

    @property
    def words(self) -> str:
        """As a person chooses it."""
        return f"{self.name} {format_params(self.params)}".rstrip()

    def includes(self, run: RunResult) -> bool:
        """Whether a run is one of those that others are compared with."""
        return (_kernel_of(run) if self.is_device_kernel else _baseline_of(run)) == self

    def conditions(self, run: RunResult) -> Hashable:
        """What a run has to have in common with the one it is compared with.

        A CPU variant: size, fill and caches; a device's kernel also the device; a library also seed and arithmetic.
        """
        spec = run.spec
        common = (spec.shape, spec.fill, spec.mode)
        if self.is_device_kernel:
            return *common, run.device.id
        if not self.is_library:
            return common
        return *common, spec.seed, run.device.id, LIBRARY_ARITHMETIC.get(run.arithmetic, run.arithmetic)


def is_cpu_run(run: RunResult) -> bool:
    """Whether a CPU variant ran, on the host."""
    return run.device.backend == HOST


def is_library_run(run: RunResult) -> bool:
    """Whether a vendor's library did the work on a GPU: by CUDA nothing was compiled, for a compiler tells what its
    kernel takes.
    """
    return run.device.gpu_facts != NO_GPU_FACTS and not run.resources.are_known and not run.is_emulated


def baselines_of(runs: Sequence[RunResult]) -> tuple[Baseline, ...]:
    """Libraries, then CPU variants, each in the order of its first run; the first is what others are against if nobody
    chooses.
    """
    found = dict.fromkeys(one for run in runs if (one := _baseline_of(run)) is not None)
    return tuple(sorted(found, key=lambda one: not one.is_library))


def comparable_of(runs: Sequence[RunResult]) -> tuple[Baseline, ...]:
    """`baselines_of`; where there is none and two kernels have run at the newest run's conditions, these kernels, the
    slowest first.
    """
    usual = baselines_of(runs)
    timed = [] if usual else [(one, run) for run in runs if (one := _kernel_of(run)) is not None]
    if not timed:
        return usual
    newest, last = timed[-1]
    alike = {one: run.timing.kernel_ms.median for one, run in timed if one.conditions(run) == newest.conditions(last)}
    return tuple(sorted(alike, key=lambda one: -alike[one])) if len(alike) > 1 else ()


def baseline_places(runs: Sequence[RunResult], baseline: Baseline) -> tuple[int | None, ...]:
    """For each run the place of the one it is compared with; None where the baseline did not run under the same
    conditions.

    That is the newest one with a right result, unless one was sampled in turn with this very run, which tells more.
    """
    newest: dict[Hashable, int] = {}
    in_turn: dict[Hashable, int] = {}
    for place, run in enumerate(runs):
        if baseline.includes(run) and run.accuracy.passed:
            conditions = baseline.conditions(run)
            newest[conditions] = place
            if run.sweep:
                in_turn[run.sweep, conditions] = place
    found: list[int | None] = []
    for run in runs:
        if run.is_emulated:
            found.append(None)
            continue
        conditions = baseline.conditions(run)
        found.append(in_turn.get((run.sweep, conditions), newest.get(conditions)))
    return tuple(found)


def _kernel_of(run: RunResult) -> Baseline | None:
    if run.is_emulated or not run.accuracy.passed:
        return None
    return Baseline(run.spec.kernel, run.spec.params, is_device_kernel=True)


def _baseline_of(run: RunResult) -> Baseline | None:
    if not run.accuracy.passed:
        return None
    if is_cpu_run(run):
        return Baseline(run.spec.kernel, run.spec.params)
    # The build of a library is its name and its version.
    return Baseline(run.build.partition(" ")[0], is_library=True) if is_library_run(run) else None
