"""Whether a kernel can run as things are set, and if not, why: in a word for a list, in a sentence for a person."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.kernel import Kernel, Plan, Refusal
from gemmviz.catalogue.loader import Catalogue
from gemmviz.catalogue.recordable import recording_device, records
from gemmviz.domain.device import CUDA, HOST, Device
from gemmviz.domain.kernels.capability import capability_of, short_lack_of
from gemmviz.domain.memory import MemoryNeed, MemoryRefusal, check_memory, memory_needed
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import Language
from gemmviz.gui.work.experiment import Experiment
from gemmviz.gui.work.window_words import in_window
from gemmviz.measure.check.reference import is_full_product_affordable

TOO_LARGE, SIZE_TOO_LARGE = "needs more memory", "size too large"
NEEDS_NVIDIA, NEEDS_CAPABILITY, NEEDS_FEATURE = "needs an NVIDIA GPU", "needs compute capability", "needs the feature"
_NO_DEVICE = "This machine has no device for GPU kernels. The CPU kernels run without one."
_NO_RECORDER = (
    "Kernels are recorded on the PTX machine or on an NVIDIA GPU with CUDA, and this machine has neither. "
    "Help, About says what is missing."
)
ON_MACHINE = "PTX machine only"
"""Of a kernel that the chosen device does not run and the PTX machine executes and records."""
LACKS = (NEEDS_NVIDIA, NEEDS_CAPABILITY, NEEDS_FEATURE, ON_MACHINE)
"""How the words begin that tell what a device lacks, whatever is set up."""


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices of this machine; `known` is False while nobody has looked yet. `advice` says how to get one for
    GPU kernels where there is none.
    """

    found: tuple[Device, ...] = ()
    advice: str = ""
    known: bool = True

    @property
    def for_gpu_kernels(self) -> tuple[Device, ...]:
        """The devices to choose from, the preferred first."""
        return tuple(device for device in self.found if HOST not in device.capabilities)

    def of(self, kernel: Kernel, wanted: str) -> Device | None:
        """Where a kernel runs: the host, or the device with the id `wanted` ("" is the preferred one)."""
        if kernel.runs_on_host:
            return next((device for device in self.found if HOST in device.capabilities), None)
        return self.chosen(wanted)

    def chosen(self, wanted: str) -> Device | None:
        """The device for GPU kernels of that `choice` or id ("" is the preferred one, never the PTX machine)."""
        there = self.for_gpu_kernels
        if not wanted:
            return next((each for each in there if not each.is_emulated), None)
        return next((each for each in there if wanted in (each.choice, each.id)), None)

    def with_target(self, target: str) -> Devices:
        """The same with the PTX machine as a GPU of the list, "" for the usual one."""
        found = (emulated(target, each.global_bytes) if each.is_emulated else each for each in self.found)
        return replace(self, found=tuple(found))


LOOKING = Devices(known=False)


@dataclass(frozen=True, slots=True)
class Availability:
    """`word`, the reason in a few words, and `reason`, a sentence, are "" for a kernel that can run; then `need` and,
    unless it runs on the host, `plan` are there. The reason does not name the kernel.
    """

    word: str = ""
    reason: str = ""
    plan: Plan | None = None
    need: MemoryNeed | None = None

    @property
    def can_run(self) -> bool:
        return not self.word


def availability_of(
    kernel: Kernel, params: Params, shape: Shape, device: Device | None, available_bytes: int | None
) -> Availability:
    """Whether a kernel can run on a device (None: there is none) with so much main memory left (None: unknown)."""
    if device is None and not kernel.runs_on_host:
        return Availability("no device", _NO_DEVICE)
    plan = None
    try:
        if device is not None and not kernel.runs_on_host:
            plan = _plan(kernel, params, shape, device)
        need = _checked_need(shape, plan, device, available_bytes)
    except Refusal as refusal:
        words = str(refusal).removeprefix(kernel.id).removeprefix(":").strip()
        return Availability(_lack(kernel, device) or refusal.brief, _sentence(in_window(words)))
    except MemoryRefusal as refusal:
        return Availability(TOO_LARGE, _sentence(str(refusal)))
    return Availability(plan=plan, need=need)


