"""The PTX machine as a device: what NVIDIA's compiler makes of a kernel runs on this CPU, warp by warp.

It records kernels where there is no GPU. Kernels are not timed on it: its times are an emulation's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from gemmviz.backends.argument_bytes import sized, values_of
from gemmviz.backends.base import (
    Argument,
    BackendError,
    Buffer,
    Compiled,
    CompileError,
    LaunchError,
    Pending,
    Progress,
    Source,
    TrialRun,
    UnsupportedKernelError,
)
from gemmviz.backends.compile_limit import compile_limit_s
from gemmviz.backends.machine.compiling import COMPILING, compile_with_progress
from gemmviz.backends.machine.launch_bounds import check_launch_bounds
from gemmviz.backends.machine.recent_programs import PROGRAMS, key_of
from gemmviz.backends.process_memory import ProcessBuffer, ProcessMemory
from gemmviz.compiler.languages import (
    compile_source,
    compiling_words,
    is_compiled_by_others,
    signature_of_code,
    target_on_machine,
    without_words,
)
from gemmviz.compiler.nvidia.line_accesses import AssembledCode
from gemmviz.compiler.ptx.kernels import PtxParameter
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.compiler.written_line import line_of_load
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.parameter_types import Signature
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.spec import Launch, TensorMap
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.machine.faults import KernelFaultError, LaunchCancelledError, MachineError, WaitsForBlocksError
from gemmviz.machine.launch import FollowSlots, MachineLaunch, begin_module, module_memory
from gemmviz.machine.log import LogPlan
from gemmviz.machine.memory import Array
from gemmviz.machine.program import Program, Steps, compile_ptx, is_implemented
from gemmviz.machine.ptx.function_copies import with_copies
from gemmviz.machine.ptx.parse import parse
from gemmviz.machine.refused import with_remedy
from gemmviz.machine.watched import WatchPlan
from gemmviz.machine.work import MOST_PRINTED, Look
from gemmviz.resources import cache_folder

RECORD_ALL = "Record all blocks (--all-blocks)"
_NO_CODE = AssembledCode("")
BlockOrder = Callable[[int], Sequence[int]]
"""The numbers of so many blocks (x fastest) in the order in which they are to be begun."""


class MachineBuffer(ProcessBuffer):
    """Memory of the machine."""

    def __init__(self, nbytes: int, release: Callable[[MachineBuffer], None]) -> None:
        self.array = Array(nbytes)
        super().__init__(self.array.bytes)
        self.address = self.array.address
        self._release = release

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.array.name

    @name.setter
    def name(self, name: str) -> None:
        self.array.name = name

    def release(self) -> None:
        self._release(self)


def _never() -> bool:
    return False


@dataclass(slots=True)
class MachineCompiled:
    """A kernel's PTX, and the program that LLVM made of it once it was launched."""

    ptx: str
    symbol: str
    parameters: tuple[PtxParameter, ...]
    signature: Signature | None
    build: str
    resources: Resources
    source_name: str
    progress: Progress
    limit_s: float
    """How long LLVM may take."""
    language: Language = Language.CUDA
    log: LogPlan | None = None
    watched: WatchPlan | None = None
    level: int | None = None
    """LLVM's level of optimisation, from 0 to 2; without it the code's size decides."""
    program: Program | None = None
    module: Array | None = None
    is_other_form_implemented: Callable[[], bool] = _never
    """Whether the machine implements the kernel as compiled, where this is the kernel as written."""
    printed: str = ""
    """What the kernel printed in its last launches."""
    code: AssembledCode = _NO_CODE
    """The code with its machine code."""
    text: str = ""
    """The kernel's source."""
    static_shared_bytes: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.static_shared_bytes = self.resources.static_shared_bytes
        self.code = replace(self.code, text=self.ptx)

    def ready(self) -> Program:
        """The program, compiled by now.

        Raises:
            UnsupportedKernelError: the machine does not implement what the kernel uses.
            CompilerStuckError: LLVM did not end in time.
        """
        if self.program is None:
            self.progress(COMPILING)

            def work(on_step: Steps) -> Program:
                return compile_ptx(
                    self.ptx,
                    self.symbol,
                    self.source_name,
                    cache_folder("machine"),
                    self.log,
                    level=self.level,
                    watched=self.watched,
                    on_step=on_step,
                )

            key = key_of(self.ptx, self.symbol, self.source_name, self.log, self.level, self.watched)
            try:
                self.program = PROGRAMS.recall(key, lambda: compile_with_progress(work, self.progress, self.limit_s))
            except MachineError as error:
                words = with_remedy(str(error), "an NVIDIA GPU does, if ptxas accepts it")
                without = without_words(self.language, str(error))
                if self.is_other_form_implemented():
                    words = f"{words}. As compiled (`--as compiled`) it can be recorded here"
                raise UnsupportedKernelError(f"{words}{without and f'. {without}'}") from error
            if self.module is None:
                self.module = module_memory(self.program)
            self.progress("recording on the PTX machine" if self.log else "running on the PTX machine")
        return self.program


