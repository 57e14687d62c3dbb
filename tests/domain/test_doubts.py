"""When times are doubtful, and how that is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.domain.device import HOST, Device, DeviceKind
from gemmviz.domain.doubts import NOISY, TIME_RAN_OUT, are_no_gpu_times, doubts_of
from gemmviz.domain.result import Summary
from gemmviz.domain.terms import StopReason

STEADY = Summary(median=2.0, iqr=0.1, min=1.9, n=10)
WIDE = replace(STEADY, iqr=1.1)


@pytest.mark.parametrize(
    ("samples", "stopped_by", "doubts"),
    [
        (STEADY, StopReason.STEADY, ()),
        (WIDE, StopReason.STEADY, (NOISY,)),
        (STEADY, StopReason.TIME_LIMIT, (TIME_RAN_OUT,)),
        (WIDE, StopReason.TIME_LIMIT, (NOISY, TIME_RAN_OUT)),
    ],
)
def test_that_noise_and_a_spent_budget_are_doubts(
    samples: Summary, stopped_by: StopReason, doubts: tuple[str, ...]
) -> None:
    assert doubts_of(samples, stopped_by) == doubts


@pytest.mark.parametrize(
    ("kind", "backend", "expected"),
    [(DeviceKind.CPU, "opencl", True), (DeviceKind.CPU, HOST, False), (DeviceKind.GPU, "opencl", False)],
)
def test_that_only_gpu_kernels_on_a_cpu_have_no_gpu_times(kind: DeviceKind, backend: str, expected: bool) -> None:
    device = Device("d", backend, "D", kind, "", "", 1, 1, (1, 1, 1), (1, 1, 1), 0, 1, 1, 0, 0)
    assert are_no_gpu_times(device) is expected
