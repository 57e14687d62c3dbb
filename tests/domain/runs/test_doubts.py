"""When times are doubtful, and how that is said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gpu_runs import gauges

from gemmviz.domain.device import EMULATOR, HOST, Device, DeviceKind
from gemmviz.domain.runs.doubts import (
    EMULATED,
    NOISY,
    NOT_GPU_TIMES,
    THROTTLED,
    TIME_RAN_OUT,
    doubt_of_device,
    doubts_of,
    marks_of,
)
from gemmviz.domain.runs.gauges import NO_GAUGES
from gemmviz.domain.runs.result import Summary
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
    assert doubts_of(samples, stopped_by, NO_GAUGES) == doubts


def test_that_one_throttled_sample_makes_a_run_doubtful_and_is_counted() -> None:
    held = gauges([1980.0, 1980.0, 1605.0], held=(2,))
    found = doubts_of(STEADY, StopReason.TIME_LIMIT, held)
    assert found == (TIME_RAN_OUT, THROTTLED)
    assert marks_of(found) == "*!"
    assert held.throttled_words == "clock throttled in 1 of 3 samples: power limit"
    free = gauges([1980.0, 1980.0])
    assert (doubts_of(STEADY, StopReason.STEADY, free), free.throttled_words) == ((), "")


@pytest.mark.parametrize(
    ("kind", "backend", "expected"),
    [
        (DeviceKind.CPU, "opencl", NOT_GPU_TIMES),
        (DeviceKind.CPU, HOST, ""),
        (DeviceKind.GPU, "opencl", ""),
        (DeviceKind.CPU, EMULATOR, EMULATED),
    ],
)
def test_that_only_gpu_kernels_on_a_cpu_have_no_gpu_times(kind: DeviceKind, backend: str, expected: str) -> None:
    device = Device("d", backend, "D", kind, "", "", 1, 1, (1, 1, 1), (1, 1, 1), 0, 1, 1, 0, 0)
    assert doubt_of_device(device) == expected
