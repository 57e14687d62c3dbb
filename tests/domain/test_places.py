"""A device is named with its driver and the days."""

from __future__ import annotations

from dataclasses import replace

from gpu_runs import GPU

from gemmviz.catalogue.gpus import emulated
from gemmviz.domain.device import DeviceKind
from gemmviz.domain.places import place_words

MORNING, EVENING, NEXT = "2026-11-21T06:00:00+00:00", "2026-11-21T20:00:00+00:00", "2026-11-22T01:00:00+00:00"


def test_that_a_bare_version_is_called_a_drivers_and_a_named_one_is_not() -> None:
    gpu = replace(GPU, name="NVIDIA H200", driver="580.159.04")
    assert place_words(gpu, MORNING) == "NVIDIA H200, driver 580.159.04, 2026-11-21"
    assert place_words(replace(gpu, driver="Python 3.11.7"), MORNING) == "NVIDIA H200, Python 3.11.7, 2026-11-21"
    assert place_words(replace(gpu, driver=""), "") == "NVIDIA H200"


def test_that_of_several_days_the_first_and_the_last_are_told() -> None:
    assert place_words(replace(GPU, driver=""), NEXT, MORNING, EVENING) == f"{GPU.name}, 2026-11-21 to 2026-11-22"


def test_that_the_name_of_a_device_tells_it_from_every_other() -> None:
    assert emulated("A100").distinct_name == "PTX machine, sm_80"
    assert replace(GPU, name="NVIDIA H200", id="cuda:1").distinct_name == "H200 (cuda:1)"
    assert replace(GPU, kind=DeviceKind.CPU, id="pocl").distinct_name == "pocl"
