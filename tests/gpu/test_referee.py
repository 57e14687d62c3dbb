"""The referee on an NVIDIA GPU: a kernel of each arithmetic is right there, and times are compared."""

from __future__ import annotations

import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.referee.finding import Judgement, Outcome
from gemmviz.referee.judge import judge

KERNELS = ("sgemm_best", "mma_tf32", "tf32x3", "wgmma_bf16", "cublas_tf32")


@pytest.mark.parametrize("name", KERNELS)
def test_that_a_kernel_of_each_arithmetic_is_right_on_a_gpu(name: str, device: Device) -> None:
    kernel = load_catalogue().get(name)
    ruling = judge(kernel, kernel.params({}), device)
    assert [f"{one.name}: {one.reason}" for one in ruling.failed] == []
    assert ruling.judgement is Judgement.RIGHT, ruling.fault
    time = next(one for one in ruling.findings if one.name == "Time beside the library")
    assert (time.outcome is Outcome.HELD) == (not kernel.library), time.reason
