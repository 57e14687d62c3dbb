"""A device gives back all that it made: PyCUDA destroys nothing whose context is of another thread and not current."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from fake_cuda import LAUNCH, UUID, FakeDriver, FakeLibrary

from gemmviz.backends.base import LaunchError
from gemmviz.backends.cuda import device as cuda_module
from gemmviz.backends.cuda.device import CudaBackend, CudaDevice
from gemmviz.backends.cuda.devices import Cuda, describe
from gemmviz.backends.cuda.launch import CudaCompiled

T = TypeVar("T")


def in_a_thread(work: Callable[[], T]) -> T:
    """What `work` returns, in a thread that has ended since."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def test_that_a_device_gives_back_all_that_it_made_though_its_thread_has_ended(
    cuda: Cuda, driver: FakeDriver, opened: CudaDevice, compiled: Callable[..., CudaCompiled], arguments: list[Any]
) -> None:
    in_a_thread(cuda.driver.Device(0).retain_primary_context)  # the context is of that thread
    one = compiled()
    opened.launch(one, LAUNCH, arguments).wait(1.0)
    assert driver.alive["event"] == 0, "they were waited for"
    held_back = opened.launch(one, LAUNCH, arguments)  # nobody waits for it
    driver.kernels["k"] = lambda *_: driver.refuse("too many resources requested for launch")
    with pytest.raises(LaunchError) as caught:
        opened.launch(one, LAUNCH, arguments)
    driver.most_threads = 1
    with pytest.raises(LaunchError) as unfit:
        compiled()
    assert driver.alive == {"event": 4, "module": 2, "stream": 1}
    opened.release()
    assert +driver.alive == {}
    del one, held_back, caught, unfit
    gc.collect()
    assert driver.leaked == []


def test_that_what_the_drivers_library_loaded_is_unloaded(
    opened: CudaDevice, library: FakeLibrary, compiled: Callable[..., CudaCompiled]
) -> None:
    one = compiled(text="mpp")
    opened.release()
    opened.release()
    assert one.handle == 0
    assert [name for name, _ in library.calls].count("cuModuleUnload") == 1


def test_that_each_thread_has_a_context_of_its_own_in_which_what_is_collected_is_given_back(
    cuda: Cuda, driver: FakeDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_module, "load_cuda", lambda: cuda)
    device, backend = describe(cuda, 0, UUID), CudaBackend()

    def opened_twice() -> int:
        for _ in range(2):
            backend.open(device).release()
        return threading.get_ident()

    there = in_a_thread(opened_twice)
    assert driver.contexts_of == [there, opened_twice()]