@dataclass(slots=True)
class MachinePending:
    """A launch that runs while it is waited for."""

    launch: MachineLaunch
    count: int
    compiled: MachineCompiled

    def wait(self, limit_s: float | None = None) -> float:
        with _as_launch_errors(self.compiled.text):
            outcomes = [self.launch.run(limit_s) for _ in range(self.count)]
        self.compiled.printed = "".join(one.printed for one in outcomes)[:MOST_PRINTED]
        return sum(one.seconds for one in outcomes) * 1e3


@contextmanager
def _as_launch_errors(text: str, for_waiting: str = "") -> Iterator[None]:
    """Raise a LaunchError for what ends a launch of a kernel with this source, with what to do `for_waiting` blocks."""
    try:
        yield
    except LaunchCancelledError as error:
        words = (
            f"{error}. The PTX machine emulates a GPU: choose a smaller size or a longer time limit. If it does not "
            "end then either, a loop in these lines has no end, for example one in which a thread waits for a lock "
            "that nobody opens"
        )
        raise LaunchError(words) from error
    except WaitsForBlocksError as error:
        raise LaunchError(". ".join(filter(None, (str(error), for_waiting)))) from error
    except KernelFaultError as error:
        line = error.place.line
        line = line_of_load(text, line) if error.words.startswith("ld.") and not error.place.header else line
        raise LaunchError(f"the kernel failed: {error.at(line)}") from error


