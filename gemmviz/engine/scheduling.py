"""A block schedule, from the choice of a device on: what `gemmviz schedule` and the worker have in common."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.backends.base import DeviceLostError
from gemmviz.backends.registry import NoDeviceError, devices_for, find_device, what_is_missing
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.schedulable import NEEDS_A_GPU, why_not_by_kernel, why_not_on
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.memory import check_memory, memory_needed
from gemmviz.domain.operands import make_operands
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.terms import Language
from gemmviz.engine.messages import Conditions, Job
from gemmviz.measure.bench import Bench, Inputs, Watch
from gemmviz.measure.cancel import raise_if_cancelled
from gemmviz.measure.schedule import record_schedule


def device_for_schedule(kernel: Kernel, wanted: str | None = None) -> Device:
    """The NVIDIA GPU that `wanted` names, else the first there is.

    Raises:
        Refusal: the kernel cannot tell where its blocks run.
        NoDeviceError: there is no such device, or it cannot.
    """
    lack = why_not_by_kernel(kernel)
    if lack:
        raise Refusal(lack)
    if wanted:
        found = find_device(wanted)
        lack = why_not_on(found)
        if lack:
            raise NoDeviceError(f"{found.id}: {lack}")
        return found
    there = [device for device in devices_for(Language.CUDA) if not why_not_on(device)]
    if not there:
        raise NoDeviceError("; ".join((NEEDS_A_GPU, *what_is_missing())))
    return there[0]


def schedule(job: Job, conditions: Conditions, device: Device, watch: Watch) -> BlockSchedule:
    """Record the schedule of one launch.

    Raises:
        Refusal, MemoryRefusal: it cannot be recorded.
        CompileError, LaunchError, DeviceLostError, BackendError, MeasurementError: it failed on the device.
        CancelledError: stopped.
    """
    shape = conditions.shape
    plan = job.kernel.plan(shape, job.params, device)
    need = memory_needed(shape, plan.partial_sums, full_reference=False, call=plan.call)
    check_memory(need, available_memory_bytes(), None, None, shares_host_memory=True)
    watch.say(f"{job.kernel.id}: making A and B, {shape.words}")
    operands = make_operands(shape, conditions.fill, conditions.seed)
    raise_if_cancelled(watch.should_cancel)
    inputs = Inputs(shape, conditions.fill, conditions.seed, operands, 0.0, None)
    with Bench() as bench:
        try:
            found = record_schedule(
                bench, job.kernel, job.params, device, inputs, conditions.mode, conditions.launch_limit_s, watch
            )
        except DeviceLostError:
            bench.abandon()
            raise
    return replace(found, finished=timestamp())
