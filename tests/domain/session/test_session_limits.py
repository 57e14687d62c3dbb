"""Whatever can be made can be saved and opened again: the limits of the reader are above those of the writer."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from gemmviz.catalogue.loader import MOST_BYTES
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session import checks as session_checks
from gemmviz.domain.session import session as session_module
from gemmviz.domain.session.archive import MAX_TOTAL_BYTES
from gemmviz.domain.session.checks import MOST_RUNS
from gemmviz.domain.session.field_ranges import SourceText
from gemmviz.domain.session.session import MAX_MANIFEST_BYTES, SessionError, load_session, save_session
from gemmviz.domain.shape import MAX_DIMENSION

Same = Callable[[Any, Any], bool]
Forge = Callable[..., Path]


def with_runs(session: Session, count: int) -> Session:
    """Runs that differ in their samples and in what they were run with."""
    run = session.runs[0]
    made = []
    for number in range(count):
        samples = np.arange(1.0, 2.0 + number % 3) * (1 + number)
        timing = dataclasses.replace(run.timing, kernel_samples_ms=samples, host_samples_ms=samples + 1.0)
        made.append(dataclasses.replace(run, timing=timing, sweep=number))
    return dataclasses.replace(session, runs=tuple(made))


def test_that_thousands_of_runs_are_saved_and_opened_again(session: Session, tmp_path: Path, same: Same) -> None:
    many = with_runs(session, session_module.MOST_PLAIN_RUNS + 200)
    save_session(many, tmp_path / "many.gemmviz")
    loaded = load_session(tmp_path / "many.gemmviz")
    assert same(loaded, many)
    assert loaded.runs[0].device is loaded.runs[-1].device
    assert not any(run.timing.kernel_samples_ms.flags.writeable for run in loaded.runs)
    with zipfile.ZipFile(tmp_path / "many.gemmviz") as archive:
        assert sorted(archive.namelist()) == [
            "arrays/packed.f4.npy",
            "arrays/packed.f8.npy",
            "manifest.json",
        ]
        # So that as many as are promised fit.
        assert archive.getinfo("manifest.json").file_size / len(many.runs) * MOST_RUNS < MAX_MANIFEST_BYTES
    assert MAX_MANIFEST_BYTES < MAX_TOTAL_BYTES


def test_that_more_runs_than_a_file_takes_are_told(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_checks, "MOST_RUNS", 3)
    save_session(with_runs(session, 2), tmp_path / "few.gemmviz")  # and one error
    with pytest.raises(SessionError, match="it has 4 runs: at most 3 are kept in one file"):
        save_session(with_runs(session, 3), tmp_path / "many.gemmviz")


def test_that_what_a_kernel_can_be_fits_into_a_session() -> None:
    _, longest = get_args(SourceText)
    assert longest.most >= 16 * MOST_BYTES  # recorded sources and PTX are longer than the file
    assert MAX_DIMENSION <= 2**31


@pytest.fixture
def packed(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Makes a packed file with a changed manifest."""
    monkeypatch.setattr(session_module, "MOST_PLAIN_RUNS", 1)
    save_session(session, tmp_path / "sound.gemmviz")

    def make(change: Callable[[dict[str, Any]], object]) -> Path:
        path = tmp_path / "changed.gemmviz"
        with zipfile.ZipFile(tmp_path / "sound.gemmviz") as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if name == "manifest.json":
                    manifest = json.loads(data)
                    change(manifest["session"])
                    data = json.dumps(manifest).encode()
                new.writestr(name, data)
        return path

    return make


def test_that_a_packed_session_is_the_same_as_before(packed: Callable[..., Path], session: Session, same: Same) -> None:
    assert same(load_session(packed(dict.copy)), session)


SAMPLES = "kernel_samples_ms"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda t: t["runs"][0]["timing"].update({SAMPLES: {"array": ["f8", 0, 10**6]}}), "of 'f8' are not there"),
        (lambda t: t["runs"][0]["timing"].update({SAMPLES: {"array": ["f8", -1, 1]}}), "of 'f8' are not there"),
        (lambda t: t["runs"][0]["timing"].update({SAMPLES: {"array": ["f8", 0, -1]}}), "of 'f8' are not there"),
        (lambda t: t["runs"][0]["timing"].update({SAMPLES: {"array": ["f2", 0, 1]}}), "'packed.f2' is not there"),
        (lambda t: t["runs"][0]["timing"].update({SAMPLES: {"array": ["f4", 0, 1]}}), "float32 where float64 belongs"),
        (lambda t: t["runs"][0].update(device={"shared": 9}), "the shared part 9 is not there"),
        (lambda t: t["runs"][0].update(device={"shared": -1}), "the shared part -1 is not there"),
        (lambda t: t["runs"][0].update(spec={"shared": 0}), "the field"),
        (lambda t: t.update(shared=[]), "the shared part 0 is not there"),
        (lambda t: t.update(shared=[{"shared": 0}]), "the shared part 0 is not there"),
        (lambda t: t.update(shared=7), "the shared part 0 is not there"),
        (lambda t: t["shared"][0].update(compute_units=-1), "-1 is not a valid limit of a device"),
    ],
)
def test_that_a_packed_session_is_not_trusted_either(
    packed: Callable[..., Path], change: Callable[[dict[str, Any]], object], fault: str
) -> None:
    with pytest.raises(SessionError, match=fault):
        load_session(packed(change))
