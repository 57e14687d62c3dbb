"""Kernels on any OpenCL device: GPUs by their driver, the CPU by PoCL."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.argument_bytes import number_bytes
from gemmviz.backends.array_sizes import declared_arrays
from gemmviz.backends.base import (
    COMPILE_LIMIT_S,
    Argument,
    BackendError,
    Buffer,
    Compiled,
    CompileError,
    CompilerStuckError,
    EntryError,
    KernelTimeoutError,
    LaunchError,
    Local,
    OpenDevice,
    Pending,
    Progress,
    Source,
    TrialRun,
)
from gemmviz.backends.compile_limit import within_limit
from gemmviz.backends.compile_log import all_errors, names_a_place
from gemmviz.backends.launch_arguments import fitted_call, launch_arguments
from gemmviz.backends.opencl.build import Build, build_for, trial_matrices
from gemmviz.backends.opencl.devices import GUARD_BYTES, find_devices, is_pocl
from gemmviz.backends.opencl.pocl import TrialOutcome, compiler_kept_quiet, pocl_method
from gemmviz.backends.opencl.pocl_cache import compiler_cache, note
from gemmviz.backends.opencl.signature import SIGNATURE_OPTION, signature_of_kernel
from gemmviz.compiler.includes import copies_of, included_files, with_copies
from gemmviz.compiler.source import compile_limit_words
from gemmviz.domain.device import OPENCL, Device
from gemmviz.domain.kernels.parameter_types import ParameterType, Signature
from gemmviz.domain.kernels.resources import NO_RESOURCES, Resources
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language

_PATIENCE_MS = 500.0
"""A first launch, and one after a launch that lasted longer, is waited for by looking now and then, so that a time
limit and Ctrl-C work; any other by the driver's own wait, which wakes at once."""

_GUARD = np.full(GUARD_BYTES, 0xFF, np.uint8)
_MOST_FLUSHED_BYTES = 2**28

_SPIN_S = 0.005
_LOOK_EVERY_S = 0.0005

_FLUSH = """
__kernel void flush(__global uint4 *memory, uint value) { memory[get_global_id(0)] = (uint4)(value); }
"""


class UnexplainedError(CompileError):
    """A build failed, and what the compiler says names no place in the source."""


class ClBuffer:
    """Device memory between two guard zones, which tell whether a kernel wrote next to it.

    The zones are filled with ones, which read as NaN: a kernel that reads them computes NaN.
    """

    def __init__(self, whole: Any, nbytes: int) -> None:
        self.whole = whole
        self.handle = whole.get_sub_region(GUARD_BYTES, nbytes)
        self.nbytes = nbytes

    def release(self) -> None:
        self.handle.release()
        self.whole.release()


@dataclass(slots=True)
class ClCompiled:
    """A kernel built one way for one block."""

    build: str
    static_shared_bytes: int
    kernel: Any
    recipe: Build
    limit_s: float = COMPILE_LIMIT_S
    last_ms: float = float("inf")
    resources: Resources = NO_RESOURCES
    signature: Signature | None = None
    """Of a source in OpenCL C."""


