"""Proves a description on a device, as it was proven on the PTX machine: the same sizes, the same checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.launcher import ArrayLauncher, BlockGeometry, Index, TryError
from gemmviz.adopt.prove.special_elements import fault_of_special_elements
from gemmviz.backends.base import (
    Argument,
    BackendError,
    Buffer,
    Compiled,
    DeviceLostError,
    KernelTimeoutError,
    Local,
    OpenDevice,
)
from gemmviz.backends.launch_arguments import fitted_call
from gemmviz.backends.registry import backend_of
from gemmviz.catalogue.kernel import Kernel, Plan, Refusal
from gemmviz.compiler.source import Source, full_reason
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import LocalArgument, NullArgument
from gemmviz.domain.shape import Shape
from gemmviz.machine.memory import Array
from gemmviz.measure.bench import source_of
from gemmviz.measure.trial import trial_for

DEVICE_RUN_S = 30.0
"""How long one run may take."""
_COMPILE_S = 60.0


class NoTimeLeftError(Exception):
    """The time limit ended before every size was checked."""


class DeviceUnfitError(Exception):
    """A device does not run a kernel at all; the message says why."""


@dataclass(slots=True)
class DeviceLauncher:
    """Launches a described kernel at a size on an open device; `compiled` are its builds for all sizes."""

    opened: OpenDevice
    kernel: Kernel
    shape: Shape
    compiled: dict[tuple[object, ...], Compiled] = field(default_factory=dict)

    def at(self, shape: Shape) -> DeviceLauncher:
        """The launcher of the same kernel at another size."""
        return replace(self, shape=shape)

    def with_local(self, local: tuple[tuple[int, int], ...]) -> ArrayLauncher:
        """This launcher: its kernel's description says how much local memory there is."""
        del local
        return self

    def run(self, given: Sequence[int | float | Array], geometry: BlockGeometry, grid: Index, limit_s: float) -> None:
        """Launch it once.

        Raises:
            DeviceLostError: the device is of no more use to this process.
            TryError: anything else went wrong, or it wrote outside its arrays.
        """
        buffers: dict[int, Buffer] = {}
        try:
            plan, compiled, source = self.built(limit_s)
            call = fitted_call(plan.call, compiled, source)
            arguments: list[Argument] = []
            for place, (value, argument) in enumerate(zip(given, call.arguments, strict=True)):
                if isinstance(value, Array):
                    buffers[place] = self.opened.allocate(value.nbytes)
                    self.opened.upload(value.bytes, buffers[place])
                    arguments.append(buffers[place])
                elif isinstance(argument, LocalArgument):
                    arguments.append(Local(argument.nbytes))
                else:
                    arguments.append(None if isinstance(argument, NullArgument) else value)
            launch = replace(plan.launch, grid=grid, block=geometry.block, dynamic_shared_bytes=geometry.shared_bytes)
            self.opened.launch(compiled, launch, arguments).wait(limit_s)
            self._bring_back(given, buffers)
        except KernelTimeoutError as error:
            raise DeviceLostError(f"at {self.shape}: {error}") from error
        except DeviceLostError:
            raise
        except (BackendError, Refusal) as error:
            _release(buffers.values())
            raise TryError(full_reason(error) if isinstance(error, BackendError) else str(error)) from error
        except TryError:
            _release(buffers.values())
            raise
        _release(buffers.values())

    def built(self, limit_s: float) -> tuple[Plan, Compiled, Source]:
        """How it is launched, and what is launched; each build is made once.

        Raises:
            Refusal, BackendError: the device does not run it at this size.
        """
        device = self.opened.device
        plan = self.kernel.plan(self.shape, self.kernel.params({}), device)
        source = replace(source_of(self.kernel, plan, device), limit_s=_COMPILE_S)
        key = (source.defines, plan.launch.block, plan.launch.dynamic_shared_bytes)
        if key not in self.compiled:
            trial = trial_for(self.kernel, self.shape, self.kernel.params({}), device, plan, limit_s)
            self.compiled[key] = self.opened.compile(source, plan.launch, trial, _ignore)
        return plan, self.compiled[key], source

    def _bring_back(self, given: Sequence[int | float | Array], buffers: dict[int, Buffer]) -> None:
        for place, buffer in buffers.items():
            value = given[place]
            if isinstance(value, Array):
                self.opened.download(buffer, value.bytes)
            before, behind = self.opened.overrun_bytes(buffer)
            if before or behind:
                raise TryError(f"it writes outside its arrays: {before + behind} bytes beside parameter {place + 1}")


def fault_on(
    device: Device,
    kernel: Kernel,
    description: Description,
    shapes: Sequence[Shape],
    limit_s: float,
    tell: Callable[[str], None],
) -> str:
    """What is wrong with a described kernel on a device, at the first of these sizes where something is; "" for
    nothing. Each run may take `limit_s` seconds; at the first size elements are special, too: zeros, NaN, large ones.

    Raises:
        DeviceUnfitError: the device does not run the kernel at all.
        NoTimeLeftError: `tell` raised it.
    """
    try:
        kernel.plan(shapes[0], kernel.params({}), device)
        opened = backend_of(device).open(device)
    except (BackendError, Refusal) as error:
        raise DeviceUnfitError(str(error)) from error
    launcher = DeviceLauncher(opened, kernel, shapes[0])
    try:
        launcher.built(limit_s)
        fault = _fault_at(launcher, description, shapes, limit_s, tell)
    except DeviceLostError as error:
        return str(error)  # releasing the device could wait for a kernel that never ends
    except Exception as error:
        opened.release()
        if isinstance(error, BackendError | Refusal):
            raise DeviceUnfitError(str(error)) from error
        raise
    opened.release()
    return fault


def _fault_at(
    launcher: DeviceLauncher,
    description: Description,
    shapes: Sequence[Shape],
    limit_s: float,
    tell: Callable[[str], None],
) -> str:
    for number, shape in enumerate(shapes, 1):
        tell(f"checking {shape} on {launcher.opened.device.name}, size {number} of {len(shapes)}")
        found = check(launcher.at(shape), description, shape, limit_s)
        if not found.is_right:
            return f"at {shape}: {found.fault}"
    return fault_of_special_elements(launcher, description, shapes[0], limit_s)


def _release(buffers: Iterable[Buffer]) -> None:
    for buffer in buffers:
        buffer.release()


def _ignore(words: str) -> None:
    del words
