"""Versions of a kernel in a session: one for each text, so many and no more, kept in its file and in recovery data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemmviz.domain.kernels.kernel_version import Check, Compilation, KernelVersion
from gemmviz.domain.kernels.resources import Occupancy, Resources
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session import versions as session_versions
from gemmviz.domain.session.codec import encode
from gemmviz.domain.session.session import SessionError, load_session, save_session
from gemmviz.domain.session.versions import (
    MOST_VERSIONS,
    next_number,
    recording_of_version,
    version_with_text,
    versions_of,
    with_version,
)
from gemmviz.domain.shape import Shape

ASSETS = Path(__file__).parents[3] / "assets"
SAVED = "2026-11-26T03:00:00+00:00"
COMPILATION = Compilation(
    "NVIDIA H200", "sm_90", "NVRTC 13.0", Resources(32, 0, 8, 4, 2048), 2048, Occupancy(8, 64, 64, ("warps",))
)
Forge = Callable[..., Path]


def version(number: int, text: str = "", kernel: str = "mine", **more: Any) -> KernelVersion:
    return KernelVersion(kernel, number, f"{kernel}.cu", text or f"text {number}", SAVED, **more)


def with_versions(session: Session, *versions: KernelVersion) -> Session:
    for one in versions:
        session, _ = with_version(session, one)
    return session


def test_that_versions_come_back_from_a_file(session: Session, tmp_path: Path) -> None:
    check = Check(Shape(65, 63, 67), passed=False, max_error_over_ug=float("inf"), bound=67.0, unwritten=2)
    whole = version(1, 'x = "é\u2028" // \x1b[0m\n', params=(("TILE", 16),), compilation=COMPILATION, check=check)
    bare = version(2, faults=("Not recorded: why",))
    save_session(with_versions(session, whole, bare), tmp_path / "a.gemmviz")
    assert load_session(tmp_path / "a.gemmviz").versions == (whole, bare)


def test_that_a_file_of_the_version_before_has_none(forge: Forge) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["version"] = 12
        del manifest["session"]["versions"]

    assert load_session(forge(change)).versions == ()


def test_that_the_same_text_is_one_version_with_what_is_known_now(session: Session) -> None:
    session = with_versions(session, version(1), version(2), version(1, compilation=COMPILATION))
    assert [(one.number, one.compilation) for one in versions_of(session, "mine")] == [(1, COMPILATION), (2, None)]
    assert next_number(session, "mine", "text 2") == 2
    assert next_number(session, "mine", "text 3") == 3
    assert next_number(session, "other", "text 2") == 1


def test_that_the_recording_of_the_same_text_goes_even_if_both_ended_in_one_second() -> None:
    session = load_session(ASSETS / "examples" / "cpu-four.gemmviz")
    trace = session.traces[0]
    one = version(1, trace.source_text, trace.spec.kernel, recorded=trace.finished)
    session, _ = with_version(session, one)
    assert recording_of_version(session, one) is trace
    session, _ = with_version(session, one)
    assert trace not in session.traces, "that of now is added afterwards"


def test_that_the_oldest_is_dropped_and_told(session: Session) -> None:
    for number in range(1, MOST_VERSIONS + 1):
        session, dropped = with_version(session, version(number))
        assert not dropped
    session, dropped = with_version(session, version(MOST_VERSIONS + 1))
    assert [one.number for one in dropped] == [1]
    assert len(session.versions) == MOST_VERSIONS
    assert next_number(session, "mine", "new") == MOST_VERSIONS + 2, "a number is not given twice"


def test_that_long_texts_are_bounded_together(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_versions, "MOST_CHARACTERS", 10)
    session = with_versions(session, version(1, "123456"))
    session, dropped = with_version(session, version(2, "654321"))
    assert [one.number for one in dropped] == [1]
    session, dropped = with_version(session, version(3, "x" * 99))
    assert version_with_text(session, "mine", "x" * 99) is not None, "the one that is worked on stays"


def test_that_a_version_without_a_recording_has_none(session: Session) -> None:
    assert recording_of_version(session, version(1)) is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda one: one.update(number=0), "not a valid count"),
        (lambda one: one.update(saved="yesterday"), "is not a time"),
        (lambda one: one.update(text=3), "3 where str belongs"),
        (lambda one: one.update(run="rm -rf"), "'run' is unknown"),
        (lambda one: one["compilation"]["resources"].update(registers=-1), "not a valid count"),
        (lambda one: one["check"].update(passed=True), "claims a result that its error and bound do not give"),
    ],
)
def test_that_a_version_is_not_trusted(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], None], fault: str
) -> None:
    from gemmviz.domain.session import session as module

    check = Check(Shape(3, 3, 3), passed=False, max_error_over_ug=9.0, bound=3.0)
    whole = with_versions(session, version(1, compilation=COMPILATION, check=check))

    def forged(value: object, *, packed: bool = False) -> Any:
        tree, columns = encode(value, packed=packed)
        change(tree["versions"][0])
        return tree, columns

    monkeypatch.setattr(module, "encode", forged)
    with pytest.raises(SessionError, match=fault):
        save_session(whole, tmp_path / "forged.gemmviz")  # what could not be opened again is not written


@pytest.mark.parametrize("twice", [{"number": 2}, {"text": "text 2"}])
def test_that_no_version_is_there_twice(session: Session, tmp_path: Path, twice: dict[str, Any]) -> None:
    both = (dataclasses.replace(version(1), **twice), version(2))
    with pytest.raises(SessionError, match="a version of a kernel twice"):
        save_session(dataclasses.replace(session, versions=both), tmp_path / "a.gemmviz")


def test_that_more_versions_than_a_file_keeps_are_refused(session: Session, tmp_path: Path) -> None:
    many = tuple(version(number) for number in range(1, MOST_VERSIONS + 2))
    with pytest.raises(SessionError, match=f"it has {MOST_VERSIONS + 1} versions"):
        save_session(dataclasses.replace(session, versions=many), tmp_path / "a.gemmviz")
