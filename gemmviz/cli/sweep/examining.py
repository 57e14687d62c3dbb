"""One setting of a kernel, examined in this process, and the session that carries it to another."""

from __future__ import annotations

from gemmviz import __version__
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.values.further_values import is_further
from gemmviz.cli.output import kernels_kept_quiet
from gemmviz.cli.run.request import CheckedRun
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.settings import examined_setting
from gemmviz.measure.bench import Watch


def examined_here(
    run: CheckedRun, kernel: Kernel, job: Job, gpu: Device, watch: Watch
) -> tuple[KernelVersion, TraceRun | None]:
    """One setting, recorded as compiled: the accesses are those of the code whose registers are told. A value that
    `kernel`, as it is described, does not offer is checked at several sizes.
    """
    conditions = Conditions(
        run.shape,
        run.fill,
        run.seed,
        device=run.device or "",
        launch_limit_s=run.time_limit_s,
        form=CodeForm.AS_COMPILED,
    )
    with kernels_kept_quiet():
        return examined_setting(job, conditions, gpu, watch, proves=is_further(kernel, dict(job.params)))


def examined_session(run: CheckedRun, gpu: Device) -> Session:
    """A session with the only job of a request, examined, and nothing else."""
    kernel, params = run.jobs[0]
    version, trace = examined_here(run, kernel, Job(kernel, params), gpu, Watch())
    traces = () if trace is None else (trace,)
    return Session(timestamp(), __version__, find_device(run.device or ""), 0.0, traces=traces, versions=(version,))
