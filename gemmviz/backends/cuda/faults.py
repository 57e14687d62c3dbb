"""What the CUDA driver's errors mean for the person who ran the kernel."""

from __future__ import annotations

from gemmviz.backends.base import BackendError, DeviceLostError, LaunchError
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.memory import format_bytes
from gemmviz.domain.spec import Launch

_ON_MACHINE = "a recording on the PTX machine (`gemmviz trace --device machine`) names the line"
_OUTSIDE = f"it reads or writes outside the memory it was given; {_ON_MACHINE}"
_WORDS = {
    "illegal memory access": _OUTSIDE,
    "misaligned address": "it accesses 4, 8 or 16 bytes at once at an address that is not a multiple of that; "
    f"{_ON_MACHINE}",
    "unspecified launch failure": "the device gives no more reason; most likely " + _OUTSIDE,
    "illegal instruction": "it executed an instruction that the device does not have, or that a stray access spoiled; "
    f"{_ON_MACHINE}",
    "device-side assert": "an assert in the kernel failed",
    "hardware stack error": "its stack overflowed: calls are nested too deeply, or a thread's arrays are too large",
    "invalid program counter": "it jumped to an address without code",
    "the launch timed out": "the driver ended it at its time limit for a GPU that also drives a display",
    "uncorrectable ecc": "the device's memory is faulty",
    "too many resources": "a block takes more registers or shared memory than the device has",
    "invalid argument": "the device rejects its geometry or its parameters",
    "out of memory": "the device has no memory left for it",
}


def words_of(error: BaseException) -> str:
    """An error of the driver in its own words, without the name of the call, and what it most likely means."""
    said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    own = said.partition(" failed: ")[2] or said
    meaning = next((words for key, words in _WORDS.items() if key in own.lower()), "")
    return f"{own}: {meaning}" if meaning else own


_NOT_BEGUN = ("too many resources", "invalid", "out of memory", "not supported", "cooperative launch too large")
"""Words of errors about a launch that never began, so that the device is as good as before."""


def lost(error: BaseException) -> DeviceLostError:
    """A fault while a kernel ran: CUDA lets a process do nothing more with the device after one."""
    return DeviceLostError(f"the kernel failed on the device: {words_of(error)}")


def fault_of_a_launch(error: BaseException, device: Device) -> LaunchError:
    """An error while launches are enqueued: they are refused, or the first of them has failed already."""
    said = str(error).lower()
    if any(words in said for words in _NOT_BEGUN) and "program counter" not in said and "address space" not in said:
        return LaunchError(f"the launch was refused by {device.name}: {words_of(error)}")
    return lost(error)


def no_memory(nbytes: int, free_bytes: int, device: Device) -> BackendError:
    """An allocation the device has no room for."""
    return BackendError(
        f"{device.name} cannot allocate {format_bytes(nbytes, up=True)}: {format_bytes(free_bytes)} of its "
        f"{format_bytes(device.global_bytes)} are free. Choose a smaller M, N or K, or end other programs that use it"
    )


def check_threads(resources: Resources, launch: Launch, most_threads: int, device: Device) -> None:
    """See that a block of the compiled kernel fits the device.

    `most_threads` is what the driver allows a block of this kernel.

    Raises:
        LaunchError: its threads take more registers than a block gets.
    """
    threads = launch.threads_per_block
    if threads <= most_threads:
        return
    there = device.gpu_facts.registers_per_block
    most = f"the {there} registers" if there else "the registers"
    raise LaunchError(
        f"a block of {threads} threads with {resources.registers} registers each needs more than {most} of a block: "
        f"{device.name} runs at most {most_threads} such threads in a block. Choose a smaller block"
    )
