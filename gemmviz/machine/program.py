"""From PTX to machine code of this CPU: a kernel that can be launched."""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm

from gemmviz.machine import layout, lowering, scheduling
from gemmviz.machine.faults import MachineError
from gemmviz.machine.kernel_code import KernelCode
from gemmviz.machine.local_arrays import LocalArray, local_arrays
from gemmviz.machine.log import LogPlan
from gemmviz.machine.loops.endless_loops import ClosedLoops
from gemmviz.machine.lowering.barriers import is_barrier_of_block
from gemmviz.machine.lowering.context import ModuleSymbols
from gemmviz.machine.memory import ALIGNMENT, VARIABLE_GAP
from gemmviz.machine.object_cache import ObjectCache
from gemmviz.machine.placement import Placed, placed
from gemmviz.machine.ptx.calls import function_addresses
from gemmviz.machine.ptx.parse import Function, Module, Statement, parse
from gemmviz.machine.ptx.places import Place
from gemmviz.machine.ptx.variables import PtxVariable, module_variables
from gemmviz.machine.watched import WatchPlan, read_before

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_METADATA = '!0 = !{!"branch_weights", i32 2000, i32 1}\n!1 = !{!"branch_weights", i32 1, i32 2000}\n'
_MOST_OPTIMISED = 1000
"""Instructions of PTX up to which LLVM optimises, which takes about 2 s. Code that it does not optimise is ready in a
fifth of the time, and needs a quarter more to run (docs/RECORD.md).
"""
_NOTHING = ""
"""A module without code: the engine gets its machine code ready-made."""
Steps = Callable[[str], None]
"""Told what is being done: "step 2 of 3: optimising 82 blocks of code"."""
_STARTED = threading.Lock()
_IS_STARTED = False


@dataclass(frozen=True, slots=True)
class KernelParameter:
    """A parameter of a kernel, by its place in the buffer that a launch gives it."""

    offset: int
    nbytes: int


@dataclass(slots=True)
class Program:
    """A compiled kernel.

    `source_name` is what its source was called when it was compiled. `state_bytes` and `block_bytes` are the sizes of
    the states of a warp and of a block. `module_image` are the first bytes of the module's global and constant
    variables; `module_places` are where each begins and its bytes. `module_addresses` say where in it the address of
    which place belongs. `shared_places` are the offsets of variables in shared memory.
    """

    entry: str
    source_name: str
    parameters: tuple[KernelParameter, ...]
    parameter_bytes: int
    static_shared_bytes: int
    local_bytes: int
    state_bytes: int
    block_bytes: int
    module_image: bytes
    module_addresses: tuple[tuple[int, int], ...]
    module_places: dict[str, tuple[int, int]]
    functions: dict[int, str]
    """The functions that pointers may point to, by their addresses."""
    shared_places: dict[str, int]
    sites: tuple[Statement, ...]
    locals_of: dict[int, dict[str, int]]
    """By the id of a call in `sites`: where its arguments and results lie in a thread's local memory."""
    local_arrays: Mapping[int, LocalArray]
    """The variables in local memory that the statements that begin at these places are meant for."""
    function: Function
    """The kernel as it stands in the text."""
    barrier_place: Place
    counters: int | None
    """Where in a warp's state its counts of each of `pieces` begin; None where it does not count."""
    left_out: tuple[int, int] | None
    """Where in a warp's state it counts how often it left out each sequenced statement, and how many of these there
    are; None where there are none.
    """
    pieces: tuple[tuple[Statement, ...], ...]
    """The statements of each block of code."""
    barriers_before: dict[int, list[Statement]]
    """By the number of a block of code: the barriers behind which lanes go on there."""
    loops: ClosedLoops
    registers: Mapping[str, tuple[int, int]]
    """Where each register lies in a warp's state, and its bits; 1 for a predicate."""
    run_blocks: Any
    run_block: Any
    _engine: Any


_RUN_BLOCKS = ctypes.CFUNCTYPE(
    ctypes.c_int64,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.c_void_p,
    ctypes.c_void_p,
)

_RUN_BLOCK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


