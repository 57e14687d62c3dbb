"""Files of older versions, and what a GPU told of itself."""

import dataclasses
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.domain.device import NO_GPU_FACTS
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.runs.gauges import Gauges, Reading, gauges_of
from gemmviz.domain.runs.whole_runs import WholeRun, whole_runs_of
from gemmviz.domain.session.arrays import pack_array
from gemmviz.domain.session.codec import decode, encode
from gemmviz.domain.session.session import Session, SessionError, load_session, save_session
from gemmviz.domain.session.upgrade import upgrade

Forge = Callable[..., Path]


WHOLE, PINNED = "runs.{}.timing.whole_runs.samples_ms", "runs.{}.timing.pinned_runs.samples_ms"


def with_whole_as_one_figure(manifest: dict[str, Any], **pinned: Any) -> None:
    """What versions before 8 wrote of whole runs."""
    manifest["version"] = 7
    for number, run in enumerate(manifest["session"]["runs"]):
        timing = run["timing"]
        del timing["whole_runs"], timing["pinned_runs"]
        del manifest["arrays"][WHOLE.format(number)], manifest["arrays"][PINNED.format(number)]
        timing.update(h2d_ms=0.25, d2h_ms=0.125, end_to_end_ms=2.5, **pinned)


def aged(manifest: dict[str, Any]) -> None:
    """What version 1 would have written."""
    with_whole_as_one_figure(manifest)
    manifest["version"] = 1
    del manifest["session"]["shown"]
    for device in (manifest["session"]["device"], *(run["device"] for run in manifest["session"]["runs"])):
        del device["gpu_facts"]
    for number, run in enumerate(manifest["session"]["runs"]):
        del run["resources"], run["launch"]["cluster"]
        del run["timing"]["gauges"]
        del manifest["arrays"][f"runs.{number}.timing.gauges.readings"]


def test_that_a_file_of_the_first_version_is_read_with_nothing_in_what_it_lacks(
    forge: Forge, entries: dict[str, bytes], session: Session, same: Callable[[Any, Any], bool], tmp_path: Path
) -> None:
    columns = ("gauges.readings.npy", "whole_runs.samples_ms.npy", "pinned_runs.samples_ms.npy")
    assert len([name for name in entries if name.endswith(columns)]) == 3 * len(session.runs) == 6
    assert same(load_session(without(forge(aged), columns, tmp_path)), session)


