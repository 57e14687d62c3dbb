"""Files of older versions, and what a GPU told of itself."""

import dataclasses
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemmviz.domain.gauges import Gauges, Reading, gauges_of
from gemmviz.domain.session import Session, SessionError, load_session, save_session

Forge = Callable[..., Path]


def aged(manifest: dict[str, Any]) -> None:
    """What version 1 would have written."""
    manifest["version"] = 1
    del manifest["session"]["shown"]
    for device in (manifest["session"]["device"], *(run["device"] for run in manifest["session"]["runs"])):
        del device["cuda"]
    for number, run in enumerate(manifest["session"]["runs"]):
        del run["resources"], run["launch"]["cluster"]
        for name in ("gauges", "h2d_pinned_ms", "d2h_pinned_ms"):
            del run["timing"][name]
        del manifest["arrays"][f"runs.{number}.timing.gauges.readings"]


def test_that_a_file_of_the_first_version_is_read_with_nothing_in_what_it_lacks(
    forge: Forge, entries: dict[str, bytes], session: Session, same: Callable[[Any, Any], bool], tmp_path: Path
) -> None:
    gauges = [name for name in entries if name.endswith("gauges.readings.npy")]
    assert len(gauges) == len(session.runs) == 2
    path, kept = forge(aged), tmp_path / "old.gemmviz"
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(kept, "w") as archive:
        for name in whole.namelist():
            if name not in gauges:
                archive.writestr(name, whole.read(name))
    assert same(load_session(kept), session)


@pytest.mark.parametrize("field", ["build", "spec", "timing"])
def test_that_an_older_file_may_not_lack_what_it_must_have(forge: Forge, field: str) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["version"] = 1
        del manifest["session"]["runs"][0][field]

    with pytest.raises(SessionError, match=f"the field '{field}' is missing"):
        load_session(forge(change))


def test_that_a_run_has_a_reading_for_each_sample_or_none(session: Session, tmp_path: Path) -> None:
    run = session.runs[0]
    for readings, fault in ((2, "not a reading of the gauges for each sample"), (3, "")):
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
