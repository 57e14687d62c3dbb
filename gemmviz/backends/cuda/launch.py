"""A compiled kernel on a GPU's stream: enqueueing, and waiting for what was enqueued."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from gemmviz.backends.argument_bytes import pack, values_of
from gemmviz.backends.base import Argument, DeviceLostError, KernelTimeoutError, LaunchError, address_of
from gemmviz.backends.cuda import faults as cuda_faults
from gemmviz.backends.cuda.build import Built
from gemmviz.backends.cuda.devices import Cuda
from gemmviz.backends.cuda.driver import TENSOR_MAP_BYTES, CudaCallError, CudaLibrary
from gemmviz.backends.cuda.hold import Hold
from gemmviz.backends.cuda.library_call import CudaCall
from gemmviz.compiler.nvidia.line_accesses import AssembledCode
from gemmviz.compiler.nvidia.tools import disassemble
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.spec import Launch, TensorMap

_SPIN_S = 0.05
_LOOK_EVERY_S = 0.0002
_MAX_DYNAMIC_SHARED = 8
"""CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES."""


class CudaCompiled:
    """A kernel loaded for one block. `last_ms` is the device's time of its last launch, infinite before the first.

    `handle` is the driver's own for a kernel that PyCUDA cannot launch, else 0, and `library` unloads it; `module` is
    where `function` is from.
    """

    def __init__(
        self, built: Built, function: Any, handle: int = 0, module: Any = None, library: CudaLibrary | None = None
    ) -> None:
        self._built = built
        self._library = library
        self.function = function
        self.module = module
        self.handle = handle
        self.last_ms = float("inf")
        self.parameters = built.parameters
        self.symbol = built.symbol
        self.signature = built.signature

    @property
    def built(self) -> Built:
        """The machine code that was loaded, and what it was made of."""
        return self._built

    @property
    def build(self) -> str:
        return self._built.words

    @property
    def static_shared_bytes(self) -> int:
        return self._built.resources.static_shared_bytes

    @property
    def resources(self) -> Resources:
        return self._built.resources

    @property
    def ptx(self) -> str:
        """The virtual machine code nvcc made of the source."""
        return self._built.ptx

    @property
    def code(self) -> AssembledCode:
        """The code with its machine code."""
        built = self._built
        maker = f"{built.maker} {built.release}"
        return AssembledCode(built.ptx, built.ptx, built.symbol, built.cubin, built.target, maker)

    @cached_property
    def sass(self) -> str | None:
        """The GPU's own machine code as text; None where no disassembler is found."""
        return disassemble(self._built.cubin)

    def close(self) -> None:
        """Unload it, with its context current: nothing else may mention what it was loaded as."""
        self.function = self.module = None
        handle, self.handle = self.handle, 0
        if handle and self._library is not None:
            self._library.unload(handle)


def compiled_for(cuda: Cuda, built: Built, launch: Launch, device: Device) -> CudaCompiled:
    """Load machine code into the current context and make it ready for a launch's block and shared memory.

    Raises:
        LaunchError: the device cannot run it with that block or so much shared memory.
    """
    driver = cuda.driver
    module = function = None
    try:
        module = driver.module_from_buffer(built.cubin)
        function = module.get_function(built.symbol)
        attributes = driver.function_attribute
        most_threads = int(function.get_attribute(attributes.MAX_THREADS_PER_BLOCK))
        cuda_faults.check_threads(built.resources, launch, most_threads, device)
        if launch.dynamic_shared_bytes + built.resources.static_shared_bytes > device.gpu_facts.static_shared_bytes:
            function.set_attribute(attributes.MAX_DYNAMIC_SHARED_SIZE_BYTES, launch.dynamic_shared_bytes)
        handle = _handle(cuda, built, launch) if _is_beyond_pycuda(built, launch) else 0
    except (driver.Error, CudaCallError) as error:
        raise LaunchError(f"{device.name} does not take the compiled kernel: {cuda_faults.words_of(error)}") from error
    else:
        return CudaCompiled(built, function, handle, module, cuda.library)
    finally:
        del module, function  # the traceback of an error would keep them until no context is current


def variable_of(cuda: Cuda, compiled: CudaCompiled, name: str) -> int:
    """The address of a variable of the module that is launched; its context is current.

    Raises:
        the driver's errors, CudaCallError: there is none of that name.
    """
    if compiled.handle:
        return cuda.library.variable(compiled.handle, name)
    return int(compiled.module.get_global(name)[0])


def _is_beyond_pycuda(built: Built, launch: Launch) -> bool:
    """PyCUDA knows no clusters, and hands parameters over in one buffer, where a tensor map does not work."""
    return launch.cluster != (1, 1, 1) or any(one.nbytes == TENSOR_MAP_BYTES for one in built.parameters)


def _handle(cuda: Cuda, built: Built, launch: Launch) -> int:
    function = cuda.library.load_function(built.cubin, built.symbol)
    try:
        cuda.library.set_attribute(function, _MAX_DYNAMIC_SHARED, launch.dynamic_shared_bytes)
    except CudaCallError:
        cuda.library.unload(function)
        raise
    return function


