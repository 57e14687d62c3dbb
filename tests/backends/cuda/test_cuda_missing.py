"""Without PyCUDA, a driver or a GPU: one sentence says what is missing, and everything else works."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from fake_cuda import FakeDriver, FakeError, FakeLibrary

from gemmviz.backends import registry
from gemmviz.backends.base import BackendError
from gemmviz.backends.cuda import devices as cuda_devices
from gemmviz.backends.cuda.device import CudaBackend
from gemmviz.backends.cuda.devices import find_devices, missing_words, why_not_imported
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.terms import Language

GONE = Device("cuda:00112233", "cuda", "GPU", DeviceKind.GPU, "NVIDIA", "d", 1, 1, (1, 1, 1), (1, 1, 1), 0, 1, 1, 0, 0)


@pytest.fixture
def pycuda(monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    """PyCUDA and a driver are there."""
    driver = FakeDriver()
    monkeypatch.setitem(sys.modules, "pycuda", SimpleNamespace(driver=driver))
    monkeypatch.setitem(sys.modules, "pycuda.driver", driver)
    monkeypatch.setattr(cuda_devices, "find_library", FakeLibrary)
    monkeypatch.setattr(cuda_devices, "find_nvml", lambda: None)
    return driver


def without_pycuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycuda", None)
    monkeypatch.setitem(sys.modules, "pycuda.driver", None)


def test_that_a_gpu_is_found_where_all_is_there(pycuda: FakeDriver) -> None:
    assert pycuda.log == []
    assert missing_words("linux") == ""
    assert [device.id for device in find_devices()] == ["cuda:00112233"]


def test_that_a_missing_driver_is_told_before_pycuda(monkeypatch: pytest.MonkeyPatch) -> None:
    without_pycuda(monkeypatch)
    monkeypatch.setattr(cuda_devices, "find_library", lambda: None)
    words = missing_words("linux")
    assert words == (
        "no CUDA GPU: NVIDIA's driver is not installed (https://www.nvidia.com/drivers), "
        "nor PyCUDA (`pip install 'gemmviz[cuda]'`)"
    )
    assert find_devices() == []


def test_that_a_missing_pycuda_is_told_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    without_pycuda(monkeypatch)
    monkeypatch.setattr(cuda_devices, "find_library", FakeLibrary)
    words = missing_words("linux")
    assert words.startswith("no CUDA GPU: PyCUDA is missing: `pip install 'gemmviz[cuda]'`")
    assert len(words) <= 100, "it is to be one line"
    assert find_devices() == []


def test_that_a_pycuda_that_cannot_be_imported_says_why() -> None:
    words = why_not_imported(ImportError("libcurand.so.10: cannot open shared object file"), has_driver=True)
    assert words.startswith("no CUDA GPU: PyCUDA cannot be imported (libcurand.so.10: cannot open shared object file)")


def test_that_a_driver_without_a_gpu_says_so(monkeypatch: pytest.MonkeyPatch, pycuda: FakeDriver) -> None:
    def init() -> None:
        raise FakeError("cuInit failed: no CUDA-capable device is detected")

    monkeypatch.setattr(pycuda, "init", init)
    assert missing_words("linux").startswith("no CUDA GPU: the driver finds none (no CUDA-capable device is detected)")
    with pytest.raises(BackendError, match="the driver finds none"):
        CudaBackend().open(GONE)


def test_that_a_system_without_cuda_misses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    without_pycuda(monkeypatch)
    assert missing_words("darwin") == ""


def test_that_everything_else_works_without_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    without_pycuda(monkeypatch)
    assert "cuda" not in {device.backend for device in registry.all_devices()}
    assert registry.all_devices()[-1].id == "host"
    assert [words for words in registry.what_is_missing() if "CUDA" in words]


def test_that_a_gpu_by_cuda_comes_first_and_by_its_uuid(pycuda: FakeDriver) -> None:
    assert pycuda.depth == 0
    found = registry.devices_for(Language.CUDA)[0]
    assert found.backend == "cuda"
    assert registry.find_device(found.gpu_facts.uuid) == found
    assert registry.backend_of(found).name == "cuda"
