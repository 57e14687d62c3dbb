import os
from pathlib import Path

import pytest

from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import SessionError, load_session, save_session


def test_that_a_folder_that_is_not_there_is_named(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "missing" / "a.gemmviz"
    with pytest.raises(SessionError) as caught:
        save_session(session, path)
    assert str(caught.value) == (
        f"cannot write {path}: the folder {path.parent} does not exist. Create it or choose another"
    )


def test_that_a_folder_that_is_a_file_is_named(session: Session, saved: Path) -> None:
    with pytest.raises(SessionError, match=r"is not a folder\. Choose another") as caught:
        save_session(session, saved / "a.gemmviz")
    assert f"{saved} is not a folder" in str(caught.value)


def test_that_a_failed_save_leaves_the_file_that_was_there(
    session: Session, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = saved.read_bytes()
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SessionError, match=r"is full\. Free some space"):
        save_session(session, saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_that_a_save_replaces_an_older_file(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "a.gemmviz"
    path.write_bytes(b"older")
    save_session(session, path)
    assert load_session(path).created == session.created
    assert list(tmp_path.iterdir()) == [path]


def test_that_more_than_can_be_read_is_not_written(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemmviz.domain.session.archive.MAX_TOTAL_BYTES", 1000)
    with pytest.raises(SessionError, match="Save fewer runs in one file"):
        save_session(session, tmp_path / "a.gemmviz")
    monkeypatch.setattr("gemmviz.domain.session.session.MAX_MANIFEST_BYTES", 1000)
    with pytest.raises(SessionError, match="Save fewer in one file"):
        save_session(session, tmp_path / "a.gemmviz")
    assert list(tmp_path.iterdir()) == []
