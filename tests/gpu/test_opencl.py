"""NVIDIA's OpenCL through the OpenCL backend, registered for one process where the system does not."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gemmviz.domain.device import Device

LIBRARY = "libnvidia-opencl.so.1"


@pytest.fixture
def environment(device: Device, tmp_path: Path) -> dict[str, str]:
    """One in which the OpenCL loader finds NVIDIA's library, and no other of the system's."""
    assert device.backend == "cuda"
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        pytest.skip(f"{LIBRARY} is not there")
    (tmp_path / "nvidia.icd").write_text(f"{LIBRARY}\n", encoding="utf-8")
    return {**os.environ, "OCL_ICD_VENDORS": str(tmp_path), "OCL_ICD_FILENAMES": ""}


def test_that_kernels_of_both_languages_run_on_nvidias_opencl(environment: dict[str, str]) -> None:
    def gemmviz(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "gemmviz", *words], capture_output=True, text=True, check=False, env=environment
        )

    found = json.loads(gemmviz("devices", "--json").stdout)["devices"]
    by_opencl = [entry for entry in found if entry["backend"] == "opencl"]
    assert [entry["vendor"] for entry in by_opencl][:1] == ["NVIDIA Corporation"], "GPUs are first, before any PoCL"
    done = gemmviz(
        "run",
        "--kernel",
        "naive,tiled,vectorized,cl_naive",
        "--size",
        "130x70x33",
        "--budget",
        "0.1",
        "--device",
        by_opencl[0]["id"],
        "--json",
    )
    assert done.returncode == 0, done.stderr
    runs = json.loads(done.stdout)["runs"]
    assert [run["device"] for run in runs] == [by_opencl[0]["id"]] * 4
    assert all(run["accuracy"]["passed"] for run in runs)