def availabilities_of(
    experiment: Experiment, catalogue: Catalogue, devices: Devices, available_bytes: int | None
) -> dict[str, Availability]:
    """Whether each kernel can run with what was chosen for it, by id."""
    return {
        kernel.id: availability_in(experiment, kernel, experiment.params_of(kernel), devices, available_bytes)
        for kernel in catalogue.kernels
    }


def availability_in(
    experiment: Experiment, kernel: Kernel, params: Params, devices: Devices, available_bytes: int | None
) -> Availability:
    """As `availability_of`, on the device and at the size of an experiment."""
    device = devices.of(kernel, experiment.device)
    if device is None and devices.for_gpu_kernels and experiment.device and not kernel.runs_on_host:
        return Availability("no device", f"There is no device {experiment.device} on this machine. Choose another one.")
    found = availability_of(kernel, params, experiment.shape, device, available_bytes)
    if found.word.startswith(LACKS) and any(each.is_emulated and records(each, kernel) for each in devices.found):
        return replace(found, word=ON_MACHINE)
    return found


def recording_availability(
    experiment: Experiment, kernel: Kernel, devices: Devices, available_bytes: int | None
) -> tuple[Availability, Device | None]:
    """Whether a kernel can be recorded, and the device that does it, None if it is the one that runs it."""
    device = recording_device(kernel, devices.for_gpu_kernels, experiment.device)
    if device is None and devices.for_gpu_kernels:
        return Availability("no device", _NO_RECORDER), None
    elsewhere = device if device != devices.of(kernel, experiment.device) else None
    return availability_of(kernel, experiment.params_of(kernel), experiment.shape, device, available_bytes), elsewhere


def choice_refusals(experiment: Experiment, kernel: Kernel, devices: Devices) -> dict[tuple[str, int], Availability]:
    """Why single choices of the kernel's parameters cannot run beside the other values, by name and value.

    A size that no choice can run with, or that does not fit into memory, is no fault of theirs.
    """
    if devices.of(kernel, experiment.device) is None:
        return {}
    chosen = dict(experiment.params_of(kernel))
    as_chosen = availability_in(experiment, kernel, tuple(chosen.items()), devices, None)
    found: dict[tuple[str, int], Availability] = {}
    for parameter in kernel.parameters:
        by_value = {
            value: as_chosen
            if value == chosen[parameter.name]
            else availability_in(experiment, kernel, tuple({**chosen, parameter.name: value}.items()), devices, None)
            for value in parameter.choices
        }
        if len({each.word for each in by_value.values()}) == 1:
            continue
        for value, each in by_value.items():
            if not each.can_run and each.word != TOO_LARGE:
                found[parameter.name, value] = each
    return found


def _plan(kernel: Kernel, params: Params, shape: Shape, device: Device) -> Plan:
    if kernel.language is Language.OPENCL and Language.OPENCL.value not in device.capabilities:
        words = f"{kernel.id} is written in OpenCL C, which {device.name} does not take"
        raise Refusal(words, f"{NEEDS_FEATURE} OpenCL C")
    return kernel.plan(shape, params, device)


def _checked_need(shape: Shape, plan: Plan | None, device: Device | None, available_bytes: int | None) -> MemoryNeed:
    """The need of a run, checked as the run itself will check it: first the inputs' and their copies', then the
    device's.
    """
    affordable = is_full_product_affordable(shape)
    partial_sums, call = (plan.partial_sums, plan.call) if plan is not None else (1, None)
    need = memory_needed(shape, partial_sums, full_reference=affordable, call=call)
    check_memory(need, available_bytes, None, None, shares_host_memory=True)
    if plan is not None and device is not None:
        check_memory(need, None, device.global_bytes, device.max_allocation_bytes)
    return need


def _lack(kernel: Kernel, device: Device | None) -> str:
    """What the device lacks, in a few words; "" if nothing."""
    lack = short_lack_of(kernel.requires, device) if device is not None else ""
    if not lack or device is None:
        return ""
    asked = capability_of(lack)
    if CUDA not in device.capabilities and (asked is not None or lack == CUDA):
        return NEEDS_NVIDIA
    return f"{NEEDS_CAPABILITY} {asked[0][0]}.{asked[0][1]}" if asked is not None else f"{NEEDS_FEATURE} {lack}"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")
