"""Judging in a process of its own: what ends it, and what comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import SUM, changed, failed_of, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.referee.confined import device_for, judge_confined
from gemmviz.referee.finding import Judgement
from gemmviz.referee.judge import judge


class Enough(Exception):
    """Nobody wants to wait any longer."""


def test_that_what_the_progress_raises_ends_it(tmp_path: Path) -> None:
    kernel, said = kernel_of(tmp_path, SUM), []

    def progress(words: str) -> None:
        said.append(words)
        if "1 of 16" in words:
            raise Enough

    with pytest.raises(Enough):
        judge_confined(kernel, kernel.params({}), find_device("machine"), progress=progress)
    assert said


def test_that_what_there_was_no_time_for_leaves_no_verdict(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, SUM)
    ruling = judge_confined(kernel, kernel.params({}), find_device("machine"), budget_s=0.01)
    assert ruling.judgement is Judgement.NOT_EXAMINED
    assert "The time limit of 0.01 s was reached" in ruling.fault


def test_that_a_launch_ends_with_the_time_for_all_examinations_and_is_then_no_fault(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, f"    while (clock64() != 1) if (K < 0) C[0] = 1.0f;\n{SUM}")
    ruling = judge(kernel, kernel.params({}), find_device("machine"), budget_s=2.0)
    assert (ruling.judgement, ruling.findings) == (Judgement.NOT_EXAMINED, ())
    assert ruling.fault.startswith("The time limit of 2 s was reached before anything was examined")


def test_that_a_kernel_that_waits_for_ever_is_wrong(tmp_path: Path) -> None:
    body = changed("float acc = 0.0f;", "float acc = 0.0f; if (threadIdx.x == 0) __syncthreads();")
    ruling = judge_confined(
        (kernel := kernel_of(tmp_path, body)), kernel.params({}), find_device("machine"), budget_s=120.0
    )
    assert ruling.judgement is Judgement.WRONG
    found = failed_of(ruling)
    assert set(found) == {"Runs to its end", "Free of races and barrier errors"}
    assert "deadlock" in found["Runs to its end"]
    races = next(finding for finding in ruling.failed if finding.name == "Free of races and barrier errors")
    assert {fault.kind for case in races.cases for fault in case.faults} == {"divergent barrier"}


def test_that_cpu_kernels_are_judged_on_the_host_and_others_on_the_machine() -> None:
    catalogue = load_catalogue()
    assert device_for(catalogue.get("cpu_ijk")).backend == "host"
    assert device_for(catalogue.get("tiled")).is_emulated
    assert device_for(catalogue.get("cl_naive")).is_emulated
    assert device_for(catalogue.get("tiled"), "machine:A100").id == "machine:sm_80"
    assert device_for(catalogue.get("tiled"), target="A100").id == "machine:sm_80", "the target that is chosen"
    assert device_for(catalogue.get("cpu_ijk"), target="A100").backend == "host"
    assert device_for(catalogue.get("cp_async"), target="sm_75").id == "machine:sm_90a", "the target cannot run it"
