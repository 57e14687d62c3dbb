"""The Protocol every backend speaks, shaped so that OpenCL, CUDA and the host fit behind it alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.compiler.source import COMPILE_LIMIT_S as COMPILE_LIMIT_S
from gemmviz.compiler.source import BackendError as BackendError
from gemmviz.compiler.source import CompileError as CompileError
from gemmviz.compiler.source import CompileTimeoutError as CompileTimeoutError
from gemmviz.compiler.source import EntryError as EntryError
from gemmviz.compiler.source import Source as Source
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import Call, usual_call
from gemmviz.domain.kernels.parameter_types import Signature
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.operands import Operands
from gemmviz.domain.runs.gauges import Reading
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, TensorMap
from gemmviz.domain.terms import CodeForm, Language

if TYPE_CHECKING:  # who only runs kernels does not wait for Numba, which counts recordings
    from gemmviz.trace.recorder import Recorder


class UnsupportedKernelError(BackendError):
    """A kernel uses what the device does not implement, which says nothing against the kernel."""


class LaunchError(BackendError):
    """A compiled kernel could not be launched, or failed while it ran."""


class DeviceLostError(LaunchError):
    """After this launch the process can do nothing more with the device; a new process can."""


class KernelTimeoutError(DeviceLostError):
    """A launch did not end within its time limit and still occupies the device."""


class CompilerStuckError(DeviceLostError):
    """A compiler in this process did not end within its time limit, and goes on."""


def name_for_compiler(path: Path) -> str:
    """A source's name for `#line`: with nothing in it that a compiler or its messages would misread."""
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._-+") else "_" for sign in path.name)


@dataclass(frozen=True, slots=True)
class TrialRun:
    """A small run of the same kernel with the same block, for a backend that chooses by measuring.

    `limit_s` is the longest time one of its launches may take; `given` is what it is given, None for A, B,
    C, M, N and K.
    """

    shape: Shape
    launch: Launch
    c_elements: int
    limit_s: float = 60.0
    given: Call | None = None

    @property
    def call(self) -> Call:
        return self.given or usual_call(self.shape)


class Buffer(Protocol):
    """Memory on the device."""

    @property
    def nbytes(self) -> int: ...

    def release(self) -> None: ...


@runtime_checkable
class NamedBuffer(Protocol):
    """A buffer that messages call by the matrix that it holds."""

    name: str


@runtime_checkable
class HasAddress(Protocol):
    """Memory that kernels reach by an address that the host knows."""

    address: int


def address_of(buffer: object) -> int:
    """Where a buffer of a GPU, or of the PTX machine, begins."""
    assert isinstance(buffer, HasAddress)
    return buffer.address


@runtime_checkable
class HasSignature(Protocol):
    """A compiled kernel of which the compiler told the types of its parameters; None where it did not."""

    @property
    def signature(self) -> Signature | None: ...


class Compiled(Protocol):
    """A kernel ready to launch with one block size; `build` says in words how it was made to run there."""

    @property
    def build(self) -> str: ...

    @property
    def static_shared_bytes(self) -> int: ...

    @property
    def resources(self) -> Resources:
        """What it takes of a GPU; `NO_RESOURCES` where no compiler tells."""
        ...


class Pending(Protocol):
    """Launches under way."""

    def wait(self, limit_s: float | None = None) -> float:
        """Block until all have ended; the device's own time from the first start to the last end, in ms.

        Raises:
            KernelTimeoutError: `limit_s` seconds passed first.
            DeviceLostError: the device reports a fault after which it is of no more use to this process.
            LaunchError: the device reports another fault.
        """
        ...


@dataclass(frozen=True, slots=True)
class Boxes:
    """A buffer as the TMA of a GPU sees it: passed as a tensor map, by value, in the place of the pointer."""

    buffer: Buffer
    map: TensorMap


@dataclass(frozen=True, slots=True)
class Local:
    """So many bytes of a block's shared memory, passed as a pointer: what OpenCL C calls local."""

    nbytes: int


