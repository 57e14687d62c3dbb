"""What is asked of an examination, and the version that comes of its findings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gemmviz.catalogue.gpus import default_gpu, find_gpu
from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.device import EMULATOR, Device
from gemmviz.domain.kernels.capability import lack_of
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.engine.messages import UNNUMBERED, ExamineRequest, Job
from gemmviz.explain.source.comparability import other_params_words, other_target_words, why_not_compared
from gemmviz.explain.source.version_figures import Measured
from gemmviz.gui.editor.examiner import SaveFindings
from gemmviz.gui.work.experiment import Experiment, conditions_of, device_asked_for

LAUNCH_LIMIT_S = 2.0
"""How long a launch may take while a kernel is examined: one that never ends shall not hold up the next save."""
FIRST_LAUNCH_LIMIT_S = 6.0
"""How long where nothing of the kernel is known: what counts its accesses is compiled meanwhile."""
LONG_LAUNCH_LIMIT_S = 20.0
"""How long where a kernel is tried again because that was not enough."""
Block = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class SetUp:
    """What is examined: the settings of the experiment, and the block in view."""

    experiment: Experiment
    block: Block


def request_for(kernel: Kernel, set_up: SetUp, limit_s: float) -> ExamineRequest:
    """Asks for the figures of a kernel as it is set up, with `limit_s` seconds for a launch."""
    experiment = set_up.experiment
    gpu = gpu_for(kernel, experiment.target)
    device = device_asked_for(EMULATOR, experiment.target)
    conditions = replace(conditions_of(experiment), device=device, form=None, launch_limit_s=limit_s, values=False)
    return ExamineRequest(UNNUMBERED, Job(kernel, experiment.params_of(kernel)), conditions, gpu, set_up.block)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How the version before is examined, so that it can be held against the newest: it is `done`, "compiled", in what
    way, "for sm_80", with `set_up`.
    """

    done: str
    way: str
    set_up: SetUp


def likeness_of(before: Measured, newest: Measured, set_up: SetUp) -> Likeness | None:
    """As the newest was examined; None where the two can be held against each other. `set_up` says what both share."""
    code, trace = newest.version.compilation, newest.trace
    is_of_other_target = bool(other_target_words(before.version, newest.version))
    if trace is not None:
        spec, kernel = trace.spec, newest.version.kernel
        params = tuple(sorted({**dict(set_up.experiment.params), kernel: newest.version.params}.items()))
        experiment = replace(set_up.experiment, shape=spec.shape, fill=spec.fill, seed=spec.seed, params=params)
        set_up = SetUp(experiment, trace.blocks[0].block if trace.blocks else set_up.block)
    if is_of_other_target and code is not None:
        return Likeness("compiled", f"for {code.target}", set_up)
    is_other = bool(other_params_words(before.version, newest.version))
    if trace is None or not (is_other or why_not_compared(before.trace, trace)):
        return None
    is_resized = before.trace is not None and before.trace.spec.shape != trace.spec.shape
    way = f"at {trace.spec.shape.words}" if is_resized else f"like version {newest.version.number}"
    return Likeness("recorded", way, set_up)


def version_of(findings: SaveFindings, number: int, saved: str) -> Measured:
    """The version, saved at that time, that was examined, as far as it is known."""
    job, trace = findings.work.job, findings.trace
    kernel = job.kernel
    version = KernelVersion(
        kernel.id,
        number,
        kernel.path.name,
        kernel.file_text,
        saved,
        job.params,
        findings.compilation,
        findings.check,
        trace.finished if trace is not None else "",
        tuple(findings.faults),
    )
    return Measured(version, trace)


def with_known(findings: SaveFindings, known: Measured | None) -> SaveFindings:
    """What was found out when a version was tried again, and what the first try has found out besides with the same
    parameters.
    """
    if known is None or known.version.params != findings.work.job.params:
        return findings
    return replace(
        findings,
        compilation=findings.compilation or known.version.compilation,
        trace=findings.trace or known.trace,
        check=findings.check or known.version.check,
    )


def gpu_for(kernel: Kernel, target: str) -> Device:
    """The GPU that a kernel is compiled for: the one that is chosen, if it runs the kernel, else the usual one."""
    if target and not lack_of(kernel.requires, chosen := find_gpu(target)):
        return chosen
    return default_gpu(kernel)