def compile_ptx(
    ptx: str,
    entry: str,
    source_name: str,
    cache: Path | None = None,
    log: LogPlan | None = None,
    level: int | None = None,
    watched: WatchPlan | None = None,
    on_step: Steps | None = None,
) -> Program:
    """The kernel `entry` of a PTX text, whose source was called `source_name` when it was compiled.

    Machine code is taken from the folder `cache` where it was made before. With a `log` the kernel writes down what it
    says, and counts how often it runs each piece of its code, and an access outside its memory is no fault; it can then
    be recorded only. `level` is LLVM's level of optimisation, from 0 to 2; without it the code's size decides.
    `watched` are values that are written down where they have changed, besides what the `log` says.
    `on_step` is told each step, and in the first of them each block of code.

    Raises:
        KeyError: the text has no such kernel.
        NotImplementedInMachineError: it uses an instruction that the machine does not implement.
        MachineError: LLVM refuses the code that was made.
    """
    tell = on_step or _untold
    made = _lowered(ptx, entry, source_name, log or {}, watched or {}, tell)
    code, blocks = made.code, made.blocks.blocks
    text = _text(code)
    instructions = sum(len(one.statements) for one in blocks)
    words = f"{len(blocks)} block{'s'[: len(blocks) != 1]} of code"
    chosen = level if level is not None else 2 if instructions <= _MOST_OPTIMISED else 0
    engine = _compiled(text, cache, chosen, words, tell)
    return Program(
        entry,
        Path(source_name).name,
        tuple(KernelParameter(*one) for one in made.parameters.values()),
        made.parameter_bytes,
        made.shared_bytes,
        -(-made.blocks.local_bytes // 16) * 16,
        code.registers.nbytes,
        layout.SITE_RANGES + 16 * len(code.sites) + 64,
        made.image,
        made.addresses,
        made.places,
        {address: name for name, address in made.functions.items()},
        made.shared,
        tuple(code.sites),
        {id(one.statements[-1]): one.frame.locals for one in blocks if one.statements},
        made.symbols.local_arrays,
        made.function,
        _barrier_place(made.blocks),
        code.counters,
        code.left_out,
        tuple(one.statements for one in blocks),
        code.barriers_before,
        ClosedLoops(blocks, code.registers.offsets, -(-made.blocks.local_bytes // 16) * 16),
        code.registers.offsets,
        _RUN_BLOCKS(engine.get_function_address(scheduling.BLOCKS)),
        _RUN_BLOCK(engine.get_function_address(scheduling.BLOCK)),
        engine,
    )


def is_implemented(ptx: str, entry: str, source_name: str) -> bool:
    """Whether the machine implements all that a kernel of a PTX text uses."""
    try:
        _lowered(ptx, entry, source_name, {}, {}, _untold)
    except (KeyError, MachineError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Lowered:
    """A kernel's code before LLVM has it, and where everything lies: as `Program` has it."""

    code: KernelCode
    symbols: ModuleSymbols
    blocks: Placed
    parameters: dict[str, tuple[int, int]]
    parameter_bytes: int
    shared: dict[str, int]
    shared_bytes: int
    image: bytes
    places: dict[str, tuple[int, int]]
    addresses: tuple[tuple[int, int], ...]
    functions: Mapping[str, int]
    function: Function


def _lowered(ptx: str, entry: str, source_name: str, log: LogPlan, watched: WatchPlan, tell: Steps) -> _Lowered:
    assert lowering.__all__
    module = parse(ptx, source_name)
    variables = {one.name: one for one in module_variables(ptx)}
    function = module.entry(entry)
    parameters, parameter_bytes = _laid_out(function.declared_parameters)
    functions = function_addresses(module)
    image, places, addresses = _image(variables, functions)
    begins = {name: begin for name, (begin, _nbytes) in places.items()}
    blocks = placed(module, entry, read_before(module, watched), functions)
    shared, shared_bytes = _shared(module, variables, entry, blocks)
    symbols = ModuleSymbols(
        shared,
        begins,
        {name: offset for name, (offset, _size) in parameters.items()},
        functions,
        "%reserved_smem_offset_1" in ptx,
        _constants(variables, places),
        parameter_bytes,
        local_arrays(ptx, blocks.blocks),
        blocks.stack,
    )
    count = len(blocks.blocks)
    code = KernelCode(
        blocks,
        symbols,
        log,
        watched,
        is_counted=bool(log),
        on_block=lambda number: tell(f"step 1 of 3: writing block {number + 1} of {count}"),
    )
    return _Lowered(
        code,
        symbols,
        blocks,
        parameters,
        parameter_bytes,
        shared,
        shared_bytes,
        image,
        places,
        addresses,
        functions,
        function,
    )


def _untold(words: str) -> None:
    del words


def _barrier_place(blocks: Placed) -> Place:
    """The line of the kernel's first barrier."""
    lasts = (block.statements[-1] for block in blocks.blocks if block.statements)
    places = (last.place for last in lasts if is_barrier_of_block(last))
    return next(places, Place(0, 0))


def _laid_out(variables: tuple[PtxVariable, ...]) -> tuple[dict[str, tuple[int, int]], int]:
    """Offset and size of each parameter in the launch's buffer, and the buffer's size."""
    places: dict[str, tuple[int, int]] = {}
    end = 0
    for variable in variables:
        begin = -(-end // variable.alignment) * variable.alignment
        places[variable.name] = (begin, variable.nbytes or 0)
        end = begin + (variable.nbytes or 0)
    return places, end


def _shared(
    module: Module, variables: Mapping[str, PtxVariable], entry: str, blocks: Placed
) -> tuple[dict[str, int], int]:
    """Offsets of the variables in shared memory that the kernel uses, those without a size behind all others, and the
    bytes in front. Those of other kernels of the module are none of its own.
    """
    every = [*variables.values()]
    for function in module.functions:
        if function.name == entry or not function.is_entry:
            every += function.variables.values()
    every = [one for one in every if one.space == "shared"]
    code = (statement for block in blocks.blocks for statement in block.statements) if every else ()
    used = {name for statement in code for text in statement.operands for name in _NAME.findall(text)}
    own = module.entry(entry).variables
    found = [one for one in every if one.name in used or one.name in own]
    offsets: dict[str, int] = {}
    end = 0
    for variable in sorted(found, key=lambda one: one.nbytes is None):
        begin = -(-end // variable.alignment) * variable.alignment
        offsets.setdefault(variable.name, begin)
        end = max(end, begin + (variable.nbytes or 0))
    return offsets, end


def _image(
    variables: Mapping[str, PtxVariable], functions: Mapping[str, int]
) -> tuple[bytes, dict[str, tuple[int, int]], tuple[tuple[int, int], ...]]:
    """The module's memory at its beginning, with the addresses of functions; where each variable begins in it and its
    bytes, and where which of these places is named.
    """
    image = bytearray()
    places: dict[str, tuple[int, int]] = {}
    for variable in sorted(variables.values(), key=lambda one: one.space == "const"):
        if variable.space in {"global", "const"}:
            alignment = max(variable.alignment, ALIGNMENT)
            image += bytes(-len(image) % alignment)
            places[variable.name] = len(image), variable.nbytes or 0
            image += variable.initial.ljust(variable.nbytes or 0, b"\0") + bytes(VARIABLE_GAP)
    for variable in variables.values():
        for offset, name in variable.addresses if variable.name in places else ():
            if name in functions:
                begin = places[variable.name][0] + offset
                image[begin : begin + 8] = functions[name].to_bytes(8, "little")
    addresses = [
        (places[variable.name][0] + offset, places[name][0])
        for variable in variables.values()
        if variable.name in places
        for offset, name in variable.addresses
        if name in places
    ]
    return bytes(image), places, tuple(addresses)


def _constants(variables: Mapping[str, PtxVariable], places: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """Where the constant variables begin in the module's memory, which they end, and their bytes."""
    found = [places[one.name] for one in variables.values() if one.space == "const"]
    begin = min((first for first, _nbytes in found), default=0)
    return begin, max((first + nbytes for first, nbytes in found), default=begin) - begin


def _text(code: KernelCode) -> str:
    parts = [*scheduling.support(), code.emit]
    declared: dict[str, str] = {}
    defined: dict[str, str] = {}
    for part in parts:
        declared |= part.declared
        defined |= part.defined
    own = {part.name for part in parts}
    lines = [words for name, words in declared.items() if name not in own and name not in defined]
    return "\n".join([*lines, *defined.values(), *(part.text() for part in parts), _METADATA])


def _compiled(text: str, folder: Path | None, level: int, what: str, on_step: Steps) -> Any:
    """The engine that holds the machine code of an IR text; steps are told of `what`.

    Raises:
        MachineError: LLVM does not take it.
    """
    global _IS_STARTED
    with _STARTED:
        if not _IS_STARTED:
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            _IS_STARTED = True
        processor, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
        depends_on = (text, processor, features, str(llvm.llvm_version_info), str(level))
        cache = ObjectCache(folder, depends_on) if folder is not None else None
        known = cache.recall() if cache is not None else None
        try:
            module = llvm.parse_assembly(_NOTHING if known is not None else text)
            module.verify()
        except RuntimeError as error:
            raise MachineError(f"the code that was made for the kernel is wrong: {error}") from error
        machine = llvm.Target.from_default_triple().create_target_machine(cpu=processor, features=features, opt=level)
        if known is None:
            on_step(f"step 2 of 3: optimising {what}")
            builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=level))
            builder.getModulePassManager().run(module, builder)
            on_step(f"step 3 of 3: making machine code of {what}")
            known = machine.emit_object(module)
            if cache is not None:
                cache.remember(known)
            module = llvm.parse_assembly(_NOTHING)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.add_object_file(llvm.ObjectFileRef.from_data(known))
        engine.finalize_object()
        return engine