class ClPending:
    """Launches under way on an OpenCL queue."""

    def __init__(self, first: Any, last: Any, compiled: ClCompiled) -> None:
        self._first = first
        self._last = last
        self._compiled = compiled

    def wait(self, limit_s: float | None = None) -> float:
        import pyopencl as cl

        try:
            if self._compiled.last_ms > _PATIENCE_MS:
                self._look_until_done(limit_s)
            self._last.wait()
        except cl.Error as error:
            raise LaunchError(f"the kernel failed on the device: {error}") from error
        elapsed_ms: float = (self._last.profile.end - self._first.profile.start) / 1e6
        self._compiled.last_ms = elapsed_ms
        return elapsed_ms

    def _look_until_done(self, limit_s: float | None) -> None:
        import pyopencl as cl

        begin = time.monotonic()
        is_running = False  # before that some drivers still compile
        while (status := self._last.command_execution_status) > cl.command_execution_status.COMPLETE:
            if not is_running and self._first.command_execution_status <= cl.command_execution_status.RUNNING:
                is_running, begin = True, time.monotonic()
            if not is_running and time.monotonic() - begin > self._compiled.limit_s:
                raise CompilerStuckError(compile_limit_words(self._compiled.limit_s))
            if is_running and limit_s is not None and time.monotonic() - begin > limit_s:
                raise KernelTimeoutError(
                    f"the kernel did not end within {limit_s:g} s: "
                    "it may loop forever, or the time limit of a launch (--time-limit) is too short"
                )
            waited_s = time.monotonic() - begin
            time.sleep(0.0 if waited_s < _SPIN_S else _LOOK_EVERY_S)
        if status < 0:
            raise LaunchError(f"the kernel failed on the device with OpenCL status {status}")


