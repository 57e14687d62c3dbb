"""Devices of OpenCL, as the program names them."""

from __future__ import annotations

import pytest

from gemmviz.backends.opencl.devices import processor_name


@pytest.mark.parametrize(
    ("name", "target", "processor"),
    [
        ("pthread-AMD EPYC", "znver3", "AMD EPYC"),
        ("cpu-skylake-avx512-Intel(R) Xeon(R) Processor", "skylake-avx512", "Intel(R) Xeon(R) Processor"),
        ("cpu-haswell-Intel(R) Xeon(R) CPU E5-2680 v3", "haswell", "Intel(R) Xeon(R) CPU E5-2680 v3"),
        ("Intel(R) Xeon(R) CPU E5-2680 v3", "haswell", "Intel(R) Xeon(R) CPU E5-2680 v3"),
    ],
)
def test_that_a_device_is_named_by_its_processor(name: str, target: str, processor: str) -> None:
    assert processor_name(name, f"OpenCL 3.0 PoCL HSTR: cpu-x86_64-pc-linux-gnu-{target} ") == processor
