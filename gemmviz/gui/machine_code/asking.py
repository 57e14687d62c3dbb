"""Whose machine code is asked for: a chosen run's as it ran, or that of what is set up. No Qt."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.catalogue.gpus import default_gpu, find_gpu, gpu_by_id, target_of_machine
from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import lack_of
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.tables import format_params
from gemmviz.engine.messages import UNNUMBERED, Job, MachineCodeRequest
from gemmviz.gui.work.experiment import Experiment, conditions_of


def code_of_run(kernel: Kernel, run: RunResult, experiment: Experiment) -> MachineCodeRequest:
    """The code of a run's kernel as it ran: for its GPU, for the one that the PTX machine emulated, else the chosen."""
    conditions = replace(conditions_of(experiment), shape=run.spec.shape)
    is_on_gpu = _is_gpu(run.device)
    gpu = run.device if is_on_gpu else _gpu_for(kernel, experiment.target)
    if run.device.is_emulated:
        gpu = gpu_by_id(target_of_machine(run.device))
    return MachineCodeRequest(UNNUMBERED, Job(kernel, run.spec.params), conditions, gpu, is_of_run=is_on_gpu)


def code_of_set_up(kernel: Kernel, experiment: Experiment, here: Device | None) -> MachineCodeRequest:
    """The code of a kernel with the parameters and the size that are set up, for the GPU that runs kernels `here`, else
    for the target GPU.
    """
    is_here = here is not None and _is_gpu(here)
    gpu = here if here is not None and is_here else _gpu_for(kernel, experiment.target)
    job = Job(kernel, experiment.params_of(kernel))
    return MachineCodeRequest(UNNUMBERED, job, conditions_of(experiment), gpu, is_of_run=is_here)


def difference_words(shown: MachineCodeRequest, set_up: MachineCodeRequest) -> str:
    """How the code of a run that is shown differs from that of what is set up, in a sentence; "" where it does not."""
    if _words(shown) == _words(set_up):
        return ""
    return f"This is the code of the run chosen in Results: {_words(shown)}. Set up now: {_words(set_up)}."


def _words(work: MachineCodeRequest) -> str:
    name = f"{work.job.kernel.id} {format_params(work.job.params)}".rstrip()
    return f"{name} at {work.conditions.shape.words} for {work.device.name}"


def _is_gpu(device: Device) -> bool:
    """Whether a device is a GPU that is or was there, and whose architecture is known."""
    return bool(device.gpu_facts.architecture) and not device.is_emulated


def _gpu_for(kernel: Kernel, target: str) -> Device:
    """The chosen GPU, if it runs the kernel, else one that does."""
    if target and not lack_of(kernel.requires, chosen := find_gpu(target)):
        return chosen
    return default_gpu(kernel)
