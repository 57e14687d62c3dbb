"""The device that works on a request: the host for CPU kernels, the PTX machine where it records, none to compile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import (
    Conditions,
    Job,
    MachineCodeRequest,
    RecordRequest,
    RoofsRequest,
    RunRequest,
    ScheduleRequest,
)
from gemmviz.gui.control.device_at_work import device_at_work
from gemmviz.gui.kernels.availability import Devices

MACHINE = emulated()
POCL = replace(MACHINE, id="pocl:0", backend="opencl", name="EPYC (PoCL)", capabilities=("opencl",))
HOST = replace(MACHINE, id="host:0", backend="host", name="This CPU", capabilities=("host",))
DEVICES = Devices((POCL, HOST, MACHINE))


def job(kernel: str) -> Job:
    return Job(load_catalogue().get(kernel), ())


def conditions(device: str = "") -> Conditions:
    return Conditions(Shape(16, 16, 16), device=device)


@pytest.mark.parametrize(
    ("work", "kernel", "name"),
    [
        (RunRequest(1, (job("tiled"), job("cpu_ijk")), conditions()), "tiled", "EPYC (PoCL)"),
        (RunRequest(1, (job("tiled"), job("cpu_ijk")), conditions()), "cpu_ijk", "This CPU"),
        (RunRequest(1, (job("tiled"),), conditions()), "", "EPYC (PoCL)"),
        (RunRequest(1, (job("tiled"),), conditions("machine:A100")), "tiled", "PTX machine, sm_80 on this CPU"),
        (RecordRequest(1, job("tiled"), conditions("machine")), "", "PTX machine, sm_90a on this CPU"),
        (ScheduleRequest(1, job("tiled"), conditions("pocl:0")), "tiled", "EPYC (PoCL)"),
        (RoofsRequest(1, conditions()), "", "EPYC (PoCL)"),
        (MachineCodeRequest(1, job("tiled"), conditions(), POCL, is_of_run=False), "", ""),
    ],
)
def test_that_the_device_at_work_is_named(work: Any, kernel: str, name: str) -> None:
    device = device_at_work(work, kernel, DEVICES)
    assert (device.name if device is not None else "") == name