Argument = Buffer | Boxes | Local | int | float | None
"""A buffer, a tensor map of one, shared memory, a number, or a pointer to nothing."""

Progress = Callable[[str], None]
"""Told in a few words what a backend is busy with."""


class OpenDevice(Protocol):
    """A device with a queue. Calls come from one thread, in order."""

    @property
    def device(self) -> Device: ...

    def compile(self, source: Source, launch: Launch, trial: TrialRun, progress: Progress) -> Compiled:
        """Make `source` runnable with the block of `launch`.

        Raises:
            CompileError: the source is at fault; the message names its file and line.
            CompileTimeoutError, CompilerStuckError: the compiler did not end in time.
        """
        ...

    def allocate(self, nbytes: int) -> Buffer:
        """Uninitialised memory.

        Raises:
            BackendError: the device cannot give that much.
        """
        ...

    def upload(self, host: NDArray[Any], into: Buffer) -> None:
        """Copy a contiguous array to the device; returns when it is there."""
        ...

    def download(self, buffer: Buffer, into: NDArray[Any]) -> None:
        """Copy from the device into a contiguous array; returns when it is there."""
        ...

    def pinned(self, like: NDArray[Any]) -> NDArray[Any] | None:
        """A copy of a host array in page-locked memory, from which transfers are faster; None where there is none."""
        ...

    def gauge(self) -> Reading | None:
        """A look at the device's clocks, temperature and power, at no cost to launches; None where nobody can tell."""
        ...

    def overrun_bytes(self, buffer: Buffer) -> tuple[int, int]:
        """Bytes in front of and behind the buffer that a kernel has overwritten, as far as the device can tell."""
        ...

    def launch(self, compiled: Compiled, launch: Launch, arguments: Sequence[Argument], count: int = 1) -> Pending:
        """Enqueue `count` launches, one behind the other, and return without waiting for them."""
        ...

    def flush_caches(self) -> None:
        """Overwrite more memory than the device caches, so that the next launch finds nothing of ours there."""
        ...

    def release(self) -> None:
        """Give everything back. The device cannot be used afterwards."""
        ...


@runtime_checkable
class Prints(Protocol):
    """A compiled kernel that knows what it printed in its last launches."""

    printed: str


@runtime_checkable
class HasVariables(Protocol):
    """An OpenDevice whose modules have variables that the host can set."""

    def point(self, compiled: Compiled, variable: str, at: Buffer) -> None:
        """Let a pointer of the kernel's module, by its name, point to a buffer from the next launch on.

        Raises:
            BackendError: the module has no such pointer.
            DeviceLostError: the device is of no more use to this process.
        """
        ...


class RecorderFactory(Protocol):
    """Makes recorders of kernels on the devices of one backend."""

    def __call__(
        self,
        device: OpenDevice,
        kernel: Kernel,
        plan: Plan,
        shape: Shape,
        operands: Operands,
        limit_s: float,
        form: CodeForm,
    ) -> Recorder:
        """A recorder of a kernel in one of its forms, each of whose launches may take `limit_s` seconds.

        Raises:
            RecordingRefusal: there is nothing to record, or the device cannot record it.
            CompileError: the kernel is at fault.
            BackendError: the kernel uses what the backend does not implement.
        """
        ...


class Backend(Protocol):
    """A way of running kernels: finds devices, opens them, and may bring a recorder."""

    @property
    def name(self) -> str: ...

    @property
    def languages(self) -> frozenset[Language]: ...

    def devices(self) -> tuple[Device, ...]:
        """What is there, best first; empty where the driver is missing. Never raises for a missing driver."""
        ...

    def missing(self) -> str:
        """What would have to be installed for it to find devices, in one sentence; "" where nothing is missing."""
        ...

    def open(self, device: Device) -> OpenDevice:
        """Take the device into use.

        Raises:
            BackendError: it is gone or cannot be opened.
        """
        ...

    def recording(self) -> RecorderFactory | None:
        """What makes recorders of kernels on its devices; None where it records none."""
        ...
