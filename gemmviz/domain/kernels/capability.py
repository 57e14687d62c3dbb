"""The words of a kernel's `requires`, and whether a device has what they ask for.

`sm_80` asks for an NVIDIA GPU of compute capability 8.0 or newer, `sm_90a` for exactly 9.0 (its instructions exist
nowhere else), `sm_100f` for 10.0 or a newer one of the same family. Any other word must stand among the capabilities
of the device.
"""

from __future__ import annotations

import re

from gemmviz.domain.device import CUDA, Device, GpuFacts

_ARCH = re.compile(r"sm_(?P<major>\d+)(?P<minor>\d)(?P<suffix>[af]?)")


def arch_of(capability: tuple[int, int]) -> str:
    """The name of an architecture: (8, 6) is sm_86, (10, 3) is sm_103."""
    return f"sm_{capability[0]}{capability[1]}"


def capability_of(word: str) -> tuple[tuple[int, int], str] | None:
    """Capability and suffix ("", "a" or "f") of an architecture's name; None for another word."""
    match = _ARCH.fullmatch(word)
    return ((int(match["major"]), int(match["minor"])), match["suffix"]) if match is not None else None


FIRST_WITH_ITS_OWN = (9, 0)
"""From which compute capability on an architecture's name may end in a."""


def target_of(capability: tuple[int, int], requires: tuple[str, ...] = ()) -> str:
    """The architecture that kernels are compiled for, everywhere, where nobody names another one: that of the GPU, with
    the suffix that a kernel asks for, else from 9.0 on with all that it alone has: "sm_80", "sm_90a".
    """
    asked = [found[1] for word in requires if (found := capability_of(word)) is not None and found[1]]
    own = "a" if capability >= FIRST_WITH_ITS_OWN else ""
    return arch_of(capability) + (asked[0] if asked else own)


def compute_capability(facts: GpuFacts) -> tuple[int, int]:
    """The compute capability of an NVIDIA GPU; (0, 0) of any other device."""
    found = capability_of(facts.architecture)
    return found[0] if found is not None else (0, 0)


def architecture_words(facts: GpuFacts) -> str:
    """What a person calls a GPU's architecture: "compute capability 9.0", or its name; "" where nobody told."""
    major, minor = compute_capability(facts)
    return f"compute capability {major}.{minor}" if major else facts.architecture


def nvidia_facts(capability: tuple[int, int], *, uuid: str = "", **limits: int) -> GpuFacts:
    """The facts of an NVIDIA GPU from its compute capability and its limits, the fields of `GpuFacts`.

    Pieces and parts are those of NVIDIA's occupancy calculator (cuda_occupancy.h).
    """
    return GpuFacts(
        uuid=uuid,
        architecture=arch_of(capability),
        warp_width=32,
        parts_per_unit=4,
        register_piece=256,
        shared_piece_bytes=128 if capability >= (8, 0) else 256,
        **limits,
    )


def has(device: Device, word: str) -> bool:
    """Whether a device has what a word of `requires` asks for."""
    asked = capability_of(word)
    if asked is None:
        return word in device.capabilities
    (major, minor), suffix = asked
    there = compute_capability(device.gpu_facts)
    if suffix == "a":
        return there == (major, minor)
    if suffix == "f":
        return there[0] == major and there >= (major, minor)
    return there >= (major, minor)


WHERE_MISSING = "`gemmviz devices` says what is missing"
NOT_BY_CUDA = f"does not run CUDA ({WHERE_MISSING})"


def lack_of(requires: tuple[str, ...], device: Device) -> str:
    """What a device lacks, as the end of a sentence that begins with a kernel's name; "" if nothing."""
    missing = [word for word in requires if not has(device, word)]
    if not missing:
        return ""
    asked = [found for word in missing if (found := capability_of(word)) is not None]
    capability = ".".join(map(str, compute_capability(device.gpu_facts)))
    there = f"has {capability}" if CUDA in device.capabilities else NOT_BY_CUDA
    if asked:
        (major, minor), suffix = max(asked)
        which = {
            "": f"{major}.{minor} or newer",
            "a": f"{major}.{minor} and no other",
            "f": f"{major}.{minor} or a newer {major}.x",
        }[suffix]
        return f"needs an NVIDIA GPU of compute capability {which}, but {device.name} {there}"
    if CUDA in missing:
        return f"needs an NVIDIA GPU, but {device.name} {there}"
    return f"needs {', '.join(missing)}, which {device.name} does not have"


def short_lack_of(requires: tuple[str, ...], device: Device) -> str:
    """The first word of `requires` that a device does not have, for a list; "" if it has all."""
    return next((word for word in requires if not has(device, word)), "")
