import dataclasses
import json
import math
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gemmviz.domain.runs.result import RunError, Session
from gemmviz.domain.session.session import SessionError, load_session, save_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, Fill, Mode, StopReason

Same = Callable[[Any, Any], bool]

TIMES_MS = st.floats(0.0, 1e9)
ERRORS = st.one_of(st.floats(0.0, 1e100), st.sampled_from((math.nan, math.inf)))
TEXTS = st.text(max_size=20)
INTEGERS = st.integers(0, 2**53)


@st.composite
def changes(draw: st.DrawFn) -> dict[str, Any]:
    """Values of every type for fields of a run."""
    count = draw(st.integers(1, 8))
    samples = st.lists(TIMES_MS, min_size=count, max_size=count).map(np.array)
    sizes = st.integers(1, 40)
    return {
        "spec": {
            "kernel": draw(TEXTS),
            "shape": Shape(draw(st.integers(33, 64)), 17, draw(sizes)),
            "params": tuple(draw(st.lists(st.tuples(TEXTS, INTEGERS), max_size=3))),
            "fill": draw(st.sampled_from(Fill)),
            "seed": draw(INTEGERS),
        },
        "timing": {
            "mode": draw(st.sampled_from(Mode)),
            "stopped_by": draw(st.sampled_from(StopReason)),
            "kernel_samples_ms": draw(samples),
            "host_samples_ms": draw(samples),
            "compile_ms": draw(TIMES_MS),
            "discarded": draw(INTEGERS),
        },
        "accuracy": {"max_ulp": draw(ERRORS), "bound": draw(st.floats(0.0, 1e30))},
        "run": {"build": draw(TEXTS), "arithmetic": draw(st.sampled_from(Arithmetic))},
    }


def changed(session: Session, change: dict[str, Any]) -> Session:
    run = session.runs[0]
    parts = {name: dataclasses.replace(getattr(run, name), **change[name]) for name in ("spec", "timing", "accuracy")}
    return dataclasses.replace(session, runs=(dataclasses.replace(run, **parts, **change["run"]),))


def test_that_a_session_comes_back_as_it_was(session: Session, saved: Path, same: Same) -> None:
    loaded = load_session(saved)
    assert same(loaded, session)
    assert math.isnan(loaded.runs[0].accuracy.max_error_over_ug)
    assert math.isnan(loaded.runs[0].timing.whole_runs.samples_ms[1])
    assert loaded.runs[0].timing.unsynchronised_ms == 5e-324
    assert loaded.runs[0].device.vendor == "nan"


@given(change=changes())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_that_any_session_comes_back_as_it_was(
    session: Session, tmp_path: Path, same: Same, change: dict[str, Any]
) -> None:
    odd = changed(session, change)
    save_session(odd, tmp_path / "odd.gemmviz")
    assert same(load_session(tmp_path / "odd.gemmviz"), odd)


def test_that_the_comparison_of_these_tests_sees_a_difference(session: Session, same: Same) -> None:
    run = session.runs[0]
    samples = run.timing.kernel_samples_ms.copy()
    samples[1] += 1e-12
    timing = dataclasses.replace(run.timing, kernel_samples_ms=samples)
    other = dataclasses.replace(session, runs=(dataclasses.replace(run, timing=timing), *session.runs[1:]))
    assert same(session, session)
    assert not same(session, other)


def test_that_a_session_of_nothing_but_an_error_comes_back(session: Session, tmp_path: Path, same: Same) -> None:
    empty = dataclasses.replace(session, runs=(), errors=(RunError("\ud800\x00", ""),))
    save_session(empty, tmp_path / "empty.gemmviz")
    assert same(load_session(tmp_path / "empty.gemmviz"), empty)


def test_that_the_same_session_gives_the_same_bytes(session: Session, saved: Path, tmp_path: Path) -> None:
    save_session(session, tmp_path / "again.gemmviz")
    assert (tmp_path / "again.gemmviz").read_bytes() == saved.read_bytes()


