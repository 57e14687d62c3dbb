"""Block schedules: what none can be, and how one is kept."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scheduling import simulated, written

from gemmviz.domain.session.session import Session, SessionError, load_session, save_session


def test_that_a_schedule_knows_its_span_and_the_steps_of_its_clock() -> None:
    one = written([(0, 0, 96), (1, 32, 160), (0, 128, 192)])
    assert one.makespan_ns == 192
    assert one.resolution_ns == 32
    assert one.units == 2
    assert one.is_cold
    assert one.occupancy is not None
    assert one.occupancy.blocks == 32


def test_that_a_clock_that_never_moved_has_no_steps() -> None:
    assert written([(0, 0, 0), (1, 0, 0)]).resolution_ns == 0


def test_that_a_number_beyond_the_devices_units_is_believed() -> None:
    assert written([(0, 0, 1), (6, 0, 1)], units=4).units == 7


@pytest.mark.parametrize(
    ("index", "place"), [(0, (0, 0, 0)), (2, (2, 0, 0)), (3, (0, 1, 0)), (6, (0, 0, 1)), (11, (2, 1, 1))]
)
def test_that_blocks_lie_in_linear_order_x_fastest(index: int, place: tuple[int, int, int]) -> None:
    assert written([(0, 0, 1)] * 12, (3, 2, 2)).block_at(index) == place


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"unit": np.zeros(2, np.int32)}, "not have one row for each block"),
        ({"unit": np.array([0, -1, 0], np.int32)}, "a multiprocessor that does not exist"),
        ({"unit": np.array([0, 65536, 0], np.int32)}, "a multiprocessor that does not exist"),
        ({"start_ns": np.array([1, 2, 3], np.int64)}, "do not begin at the first start"),
        ({"start_ns": np.array([-1, 0, 3], np.int64)}, "do not begin at the first start"),
        ({"end_ns": np.array([5, 5, 4], np.int64)}, "ends before it starts"),
    ],
)
def test_that_what_no_schedule_can_be_is_refused(change: dict[str, Any], fault: str) -> None:
    sound = written([(0, 0, 5), (1, 0, 5), (0, 5, 9)])
    with pytest.raises(ValueError, match=fault):
        dataclasses.replace(sound, **change)


def test_that_a_session_keeps_its_schedules(session: Session, same: Callable[[Any, Any], bool], tmp_path: Path) -> None:
    whole = dataclasses.replace(session, schedules=(written([(0, 0, 5), (1, 0, 7)]), simulated((3, 5, 1))))
    save_session(whole, tmp_path / "kept.gemmviz")
    assert same(load_session(tmp_path / "kept.gemmviz"), whole)


def test_that_a_file_of_version_3_has_no_schedules(
    session: Session, same: Callable[[Any, Any], bool], tmp_path: Path
) -> None:
    new, old = tmp_path / "new.gemmviz", tmp_path / "old.gemmviz"
    save_session(session, new)
    with zipfile.ZipFile(new) as archive, zipfile.ZipFile(old, "w") as aged:
        for name in archive.namelist():
            data = archive.read(name)
            if name == "manifest.json":
                manifest = json.loads(data)
                manifest["version"] = 3
                del manifest["session"]["schedules"]
                data = json.dumps(manifest).encode()
            aged.writestr(name, data)
    assert load_session(old).schedules == ()
    assert same(load_session(old), session)


def test_that_a_damaged_schedule_is_not_opened(session: Session, tmp_path: Path) -> None:
    whole, forged = tmp_path / "whole.gemmviz", tmp_path / "forged.gemmviz"
    save_session(dataclasses.replace(session, schedules=(written([(0, 0, 5), (1, 0, 7)]),)), whole)
    with zipfile.ZipFile(whole) as archive, zipfile.ZipFile(forged, "w") as changed:
        for name in archive.namelist():
            data = archive.read(name)
            if name == "manifest.json":
                manifest = json.loads(data)
                manifest["session"]["schedules"][0]["launch"]["grid"] = [3, 1, 1]
                data = json.dumps(manifest).encode()
            changed.writestr(name, data)
    with pytest.raises(SessionError, match="not have one row for each block of the launch"):
        load_session(forged)
