"""The CUDA backend with a driver that is an array. On a real GPU: tests/gpu."""

from __future__ import annotations

import gc
import struct
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fake_cuda import LAUNCH, UUID, FakeDriver, FakeError, FakeLibrary, fake_library

from gemmviz.backends.base import (
    BackendError,
    Boxes,
    DeviceLostError,
    KernelTimeoutError,
    LaunchError,
)
from gemmviz.backends.cuda import device as cuda_module
from gemmviz.backends.cuda.device import CudaBackend, CudaDevice
from gemmviz.backends.cuda.devices import Cuda, describe
from gemmviz.backends.cuda.hold import MOST_BEHIND
from gemmviz.backends.cuda.launch import CudaCompiled
from gemmviz.domain.kernels.capability import compute_capability
from gemmviz.domain.spec import Launch, TensorMap
from gemmviz.domain.terms import Element


def floats(driver: FakeDriver, at: int, count: int) -> np.ndarray:
    return driver.memory[at : at + 4 * count].view(np.float32)


def test_that_a_gpu_is_described_with_all_its_facts(cuda: Cuda) -> None:
    found = describe(cuda, 0, UUID, "580.95")
    assert (found.id, found.name, found.driver) == ("cuda:00112233", "Fake GPU", "CUDA 13.0, driver 580.95")
    assert (found.compute_units, found.clock_mhz, found.cache_bytes) == (132, 1980, 600_000)
    assert found.shared_bytes_per_block == 232448
    assert (compute_capability(found.gpu_facts), found.gpu_facts.static_shared_bytes) == ((9, 0), 49152)
    assert found.gpu_facts.memory_gb_per_s == pytest.approx(4916.7, abs=0.1)
    assert found.capabilities == ("cuda",)


def test_that_a_fact_an_older_pycuda_does_not_know_is_left_out(cuda: Cuda, driver: FakeDriver) -> None:
    del driver.device_attribute.RESERVED_SHARED_MEMORY_PER_BLOCK
    assert describe(cuda, 0, UUID).gpu_facts.reserved_shared_bytes == 0


def test_that_a_device_is_found_again_by_its_uuid(cuda: Cuda, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_module, "load_cuda", lambda: cuda)
    device = describe(cuda, 0, UUID)
    backend = CudaBackend()
    assert backend.open(device).device == device
    other = describe(cuda, 0, UUID.replace("0011", "ffff"))
    with pytest.raises(BackendError, match=r"the device cuda:ffff2233 \(Fake GPU\) is gone"):
        backend.open(other)


