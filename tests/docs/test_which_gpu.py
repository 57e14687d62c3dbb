"""Scripts that measure a GPU measure nothing else in its place."""

from __future__ import annotations

import sys
from pathlib import Path

import make_examples
import on_a_gpu
import pytest
import record_gpu
from gpu_record import which_gpu
from gpu_record.which_gpu import the_gpu

from gemmviz.backends.registry import NoDeviceError, devices_for
from gemmviz.domain.terms import Language

HAS_A_GPU = any(device.backend == "cuda" for device in devices_for(Language.CUDA))


@pytest.mark.skipif(HAS_A_GPU, reason="there is a GPU")
def test_that_without_a_gpu_nothing_is_measured_and_it_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(NoDeviceError, match=r"driver|PyCUDA|CUDA"):
        the_gpu("")
    assert record_gpu.main(["--sizes", "8x8x8", "--json", str(tmp_path / "kept.json")]) == 1
    assert make_examples.main(["--on", "gpu", "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in said] == ["nothing was measured", "nothing was made"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(HAS_A_GPU, reason="there is a GPU")
def test_that_who_asks_for_its_id_is_told_in_one_line_that_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert which_gpu.main() == 1
    captured = capsys.readouterr()
    assert (captured.out, len(captured.err.splitlines())) == ("", 1)


def test_that_the_id_of_the_gpu_is_printed_and_found_by_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pocl = the_gpu("pocl")
    with monkeypatch.context() as patched:
        patched.setattr(which_gpu, "the_gpu", lambda _: pocl)
        assert which_gpu.main() == 0
    assert capsys.readouterr().out == "pocl\n"
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho cuda:0123\n", encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    assert on_a_gpu.find_gpu({}) == "cuda:0123"


def test_that_a_device_that_is_named_is_taken_whatever_it_is() -> None:
    assert the_gpu("pocl").id == "pocl"
