"""The GPU that a script measures on; `python -m gpu_record.which_gpu` prints its id, or why there is none."""

from __future__ import annotations

import sys

from gemmviz.backends.registry import NoDeviceError, devices_for, find_device, what_is_missing
from gemmviz.domain.device import Device
from gemmviz.domain.terms import Language


def the_gpu(wanted: str) -> Device:
    """The first NVIDIA GPU that is run by CUDA; or the device of that id or name, whatever it is, to try a script.

    Raises:
        NoDeviceError: there is none; why, and how to get one.
    """
    if wanted:
        return find_device(wanted)
    found = next((device for device in devices_for(Language.CUDA) if device.backend == "cuda"), None)
    if found is None:
        raise NoDeviceError("; ".join(what_is_missing()) or "no NVIDIA GPU is run by CUDA here")
    return found


def main() -> int:
    """Print the id of the first NVIDIA GPU; 1 where there is none, with one line that says why."""
    try:
        print(the_gpu("").id)
    except NoDeviceError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
