"""What may be started as things stand, and why the rest may not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.recordable import why_not_recorded
from gemmviz.domain.runs.doubts import EXAMINE_INSTEAD, NOT_SWEPT
from gemmviz.gui.kernels.availability import LACKS, Availability, Devices
from gemmviz.gui.work.words import BUSY, IDLE


@dataclass(frozen=True, slots=True)
class Readiness:
    """For every button the reason why it cannot be pressed, "" if it can. `refusal` is what stands above them, and
    `no_recording` what forbids a recording even while nothing runs. `note` is what is shown calmly in place of the
    refusal where nobody has made a mistake: the device lacks something, or Record works all the same. `settings` is
    about examining settings without a GPU, which the menu of Sweep offers, too.
    """

    refusal: str = ""
    run: str = ""
    record: str = ""
    ladder: str = ""
    sweep: str = ""
    cancel: str = IDLE
    no_recording: str = ""
    note: str = ""
    settings: str = ""


def readiness_of(
    kernel: Kernel,
    availability: Mapping[str, Availability],
    devices: Devices,
    size_fault: str,
    is_busy: bool,
    recording: Availability | None = None,
    *,
    is_emulated: bool = False,
    is_elsewhere: bool = False,
) -> Readiness:
    """`size_fault` is why the size on the screen is none, "" if it is one; `recording` the availability of the kernel
    on the device that records it, None where that is the one it runs on; `is_emulated` is true where it runs on the
    PTX machine, `is_elsewhere` where the PTX machine records it in place of the device that runs kernels.
    """
    no_recording = size_fault or why_not_recorded(kernel)
    if devices.known and not no_recording:
        no_recording = (recording or availability[kernel.id]).reason
    refusal = _refusal(kernel, availability, devices, size_fault)
    fixed = "This kernel has no parameters to sweep." if not kernel.parameters else ""
    settings = size_fault or why_not_recorded(kernel)
    is_recorded_only = bool(refusal) and is_elsewhere and not no_recording
    note = _note(kernel, refusal, availability, is_recorded_only=is_recorded_only)
    if is_busy:
        return Readiness(refusal, BUSY, BUSY, BUSY, BUSY, "", no_recording, note)
    if not devices.known:
        wait = size_fault or "Still looking for devices."
        return Readiness(size_fault, wait, wait, wait, wait, no_recording=no_recording, settings=wait)
    nobody = bool(availability) and not any(each.can_run for each in availability.values())
    if is_emulated:
        fixed = f"{NOT_SWEPT}."
    return Readiness(
        refusal=refusal,
        run=refusal,
        record=no_recording,
        no_recording=no_recording,
        note=note,
        ladder=size_fault or (f"No kernel can run: {refusal}" if nobody else ""),
        sweep=f"{_not_timed(kernel)}. Choose an NVIDIA GPU {EXAMINE_INSTEAD}."
        if is_recorded_only
        else refusal or fixed,
        settings=settings,
    )


def _refusal(kernel: Kernel, availability: Mapping[str, Availability], devices: Devices, size_fault: str) -> str:
    if size_fault or not devices.known:
        return size_fault
    return availability[kernel.id].reason


def _note(kernel: Kernel, refusal: str, availability: Mapping[str, Availability], *, is_recorded_only: bool) -> str:
    if not is_recorded_only:
        return refusal if refusal and availability[kernel.id].word.startswith(LACKS) else ""
    return f"{_not_timed(kernel)}. Record works: the PTX machine executes it. To time it, choose an NVIDIA GPU."


def _not_timed(kernel: Kernel) -> str:
    return f"Cannot be timed here{f': {kernel.cuda_use}' if kernel.cuda_use else ''}"
