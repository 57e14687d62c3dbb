"""What devices are called in the rows of charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gemmviz.domain.device import Device


def device_names(devices: Iterable[Device]) -> dict[str, str]:
    """What each device is called in its rows, by its id: its short name, unless another has the same; {} for one."""
    known = {device.id: device for device in devices}
    names = Counter(device.short_name for device in known.values())
    if len(known) == 1:
        return {}
    return {key: one.distinct_name if names[one.short_name] > 1 else one.short_name for key, one in known.items()}
