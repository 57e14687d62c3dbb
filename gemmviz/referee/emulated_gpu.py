"""Whether the GPU that the PTX machine emulates can launch a kernel: the machine itself has registers without end."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.backends.base import BackendError
from gemmviz.catalogue.gpus import gpu_by_id, target_of_machine
from gemmviz.catalogue.kernel import Refusal
from gemmviz.domain.terms import Fill
from gemmviz.engine.examination import compiled
from gemmviz.engine.messages import Conditions, Job
from gemmviz.referee.subject import Subject


@dataclass(frozen=True, slots=True)
class UnlaunchedOn:
    """Which GPU cannot launch a kernel, and why: "A100 (sm_80)", "too few registers for one block"."""

    gpu: str
    reason: str


def launch_fault(subject: Subject) -> UnlaunchedOn | None:
    """Why the emulated GPU cannot launch the subject; None where it can, where a real device launches it, and where no
    compiler tells what it takes.
    """
    if not subject.device.is_emulated:
        return None
    conditions = Conditions(subject.claims.small, Fill.ONES, device=subject.device.id, launch_limit_s=subject.limit_s)
    try:
        gpu = gpu_by_id(target_of_machine(subject.device))
        code = compiled(Job(subject.kernel, subject.params), conditions, gpu)
    except (BackendError, Refusal):
        return None
    return UnlaunchedOn(code.gpu_words, code.launch_fault) if code is not None and code.launch_fault else None
