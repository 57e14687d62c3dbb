"""Whose roofs were measured, which devices of a roofline lack them, and whether they can be measured here. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain.device import HOST, Device
from gemmviz.domain.listing import listed
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.roof import RoofKind, Roofs, is_same_device, newest_roofs, share_of
from gemmviz.measure.roof_kernels import kernels_for, rule_for
from gemmviz.measure.stopping import WarmUpRule

MACHINE_HAS_NONE = "the PTX machine has no roofs"
MEASURE = "Measure roofs"
LOOKING, BUSY = "devices are still being looked for", "something else is running"


@dataclass(frozen=True, slots=True)
class DevicesHere:
    """The devices of this computer, none while they are looked for, and the one chosen for GPU kernels. While
    something runs (`is_busy`) nothing else can be measured.
    """

    found: tuple[Device, ...] = ()
    chosen: Device | None = None
    is_busy: bool = False

    @property
    def reason(self) -> str:
        """Why no roofs can be measured now, whoever wants them; "" if those of the chosen device can be."""
        if not self.found:
            return LOOKING
        if self.chosen is None:
            return "there is no device for GPU kernels"
        return MACHINE_HAS_NONE if self.chosen.is_emulated else BUSY if self.is_busy else ""

    def is_ready(self, device: Device) -> bool:
        """Whether the roofs of a device can be asked for: it is chosen, or is this CPU as the device of CPU kernels,
        which nobody has to choose.
        """
        if device.backend == HOST:
            return self.has(device)
        return self.chosen is not None and is_same_device(self.chosen, device)

    def offered(self, lacking: Sequence[Device]) -> Device | None:
        """The first device without roofs of which they can be asked for, this CPU last."""
        ready = [device for device in lacking if self.is_ready(device)]
        return min(ready, key=lambda device: device.backend == HOST, default=None)

    def has(self, device: Device) -> bool:
        """Whether a device is on this computer."""
        return any(is_same_device(each, device) for each in self.found)


def timed_devices(runs: Sequence[RunResult]) -> tuple[Device, ...]:
    """The devices of these runs in their order, each once; the CPU as the device of CPU kernels is none of them."""
    return tuple({run.device.id: run.device for run in runs if run.device.backend != HOST}.values())


def without_roofs(runs: Sequence[RunResult], measured: Sequence[Roofs]) -> tuple[Device, ...]:
    """The devices of these runs, also the CPU of CPU kernels, whose roofs were not measured."""
    devices = tuple({run.device.id: run.device for run in runs}.values())
    return tuple(device for device in devices if newest_roofs(tuple(measured), device) is None)


def sharing_roofs(shown: Sequence[RunResult], others: Sequence[RunResult]) -> tuple[RunResult, ...]:
    """Those of the others that one of the shown has its roof in common with: same device, same arithmetic."""
    roofs = {(run.device.id, share_of(run.arithmetic)) for run in shown}
    return tuple(run for run in others if (run.device.id, share_of(run.arithmetic)) in roofs)


def owner_words(runs: Sequence[RunResult]) -> dict[str, str]:
    """ " on H200" by the id of each of the `timed_devices`, with its id where two have one name; "" where all runs are
    on one device.
    """
    devices = timed_devices(runs)
    if len({run.device.id for run in runs}) < 2:
        return {device.id: "" for device in devices}
    counts = Counter(device.short_name for device in devices)
    return {
        device.id: f" on {device.short_name if counts[device.short_name] == 1 else device.distinct_name}"
        for device in devices
    }


def lack_notes(runs: Sequence[RunResult], measured: Sequence[Roofs], here: DevicesHere) -> tuple[str, ...]:
    """The devices without roofs, with what can be done about it: those that the button measures one after the other
    in one sentence, and one for each other device.
    """
    lacking = without_roofs(runs, measured)
    others = tuple(f"{_unmeasured([device])}{_remedy(device, here)}" for device in lacking if not here.is_ready(device))
    offered = here.offered(lacking)
    if offered is None:
        return others
    later = [device for device in lacking if here.is_ready(device) and device != offered]
    again = f", then again for {listed([device.name for device in later])}" if later else ""
    return f"{_unmeasured([offered, *later])}. Press {MEASURE}{_cost(offered)}{again}", *others


def reason_against(lacking: Sequence[Device], here: DevicesHere) -> str:
    """Why the roofs of none of the devices `lacking` them can be measured now; "" if one's can be."""
    if not here.found:
        return here.reason
    if (offered := here.offered(lacking)) is not None:
        return here.reason if offered.backend != HOST else BUSY if here.is_busy else ""
    reasons = [
        f"needs {device.name}, which is {'not chosen' if here.has(device) else 'not here'}" for device in lacking
    ]
    is_machine = here.chosen is not None and here.chosen.is_emulated
    return "; ".join((*reasons, *((MACHINE_HAS_NONE,) if is_machine else ())))


def roofs_offer(lacking: Sequence[Device], here: DevicesHere) -> tuple[str, str, str]:
    """The words of the button that measures the roofs of the chosen one of the devices `lacking` them, its tip, and why
    it measures none now, "" if it does.
    """
    device = here.offered(lacking)
    whose = device.name if device is not None else "a device"
    return (
        f"{MEASURE}{_cost(device)}",
        f"Measure how fast {whose} copies and computes, for the roofline",
        reason_against(lacking, here),
    )


def seconds_to_measure(device: Device) -> int:
    """Seconds that measuring the roofs of a device takes at most, without compiling their kernels."""
    kinds = sum(bool(kernels_for(kind, device)[0]) for kind in RoofKind)
    return round(kinds * (rule_for(device).limit_seconds + WarmUpRule().limit_seconds))


def _cost(device: Device | None) -> str:
    return f" (up to {seconds_to_measure(device)} s)" if device is not None else ""


def _unmeasured(devices: Sequence[Device]) -> str:
    return f"the roofs of {listed([device.name for device in devices])} have not been measured"


def _remedy(device: Device, here: DevicesHere) -> str:
    if here.has(device):
        return f". Choose {device.name} as the device, then press {MEASURE}{_cost(device)}"
    return ", and it is not here" if here.found else ""
