"""The PTX machine for kernels that run once: LLVM does not optimise them, because that takes longer than their run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.backends.base import Argument, Buffer, Compiled, Pending, Source
from gemmviz.backends.cuda.ptx import Rewrite
from gemmviz.backends.machine.device import MachineBuffer, MachineCompiled, MachineDevice
from gemmviz.backends.process_memory import ProcessBuffer
from gemmviz.catalogue.gpus import PREFERRED, find_gpu
from gemmviz.compiler.ptx.kernels import entries
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.kernels.parameter_types import Signature
from gemmviz.domain.kernels.resources import NO_RESOURCES
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm
from gemmviz.machine import program as machine_program
from gemmviz.machine.launch import module_memory
from gemmviz.machine.program import Program, compile_ptx


class _Variable(ProcessBuffer):
    """A variable of a module."""

    def __init__(self, memory: NDArray[np.uint8], address: int) -> None:
        super().__init__(memory)
        self.address = address


class QuickMachine(MachineDevice):
    """Makes of every source the same PTX, or for each form its own, with the types of its parameters. Counts its
    launches.
    """

    def __init__(self, ptx: str, as_written: str = "", signature: Signature | None = None) -> None:
        super().__init__(find_gpu(PREFERRED), "sm_90a")
        self._ptx = {CodeForm.AS_COMPILED: ptx, CodeForm.AS_WRITTEN: as_written or ptx}
        self._signature = signature
        self.launches = 0

    def compile_as(self, source: Source, form: CodeForm, launch: Launch) -> MachineCompiled:
        del source, launch
        ptx = self._ptx[form]
        ((symbol, parameters),) = entries(ptx).items()
        return MachineCompiled(
            ptx,
            symbol,
            parameters,
            self._signature,
            "a text of the tests",
            NO_RESOURCES,
            SOURCE_NAME,
            lambda _: None,
            60.0,
        )

    def reassembled(self, compiled: Compiled, rewrite: Rewrite, launch: Launch) -> MachineCompiled:
        """As `Reassembles`: what a GPU runs to record itself runs here."""
        del launch
        assert isinstance(compiled, MachineCompiled)
        made = replace(compiled, ptx=rewrite(compiled.ptx, compiled.symbol), program=None, module=None)
        made.program = _unoptimised(made.ptx, made.symbol)
        made.module = module_memory(made.program)
        return made

    def point(self, compiled: Compiled, variable: str, at: Buffer) -> None:
        """As `Reassembles`."""
        assert isinstance(at, MachineBuffer)
        self.upload(np.array([at.address]), self.variable(compiled, variable, 8))

    def variable(self, compiled: Compiled, symbol: str, nbytes: int) -> _Variable:
        """As `Reassembles`."""
        assert isinstance(compiled, MachineCompiled)
        assert compiled.program is not None
        assert compiled.module is not None
        begin = compiled.program.module_places[symbol][0]
        return _Variable(compiled.module.bytes[begin : begin + nbytes], compiled.module.address + begin)

    def launch(self, compiled: Compiled, launch: Launch, arguments: Sequence[Argument], count: int = 1) -> Pending:
        self.launches += 1
        return super().launch(compiled, launch, arguments, count)


@cache
def _unoptimised(ptx: str, symbol: str) -> Program:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine_program, "_MOST_OPTIMISED", 0)
        return compile_ptx(ptx, symbol, SOURCE_NAME)
