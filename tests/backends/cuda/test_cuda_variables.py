"""Pointers of a compiled module that the host sets, with a driver that is an array. On a real GPU: tests/gpu."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fake_cuda import FakeDriver, FakeError, FakeLibrary, fake_library
from fake_schedule import StampingGpu

from gemmviz.backends.base import BackendError, HasVariables, Source, TrialRun
from gemmviz.backends.cuda.build import Built
from gemmviz.backends.cuda.devices import Cuda
from gemmviz.backends.cuda.driver import CudaCallError, CudaLibrary
from gemmviz.backends.cuda.launch import CudaCompiled, variable_of
from gemmviz.backends.host import HostBackend
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language

LAUNCH = Launch((2, 1, 1), (4, 1, 1))


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> StampingGpu:
    return StampingGpu(monkeypatch, 2)


def compiled(gpu: StampingGpu) -> CudaCompiled:
    source = Source(Path("mine.cu"), "text", "k", Language.CUDA)
    made = gpu.opened.compile(source, LAUNCH, TrialRun(Shape(1, 1, 1), LAUNCH, 1), lambda _: None)
    assert isinstance(made, CudaCompiled)
    return made


def test_that_a_pointer_of_the_module_points_to_the_buffer(gpu: StampingGpu) -> None:
    gpu.driver.variables["mine"] = 64
    buffer = gpu.opened.allocate(100)
    gpu.opened.point(compiled(gpu), "mine", buffer)
    assert int(gpu.driver.memory[64:72].view(np.uint64)[0]) == buffer.address


def test_that_a_pointer_that_is_not_there_is_named(gpu: StampingGpu) -> None:
    with pytest.raises(BackendError, match="has no variable theirs: named symbol not found"):
        gpu.opened.point(compiled(gpu), "theirs", gpu.opened.allocate(100))


def test_that_a_kernel_of_the_drivers_own_is_asked_for_the_variable_of_its_own_module() -> None:
    library, calls = fake_library()
    library.variable = 4096
    built = Built("sm_90a", "13.0", "k", (), Resources(), b"\x7fELF", "")
    found = CudaCompiled(built, None, handle=0x1234)
    assert variable_of(Cuda(FakeDriver(), calls), found, "gemmviz_stamps") == 4096
    assert library.last("cuFuncGetModule")[1] == 0x1234
    assert library.last("cuModuleGetGlobal_v2")[3] == b"gemmviz_stamps"


def test_that_a_driver_without_it_says_so() -> None:
    library = FakeLibrary()
    library.code = 500
    with pytest.raises(CudaCallError, match="cuFuncGetModule failed: invalid argument"):
        CudaLibrary(library).variable(0x1234, "gemmviz_stamps")


def test_that_only_devices_with_modules_have_variables(gpu: StampingGpu) -> None:
    assert isinstance(gpu.opened, HasVariables)
    host = HostBackend()
    assert not isinstance(host.open(host.devices()[0]), HasVariables)


def test_that_a_device_at_fault_is_not_written_to(gpu: StampingGpu) -> None:
    made, buffer = compiled(gpu), gpu.opened.allocate(8)
    gpu.driver.sticky = "an illegal memory access was encountered"
    with pytest.raises((BackendError, FakeError)):
        gpu.opened.point(made, "gemmviz_stamps", buffer)
