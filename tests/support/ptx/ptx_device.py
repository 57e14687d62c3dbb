"""A GPU that is the interpreter of PTX, for kernels with tensor maps: its memory, variables and launches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ptx_hopper import HopperBlock, run_cluster
from ptx_machine import RANK_BIT, Memory, SharedMemory

from gemmviz.backends.base import Argument, Boxes, Buffer, Compiled, Progress, Source, TrialRun, address_of
from gemmviz.backends.cuda.buffer import CudaBuffer
from gemmviz.backends.cuda.devices import GUARD_BYTES
from gemmviz.backends.cuda.ptx import Rewrite
from gemmviz.compiler.nvidia.line_accesses import AssembledCode
from gemmviz.compiler.ptx.kernels import entries
from gemmviz.domain.kernels.resources import NO_RESOURCES, Resources
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm
from gemmviz.machine.ptx.parse import Module, parse

BASE = 1 << 24
"""The first address of the device's memory."""
MEMORY_BYTES = 1 << 26
SHARED_AT = 1040
"""Where in a block's shared memory the first variable lies: as on a GPU, not at 0. Dynamic memory is aligned more."""
ALIGNMENT = 1024


@dataclass(slots=True)
class PtxCompiled:
    """A PTX text that can be launched."""

    ptx: str
    symbol: str
    module: Module
    variables: dict[str, int] = field(default_factory=dict)
    build: str = "interpreted"
    static_shared_bytes: int = 0
    resources: Resources = NO_RESOURCES

    @property
    def code(self) -> AssembledCode:
        """The text, of which there is no machine code."""
        return AssembledCode(self.ptx)


class PtxDevice:
    """Runs the one kernel of `ptx`, whose source was called kernel.cu."""

    device: Any = None

    def __init__(self, ptx: str) -> None:
        self._ptx = ptx
        self.memory = Memory(BASE, np.zeros(MEMORY_BYTES, np.uint8))
        self._next = BASE

    def compile(self, source: Source, launch: Launch, trial: TrialRun, progress: Progress) -> Compiled:
        del source, launch, trial, progress
        return self._made(self._ptx)

    def compile_as(self, source: Source, form: CodeForm, launch: Launch) -> PtxCompiled:
        del source, form, launch
        return self._made(self._ptx)

    def reassembled(self, compiled: Compiled, rewrite: Rewrite, launch: Launch) -> Compiled:
        del launch
        assert isinstance(compiled, PtxCompiled)
        return self._made(rewrite(compiled.ptx, compiled.symbol))

    def _made(self, ptx: str) -> PtxCompiled:
        return PtxCompiled(ptx, next(iter(entries(ptx))), parse(ptx, "kernel.cu"))

    def point(self, compiled: Compiled, variable: str, at: Buffer) -> None:
        self.upload(np.array([address_of(at)], np.uint64), self.variable(compiled, variable, 8))

    def variable(self, compiled: Compiled, symbol: str, nbytes: int) -> CudaBuffer:
        assert isinstance(compiled, PtxCompiled)
        if symbol not in compiled.variables:
            compiled.variables[symbol] = self.allocate(nbytes).address
        return CudaBuffer(compiled.variables[symbol] - GUARD_BYTES, nbytes, _nothing)

    def allocate(self, nbytes: int) -> CudaBuffer:
        address = -(-(self._next + GUARD_BYTES) // 256) * 256
        self._next = address + nbytes
        assert self._next < BASE + MEMORY_BYTES, "the interpreter's memory is full"
        return CudaBuffer(address - GUARD_BYTES, nbytes, _nothing)

    def upload(self, host: NDArray[Any], into: Buffer) -> None:
        self._bytes(into)[: host.nbytes] = np.ascontiguousarray(host).reshape(-1).view(np.uint8)

    def download(self, buffer: Buffer, into: NDArray[Any]) -> None:
        into.reshape(-1).view(np.uint8)[:] = self._bytes(buffer)[: into.nbytes]

    def pinned(self, like: NDArray[Any]) -> None:
        del like

    def gauge(self) -> None:
        pass

    def overrun_bytes(self, buffer: Buffer) -> tuple[int, int]:
        del buffer
        return 0, 0

    def flush_caches(self) -> None:
        pass

    def release(self) -> None:
        pass

    def _value(self, argument: Argument) -> int:
        if isinstance(argument, Boxes):
            return _MAPS + address_of(argument.buffer)
        return argument if isinstance(argument, int) else address_of(argument)

    def _bytes(self, buffer: Buffer) -> NDArray[np.uint8]:
        begin = address_of(buffer) - BASE
        return self.memory.data[begin : begin + buffer.nbytes]

    def launch(self, compiled: Compiled, launch: Launch, arguments: Sequence[Argument], count: int = 1) -> Any:
        """Run the clusters one after the other; they lie along x."""
        assert isinstance(compiled, PtxCompiled)
        assert count == 1
        function = compiled.module.entry(compiled.symbol)
        values = [self._value(one) for one in arguments]
        maps = {self._value(one): (one.map, address_of(one.buffer)) for one in arguments if isinstance(one, Boxes)}
        symbols, end = dict(compiled.variables), SHARED_AT
        for variable in compiled.module.shared:
            end = -(-end // ALIGNMENT) * ALIGNMENT if variable.nbytes is None else end
            symbols[variable.name] = end
            end += variable.nbytes if variable.nbytes is not None else launch.dynamic_shared_bytes
        own = {variable.name for variable in compiled.module.shared}
        parameters = dict(zip(function.parameters, values, strict=True))
        size = launch.cluster[0]
        for first in range(0, launch.blocks, size):
            blocks = []
            for rank in range(size):
                shared, special = SharedMemory(0, np.full(end, 0xFF, np.uint8)), _special(first + rank, launch)
                placed = {name: at + (rank << RANK_BIT if name in own else 0) for name, at in symbols.items()}
                given = (compiled.module, function, parameters, placed, self.memory, shared, special)
                blocks.append(HopperBlock(*given, launch.threads_per_block, maps=maps))
            run_cluster(blocks, np.random.default_rng(first))
        return _Over()


_MAPS = 1 << 40
"""Where the parameters lie that are tensor maps, as kernels name them."""


def _nothing(of: object) -> None:
    del of


class _Over:
    def wait(self, limit_s: float | None = None) -> float:
        del limit_s
        return 1.0


def _special(index: int, launch: Launch) -> dict[str, Any]:
    """The special registers of a block: one number, or one for each thread."""
    thread = np.arange(launch.threads_per_block)
    found: dict[str, Any] = {"%laneid": thread % 32, "%lanemask_eq": 1 << thread % 32}
    for axis, name in enumerate("xyz"):
        found[f"%ntid.{name}"], found[f"%nctaid.{name}"] = launch.block[axis], launch.grid[axis]
        found[f"%tid.{name}"], thread = thread % launch.block[axis], thread // launch.block[axis]
        found[f"%ctaid.{name}"], index = index % launch.grid[axis], index // launch.grid[axis]
    return found
