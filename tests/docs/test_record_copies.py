"""The golden data of asynchronous copies are what the script that counts them launches and keeps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import record_copies
from gpu_record.copy_patterns import every_pattern
from gpu_record.which_gpu import the_gpu

COPIES: list[dict[str, Any]] = json.loads(record_copies.GOLDEN.read_text(encoding="utf-8"))["copies"]
METRICS = [f"{metric}.sum" for parts in record_copies.METRICS.values() for metric in parts]


def test_that_the_golden_copies_are_the_patterns_of_the_script() -> None:
    made = [record_copies.golden(pattern, dict.fromkeys(METRICS, 0.0)) for pattern in every_pattern()]
    assert [{**one, "counters": {}} for one in made] == [{**one, "counters": {}} for one in COPIES]
    assert all(one["counters"].keys() == copy["counters"].keys() for one, copy in zip(made, COPIES, strict=True))


def test_that_metrics_of_one_figure_are_added_up(tmp_path: Path) -> None:
    pattern = next(every_pattern())
    counted = {name: float(number) for number, name in enumerate(METRICS)}
    kept = record_copies.golden(pattern, counted)
    assert kept["counters"] == {"requests": 0, "sectors": 1, "sectors_from_l2": 2 + 3, "wavefronts": 4}
    record_copies.keep(tmp_path / "kept.json", [kept], "a device")
    assert json.loads((tmp_path / "kept.json").read_text(encoding="utf-8")) == {"about": "a device", "copies": [kept]}


def test_that_without_the_profiler_nothing_is_touched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pocl = the_gpu("pocl")
    monkeypatch.setattr(record_copies, "the_gpu", lambda _: pocl)
    monkeypatch.setattr(record_copies, "find_tool", lambda _: None)
    assert record_copies.main(["--file", str(tmp_path / "none.json")]) == 1
    assert "ncu (Nsight Compute) is not found" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
