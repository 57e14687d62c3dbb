"""The cross-check with nvbench: its files are read as it writes them, and launches go to its stream."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
import record_nvbench
from fake_cuda import fake_library
from gpu_record.nvbench_file import SAMPLES, all_near, read_samples, row
from gpu_record.other_stream import compiled_on

from gemmviz.backends.cuda.buffer import CudaBuffer
from gemmviz.backends.cuda.build import Built
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.spec import Launch


def state(case: int, filename: str, size: int, **more: object) -> dict[str, object]:
    data = [
        {"name": "filename", "type": "string", "value": filename},
        {"name": "size", "type": "int64", "value": str(size)},
    ]
    return {
        "name": f"Device=0 Case={case}",
        "axis_values": [{"name": "Case", "type": "int64", "value": str(case)}],
        "summaries": [{"tag": "nv/cold/sample_size", "data": []}, {"tag": SAMPLES, "data": data}],
        **more,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "nvbench.json-bin").mkdir()
    (tmp_path / "nvbench.json-bin" / "0.bin").write_bytes(struct.pack("<3f", 0.001, 0.002, 0.004))
    return tmp_path


def written(folder: Path, *states: dict[str, object]) -> Path:
    path = folder / "nvbench.json"
    path.write_text(json.dumps({"benchmarks": [{"name": "gemm", "states": states}]}), encoding="utf-8")
    return path


def test_that_samples_are_read_in_milliseconds_and_a_skipped_state_is_left_out(folder: Path) -> None:
    path = written(folder, state(2, "nvbench.json-bin/0.bin", 3), state(3, "x", 0, is_skipped=True))
    found = read_samples(path, "Case")
    assert list(found) == [2]
    assert found[2].tolist() == pytest.approx([1.0, 2.0, 4.0])


def test_that_a_file_that_is_missing_or_cut_off_is_told(folder: Path) -> None:
    with pytest.raises(ValueError, match="holds 3 samples and should hold 4"):
        read_samples(written(folder, state(0, "nvbench.json-bin/0.bin", 4)), "Case")
    with pytest.raises(ValueError, match="is not there"):
        read_samples(written(folder, state(0, "nvbench.json-bin/9.bin", 3)), "Case")
    with pytest.raises(ValueError, match="kept no samples"):
        read_samples(written(folder, {**state(0, "", 0), "summaries": None}), "Case")


def test_that_medians_within_two_per_cent_agree() -> None:
    ours = np.array([1.0, 1.01, 1.02])
    near, far = row("tiled", "8x8x8", ours, ours, ours * 0.99), row("tiled", "8x8x8", ours, ours, ours * 0.97)
    assert near[-2:] == ("+1.01 %", "yes")
    assert far[-2:] == ("+3.09 %", "NO")
    assert all_near([near])
    assert not all_near([near, far])


def test_that_a_kernel_goes_to_the_stream_it_is_given_with_its_arguments() -> None:
    calls, library = fake_library()
    calls.sizes = (8, 4, 0, 0, 0, 0)
    built = Built("sm_90", "13.0", "k", (), Resources(), b"\x7fELF", "")
    buffer = CudaBuffer(4096, 4, lambda _: None)
    address = buffer.address
    once = compiled_on(library, built, Launch((3, 2, 1), (64, 1, 1), 1024), (buffer, 7), 4242)
    assert not [name for name, _ in calls.calls if name == "cuLaunchKernelEx"]
    once()
    assert [name for name, _ in calls.calls].count("cuLaunchKernelEx") == 1
    assert calls.handed == [struct.pack("<Q", address), struct.pack("<i", 7)]
    assert calls.last("cuFuncSetAttribute")[1:] == [8, 1024]


def test_that_there_are_five_cases_and_others_can_be_named() -> None:
    assert len(record_nvbench.chosen_cases([])) == 5
    assert record_nvbench.chosen_cases(["tiled@33x17x9"]) == [("tiled", "33x17x9")]


def test_that_without_a_gpu_it_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert record_nvbench.main([]) == 1
    assert "nothing was measured" in capsys.readouterr().err