class OpenClDevice:
    """One OpenCL device with an in-order, profiling queue."""

    def __init__(self, device: Device, handle: Any) -> None:
        import pyopencl as cl

        self.device = device
        self._handle = handle
        self._context = cl.Context([handle])
        self._queue = cl.CommandQueue(self._context, properties=cl.command_queue_properties.PROFILING_ENABLE)
        self._flush: tuple[Any, ClBuffer] | None = None
        self._flush_value = 0

    def compile(self, source: Source, launch: Launch, trial: TrialRun, progress: Progress) -> Compiled:
        recipe = build_for(self, source, launch, trial, progress)
        compiled = self._compiled(self.build(recipe, source), recipe, source)
        if recipe.threads_are_loops:  # shared arrays are ordinary ones there, and the driver counts none
            compiled.static_shared_bytes = declared_arrays(source).shared_bytes
        self._seal()
        return compiled

    def _compiled(self, kernel: Any, recipe: Build, source: Source) -> ClCompiled:
        import pyopencl as cl

        static = int(kernel.get_work_group_info(cl.kernel_work_group_info.LOCAL_MEM_SIZE, self._handle))
        signature = signature_of_kernel(kernel, source.text) if source.language is Language.OPENCL else None
        return ClCompiled(recipe.words, static, kernel, recipe, source.limit_s, signature=signature)

    def _program(self, text: str, options: list[str], limit_s: float = COMPILE_LIMIT_S) -> Any:
        import pyopencl as cl

        with warnings.catch_warnings(), compiler_kept_quiet():
            warnings.simplefilter("ignore")  # the compiler's own warnings arrive as Python warnings
            return within_limit(lambda: cl.Program(self._context, text).build(options), limit_s)

    def build(self, recipe: Build, source: Source) -> Any:
        """The OpenCL kernel of a recipe. Raises CompileError with the original file's line, CompilerStuckError."""
        return self._built_anew_if_damaged(lambda: self._build(recipe, source))

    def _built_anew_if_damaged(self, build: Callable[[], Any]) -> Any:
        """What `build` makes; where it fails for no reason in the source, once more from an empty cache."""
        if not is_pocl(self.device):
            return build()
        cache = compiler_cache()
        with cache.at_work():
            began_s = time.time()
            try:
                return build()
            except UnexplainedError as error:
                if fault := cache.fault():
                    raise CompileError(
                        f"{error}; the compiler's cache {cache.folder} cannot be written: {fault}"
                    ) from error
                if not cache.clear(since_s=began_s):
                    raise
                built = build()
            note("The compiler's cache was damaged and has been emptied: kernels are compiled again.")
            return built

    def _build(self, recipe: Build, source: Source) -> Any:
        import pyopencl as cl

        options = [
            "-cl-std=CL1.2",
            SIGNATURE_OPTION,
            *(f"-D{name}={value}" for name, value in source.defines),
            *recipe.options,
        ]
        text, copies = self._with_headers(recipe.text, source)
        with pocl_method(recipe.pocl_method):
            try:
                program = self._program(text, options, source.limit_s)
                names = program.get_info(cl.program_info.KERNEL_NAMES).split(";")
            except cl.Error as error:
                words = all_errors(str(error), source.path, source.text, recipe.text, copies)
                raise (CompileError if names_a_place(str(error)) else UnexplainedError)(words) from error
            if source.entry not in names:
                there = ", ".join(name for name in names if name) or "no kernel"
                words = f"{source.path}: the entry {source.entry!r} is not in the file; it defines {there}"
                raise (UnexplainedError if source.entry in recipe.text else EntryError)(words)
            return self._kernel(program, source.entry)

    def _with_headers(self, text: str, source: Source) -> tuple[str, Path | None]:
        """The text of a build with what it includes by the paths of copies, and the folder of the copies."""
        texts = included_files(source)
        if not texts:
            return text, None
        cache = compiler_cache()
        try:
            folder = copies_of(texts, cache.folder if cache.is_own else None)
        except OSError as error:
            raise CompileError(f"{source.path}: what it includes cannot be copied: {error}") from error
        return with_copies(text, texts, folder), folder

    def _kernel(self, program: Any, name: str) -> Any:
        import pyopencl as cl

        try:
            return cl.Kernel(program, name)
        except cl.Error as error:
            raise UnexplainedError(f"{name} was compiled, but {self.device.name} does not find it: {error}") from error

    def try_out(self, recipe: Build, source: Source, trial: TrialRun, launches: int) -> TrialOutcome:
        """Run the trial a few times on a fixed pattern: its shortest time in ms and the bytes of its result."""
        compiled = self._compiled(self.build(recipe, source), recipe, source)
        call = fitted_call(trial.call, compiled, source)
        arrays = trial_matrices(trial)
        buffers = {name: self.allocate(array.nbytes) for name, array in arrays.items()}
        try:
            for name, array in arrays.items():
                self.upload(array, buffers[name])
            arguments = launch_arguments(call, buffers)
            times_ms = [self.launch(compiled, trial.launch, arguments).wait(trial.limit_s) for _ in range(1 + launches)]
            result = arrays[call.result]
            self.download(buffers[call.result], result)
        finally:
            for buffer in buffers.values():
                buffer.release()
        return TrialOutcome(min(times_ms[1:]), result.tobytes())

    def allocate(self, nbytes: int) -> ClBuffer:
        import pyopencl as cl

        try:
            whole = cl.Buffer(self._context, cl.mem_flags.READ_WRITE, size=nbytes + 2 * GUARD_BYTES)
            for at in (0, GUARD_BYTES + nbytes):
                cl.enqueue_copy(self._queue, whole, _GUARD, dst_offset=at, is_blocking=True)
        except cl.Error as error:
            raise BackendError(f"{self.device.name} cannot allocate {nbytes} bytes: {error}") from error
        return ClBuffer(whole, nbytes)

    def pinned(self, like: NDArray[Any]) -> None:
        """OpenCL's way to page-locked memory is not the same on every driver, and is not taken."""
        del like

    def gauge(self) -> None:
        """OpenCL tells nothing about the clocks of a moment."""

    def overrun_bytes(self, buffer: Buffer) -> tuple[int, int]:
        import pyopencl as cl

        assert isinstance(buffer, ClBuffer)
        found = []
        for at in (0, GUARD_BYTES + buffer.nbytes):
            zone = np.empty_like(_GUARD)
            cl.enqueue_copy(self._queue, zone, buffer.whole, src_offset=at, is_blocking=True)
            found.append(int(np.count_nonzero(zone != _GUARD)))
        return found[0], found[1]

    def upload(self, host: NDArray[Any], into: Buffer) -> None:
        import pyopencl as cl

        assert isinstance(into, ClBuffer)
        cl.enqueue_copy(self._queue, into.handle, host, is_blocking=True)

    def download(self, buffer: Buffer, into: NDArray[Any]) -> None:
        import pyopencl as cl

        assert isinstance(buffer, ClBuffer)
        cl.enqueue_copy(self._queue, into, buffer.handle, is_blocking=True)

    def launch(self, compiled: Compiled, launch: Launch, arguments: Sequence[Argument], count: int = 1) -> Pending:
        import pyopencl as cl

        assert isinstance(compiled, ClCompiled)
        kernel = compiled.kernel
        signature = compiled.signature or ()
        types = signature if len(signature) == len(arguments) else (None,) * len(arguments)
        values = [_kernel_argument(one, kind) for one, kind in zip(arguments, types, strict=True)]
        if not signature and kernel.num_args > len(values) and launch.dynamic_shared_bytes:  # made from CUDA C
            values.append(cl.LocalMemory(launch.dynamic_shared_bytes))
        try:
            kernel.set_args(*values)
            items = (1, 1, 1) if compiled.recipe.threads_are_loops else launch.block
            everything = tuple(g * b for g, b in zip(launch.grid, items, strict=True))
            is_first = compiled.recipe.pocl_method is not None and compiled.last_ms == float("inf")
            with (
                pocl_method(compiled.recipe.pocl_method),
                compiler_cache().at_work(launching=True) if is_first else nullcontext(),
            ):
                events = [cl.enqueue_nd_range_kernel(self._queue, kernel, everything, items) for _ in range(count)]
                self._queue.flush()
                pending = ClPending(events[0], events[-1], compiled)
                if is_first:
                    self._compile_now(events[0], compiled.limit_s)
        except (cl.Error, TypeError, ValueError) as error:
            raise LaunchError(f"the launch was refused by {self.device.name}: {error}") from error
        return pending

    def _compile_now(self, event: Any, limit_s: float) -> None:
        """PoCL compiles for a block size when the launch begins; the method must stand until then."""
        import pyopencl as cl

        deadline = time.monotonic() + limit_s
        while event.command_execution_status > cl.command_execution_status.RUNNING:
            if time.monotonic() > deadline:
                raise CompilerStuckError(compile_limit_words(limit_s))
            time.sleep(0.0005)

    def flush_caches(self) -> None:
        if self._flush is None:
            size = max(2 * self.device.cache_bytes, 2**20) // 16 * 16
            kernel = self._built_anew_if_damaged(lambda: self._kernel(self._program(_FLUSH, []), "flush"))
            self._flush = (kernel, self.allocate(min(size, _MOST_FLUSHED_BYTES)))
        kernel, memory = self._flush
        self._flush_value += 1
        kernel(self._queue, (memory.nbytes // 16,), None, memory.handle, np.uint32(self._flush_value))
        self._queue.finish()

    def release(self) -> None:
        if self._flush is not None:
            self._flush[1].release()
            self._flush = None
        self._queue.finish()
        self._seal()

    def _seal(self) -> None:
        if is_pocl(self.device):
            compiler_cache().seal()


def _kernel_argument(argument: Argument, kind: ParameterType | None) -> Any:
    import pyopencl as cl

    if isinstance(argument, int | float):
        return number_bytes(argument, kind)
    return cl.LocalMemory(argument.nbytes) if isinstance(argument, Local) else getattr(argument, "handle", argument)


class OpenClBackend:
    """Every OpenCL device of the machine."""

    name = OPENCL
    languages = frozenset({Language.CUDA, Language.OPENCL})

    def devices(self) -> tuple[Device, ...]:
        return tuple(device for device, _ in find_devices())

    def missing(self) -> str:
        return ""

    def open(self, device: Device) -> OpenDevice:
        import pyopencl as cl

        handle = next((handle for found, handle in find_devices() if found.id == device.id), None)
        if handle is None:
            raise BackendError(f"the device {device.id} ({device.name}) is gone")
        try:
            return OpenClDevice(device, handle)
        except cl.Error as error:
            raise BackendError(f"{device.name} cannot be opened: {error}") from error

    def recording(self) -> None:
        """It records no kernels; the PTX machine records those that it runs."""
