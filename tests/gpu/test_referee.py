"""The referee on an NVIDIA GPU: every kernel of the catalogue is right there, and times are compared."""

from __future__ import annotations

import pytest

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.terms import Language
from gemmviz.referee.finding import Judgement, Outcome
from gemmviz.referee.judge import judge

KERNELS = [kernel for kernel in load_catalogue().kernels if kernel.language in (Language.CUDA, Language.LIBRARY)]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.id)
def test_that_every_kernel_is_right_on_a_gpu(kernel: Kernel, device: Device) -> None:
    ruling = judge(kernel, kernel.params({}), device)
    assert [f"{one.name}: {one.reason}" for one in ruling.failed] == []
    assert ruling.judgement is Judgement.RIGHT, ruling.fault
    time = next(one for one in ruling.findings if one.name == "Time beside the library")
    assert (time.outcome is Outcome.HELD) == (not kernel.library and kernel.id not in ("dot", "dot_serial")), (
        time.reason
    )
