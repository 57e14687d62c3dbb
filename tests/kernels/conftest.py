"""Every kernel of the catalogue on the first device that runs its language, with guards around A, B and C."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.backends.base import Compiled, OpenDevice, Source, TrialRun
from gemmviz.backends.dialect.opencl_c import to_work_items
from gemmviz.backends.dialect.thread_loops import to_thread_loops
from gemmviz.backends.dialect.tree import parse
from gemmviz.backends.opencl.build import Build
from gemmviz.backends.opencl.device import OpenClDevice
from gemmviz.backends.registry import backend_of, devices_for
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue, load_catalogue
from gemmviz.domain.kernels.initial_c import POISON_BITS, poison
from gemmviz.domain.operands import Operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, Params
from gemmviz.domain.terms import Language

Matrix = NDArray[np.float32]
GUARD = 96
"""Poisoned elements behind A, B and C."""


@dataclass(frozen=True)
class Runner:
    """Builds a kernel once per block and constants, by work-items without a trial, and launches it."""

    opened: dict[str, OpenDevice]
    built: dict[object, Compiled]

    def device_of(self, kernel: Kernel) -> OpenDevice:
        found = devices_for(kernel.language)
        if not found:
            pytest.skip("no device")
        if found[0].id not in self.opened:
            self.opened[found[0].id] = backend_of(found[0]).open(found[0])
        return self.opened[found[0].id]

    def compiled(self, kernel: Kernel, params: Params, shape: Shape, as_work_items: bool = False) -> Compiled:
        device = self.device_of(kernel)
        plan = kernel.plan(shape, params, device.device)
        defines = (*plan.defines, ("THREADS", 2)) if kernel.runs_on_host else plan.defines
        key = (kernel.id, defines, plan.launch.block, plan.launch.dynamic_shared_bytes, as_work_items)
        if key not in self.built:
            source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, defines)
            self.built[key] = _compile(device, source, plan.launch, shape, as_work_items)
        return self.built[key]

    def run(
        self, kernel: Kernel, params: Params, operands: Operands, grid: tuple[int, int, int] | None = None
    ) -> Matrix:
        """C of shape (M, N), partial sums added; nothing beside it may have been written."""
        shape = Shape(operands.a.shape[0], operands.b.shape[1], operands.a.shape[1])
        device = self.device_of(kernel)
        plan = kernel.plan(shape, params, device.device)
        launch = plan.launch if grid is None else replace(plan.launch, grid=grid)
        compiled = self.compiled(kernel, params, shape)
        guard = 0 if kernel.runs_on_host else GUARD
        sizes = (operands.a.size, operands.b.size, plan.partial_sums * shape.m * shape.n)
        hosts = [np.empty(size + guard, np.float32) for size in sizes]
        for host in hosts:
            poison(host)
        hosts[0][: operands.a.size] = operands.a.ravel()
        hosts[1][: operands.b.size] = operands.b.ravel()
        buffers = [device.allocate(host.nbytes) for host in hosts]
        try:
            for host, buffer in zip(hosts, buffers, strict=True):
                device.upload(host, buffer)
            device.launch(compiled, launch, [*buffers, shape.m, shape.n, shape.k]).wait(60.0)
            after = [np.empty_like(host) for host in hosts]
            for buffer, host in zip(buffers, after, strict=True):
                device.download(buffer, host)
        finally:
            for buffer in buffers:
                buffer.release()
        assert after[0].tobytes() == hosts[0].tobytes(), "A was written to"
        assert after[1].tobytes() == hosts[1].tobytes(), "B was written to"
        c, behind = after[2][: hosts[2].size - guard], after[2][hosts[2].size - guard :]
        assert (behind.view(np.uint32) == POISON_BITS).all(), "something behind C was written to"
        total = c.reshape(plan.partial_sums, shape.m, shape.n)[0].copy()
        for part in c.reshape(plan.partial_sums, shape.m, shape.n)[1:]:
            total += part
        return total


def _compile(device: OpenDevice, source: Source, launch: Launch, shape: Shape, as_work_items: bool) -> Compiled:
    if not isinstance(device, OpenClDevice):
        return device.compile(source, launch, TrialRun(shape, launch, 1), lambda _: None)
    # Trials would build each kernel in four ways; thread loops are what usually wins, and what is ours to test.
    build = Build(source.text, "work-items", pocl_method="workitemloops")
    if source.language is Language.CUDA and as_work_items:
        build = replace(build, text=to_work_items(parse(source.path, source.text), source.entry))
    elif source.language is Language.CUDA:
        loops = to_thread_loops(parse(source.path, source.text), source.entry, launch)
        build = Build(loops, "thread loops", True, "loopvec")
    return device._compiled(device.build(build, source), build, source)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    runner = Runner({}, {})
    yield runner
    for device in runner.opened.values():
        device.release()