def test_that_a_kernel_finds_its_parameters_where_it_looks_for_them(
    opened: CudaDevice, driver: FakeDriver, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    def k(driver: FakeDriver, packed: bytes) -> None:
        a, _, c, m, n, kk = struct.unpack("<QQQiii", packed)
        floats(driver, c, m * n)[:] += floats(driver, a, m * kk).sum()

    driver.kernels["k"] = k
    assert opened.launch(compiled(), LAUNCH, arguments, count=3).wait(1.0) == 6.0
    c = np.empty(8, np.float32)
    opened.download(arguments[2], c)
    assert c.tolist() == [45.0] * 8
    assert opened.overrun_bytes(arguments[2]) == (0, 0)


def test_that_the_context_is_current_inside_calls_alone(opened: CudaDevice, driver: FakeDriver) -> None:
    buffer = opened.allocate(16)
    opened.flush_caches()
    buffer.release()
    assert driver.depth == 0


def test_that_only_the_first_launch_is_not_held_back(
    opened: CudaDevice, driver: FakeDriver, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    one = compiled()
    for expected in (["event", "k", "event"], ["hold", "event", "k", "event"]):
        driver.log.clear()
        opened.launch(one, LAUNCH, arguments).wait(1.0)
        assert [entry.split()[0] for entry in driver.log] == expected


def test_that_a_long_kernel_is_not_held_back(
    opened: CudaDevice, driver: FakeDriver, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    one, driver.launch_ms = compiled(), 25.0
    for _ in range(2):
        opened.launch(one, LAUNCH, arguments).wait(1.0)
    assert not any(entry.startswith("hold") for entry in driver.log)


def test_that_a_stream_is_let_go_before_it_is_full(
    opened: CudaDevice, driver: FakeDriver, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    one = compiled()
    opened.launch(one, LAUNCH, arguments).wait(1.0)
    let_go: list[int] = []
    turns: list[int] = []
    driver.kernels["hold"] = lambda _, packed: turns.append(struct.unpack("<QII", packed)[1])

    def k(*_: object) -> None:
        let_go.append(int(opened._hold._turn[0]) if opened._hold is not None else -1)

    driver.kernels["k"] = k
    opened.launch(one, LAUNCH, arguments, count=MOST_BEHIND + 5).wait(1.0)
    assert turns == [1]
    assert let_go == [0] * MOST_BEHIND + [1] * 5


def test_that_a_launch_that_is_refused_lets_the_stream_go_too(
    opened: CudaDevice, driver: FakeDriver, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    one = compiled()
    opened.launch(one, LAUNCH, arguments).wait(1.0)

    def k(*_: object) -> None:
        raise FakeError("cuLaunchKernel failed: too many resources requested for launch")

    driver.kernels["k"] = k
    with pytest.raises(LaunchError, match="the launch was refused by Fake GPU: too many resources") as caught:
        opened.launch(one, LAUNCH, arguments)
    assert not isinstance(caught.value, DeviceLostError)
    assert opened._hold is not None
    assert opened._hold._turn[0] == 1
    driver.kernels.clear()
    assert opened.launch(one, LAUNCH, arguments).wait(1.0) == 2.0


@pytest.mark.parametrize(
    ("fault", "meaning"),
    [
        ("an illegal memory access was encountered", "outside the memory it was given; a recording"),
        ("misaligned address", "at an address that is not a multiple of that"),
        ("unspecified launch failure", "most likely it reads or writes outside"),
        ("invalid program counter", "jumped to an address without code"),
        ("something new", "something new"),
    ],
)
@pytest.mark.parametrize("at_once", [True, False])
def test_that_a_fault_costs_the_device_and_says_what_it_means(
    opened: CudaDevice,
    driver: FakeDriver,
    compiled: Callable[..., CudaCompiled],
    arguments: list[Any],
    fault: str,
    meaning: str,
    at_once: bool,
) -> None:
    one = compiled()
    pending = None
    if not at_once:
        pending = opened.launch(one, LAUNCH, arguments)
        driver.sticky = fault
    else:
        driver.kernels["k"] = lambda driver, _: setattr(driver, "sticky", fault)
    with pytest.raises(DeviceLostError) as caught:
        (pending or opened.launch(one, LAUNCH, arguments)).wait(1.0)
    assert str(caught.value).startswith(f"the kernel failed on the device: {fault}")
    assert meaning in str(caught.value)
    for buffer in arguments[:3]:
        buffer.release()
    opened.release()
    assert driver.freed == [], "a broken context was asked for something"
    assert opened in cuda_module._ABANDONED


def test_that_a_kernel_that_never_ends_is_left_alone_with_its_memory(
    opened: CudaDevice, driver: FakeDriver, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    driver.endless = True
    loaded = [compiled()]
    code = weakref.ref(loaded[0])
    with pytest.raises(KernelTimeoutError, match=r"the kernel did not end within 0\.02 s: it may loop forever"):
        opened.launch(loaded[0], LAUNCH, arguments).wait(0.02)
    for buffer in arguments[:3]:
        buffer.release()
    opened.release()
    assert driver.freed == []
    loaded.clear()
    gc.collect()
    assert code() is not None, "its module would be unloaded, which waits for ever"


def test_that_a_transfer_that_meets_a_fault_says_so(opened: CudaDevice, driver: FakeDriver) -> None:
    buffer = opened.allocate(16)
    driver.sticky = "an illegal memory access was encountered"
    with pytest.raises(DeviceLostError, match="the kernel failed on the device"):
        opened.download(buffer, np.empty(4, np.float32))


@pytest.mark.parametrize(("offset", "found"), [(-4, (4, 0)), (32, (0, 4)), (-5000, (0, 0))])
def test_that_what_is_written_beside_an_array_is_told(
    opened: CudaDevice, driver: FakeDriver, arguments: list[Any], offset: int, found: tuple[int, int]
) -> None:
    at = arguments[2].address + offset
    driver.memory[at : at + 4] = 0
    assert opened.overrun_bytes(arguments[2]) == found


def test_that_guard_zones_read_as_nan(driver: FakeDriver, arguments: list[Any]) -> None:
    assert np.isnan(floats(driver, arguments[0].address - 8, 2)).all()
    assert np.isnan(floats(driver, arguments[0].address + 24, 2)).all()


def test_that_memory_that_is_not_there_is_refused_with_the_numbers(opened: CudaDevice) -> None:
    with pytest.raises(
        BackendError, match=r"Fake GPU cannot allocate 5 MiB: .* of its 4 MiB are free\. Choose a smaller M"
    ):
        opened.allocate(5 * 2**20)


def test_that_memory_is_given_back_once(opened: CudaDevice, driver: FakeDriver) -> None:
    first, second = opened.allocate(16), opened.allocate(16)
    first.release()
    first.release()
    assert len(driver.freed) == 1
    opened.release()
    assert len(driver.freed) == 2
    second.release()
    assert len(driver.freed) == 2


def test_that_shared_memory_beyond_the_usual_is_opted_into(
    driver: FakeDriver, compiled: Callable[..., CudaCompiled]
) -> None:
    compiled(launch=Launch((1, 1, 1), (4, 1, 1), dynamic_shared_bytes=48 * 1024))  # and 1 KiB static
    assert "attribute 8 = 49152" in driver.log
    driver.log.clear()
    compiled(launch=Launch((1, 1, 1), (4, 1, 1), dynamic_shared_bytes=47 * 1024))
    assert not any(entry.startswith("attribute") for entry in driver.log)


def test_that_a_block_its_registers_do_not_fit_is_refused_before_a_launch(
    driver: FakeDriver, compiled: Callable[..., CudaCompiled]
) -> None:
    driver.most_threads = 640
    with pytest.raises(LaunchError, match=r"768 threads with 100 registers each needs more than the 65536 registers"):
        compiled(launch=Launch((1, 1, 1), (768, 1, 1)))


def test_that_a_kernel_with_other_parameters_is_a_refused_launch(
    opened: CudaDevice, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    with pytest.raises(LaunchError, match=r"k takes parameters of 128, 8, 8, 4, 4, 4 bytes and is given 8, 8, 8, 4"):
        opened.launch(compiled(text="mpp"), LAUNCH, arguments)


def test_that_a_tensor_map_stands_in_the_place_of_its_pointer(
    opened: CudaDevice, library: FakeLibrary, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    a, b, *rest = arguments
    boxes = Boxes(b, TensorMap("B", 33, 40, Element.BFLOAT16, (64, 8), 128))
    one = compiled(text="pmp")
    for _ in range(2):
        opened.launch(one, LAUNCH, [a, boxes, *rest]).wait(1.0)
    handed = library.handed
    assert handed[0] == struct.pack("<Q", a.address)
    assert handed[1] == b"\xab" * 128
    assert b"".join(handed[2:]) == struct.pack("<Qiii", rest[0].address, 2, 4, 3)
    assert library.last("cuLaunchKernelEx")[0]._obj.attribute_count == 0
    assert sum(name == "cuTensorMapEncodeTiled" for name, _ in library.calls) == 1
    call = library.last("cuTensorMapEncodeTiled")
    assert call[0] % 128 == 0
    assert (call[1], call[2], call[3]) == (9, 2, b.address)
    assert [list(array) for array in call[4:8]] == [[40, 33], [80], [64, 8], [1, 1]]
    assert call[9] == 3


def test_that_a_tensor_map_the_driver_does_not_make_is_a_refused_launch(
    opened: CudaDevice, library: FakeLibrary, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    one = compiled(text="mpp")
    library.code = 1
    boxes = Boxes(arguments[0], TensorMap("A", 2, 4, Element.FLOAT32, (4, 2)))
    with pytest.raises(LaunchError, match=r"makes no tensor map of A in boxes of 4×2: invalid argument"):
        opened.launch(one, LAUNCH, [boxes, *arguments[1:]])


def test_that_clusters_are_launched_with_their_size(
    opened: CudaDevice, library: FakeLibrary, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    launch = Launch((6, 2, 1), (128, 1, 1), dynamic_shared_bytes=100_000, cluster=(2, 1, 1))
    library.sizes = (8, 8, 8, 4, 4, 4)
    opened.launch(compiled(launch=launch), launch, arguments).wait(1.0)
    config = library.last("cuLaunchKernelEx")[0]._obj
    assert (list(config.grid), list(config.block), config.shared_bytes, config.stream) == (
        [6, 2, 1],
        [128, 1, 1],
        100_000,
        77,
    )
    assert (config.attributes[0].id, list(config.attributes[0].size), config.attribute_count) == (4, [2, 1, 1], 1)
    assert library.last("cuFuncSetAttribute") == [0x1234, 8, 100_000]


def test_that_flushing_writes_twice_the_cache_and_another_value_each_time(
    opened: CudaDevice, driver: FakeDriver
) -> None:
    opened.flush_caches()
    before = driver.memory.copy()
    opened.flush_caches()
    assert driver.log[-2:] == ["flush 1200000"] * 2
    assert np.count_nonzero((before != driver.memory).reshape(-1, 4).any(axis=1)) == 300_000


def test_that_uuids_are_written_as_the_drivers_tools_write_them() -> None:
    _, library = fake_library()
    assert library.uuid(0) == UUID


def test_that_what_was_compiled_says_how_and_keeps_its_text(compiled: Callable[..., CudaCompiled]) -> None:
    made = compiled(requires=("cuda", "sm_90a"))
    assert made.build == "nvcc 13.0 for sm_90a, 100 registers, no spills"
    assert made.resources.registers == 100
    assert made.static_shared_bytes == 1024
    assert made.ptx == "ptx"


def test_that_page_locked_memory_holds_the_same(opened: CudaDevice) -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    pinned = opened.pinned(array)
    assert pinned is not None
    assert pinned.tolist() == array.tolist()
    assert pinned is not array
