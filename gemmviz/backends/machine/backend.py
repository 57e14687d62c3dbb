"""The PTX machine as a backend: whether it is there, and what it pretends to be."""

from __future__ import annotations

from gemmviz.backends.base import RecorderFactory
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.catalogue.gpus import emulated, target_of_machine
from gemmviz.compiler import shipped_code
from gemmviz.compiler.nvidia.wheels import find_nvrtc
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.device import EMULATOR, Device
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.domain.terms import Language


class MachineBackend:
    """Finds and opens the machine."""

    name = EMULATOR
    languages: frozenset[Language] = frozenset(one for one in Language if one.runs_on_devices)

    def devices(self) -> tuple[Device, ...]:
        return () if self.missing() else (self.device_for(""),)

    def device_for(self, target: str) -> Device:
        """The machine as a GPU or architecture by its name, "" for the usual one.

        Raises:
            UnknownGpuError: there is none of that name.
        """
        return emulated(target, available_memory_bytes() or 0)

    def missing(self) -> str:
        try:
            find_nvrtc()
        except CompilerMissingError as error:
            return "" if shipped_code.is_there() else str(error)
        return ""

    def open(self, device: Device) -> MachineDevice:
        return MachineDevice(device, target_of_machine(device))

    def recording(self) -> RecorderFactory:
        # Numba is loaded with it, and a confined process must first say where Numba keeps what it compiles.
        from gemmviz.backends.machine.recorder_factory import machine_recorder_for

        return machine_recorder_for