def test_that_the_manifest_is_plain_json_that_names_every_column(entries: dict[str, bytes]) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(word)

    manifest = json.loads(entries["manifest.json"], parse_constant=refuse)
    assert (manifest["format"], manifest["version"]) == ("gemmviz-session", 27)
    assert manifest["arrays"]["runs.0.timing.kernel_samples_ms"] == {"dtype": "<f8", "shape": [3]}
    assert manifest["session"]["runs"][0]["accuracy"]["max_error_over_ug"] == "nan"
    assert {f"arrays/{name}.npy" for name in manifest["arrays"]} == set(entries) - {"manifest.json"}


def test_that_the_columns_are_numpys_own_files(saved: Path) -> None:
    with zipfile.ZipFile(saved) as archive, archive.open("arrays/runs.0.timing.host_samples_ms.npy") as file:
        assert np.load(file, allow_pickle=False).tolist() == [1.3, 1.1, 1.2]


def test_that_loaded_columns_are_native_and_cannot_be_changed(saved: Path) -> None:
    column = load_session(saved).runs[0].timing.kernel_samples_ms
    assert column.dtype.isnative
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 0.0


def test_that_numbers_of_numpy_are_saved_as_plain_ones(session: Session, tmp_path: Path) -> None:
    numbers: dict[str, Any] = {"bound": np.float64(5), "elements": np.int64(561), "passed": np.bool_(False)}
    accuracy = dataclasses.replace(session.runs[0].accuracy, **numbers)
    odd = dataclasses.replace(session, runs=(dataclasses.replace(session.runs[0], accuracy=accuracy),))
    save_session(odd, tmp_path / "odd.gemmviz")
    loaded = load_session(tmp_path / "odd.gemmviz").runs[0].accuracy
    assert (loaded.bound, loaded.elements, loaded.passed) == (5.0, 561, False)
    assert [type(x) for x in (loaded.bound, loaded.elements, loaded.passed)] == [float, int, bool]


def test_that_a_long_even_column_opens_again_though_it_shrinks_a_thousandfold(
    session: Session, tmp_path: Path, same: Same
) -> None:
    zeros = np.zeros(2**18)
    timing = dataclasses.replace(session.runs[0].timing, kernel_samples_ms=zeros, host_samples_ms=zeros)
    odd = dataclasses.replace(session, runs=(dataclasses.replace(session.runs[0], timing=timing),))
    save_session(odd, tmp_path / "even.gemmviz")
    assert same(load_session(tmp_path / "even.gemmviz"), odd)


@pytest.mark.parametrize(
    ("kernel_ms", "host_ms", "fault"),
    [
        (np.zeros(0), np.zeros(0), "no samples"),
        (np.array([math.nan]), np.zeros(1), "element 0 is nan, not a valid time in ms"),
        (np.zeros(2), np.zeros(3), "as many samples"),
        (np.zeros((2, 2)), np.zeros((2, 2)), "columns of shape"),
        (np.zeros(2, np.float32), np.zeros(2), "column of float32 where float64 belongs"),
        (np.array([None]), np.zeros(1), "column of object where float64 belongs"),
    ],
)
def test_that_what_could_not_be_opened_is_not_saved(
    session: Session, tmp_path: Path, kernel_ms: Any, host_ms: Any, fault: str
) -> None:
    timing = dataclasses.replace(session.runs[0].timing, kernel_samples_ms=kernel_ms, host_samples_ms=host_ms)
    odd = dataclasses.replace(session, runs=(dataclasses.replace(session.runs[0], timing=timing),))
    with pytest.raises(SessionError, match=fault):
        save_session(odd, tmp_path / "odd.gemmviz")
    assert list(tmp_path.iterdir()) == []


def test_that_a_value_of_a_foreign_type_is_not_saved(session: Session, tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="init_ms is a complex"):
        save_session(dataclasses.replace(session, init_ms=cast(float, 1j)), tmp_path / "odd.gemmviz")
