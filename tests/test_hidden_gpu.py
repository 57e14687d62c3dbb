"""Tests that are not for a GPU see none, on a computer with one as on any other."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hidden_gpu import VARIABLE, visible_before

from gemmviz.backends.cuda import devices, driver
from gemmviz.backends.cuda.device import CudaBackend

TELL = f"import os; print(os.environ.get({VARIABLE!r}))"


def told_by_a_process() -> str:
    return subprocess.run([sys.executable, "-c", TELL], capture_output=True, text=True, check=True).stdout.strip()


def test_that_a_test_without_the_marker_sees_no_gpu_nor_does_a_process_that_it_starts() -> None:
    assert CudaBackend().devices() == ()
    assert told_by_a_process() == ""


@pytest.mark.gpu
def test_that_a_test_with_the_marker_sees_the_gpus_that_were_visible() -> None:
    assert getattr(devices, "find_library") is driver.find_library  # noqa: B009 - it is no name of that module's own
    assert os.environ.get(VARIABLE) == visible_before()
    assert told_by_a_process() == str(visible_before())
