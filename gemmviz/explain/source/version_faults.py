"""What is wrong with a version of a kernel, in sentences. No Qt."""

from __future__ import annotations

import math

from gemmviz.domain import figures
from gemmviz.domain.kernels.kernel_version import Check, KernelVersion


def faults_of(version: KernelVersion) -> tuple[str, ...]:
    """What is wrong with a version, in sentences: a result that is off, and what could not be found out."""
    check, launch = version.check, _launch_faults(version)
    if check is None or check.passed:
        return (*launch, *version.faults)
    unwritten = f"; {figures.counted(check.unwritten, 'element')} of C not written" if check.unwritten else ""
    words = f"The result is wrong at {check.shape.words}: {_error_words(check)}"
    return (f"{words}{unwritten}.", *launch, *version.faults)


def _launch_faults(version: KernelVersion) -> tuple[str, ...]:
    code = version.compilation
    fault = code.launch_fault if code is not None else ""
    return (f"{code.gpu_words} cannot launch it: {fault}.",) if code is not None and fault else ()


def _error_words(check: Check) -> str:
    if math.isnan(check.max_error_over_ug):
        return "C holds elements that are not a number"
    if math.isinf(check.max_error_over_ug):
        return "C holds infinite elements"
    return figures.error_against_bound(check.max_error_over_ug, check.bound)
