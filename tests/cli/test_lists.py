"""`gemmviz devices` and `gemmviz kernels`, and how figures are written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain import figures
from gemmviz.engine.sandbox.protections import protections

TABLE = Path(__file__).parents[2] / "docs" / "KERNELS.md"


def test_that_devices_tells_limits_and_facts(gemmviz: Any) -> None:
    devices = gemmviz("devices", "--json").document["devices"]
    host = next(device for device in devices if device["id"] == "host")
    assert host["compute_units"] >= 1
    for device in devices:
        assert {"max_threads_per_block", "shared_bytes_per_block", "compute_units"} <= set(device)
    out = gemmviz("devices").out
    assert host["name"] in out
    assert protections().words[:40] in " ".join(out.split())


def test_that_kernels_lists_every_kernel_with_what_it_teaches(gemmviz: Any) -> None:
    listed = gemmviz("kernels", "--json").document["kernels"]
    assert [entry["kernel"] for entry in listed] == [kernel.id for kernel in load_catalogue().kernels]
    assert all(entry["teaches"] for entry in listed)
    out = gemmviz("kernels").out
    for kernel in load_catalogue().kernels:
        assert kernel.id in out


def test_that_the_table_of_kernels_has_every_kernel_in_lesson_order() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.*?) ?\|$", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows[: len(load_catalogue().kernels)] == [
        (kernel.id, kernel.teaches, ", ".join(one.name for one in kernel.parameters))
        for kernel in load_catalogue().kernels
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0 µs"),
        (0.0351, "35.1 µs"),
        (0.812, "812 µs"),
        (2.345, "2.35 ms"),
        (204.2, "204 ms"),
        (2040.0, "2.04 s"),
    ],
)
def test_that_times_carry_the_unit_that_fits(value: float, text: str) -> None:
    assert figures.milliseconds(value) == text


def test_that_numbers_that_are_none_stay_readable() -> None:
    assert figures.milliseconds(float("nan")) == "not a number"
    assert figures.number(float("inf")) == "infinite"
    assert figures.scientific(float("nan")) == "not a number"


@pytest.mark.parametrize(
    ("nbytes", "text"), [(0, "0 bytes"), (1023, "1023 bytes"), (49152, "48 KiB"), (2**30, "1 GiB")]
)
def test_that_sizes_are_in_binary_units(nbytes: int, text: str) -> None:
    assert figures.size(nbytes) == text


@pytest.mark.parametrize("words", [(), ("trace",), ("kernels",)], ids=" ".join)
def test_that_the_help_names_no_value_for_a_flag(gemmviz: Any, words: tuple[str, ...]) -> None:
    out = gemmviz(*words, "--help").out
    assert "--help" in out
    assert "bool" not in out
