"""The Protocol every backend speaks, shaped so that OpenCL, CUDA and the host fit behind it alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from gemmviz.domain.device import Device
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language


class BackendError(Exception):
    """A device cannot do what was asked; the message is for the person who asked."""


class CompileError(BackendError):
    """A kernel source does not compile; the message carries file and line of the original source."""


class LaunchError(BackendError):
    """A compiled kernel could not be launched, or failed while it ran."""


class KernelTimeoutError(LaunchError):
    """A launch did not end within its time limit and still occupies the device."""


@dataclass(frozen=True, slots=True)
class Source:
    """A kernel's text and what the compiler is told besides: `defines` become `#define NAME value`."""

    path: Path
    text: str
    entry: str
    language: Language
    defines: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """A small run of the same kernel with the same block, for a backend that chooses by measuring.

    `limit_s` is the longest time one of its launches may take.
    """

    shape: Shape
    launch: Launch
    c_elements: int
    limit_s: float = 60.0


class Buffer(Protocol):
    """Memory on the device."""

    @property
    def nbytes(self) -> int: ...

    def release(self) -> None: ...


class Compiled(Protocol):
    """A kernel ready to launch with one block size; `build` says in words how it was made to run there."""

    @property
    def build(self) -> str: ...

    @property
    def static_shared_bytes(self) -> int: ...


class Pending(Protocol):
    """Launches under way."""

    def wait(self, limit_s: float | None = None) -> float:
        """Block until all have ended; the device's own time from the first start to the last end, in ms.

        Raises:
            KernelTimeoutError: `limit_s` seconds passed first.
            LaunchError: the device reports a fault.
        """
        ...


Argument = Buffer | int
"""A buffer, or a whole number passed as a 32-bit int."""

Progress = Callable[[str], None]
"""Told in a few words what a backend is busy with."""


class OpenDevice(Protocol):
    """A device with a queue. Calls come from one thread, in order."""

    @property
    def device(self) -> Device: ...

    def compile(self, source: Source, launch: Launch, trial: Trial, progress: Progress) -> Compiled:
        """Make `source` runnable with the block of `launch`.

        Raises:
            CompileError: the source is at fault; the message names its file and line.
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


class Backend(Protocol):
    """A way of running kernels: finds devices and opens them."""

    @property
    def name(self) -> str: ...

    @property
    def languages(self) -> frozenset[Language]: ...

    def devices(self) -> tuple[Device, ...]:
        """What is there, best first; empty where the driver is missing. Never raises for a missing driver."""
        ...

    def open(self, device: Device) -> OpenDevice:
        """Take the device into use.

        Raises:
            BackendError: it is gone or cannot be opened.
        """
        ...
