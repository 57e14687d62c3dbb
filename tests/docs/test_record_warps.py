"""What the probe of warps prints becomes timelines of a session, and nothing that the clock readings changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import record_warps
from gpu_record.stamped_kernels import INSERTIONS, Insertion, stamped_source
from scheduling import gpu

from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.examples import examples_folder
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.session.session import load_session


def printed(**change: Any) -> list[dict[str, Any]]:
    """Two warps of block 9, the first of which ends in the window, and one of block 11 behind it."""
    warps = [
        {"block": 9, "slot": 4, "warp": 0, "stamps": [[-5, 10, 20, 30]]},
        {"block": 9, "slot": 4, "warp": 1, "stamps": [[-5, 10, 20, 90]]},
        {"block": 11, "slot": 5, "warp": 0, "stamps": [[31, 40, 50, 60], [65, 70, 75, 80]]},
    ]
    one = {
        "blocks_per_sm": 1,
        "occupancy": [1, 1],
        "dynamic_shared": [100, 200],
        "same_bits": True,
        "cycles": 5000,
        "plain_ms": [1.0, 2.0],
        "stamped_ms": [3.0, 4.0],
        "cycles_some_warp_multiplies": 2000,
        "window": 100,
        "warps": warps,
    }
    return [one | change]


def test_that_a_warp_of_a_new_block_continues_the_row_of_one_that_has_ended() -> None:
    (one,) = record_warps.timelines_of("tiled", printed(), gpu(), "2026-01-02T03:04:05+00:00")
    assert one.row.tolist() == [0, 0, 0, 1]
    assert one.block.tolist() == [9, 11, 11, 9]
    assert one.stop.tolist() == [30, 60, 80, 90]
    assert (one.rows, one.launch.dynamic_shared_bytes, one.computing_cycles) == (2, 200, 2000)


@pytest.mark.parametrize("change", [{"same_bits": False}, {"occupancy": [1, 2]}])
def test_that_a_probe_that_measured_another_kernel_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(record_warps.ProbeError, match="not the same as the plain one"):
        record_warps.timelines_of("tiled", printed(**change), gpu(), "")


def test_that_results_that_were_printed_before_take_the_place_of_those_in_a_session(tmp_path: Path) -> None:
    session, results = tmp_path / "mine.gemmviz", tmp_path / "printed.json"
    session.write_bytes((examples_folder() / record_warps.EXAMPLES["tiled"]).read_bytes())
    results.write_text(json.dumps({"tiled": printed()}), encoding="utf-8")
    assert record_warps.main(["--into", str(session), "--read", str(results)]) == 0
    kept = load_session(session)
    assert [one.rows for one in kept.warp_timelines] == [2]
    assert len(kept.schedules) == 4


@pytest.mark.parametrize("kernel", INSERTIONS)
def test_that_the_stamped_copy_of_a_kernel_is_the_kernel_with_clock_readings(kernel: str) -> None:
    source = load_catalogue().get(kernel)
    whole = stamped_source(kernel)
    copy = whole[whole.index(f'extern "C" __global__ void stamped_{source.entry}(') :]
    lines = iter(source.text[source.text.index(f'extern "C" __global__ void {source.entry}(') :].splitlines()[1:])
    added, wanted = [], next(lines)
    for line in copy.splitlines()[1:]:
        if line == wanted:
            wanted = next(lines, "")
        else:
            added.append(line.strip())
    assert not wanted
    assert not list(lines)
    assert sum("probe_now()" in line for line in added) >= 3
    assert added[0] == "PROBE_BEGIN"


def test_that_a_source_that_has_changed_is_not_stamped() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        Insertion("barrier", "clock").into("no such word")


def test_that_the_timelines_of_other_kernels_stay_in_a_session(tmp_path: Path) -> None:
    session, results = tmp_path / "mine.gemmviz", tmp_path / "printed.json"
    session.write_bytes((examples_folder() / record_warps.EXAMPLES["warp_tiled"]).read_bytes())
    results.write_text(json.dumps({"warp_tiled": printed()}), encoding="utf-8")
    assert record_warps.main(["--into", str(session), "--read", str(results)]) == 0
    kept = load_session(session).warp_timelines
    assert [(one.spec.kernel, one.rows) for one in kept] == [("double_buffered", 8), ("warp_tiled", 2)]


def test_that_without_a_gpu_nothing_is_recorded_and_one_line_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(_: str) -> None:
        raise NoDeviceError("there is no GPU")

    monkeypatch.setattr(record_warps, "the_gpu", none)
    assert record_warps.main([]) == 1
    assert capsys.readouterr().err == "nothing was recorded: there is no GPU\n"


def test_that_without_nvcc_the_probe_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_warps, "find_tool", lambda _: None)
    with pytest.raises(record_warps.ProbeError, match="Install the CUDA toolkit"):
        record_warps.run_probe("tiled")
