from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.base import (
    BackendError,
    Buffer,
    Compiled,
    CompileError,
    KernelTimeoutError,
    LaunchError,
    Pending,
    Source,
    TrialRun,
)
from gemmviz.backends.host import HostBackend, HostDevice, cpu_name
from gemmviz.domain.processes.cores import core_count
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language

ONE = Launch((1, 1, 1), (1, 1, 1))
M, N, K = 3, 4, 5


@pytest.fixture
def host() -> Iterator[HostDevice]:
    backend = HostBackend()
    opened = backend.open(backend.devices()[0])
    assert isinstance(opened, HostDevice)
    yield opened
    opened.release()


@pytest.fixture
def compile_text(host: HostDevice, tmp_path: Path) -> Callable[..., Compiled]:
    def compiled(text: str, entry: str = "f", threads: int = 1) -> Compiled:
        path = tmp_path / "mine.py"
        path.write_text(text)
        source = Source(path, text, entry, Language.PYTHON, (("THREADS", threads),))
        return host.compile(source, ONE, TrialRun(Shape(M, N, K), ONE, M * N), lambda _: None)

    return compiled


def launch(host: HostDevice, compiled: Compiled, count: int = 1) -> tuple[Pending, Buffer]:
    arrays = [np.ones(size, np.float32) for size in (M * K, K * N, M * N)]
    buffers = [host.allocate(array.nbytes) for array in arrays]
    for array, buffer in zip(arrays, buffers, strict=True):
        host.upload(array, buffer)
    return host.launch(compiled, ONE, [*buffers, M, N, K], count), buffers[2]


def test_that_a_function_gets_matrices_of_the_right_shapes_and_fills_c(
    host: HostDevice, compile_text: Callable[..., Compiled]
) -> None:
    text = (
        "def f(a, b, c, threads):\n"
        "    c[...] = a @ b * 2 + threads\n"
        "    assert (a.shape, b.shape) == ((3, 5), (5, 4))\n"
    )
    pending, buffer = launch(host, compile_text(text, threads=2))
    assert pending.wait() >= 0.0
    c = np.empty((M, N), np.float32)
    host.download(buffer, c)
    assert (c == 12.0).all()


def test_that_count_launches_are_made(host: HostDevice, compile_text: Callable[..., Compiled]) -> None:
    pending, buffer = launch(host, compile_text("def f(a, b, c, threads):\n    c += 1\n"), count=7)
    pending.wait()
    c = np.empty(M * N, np.float32)
    host.download(buffer, c)
    assert (c == 8.0).all()


def test_that_a_time_is_that_of_the_function(host: HostDevice, compile_text: Callable[..., Compiled]) -> None:
    text = "import time\ndef f(a, b, c, threads):\n    time.sleep(0.03)\n"
    assert 30.0 <= launch(host, compile_text(text))[0].wait() < 1000.0


def test_that_the_words_of_a_build_come_from_the_module(compile_text: Callable[..., Compiled]) -> None:
    function = "def f(a, b, c, threads):\n    pass\n"
    assert compile_text(function).build == "Numba, 1 thread"
    assert compile_text(function, threads=3).build == "Numba, 3 threads"
    described = function + "def describe(threads):\n    return f'BLAS on {threads}'\n"
    assert compile_text(described, threads=3).build == "BLAS on 3"


def test_that_a_missing_entry_is_named(compile_text: Callable[..., Compiled]) -> None:
    for text in ("x = 1\n", "f = 3\n"):
        with pytest.raises(CompileError, match=r"mine\.py: the entry 'f' is not a function of the file"):
            compile_text(text)


@pytest.mark.parametrize("text", ["import no_such_module_anywhere\n", "def f(:\n", "1 / 0\n"])
def test_that_a_file_that_cannot_be_imported_is_named(compile_text: Callable[..., Compiled], text: str) -> None:
    with pytest.raises(CompileError, match=r"mine\.py: cannot be imported: "):
        compile_text(text)


def test_that_a_function_that_raises_is_a_failed_launch(
    host: HostDevice, compile_text: Callable[..., Compiled]
) -> None:
    pending, _ = launch(host, compile_text("def f(a, b, c, threads):\n    a[0, 99]\n"))
    with pytest.raises(LaunchError, match="the CPU kernel failed: IndexError: "):
        pending.wait()


def test_that_a_function_that_does_not_end_in_time_is_a_timeout(
    host: HostDevice, compile_text: Callable[..., Compiled]
) -> None:
    pending, _ = launch(host, compile_text("import time\ndef f(a, b, c, threads):\n    time.sleep(0.5)\n"))
    with pytest.raises(KernelTimeoutError, match=r"did not end within 0\.1 s"):
        pending.wait(0.1)
    assert pending.wait(5.0) >= 500.0


COMPILING = """
import time
from numba.core import event
def f(a, b, c, threads):
    with event.trigger_event("numba:compile"), event.trigger_event("numba:compile"):
        time.sleep(0.4)
    time.sleep(REST)
"""


def test_that_a_time_limit_does_not_count_what_numba_compiles(
    host: HostDevice, compile_text: Callable[..., Compiled]
) -> None:
    assert launch(host, compile_text(COMPILING.replace("REST", "0")))[0].wait(0.1) >= 400.0
    pending, _ = launch(host, compile_text(COMPILING.replace("REST", "0.4")))
    with pytest.raises(KernelTimeoutError, match=r"did not end within 0\.1 s"):
        pending.wait(0.1)
    pending.wait()


def test_that_a_timeout_inside_the_function_is_its_own_failure(
    host: HostDevice, compile_text: Callable[..., Compiled]
) -> None:
    pending, _ = launch(host, compile_text("def f(a, b, c, threads):\n    raise TimeoutError('x')\n"))
    with pytest.raises(LaunchError) as caught:
        pending.wait(5.0)
    assert not isinstance(caught.value, KernelTimeoutError)


def test_that_memory_nobody_has_is_refused(host: HostDevice) -> None:
    with pytest.raises(BackendError, match="the host cannot allocate"):
        host.allocate(2**60)


def test_that_the_host_describes_itself() -> None:
    (device,) = HostBackend().devices()
    assert (device.id, device.backend) == ("host", "host")
    assert device.compute_units == core_count() >= 1
    assert device.name == cpu_name() != ""
    assert device.global_bytes > 2**20


def test_that_flushing_and_releasing_twice_are_no_fault(host: HostDevice) -> None:
    host.flush_caches()
    host.flush_caches()
    host.release()
    host.release()
