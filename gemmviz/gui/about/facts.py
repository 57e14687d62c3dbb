"""The versions of everything gemmviz stands on, found without importing any of it."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from importlib import metadata

from gemmviz.domain.device import Device
from gemmviz.domain.runs.driver_words import driver_words
from gemmviz.engine.sandbox.protections import protections
from gemmviz.resources import resource_folder

Fact = tuple[str, str]
"""What it is and its version."""

PACKAGES = (
    ("gemmviz", "gemmviz"),
    ("PySide6 (Qt)", "PySide6-Essentials"),
    ("pyqtgraph", "pyqtgraph"),
    ("NumPy", "numpy"),
    ("Numba", "numba"),
    ("pyopencl", "pyopencl"),
    ("PoCL", "pocl-binary-distribution"),
    ("PyCUDA", "pycuda"),
)
ABSENT = "not installed"


def about_facts(devices: Sequence[Device], version: Callable[[str], str] = metadata.version) -> tuple[Fact, ...]:
    """Names and versions: the packages, Python, the platform, each device with its driver; what own kernels may do."""
    facts = [(name, _version_of(package, version)) for name, package in PACKAGES]
    facts.insert(1, ("Python", f"{platform.python_version()} ({platform.python_implementation()})"))
    facts.append(("Platform", f"{platform.platform(terse=True)} {platform.machine()}"))
    facts += [("Device", _device_words(device)) for device in devices]
    if not devices:
        facts.append(("Device", "none found"))
    facts.append(("Own kernels", protections().words))
    return tuple(facts)


def as_text(facts: Sequence[Fact]) -> str:
    """The facts for a report of a fault, one a line."""
    return "".join(f"{name}: {value}\n" for name, value in facts)


def licences() -> tuple[tuple[str, str], ...]:
    """Whose licence and its text: gemmviz, then the fonts it brings."""
    own = metadata.distribution("gemmviz").read_text("licenses/LICENSE") or "MIT License"
    fonts = sorted((resource_folder("assets") / "fonts").glob("*-LICENSE.txt"))
    named = [(f"{path.name.removesuffix('-LICENSE.txt')} (font)", path.read_text(encoding="utf-8")) for path in fonts]
    return (("gemmviz", own), *named)


def _device_words(device: Device) -> str:
    return " · ".join(part for part in (device.name, device.backend, driver_words(device.driver)) if part)


def _version_of(package: str, version: Callable[[str], str]) -> str:
    try:
        return version(package)
    except metadata.PackageNotFoundError:
        return ABSENT
