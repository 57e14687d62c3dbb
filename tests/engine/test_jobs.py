"""Jobs one after the other: the order, the exact comparison, and what an error says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gemmviz.backends.base import KernelTimeoutError
from gemmviz.backends.registry import NoDeviceError, find_device
from gemmviz.domain.device import DeviceKind
from gemmviz.domain.terms import Language
from gemmviz.engine.jobs import Done, Failed, JobFault, Outcome, choose_devices, disturbs, failed, run_jobs
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.running_order import in_running_order, not_run_words
from gemmviz.measure.bench import Bench, Inputs, Watch, make_inputs
from gemmviz.measure.cancel import CancelledError
from gemmviz.measure.check.judge import Exact

MakeJob = Callable[..., Job]


@pytest.fixture(scope="module")
def inputs(quick: Conditions) -> Inputs:
    return make_inputs(quick.shape, quick.fill, quick.seed)


def unheard(position: int, job: Job) -> None:
    del position, job


def run(jobs: list[Job], inputs: Inputs, conditions: Conditions, **more: Any) -> list[Outcome]:
    devices = choose_devices([job.kernel for job in jobs])
    bench = more.pop("bench", None) or Bench()
    watch, begin = more.pop("watch", Watch()), more.pop("begin", unheard)
    with bench:
        return list(run_jobs(jobs, bench, devices, inputs, conditions, watch, begin, **more))


def test_that_the_reference_runs_first_and_the_others_keep_their_order(job: MakeJob) -> None:
    jobs = [job("tiled"), job("naive"), job("cpu_ijk"), job("cpu_blas")]
    assert [one.kernel.id for one in in_running_order(jobs)] == ["cpu_ijk", "tiled", "naive", "cpu_blas"]
    assert in_running_order([]) == ()


def test_that_kernels_of_the_users_run_last(job: MakeJob, own_job: MakeJob) -> None:
    jobs = [own_job("C[0] = 0.0f;"), job("tiled"), job("cpu_ijk")]
    assert [one.kernel.id for one in in_running_order(jobs)] == ["cpu_ijk", "tiled", "mine"]


def test_that_each_job_is_announced_and_answered(job: MakeJob, inputs: Inputs, quick: Conditions) -> None:
    begun: list[tuple[int, str]] = []
    jobs = [job("naive"), job("dot"), job("cpu_ijk")]
    outcomes = run(jobs, inputs, quick, begin=lambda position, job: begun.append((position, job.kernel.id)))
    assert begun == [(0, "cpu_ijk"), (1, "naive"), (2, "dot")]
    assert [type(outcome) for outcome in outcomes] == [Done, Done, Failed]
    reference, naive, dot = outcomes
    assert isinstance(naive, Done)
    assert isinstance(dot, Failed)
    assert naive.result.accuracy.exact_reference == reference.job.kernel.id
    assert naive.result.finished
    assert naive.c is not None
    assert naive.c.shape == (33, 17)
    assert dot.fault is JobFault.REFUSED
    assert dot.error.reason.startswith("needs M = 1"), "the name stands beside the reason"
    assert (dot.error.params, dot.error.size) == (jobs[1].params, "33x17x9")


def test_that_a_result_given_from_before_is_compared_with(job: MakeJob, inputs: Inputs, quick: Conditions) -> None:
    (reference,) = run([job("cpu_ijk")], inputs, quick)
    assert isinstance(reference, Done)
    assert reference.c is not None
    (naive,) = run([job("naive")], inputs, quick, exact=Exact("from before", reference.c))
    assert isinstance(naive, Done)
    assert naive.result.accuracy.exact_reference == "from before"


class StuckBench(Bench):
    """A bench on which a kernel never ends."""

    abandoned = False

    def run(self, *_: Any, **__: Any) -> Any:
        raise KernelTimeoutError("the kernel did not end within 1 s")

    def abandon(self) -> None:
        self.abandoned = True


def test_that_nothing_runs_after_a_kernel_that_does_not_end(job: MakeJob, inputs: Inputs, quick: Conditions) -> None:
    bench = StuckBench()
    first, second = run([job("naive"), job("tiled")], inputs, quick, bench=bench)
    assert isinstance(first, Failed)
    assert isinstance(second, Failed)
    assert (first.fault, first.error.reason) == (JobFault.STUCK, "the kernel did not end within 1 s")
    assert (second.fault, second.error.reason) == (JobFault.FAILED, not_run_words("naive"))
    assert bench.abandoned


def test_that_other_devices_run_after_a_kernel_that_does_not_end(
    job: MakeJob, inputs: Inputs, quick: Conditions
) -> None:
    jobs = [job("cpu_ijk"), job("naive"), job("cpu_blas")]
    devices = {Language.PYTHON: find_device("host"), Language.CUDA: find_device("machine")}
    first, second, third = run_jobs(jobs, StuckBench(), devices, inputs, quick, Watch(), unheard)
    assert isinstance(first, Failed)
    assert isinstance(second, Failed)
    assert isinstance(third, Failed)
    assert (second.fault, third.error.reason) == (JobFault.STUCK, not_run_words("cpu_ijk"))


def test_that_a_processor_that_is_busy_times_nothing() -> None:
    host, machine = find_device("host"), find_device("machine")
    gpu, pocl = replace(host, id="gpu", kind=DeviceKind.GPU), replace(host, id="pocl")
    assert [disturbs(host, one) for one in (host, pocl, machine, gpu)] == [True, True, False, False]
    assert [disturbs(gpu, one) for one in (host, pocl, machine, gpu)] == [False, False, False, True]


def test_that_a_language_without_a_device_is_told_how_to_get_one(
    job: MakeJob, inputs: Inputs, quick: Conditions
) -> None:
    with Bench() as bench:
        (outcome,) = run_jobs([job("naive")], bench, {}, inputs, quick, Watch(), unheard)
    assert isinstance(outcome, Failed)
    assert outcome.fault is JobFault.FAILED
    assert "no OpenCL device" in outcome.error.reason


@pytest.mark.parametrize("wanted", ["", "pocl"])
def test_that_a_library_of_a_gpu_is_refused_with_what_it_needs(
    job: MakeJob, inputs: Inputs, quick: Conditions, wanted: str
) -> None:
    kernel = job("cublas_tf32").kernel
    devices = choose_devices([kernel], wanted)
    if devices[Language.LIBRARY].backend == "cuda":
        pytest.skip("it runs here")
    (answer,) = run_jobs([Job(kernel, ())], Bench(), devices, inputs, quick, Watch(), unheard)
    assert isinstance(answer, Failed)
    assert answer.fault is JobFault.REFUSED
    assert answer.error.reason.startswith("needs an NVIDIA GPU of compute capability 8.0 or newer")


def test_that_a_guard_may_take_a_job_over(job: MakeJob, inputs: Inputs, quick: Conditions) -> None:
    def guard(one: Job, exact: Exact | None) -> Outcome | None:
        assert exact is None
        return failed(one, quick.shape, "naive: elsewhere", JobFault.FAILED) if one.kernel.id == "naive" else None

    first, second = run([job("naive"), job("tiled")], inputs, quick, guard=guard)
    assert isinstance(first, Failed)
    assert first.error.reason == "elsewhere"
    assert isinstance(second, Done)


def test_that_a_cancel_stops_before_the_next_job(job: MakeJob, inputs: Inputs, quick: Conditions) -> None:
    begun: list[str] = []
    watch = Watch(should_cancel=lambda: bool(begun))
    with pytest.raises(CancelledError):
        run(
            [job("cpu_ikj"), job("naive")], inputs, quick, watch=watch, begin=lambda _, one: begun.append(one.kernel.id)
        )
    assert begun == ["cpu_ikj"]


def test_that_a_device_is_chosen_by_its_id_or_name(job: MakeJob) -> None:
    kernels = [job("naive").kernel, job("cpu_ikj").kernel]
    chosen = choose_devices(kernels)
    assert set(chosen) == {Language.CUDA, Language.PYTHON}
    assert chosen[Language.PYTHON].id == "host"
    named = choose_devices(kernels, chosen[Language.CUDA].id)
    assert named[Language.CUDA] == named[Language.OPENCL] == chosen[Language.CUDA]
    with pytest.raises(NoDeviceError, match="'gone' is not a device; available devices: "):
        choose_devices(kernels, "gone")


def test_that_a_budget_is_kept(job: MakeJob, inputs: Inputs, quick: Conditions) -> None:
    (outcome,) = run([job("cpu_ikj")], inputs, replace(quick, budget_s=0.02))
    assert isinstance(outcome, Done)
    assert outcome.result.timing.stopped_by == "time limit"
    assert outcome.result.timing.host_samples_ms.sum() < 500.0