@dataclass(slots=True, eq=False)
class Events:
    """Before the first launch and after the last. PyCUDA destroys an event with the last mention of it, and only where
    its context is current, or in the thread that made the context: elsewhere it is never given back.
    """

    start: Any
    end: Any

    def close(self) -> None:
        """Destroy both, with their context current."""
        self.start = self.end = None


class Queue:
    """A stream, and how launches get onto it."""

    def __init__(self, cuda: Cuda, stream: Any) -> None:
        self._cuda = cuda
        self.stream = stream
        self._under_way: set[Events] = set()
        self._maps: dict[tuple[int, TensorMap], bytes] = {}

    def enqueue(
        self,
        compiled: CudaCompiled | CudaCall,
        launch: Launch,
        arguments: Sequence[Argument],
        count: int,
        hold: Hold | None,
        most_behind: int,
    ) -> Events:
        """Put `count` launches between two events. With `hold` the first `most_behind` wait until all those are there.

        Raises:
            LaunchError: the kernel takes other parameters.
            the driver's errors: it does not take the launch.
        """
        once = self._one_launch(compiled, launch, arguments)
        events = Events(self._cuda.driver.Event(), self._cuda.driver.Event())
        self._under_way.add(events)
        try:
            if hold is not None:
                hold.begin(self.stream)
            events.start.record(self.stream)
            for number in range(count):
                if number == most_behind and hold is not None:
                    hold.release()
                once()
            events.end.record(self.stream)
        finally:
            del once  # it mentions the kernel's function, which the traceback of an error would keep
            if hold is not None:
                hold.release()
        return events

    def forget(self, events: Events) -> None:
        """Destroy the events of launches that have ended; their context is current."""
        self._under_way.discard(events)
        events.close()

    def close(self) -> None:
        """Destroy the stream, and the events of launches that failed or were not waited for; their context is
        current.
        """
        for events in [*self._under_way]:
            self.forget(events)
        self.stream = None

    def _one_launch(
        self, compiled: CudaCompiled | CudaCall, launch: Launch, arguments: Sequence[Argument]
    ) -> Callable[[], None]:
        """What enqueues one launch, with everything worked out that is the same for all of them."""
        if isinstance(compiled, CudaCall):
            return partial(compiled.run, arguments)
        values = values_of(arguments, address_of, self._tensor_map, compiled.signature)
        packed = pack(values, compiled.parameters, compiled.symbol)
        if compiled.handle:
            return partial(self._launch_by_the_driver, compiled.handle, launch, values)
        shared_bytes = launch.dynamic_shared_bytes
        return partial(compiled.function._launch_kernel, launch.grid, launch.block, packed, shared_bytes, self.stream)

    def _launch_by_the_driver(self, handle: int, launch: Launch, values: Sequence[bytes]) -> None:
        try:
            self._cuda.library.launch(handle, launch, values, int(self.stream.handle))
        except CudaCallError as error:
            raise LaunchError(f"the launch was refused by the driver: {cuda_faults.words_of(error)}") from error

    def _tensor_map(self, address: int, one: TensorMap) -> bytes:
        if (address, one) not in self._maps:
            try:
                self._maps[address, one] = self._cuda.library.tensor_map(address, one)
            except CudaCallError as error:
                raise LaunchError(
                    f"the driver makes no tensor map of {one.matrix} in boxes of {one.box[0]}×{one.box[1]}: "
                    f"{cuda_faults.words_of(error)}"
                ) from error
        return self._maps[address, one]


class CudaPending:
    """Launches under way. `lose` is told of an error after which the device is of no more use, and keeps this;
    `finish` gives their events back.
    """

    def __init__(
        self,
        driver: Any,
        events: Events,
        compiled: CudaCompiled | CudaCall,
        count: int,
        lose: Callable[[DeviceLostError, object], DeviceLostError],
        finish: Callable[[Events], None],
    ) -> None:
        self._driver = driver
        self._events = events
        self._compiled = compiled
        self._count = count
        self._lose = lose
        self._finish = finish

    def wait(self, limit_s: float | None = None) -> float:
        begin = time.monotonic()
        try:
            while not self._events.end.query():
                waited_s = time.monotonic() - begin
                if limit_s is not None and waited_s > limit_s:
                    raise self._lose(
                        KernelTimeoutError(
                            f"the kernel did not end within {limit_s:g} s: "
                            "it may loop forever, or the time limit of a launch (--time-limit) is too short"
                        ),
                        self,
                    )
                if waited_s > _SPIN_S:
                    time.sleep(_LOOK_EVERY_S)
            elapsed_ms = float(self._events.start.time_till(self._events.end))
        except self._driver.Error as error:
            raise self._lose(cuda_faults.lost(error), self) from error
        self._finish(self._events)
        self._compiled.last_ms = elapsed_ms / self._count
        return elapsed_ms
