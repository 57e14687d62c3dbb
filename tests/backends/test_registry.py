from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gemmviz.backends import registry
from gemmviz.backends.opencl import devices as opencl_devices
from gemmviz.backends.registry import NoDeviceError, find_device
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.terms import Language


def device(identifier: str, name: str, backend: str) -> Device:
    return Device(identifier, backend, name, DeviceKind.GPU, "v", "d", 1, 1, (1, 1, 1), (1, 1, 1), 0, 1, 1, 0, 0)


class FakeBackend:
    """Finds what it is told to find."""

    def __init__(self, name: str, language: Language, *devices: Device) -> None:
        self.name = name
        self.languages = frozenset({language})
        self._devices = devices

    def devices(self) -> tuple[Device, ...]:
        return self._devices


@pytest.fixture
def _two_backends(monkeypatch: pytest.MonkeyPatch) -> None:
    gpus = FakeBackend(
        "gpus", Language.CUDA, device("gpu:0", "GeForce 4090", "gpus"), device("gpu:1", "GeForce 3090", "gpus")
    )
    host = FakeBackend("host", Language.PYTHON, device("host", "Ryzen 3090X gpu:0", "host"))
    monkeypatch.setattr(registry, "BACKENDS", (gpus, host))


@pytest.mark.usefixtures("_two_backends")
def test_that_a_device_is_found_by_its_id_even_if_a_name_contains_it() -> None:
    assert find_device("gpu:0").name == "GeForce 4090"


@pytest.mark.usefixtures("_two_backends")
@pytest.mark.parametrize(("wanted", "found"), [("4090", "gpu:0"), ("ryzen", "host"), ("FORCE 30", "gpu:1")])
def test_that_a_device_is_found_by_part_of_its_name(wanted: str, found: str) -> None:
    assert find_device(wanted).id == found


@pytest.mark.usefixtures("_two_backends")
@pytest.mark.parametrize(("wanted", "found"), [("gpus", "gpu:0"), ("gpus:0", "gpu:0"), ("gpus:1", "gpu:1")])
def test_that_a_device_is_found_by_its_place_in_a_backend(wanted: str, found: str) -> None:
    assert find_device(wanted).id == found


@pytest.mark.usefixtures("_two_backends")
def test_that_an_ambiguous_name_is_refused_with_the_list() -> None:
    with pytest.raises(NoDeviceError, match=r"'3090' matches several devices; available devices: gpu:0 \(GeForce"):
        find_device("3090")


@pytest.mark.usefixtures("_two_backends")
@pytest.mark.parametrize("wanted", ["", "radeon", "gpu:7", "gpus:2", "gpus:"])
def test_that_an_unknown_device_is_refused_with_the_list(wanted: str) -> None:
    with pytest.raises(NoDeviceError, match=r"is not a device; available devices: .*host \(Ryzen"):
        find_device(wanted)


@pytest.mark.usefixtures("_two_backends")
def test_that_a_language_finds_its_devices() -> None:
    assert [d.id for d in registry.devices_for(Language.CUDA)] == ["gpu:0", "gpu:1"]
    assert [d.id for d in registry.devices_for(Language.PYTHON)] == ["host"]
    assert registry.devices_for(Language.OPENCL) == ()
    assert registry.backend_of(registry.all_devices()[2]).name == "host"


def test_that_the_host_is_always_there() -> None:
    assert registry.all_devices()[-1].id == "host"


def test_that_a_loader_that_finds_no_platform_means_no_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    cl = pytest.importorskip("pyopencl")

    def none() -> list[object]:
        raise cl.LogicError("clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR")

    monkeypatch.setattr(cl, "get_platforms", none)
    assert opencl_devices.find_devices() == []
    assert [d.id for d in registry.all_devices()] == ["host"]


def test_that_a_missing_pyopencl_means_no_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    assert opencl_devices.find_devices() == []


def test_that_a_platform_without_devices_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    cl = pytest.importorskip("pyopencl")

    class Empty:
        def get_devices(self) -> list[object]:
            raise cl.RuntimeError("clGetDeviceIDs failed: DEVICE_NOT_FOUND")

    monkeypatch.setattr(cl, "get_platforms", lambda: [Empty()])
    assert opencl_devices.find_devices() == []


def test_that_without_any_driver_the_host_still_multiplies(tmp_path: Path) -> None:
    lines = [
        "import pyopencl as cl, sys",
        "def none(): raise cl.LogicError('clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR')",
        "cl.get_platforms = none",
        "from gemmviz.cli.app import run_app",
        "sys.exit(run_app(['run', '--kernel', 'cpu_ijk', '--size', '3x4x5', '--budget', '0.1', '--json']))",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["runs"][0]["accuracy"]["passed"] is True


def test_that_a_person_without_a_device_is_told_how_to_get_one() -> None:
    assert registry.how_to_get_a_device().startswith("no OpenCL device: ")