def test_that_the_whole_of_an_earlier_version_is_kept_as_one_figure(forge: Forge, tmp_path: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        with_whole_as_one_figure(manifest, h2d_pinned_ms=0.05, d2h_pinned_ms=0.03)

    columns = ("whole_runs.samples_ms.npy", "pinned_runs.samples_ms.npy")
    session = load_session(without(forge(change), columns, tmp_path))
    whole, pinned = session.runs[0].timing.whole, session.runs[0].timing.pinned
    assert (whole.in_ms, whole.out_ms, whole.median) == (0.25, 0.125, 2.5)
    assert whole.is_estimate
    assert sum(whole.parts) == pytest.approx(2.5)
    assert (pinned.in_ms, pinned.out_ms) == (0.05, 0.03)
    save_session(session, tmp_path / "new.gemmviz")
    assert load_session(tmp_path / "new.gemmviz").runs[0].timing.whole == whole


def test_that_a_hazard_of_an_older_recording_does_not_know_in_how_many_blocks_it_was() -> None:
    tree = {
        "kind": "race",
        "line": 6,
        "text": "s[i]",
        "block": [1, 0, 0],
        "threads": [0, 1],
        "epoch": 0,
        "count": 8,
        "detail": "two threads",
        "sites": [],
        "array": "",
        "elements": [],
    }
    hazard = decode(tree, {}, Hazard, is_older=True)
    assert (hazard.blocks, hazard.block_words) == (0, "first in block 1,0")


def test_that_whole_runs_come_back_one_by_one(session: Session, tmp_path: Path) -> None:
    runs = [WholeRun(0.25, 1.0, 0.125, whole) for whole in (2.5, 2.75, 4.0)]
    timing = dataclasses.replace(session.runs[0].timing, whole_runs=whole_runs_of(runs))
    run = dataclasses.replace(session.runs[0], timing=timing)
    save_session(dataclasses.replace(session, runs=(run,)), tmp_path / "parts.gemmviz")
    found = load_session(tmp_path / "parts.gemmviz").runs[0].timing
    assert found.whole_runs.runs == tuple(runs)
    assert found.whole == timing.whole


@pytest.mark.parametrize(
    ("row", "fault"),
    [([1.0, 2.0, 1.0, 3.0], "shorter than its parts"), ([1.0, 2.0, 1.0, -4.0], "not a valid time in ms")],
)
def test_that_whole_runs_that_cannot_be_are_not_opened(forge: Forge, row: list[float], fault: str) -> None:
    entry = f"arrays/{WHOLE.format(0)}.npy"
    with pytest.raises(SessionError, match=fault):
        load_session(forge(replace={entry: pack_array(np.array(row))}))


def without(path: Path, columns: tuple[str, ...], folder: Path) -> Path:
    """A copy of a session file without the entries whose names end so."""
    kept = folder / "old.gemmviz"
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(kept, "w") as archive:
        for name in whole.namelist():
            if not name.endswith(columns):
                archive.writestr(name, whole.read(name))
    return kept


@pytest.mark.parametrize("field", ["build", "spec", "timing"])
def test_that_an_older_file_may_not_lack_what_it_must_have(forge: Forge, field: str) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["version"] = 1
        del manifest["session"]["runs"][0][field]

    with pytest.raises(SessionError, match=f"the field '{field}' is missing"):
        load_session(forge(change))


def test_that_a_run_has_a_reading_for_each_sample_or_none(session: Session, tmp_path: Path) -> None:
    run = session.runs[0]
    for readings, fault in ((2, "not have one sensor reading per sample"), (3, "")):
        gauges = gauges_of([Reading(1980.0, 3201.0, 45.0, 612.5, 4)] * readings)
        odd = dataclasses.replace(run, timing=dataclasses.replace(run.timing, gauges=gauges))
        path = tmp_path / f"{readings}.gemmviz"
        if fault:
            with pytest.raises(SessionError, match=fault):
                save_session(dataclasses.replace(session, runs=(odd,)), path)
            continue
        save_session(dataclasses.replace(session, runs=(odd,)), path)
        found = load_session(path).runs[0].timing.gauges
        assert found.power_w.tolist() == [612.5] * 3
        assert found.throttled.all()
        assert found.throttles == ("power limit",)


def test_that_readings_are_columns_again() -> None:
    one, other = Reading(1980.0, 3201.0, 45.0, 612.5, 0x4 | 0x20), Reading(345.0, 3201.0, 40.0, 80.0, 0x1)
    gauges = gauges_of([one, other])
    assert gauges.count == 2
    assert gauges.clock_mhz.tolist() == [1980.0, 345.0]
    assert gauges.memory_clock_mhz.tolist() == [3201.0, 3201.0]
    assert gauges.temperature_c.tolist() == [45.0, 40.0]
    assert gauges.reasons.tolist() == [0x24, 0x1]
    assert gauges.throttled.tolist() == [True, False]
    assert gauges.throttles == ("power limit", "temperature, by the driver")


def test_that_a_reading_that_is_missing_leaves_no_column() -> None:
    assert gauges_of([Reading(1.0, 1.0, 1.0, 1.0, 0), None]).count == 0
    assert gauges_of([]).throttles == ()


def test_that_half_a_reading_is_refused() -> None:
    with pytest.raises(ValueError, match="4 figures are no readings of 5"):
        Gauges(gauges_of([Reading(1.0, 1.0, 1.0, 1.0, 0)]).readings[1:])


CUDA_FACTS: dict[str, Any] = {
    "uuid": "GPU-1",
    "capability": [9, 0],
    "static_shared_bytes": 49152,
    "shared_bytes_per_unit": 233472,
    "reserved_shared_bytes": 1024,
    "registers_per_block": 65536,
    "registers_per_unit": 65536,
    "threads_per_unit": 2048,
    "blocks_per_unit": 32,
    "memory_clock_mhz": 3201,
    "memory_bus_bits": 6144,
}
"""What versions 2 to 14 wrote of an H100."""


def told_by_cuda(facts: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    """Makes of a manifest one of version 14, whose devices have these facts."""

    def change(manifest: dict[str, Any]) -> None:
        manifest["version"] = 14
        session = manifest["session"]
        for device in (session["device"], *(run["device"] for run in session["runs"])):
            del device["gpu_facts"]
            device["cuda"] = facts.copy()

    return change


def test_that_what_cuda_told_of_a_gpu_becomes_the_facts_of_the_gpu(forge: Forge) -> None:
    session = load_session(forge(told_by_cuda(CUDA_FACTS)))
    facts = session.device.gpu_facts
    assert (
        facts
        == session.runs[0].device.gpu_facts
        == nvidia_facts((9, 0), **{name: value for name, value in CUDA_FACTS.items() if name != "capability"})
    )
    assert (facts.architecture, facts.warp_width, facts.shared_piece_bytes) == ("sm_90", 32, 128)


def test_that_a_device_without_cuda_has_no_facts(forge: Forge) -> None:
    none = {name: "" if name == "uuid" else 0 for name in CUDA_FACTS} | {"capability": [0, 0]}
    assert load_session(forge(told_by_cuda(none))).device.gpu_facts == NO_GPU_FACTS


@pytest.mark.parametrize("capability", [[9], [9, 10], [-9, 0], [True, 0], "9.0"])
def test_that_a_compute_capability_that_cannot_be_is_not_opened(forge: Forge, capability: Any) -> None:
    with pytest.raises(SessionError, match="the field 'cuda' is unknown"):
        load_session(forge(told_by_cuda({**CUDA_FACTS, "capability": capability})))


def test_that_the_shared_devices_of_an_older_large_session_are_read(session: Session) -> None:
    tree, columns = encode(session, packed=True)
    for device in tree["shared"]:
        del device["gpu_facts"]
        device["cuda"] = CUDA_FACTS.copy()
    upgrade(tree, columns, 14)
    found = decode(tree, columns, Session)
    assert {run.device.gpu_facts.architecture for run in found.runs} == {"sm_90"}


def test_that_the_way_of_an_access_becomes_its_path() -> None:
    sites = [{"text": "cp.async", "way": "asynchronous copy"}, {"text": "A[i]"}]
    tree = {"traces": [{"sites": sites}, {"sites": None}]}
    upgrade(tree, {}, 16)
    assert sites == [{"text": "cp.async", "path": "asynchronous copy"}, {"text": "A[i]"}]