class MachineDevice(ProcessMemory):
    """The machine as the GPU that `device` describes; kernels are compiled for `target`."""

    def __init__(self, device: Device, target: str) -> None:
        self.device = device
        self._target = target
        self._arrays: dict[int, MachineBuffer] = {}
        self.progress: Progress = _ignore
        """Called beside the one that `compile` is given."""
        self.block_order: BlockOrder | None = None
        """The order in which the blocks of further launches are begun; None is ascending."""
        self.runs_one_by_one = False
        """Whether in an order each block of further launches ends before the next one begins."""

    def compile(self, source: Source, launch: Launch, trial: TrialRun, progress: Progress) -> MachineCompiled:
        del launch, trial

        def both(words: str) -> None:
            progress(words)
            self.progress(words)

        return self._compiled(source, CodeForm.AS_COMPILED, both)

    def compile_as(self, source: Source, form: CodeForm, launch: Launch) -> MachineCompiled:
        """What NVIDIA's compiler makes of a source.

        Raises:
            CompileError: the source is at fault.
            BackendError: there is no compiler.
        """
        del launch
        return self._compiled(source, form, self.progress)

    def _compiled(self, source: Source, form: CodeForm, progress: Progress) -> MachineCompiled:
        target = target_on_machine(source.language, self._target)
        progress(compiling_words(source.language, target))
        code = compile_source(source, target, form, cache_folder("nvrtc"), or_shipped=True)
        if is_compiled_by_others(source.language):
            _check_readable(code.ptx, code.symbol, source)
        signature = signature_of_code(code, source, cache_folder("nvrtc"))
        limit_s = compile_limit_s(source.limit_s)
        ptx = code.ptx if is_compiled_by_others(source.language) else with_copies(code.ptx, SOURCE_NAME)
        made = MachineCompiled(
            ptx,
            code.symbol,
            code.parameters,
            signature,
            code.words,
            code.resources,
            SOURCE_NAME,
            progress,
            limit_s,
            source.language,
            code=AssembledCode(
                ptx,
                code.ptx,
                code.symbol,
                code.cubin if form is CodeForm.AS_COMPILED else b"",
                code.target,
                f"{code.maker} {code.release}",
            ),
            text="" if source.listing else source.text,
        )
        if form is CodeForm.AS_WRITTEN:
            made.is_other_form_implemented = partial(self._is_implemented_as_compiled, source)
        return made

    def _is_implemented_as_compiled(self, source: Source) -> bool:
        try:
            code = compile_source(source, self._target, CodeForm.AS_COMPILED, cache_folder("nvrtc"), or_shipped=True)
        except BackendError:
            return False
        return is_implemented(code.ptx, code.symbol, SOURCE_NAME)

    def logging(self, compiled: MachineCompiled, log: LogPlan, watched: WatchPlan | None = None) -> MachineCompiled:
        """The kernel as one that writes down what `log` and `watched` say; it is recorded, not launched.

        LLVM leaves it as it is, since somebody waits for the first picture.
        """
        return replace(compiled, log=log, watched=watched, level=0, program=None, module=None)

    def optimised(self, compiled: MachineCompiled) -> MachineCompiled:
        """A kernel that is recorded, optimised by LLVM for many further blocks; its variables keep their values."""
        return replace(compiled, level=2, program=None)

    def begin_variables(self, compiled: MachineCompiled) -> None:
        """Make the kernel's variables what they are before its first launch, where they lie."""
        program = compiled.ready()
        assert compiled.module is not None
        begin_module(program, compiled.module)

    def record(
        self,
        compiled: MachineCompiled,
        launch: Launch,
        arguments: Sequence[Argument],
        blocks: Sequence[int],
        look: Look,
        most_bytes: int,
        limit_s: float | None,
        copies_shared: bool,
        watched_warps: int = 0,
        follow: FollowSlots | None = None,
        before: int = 0,
        at_once: int = 0,
    ) -> str:
        """Run some blocks, given by linear index, and no other; `look` sees what each wrote down (`Launch.record`).
        What they printed.

        Raises:
            LogTooLongError: one of them writes down more than `most_bytes`.
            LaunchError: the kernel is at fault, or did not end in time.
        """
        made = self._made(compiled, launch, arguments)
        with _as_launch_errors(compiled.text, RECORD_ALL):
            return made.record(
                blocks,
                look,
                most_bytes,
                limit_s,
                copies_shared=copies_shared,
                watched_warps=watched_warps,
                follow=follow,
                before=before,
                at_once=at_once,
            )

    def allocate(self, nbytes: int) -> MachineBuffer:
        try:
            made = MachineBuffer(nbytes, self._forget)
        except MemoryError as error:
            raise BackendError(f"{self.device.name} cannot allocate {nbytes} bytes: {error}") from error
        self._arrays[made.address] = made
        return made

    def _forget(self, buffer: MachineBuffer) -> None:
        self._arrays.pop(buffer.address, None)

    def launch(self, compiled: Compiled, launch: Launch, arguments: Sequence[Argument], count: int = 1) -> Pending:
        """As OpenDevice."""
        assert isinstance(compiled, MachineCompiled)
        return MachinePending(self._made(compiled, launch, arguments), count, compiled)

    def _made(self, compiled: MachineCompiled, launch: Launch, arguments: Sequence[Argument]) -> MachineLaunch:
        if launch.cluster != (1, 1, 1):
            raise UnsupportedKernelError("the PTX machine does not run clusters of blocks yet")
        check_launch_bounds(compiled.ptx, compiled.symbol, launch)
        values = values_of(arguments, _address_of, _no_maps, compiled.signature)
        given = sized(values, compiled.parameters, compiled.symbol)
        program = compiled.ready()
        arrays = [one.array for one in self._arrays.values()]
        order = self.block_order(launch.blocks) if self.block_order is not None else None
        made = MachineLaunch(
            program, launch.grid, launch.block, given, arrays, launch.dynamic_shared_bytes, compiled.module, order=order
        )
        return replace(made, threads=1) if order is not None and self.runs_one_by_one else made

    def flush_caches(self) -> None:
        """The machine has no caches."""

    def release(self) -> None:
        self._arrays.clear()


def _check_readable(ptx: str, symbol: str, source: Source) -> None:
    """See that PTX that somebody else made can be read.

    Raises:
        CompileError: it cannot.
    """
    try:
        parse(ptx, SOURCE_NAME).entry(symbol)
    except KeyError as error:
        raise CompileError(f"{source.path}: the kernel {source.entry!r} has no body that can be read") from error
    except MachineError as error:
        raise CompileError(f"{source.path}: {error}") from error


def _address_of(buffer: Buffer) -> int:
    assert isinstance(buffer, MachineBuffer)
    return buffer.address


def _no_maps(address: int, one: TensorMap) -> bytes:
    del address
    raise UnsupportedKernelError(f"the PTX machine does not run tensor maps, such as that of {one.matrix}, yet")


def _ignore(words: str) -> None:
    del words
