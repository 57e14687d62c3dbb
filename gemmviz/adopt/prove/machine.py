"""Runs a kernel on the PTX machine with arrays of its own, and says what it wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.adopt.prove.gpu_limits import beyond_gpu
from gemmviz.adopt.prove.launcher import (
    BlockGeometry,
    EndlessError,
    Index,
    NotCompiledError,
    TooSlowError,
    TryError,
)
from gemmviz.adopt.prove.printing import without_printing
from gemmviz.adopt.reasons import FaultKind
from gemmviz.backends.base import BackendError
from gemmviz.backends.compile_limit import within_limit
from gemmviz.catalogue.gpus import emulated, target_of_machine
from gemmviz.catalogue.languages.file_constants import with_values
from gemmviz.catalogue.languages.ptx import block_of
from gemmviz.compiler.languages import compile_source, signature_of_code
from gemmviz.compiler.nvidia.nvidia_log import unset_variables
from gemmviz.compiler.nvidia.nvrtc import CompiledCode
from gemmviz.compiler.source import SOURCE_NAME, CompileError, Source
from gemmviz.domain.kernels.call import local_define
from gemmviz.domain.kernels.parameter_types import VOID, Kind, ParameterType
from gemmviz.domain.kernels.resources import Resources, block_limits
from gemmviz.domain.operands import as_bfloat16
from gemmviz.domain.spec import Launch
from gemmviz.domain.stored import DTYPES
from gemmviz.domain.terms import CodeForm, Element, Language
from gemmviz.machine.faults import (
    DeadlockError,
    EndlessLoopError,
    KernelFaultError,
    LaunchCancelledError,
    MachineError,
    NotImplementedInMachineError,
    OutsideAccess,
    WaitsForBlocksError,
)
from gemmviz.machine.launch import MachineLaunch, module_memory
from gemmviz.machine.memory import Array
from gemmviz.machine.program import Program, compile_ptx
from gemmviz.machine.work import Argument
from gemmviz.resources import cache_folder

Flat = NDArray[np.float64]
"""A matrix as it lies in memory, element by element."""
POISON = 0xFF


@dataclass(frozen=True, slots=True)
class KernelBuild:
    """A kernel as it is compiled: the arguments of its template, macros, and the bytes of its local parameters by their
    numbers, counted from 1; with 0 bytes they stay pointers.
    """

    entry: str
    template: tuple[str, ...] = ()
    defines: tuple[tuple[str, int], ...] = ()
    local: tuple[tuple[int, int], ...] = ()
    replaced: tuple[tuple[str, int], ...] = ()
    """Constants of the file, and the values that take the place of its own."""

    @property
    def instance(self) -> str:
        """The kernel's name with its template's arguments."""
        return f"{self.entry}<{', '.join(self.template)}>" if self.template else self.entry


@dataclass(slots=True)
class CompiledKernel:
    """A compiled kernel, and the types of its parameters."""

    build: KernelBuild
    program: Program
    types: tuple[ParameterType, ...]
    static_shared_bytes: int
    most_threads: int
    """What a block may have at most, as its launch bounds say."""
    resources: Resources
    compile: Callable[[KernelBuild], CompiledKernel]
    """Compiles its file anew."""
    prepare: Callable[[KernelBuild], None]
    """Has the file compiled to PTX, for `compile` to find; may run beside it on another thread. What fails, `compile`
    says.
    """
    ptx: str = ""
    """What it was compiled to, without the other kernels of its file."""
    unset: tuple[tuple[int, str], ...] = ()
    """The lines and names of variables that the compiler says are used before their values are set."""
    others: dict[tuple[tuple[int, int], ...], CompiledKernel] = field(default_factory=dict)
    """The same with other local memory."""
    module: Array | None = None
    """The variables of its file, as launches leave them to the next; None where each launch begins with fresh ones."""
    order: Callable[[int], Sequence[int]] | None = None
    """The numbers of so many blocks in another order than theirs; each runs to its end before the next one begins."""
    whole: Index | None = None
    """The grid that its blocks see themselves in, whatever part of it runs; None for the one that runs."""

    unwritten: tuple[str, ...] = ()
    """Registers, and LOCAL, that hold something else than 0 before it writes to them."""

    def block_fault(self, block: Sequence[int]) -> str:
        """Why a GPU launches no such block: it has too few threads or registers for it; "" where it has enough."""
        x, y, z = (*block, 1, 1)[:3]
        gpu, registers = emulated(), self.resources.registers
        if (threads := x * y * z) > gpu.max_threads_per_block:
            return f"needs {threads} threads per block, and {gpu.max_threads_per_block} are the most"
        if block_limits(self.resources, Launch((1, 1, 1), (x, y, z)), gpu.gpu_facts).get("registers", 1):
            return ""
        most = gpu.gpu_facts.registers_per_block
        return f"a block of {threads} threads with {registers} registers each needs more than the {most} of a GPU"

    def with_local(self, local: tuple[tuple[int, int], ...]) -> CompiledKernel:
        """The kernel with so much local memory.

        Raises:
            TryError: it does not compile.
        """
        if local == self.build.local:
            return self
        if local not in self.others:
            made = self.compile(replace(self.build, local=local))
            self.others[local] = replace(
                made, others=self.others, order=self.order, whole=self.whole, unwritten=self.unwritten
            )
        return self.others[local]

    def run(self, given: Sequence[int | float | Array], geometry: BlockGeometry, grid: Index, limit_s: float) -> None:
        """Run it once.

        Raises:
            TryError: it did something wrong, did not end in time, or cannot be launched so.
        """
        arguments = [_argument(value, kind) for value, kind in zip(given, self.types, strict=True)]
        most, shared_bytes = emulated().shared_bytes_per_block, self.static_shared_bytes + geometry.shared_bytes
        whole = self.whole or grid
        if words := beyond_gpu(geometry.block, whole):
            raise TryError(words, FaultKind.BEYOND_GPU)
        if prod(geometry.block) > self.most_threads:
            words = f"its launch bounds allow {self.most_threads} threads per block, not {prod(geometry.block)}"
            raise TryError(words, FaultKind.BEYOND_GPU)
        if shared_bytes > most:
            words = f"it needs {shared_bytes} bytes of shared memory per block, and a GPU has {most}"
            raise TryError(words, FaultKind.BEYOND_GPU)
        order = None if self.order is None else self.order(prod(grid))
        try:
            launch = MachineLaunch(
                self.program,
                whole,
                geometry.block,
                arguments,
                [one for one in given if isinstance(one, Array)],
                geometry.shared_bytes,
                self.module if self.module is not None else module_memory(self.program),
                unwritten=self.unwritten,
                threads=1,  # how blocks that race meet would be chance on several
                order=order if self.whole is None else first_blocks(grid, whole),
            )
            launch.run(limit_s)
        except LaunchCancelledError as error:
            raise TooSlowError(f"it did not end within {limit_s:g} s", FaultKind.TOO_SLOW) from error
        except EndlessLoopError as error:
            raise EndlessError(error.said, FaultKind.ENDLESS, error.line) from error
        except WaitsForBlocksError as error:
            raise EndlessError(error.said, FaultKind.STUCK, error.line) from error
        except MachineError as error:
            raise TryError(error.said, _kind_of(error), error.line) from error


_OUTSIDE = {
    OutsideAccess.SHARED: FaultKind.TOO_LITTLE_SHARED,
    OutsideAccess.PAST_END: FaultKind.PAST_END,
    OutsideAccess.FAR_PAST_END: FaultKind.FAR_PAST_END,
    OutsideAccess.FAR: FaultKind.OUTSIDE,
}


def _kind_of(error: MachineError) -> FaultKind:
    """What follows from an error of the machine."""
    if isinstance(error, NotImplementedInMachineError):
        return FaultKind.UNSUPPORTED
    if isinstance(error, DeadlockError):
        return FaultKind.STUCK
    outside = error.outside if isinstance(error, KernelFaultError) else None
    return FaultKind.OTHER if outside is None else _OUTSIDE.get(outside, FaultKind.OTHER)


def first_blocks(part: Index, whole: Index) -> list[int]:
    """The numbers of the first blocks along each axis of a grid, as many as a part of it has, at most all."""
    x, y, z = (range(min(few, all_of)) for few, all_of in zip(part, whole, strict=True))
    return [column + whole[0] * (row + whole[1] * layer) for layer in z for row in y for column in x]


def compiled(
    path: Path, text: str, language: Language, build: KernelBuild, types: tuple[ParameterType, ...], limit_s: float
) -> CompiledKernel:
    """A kernel of a file, compiled for the machine; `types` are what its source says of its parameters, for where the
    compiler says nothing; () where they were not read.

    Raises:
        NotCompiledError: it does not compile.
        TryError: it uses what the machine does not execute.
    """
    target = target_of_machine(emulated("", 0))

    def source_of(one: KernelBuild) -> Source:
        defines = (*one.defines, *((local_define(number), nbytes) for number, nbytes in one.local))
        return Source(
            path,
            with_values(text, dict(one.replaced)),
            one.instance,
            language,
            defines,
            limit_s=limit_s,
            is_foreign=True,
        )

    def code_of(one: KernelBuild) -> CompiledCode:
        return compile_source(source_of(one), target, CodeForm.AS_COMPILED, cache_folder("nvrtc"))

    def prepare(one: KernelBuild) -> None:
        with suppress(BackendError):
            code_of(one)

    def made(one: KernelBuild, known: tuple[ParameterType, ...] | None) -> CompiledKernel:
        try:
            code = code_of(one)
            found = known or _sharpened(signature_of_code(code, source_of(one), cache_folder("nvrtc")) or types, types)
            program = within_limit(
                lambda: compile_ptx(
                    without_printing(code.ptx), code.symbol, SOURCE_NAME, cache_folder("machine"), level=0
                ),
                limit_s,
            )
        except CompileError as error:
            # of OpenCL C they are the translator's own words, which say what to do
            is_of_compiler = bool(error.errors) and language is not Language.OPENCL
            lacks_file = error.lacks_file
            raise NotCompiledError(str(error), is_of_compiler=is_of_compiler, lacks_file=lacks_file) from error
        except MachineError as error:
            raise TryError(error.said, _kind_of(error), error.line) from error
        except BackendError as error:
            raise TryError(str(error)) from error
        most = emulated().gpu_facts.static_shared_bytes
        if language is Language.OPENCL and program.static_shared_bytes > most:  # of CUDA C the compiler says it
            raise NotCompiledError(
                f"its shared arrays take {program.static_shared_bytes} bytes per block, and NVIDIA's OpenCL has {most}:"
                " use smaller ones",
                is_of_compiler=False,
            )
        if len(program.parameters) != len(found):
            raise TryError(f"{one.instance} takes {len(program.parameters)} parameters, but {len(found)} were read")
        if types and len(found) != len(types):
            raise TryError(
                f"what is compiled as {one.instance} takes {len(found)} parameters, and this one takes {len(types)}: "
                "conditions (#if) leave it out, or the file has several kernels of that name"
            )

        def anew(other: KernelBuild) -> CompiledKernel:
            """With other numbers and macros the parameters have the same types, or at least the same sizes."""
            again = made(other, found if other.local == one.local else None)
            if other.local == one.local and again.program.parameters != program.parameters:
                raise TryError(f"{other.instance} takes other parameters than {one.instance}")
            return again

        bounds = block_of(code.ptx, code.symbol)
        return CompiledKernel(
            one,
            program,
            found,
            program.static_shared_bytes,
            prod(map(int, bounds)) if bounds else emulated().max_threads_per_block,
            code.resources,
            anew,
            prepare,
            _alone(code.ptx, code.symbol),
            unset_variables(code.log),
        )

    return made(build, None)


def _alone(ptx: str, symbol: str) -> str:
    """PTX without the kernels of other names."""
    first, *kernels = re.split(r"(?m)^(?=[.\w ]*\.entry\b)", ptx)
    return "".join([first, *(one for one in kernels if re.search(rf"\.entry\s+{re.escape(symbol)}\b", one))])


def _sharpened(types: tuple[ParameterType, ...], of_source: tuple[ParameterType, ...]) -> tuple[ParameterType, ...]:
    """The types, with what the source says of pointers that point to anything."""
    if len(types) != len(of_source):
        return types
    return tuple(
        read if kind.is_pointer and kind.scalar == VOID and read.is_pointer else kind
        for kind, read in zip(types, of_source, strict=True)
    )


def _argument(value: int | float | Array, kind: ParameterType) -> Argument:
    if isinstance(value, Array) or kind.scalar.kind is not Kind.FLOATING:
        return value
    if kind.scalar.element is Element.BFLOAT16:
        return as_bfloat16(np.array([[value]], np.float32)).tobytes()
    return bytes(np.array(value, f"f{kind.scalar.nbytes}").tobytes())


def array_of(values: NDArray[Any], element: Element, name: str) -> Array:
    """Memory with such values, rounded to the element's type."""
    flat = np.ascontiguousarray(values, np.float64).reshape(-1)
    made = Array(flat.size * element.nbytes, name)
    if element is Element.BFLOAT16:
        bits: NDArray[Any] = as_bfloat16(flat.astype(np.float32).reshape(1, -1)).reshape(-1)
    else:
        bits = flat.astype(DTYPES[element])
    made.bytes[:] = bits.view(np.uint8)
    return made


def values_in(array: Array, element: Element) -> Flat:
    """What the memory holds, as float64."""
    held = array.view(DTYPES[element])
    if element is Element.BFLOAT16:
        held = (held.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return held.astype(np.float64)


def poison(array: Array) -> None:
    """Fill memory with what no kernel can have computed: NaNs."""
    array.bytes[:] = POISON


def is_poison(array: Array, nbytes: int, place: int) -> bool:
    """Whether the element at a place, of so many bytes, still holds the poison; other NaNs have other bits."""
    return bool((array.bytes[place * nbytes : (place + 1) * nbytes] == POISON).all())


def lattice(size: int, rng: np.random.Generator) -> Flat:
    """Random multiples of 1/8 from -1 to 1: products and sums of them are exact in most types."""
    return rng.integers(-8, 9, size).astype(np.float64) / 8


def elements_of(types: Sequence[ParameterType]) -> Mapping[int, Element]:
    """The element type of each parameter that points to a matrix, by its place."""
    return {
        place: kind.scalar.element
        for place, kind in enumerate(types)
        if kind.stars == 1 and kind.scalar.element is not None
    }
