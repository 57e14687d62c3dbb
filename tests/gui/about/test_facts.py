"""Versions and licences, found without importing what they belong to."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from importlib import metadata

from gemmviz import __version__
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.gui.about.facts import ABSENT, about_facts, as_text, licences

DEVICE = Device(
    "pocl:0",
    "opencl",
    "AMD EPYC",
    DeviceKind.CPU,
    "AMD",
    "PoCL 3.0",
    2,
    4096,
    (4096, 4096, 4096),
    (1, 1, 1),
    1,
    1,
    1,
    1,
    1,
)


def test_that_everything_asked_for_in_a_report_is_there() -> None:
    facts = dict(about_facts([DEVICE]))
    assert facts["gemmviz"] == __version__
    assert facts["NumPy"] == metadata.version("numpy")
    assert facts["Device"] == "AMD EPYC · opencl · PoCL 3.0"
    assert {"Python", "PySide6 (Qt)", "pyqtgraph", "pyopencl", "PoCL", "Platform"} <= set(facts)


def test_that_a_device_without_a_driver_ends_with_its_backend() -> None:
    assert dict(about_facts([replace(DEVICE, driver="")]))["Device"] == "AMD EPYC · opencl"


def test_that_what_is_not_installed_is_said() -> None:
    def nothing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    facts = dict(about_facts([], nothing))
    assert (facts["PyCUDA"], facts["Device"]) == (ABSENT, "none found")


def test_that_two_devices_are_two_lines() -> None:
    assert as_text(about_facts([DEVICE, DEVICE])).count("Device: AMD EPYC") == 2


def test_that_the_text_is_one_fact_a_line() -> None:
    assert as_text((("a", "1"), ("b", "2"))) == "a: 1\nb: 2\n"
    assert as_text(()) == ""


def test_that_nothing_heavy_is_imported_for_it() -> None:
    code = "import sys; from gemmviz.gui.about.facts import *; about_facts([]); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & {"numpy", "pyopencl", "pyqtgraph", "numba", "PySide6.QtWidgets"} == set()


def test_that_the_licences_are_those_of_gemmviz_and_its_fonts() -> None:
    texts = dict(licences())
    assert list(texts) == ["gemmviz", "Inter (font)", "JetBrainsMono (font)"]
    assert "MIT License" in texts["gemmviz"]
    assert "Inter Project Authors" in texts["Inter (font)"]
    assert "JetBrains" in texts["JetBrainsMono (font)"]
