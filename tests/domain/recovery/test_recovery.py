"""What is not saved is on the disk as it comes in, is found once nobody has it any more, and is bounded."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.recovery.folders import DAMAGED, claimed, folders_in
from gemmviz.domain.recovery.lost import Recovered, discard, find_lost, recover, take_back
from gemmviz.domain.recovery.manifest import HEAD, NAME, RecoveryError, with_results
from gemmviz.domain.recovery.writer import RecoveryWriter, Snapshot
from gemmviz.domain.runs.result import RunError, Session
from gemmviz.domain.session.codec import encode
from gemmviz.domain.session.session import load_session
from gemmviz.domain.session.shown import Shown, ShownFrame


class Clock:
    """A minute later at each look."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 22, 14, 0, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(minutes=1)
        return self.time


@pytest.fixture(scope="module")
def whole() -> Session:
    """Runs, recordings and what else there is, of several examples."""
    made = [load_session(example.path) for example in load_examples()]
    first = next(one for one in made if one.traces)
    return replace(
        first,
        shown=None,
        runs=tuple(run for one in made for run in one.runs)[:5],
        errors=(RunError("own", "does not compile"),),
        traces=tuple(trace for one in made for trace in one.traces)[:3],
        roofs=tuple(roofs for one in made for roofs in one.roofs)[:1],
        schedules=tuple(found for one in made for found in one.schedules)[:1],
        warp_timelines=tuple(found for one in made for found in one.warp_timelines)[:1],
    )


@pytest.fixture
def make_writer(tmp_path: Path) -> Callable[..., RecoveryWriter]:
    return lambda most_bytes=2**30: RecoveryWriter(tmp_path, Clock(), most_bytes)


def read(folder: Path) -> Recovered:
    with claimed(folder) as is_ours:
        assert is_ours
        return recover(folder)


def same(one: Session, other: Session) -> bool:
    (tree, columns), (other_tree, other_columns) = encode(one), encode(other)
    return tree == other_tree and all(
        np.array_equal(columns[name], other_columns[name], equal_nan=True) for name in columns
    )


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 8] = b"\xff" * 8
    path.write_bytes(data[: len(data) - 30])


def test_that_what_was_kept_is_found_again_when_its_window_has_gone(
    whole: Session, make_writer: Callable[..., RecoveryWriter], tmp_path: Path
) -> None:
    writer = make_writer()
    for count in range(1, 6):
        assert writer.keep(Snapshot(replace(whole, runs=whole.runs[:count], traces=whole.traces[: count // 2]))) == ()
    shown = Shown(ShownFrame(1, 0, "step", 7))
    writer.keep(Snapshot(whole, shown, "mine.gemmviz", {"kernel": "tiled"}))
    assert find_lost(tmp_path) == ()  # its window is there
    writer.release()
    (lost,) = find_lost(tmp_path)
    assert (lost.runs, lost.recordings, lost.others, lost.name) == (5, 3, 4, "mine.gemmviz")
    assert lost.changed == "2026-11-22T14:07:30+00:00"
    found = read(lost.folder)
    assert same(found.session, replace(whole, shown=shown))
    assert (found.name, found.experiment, found.faults) == ("mine.gemmviz", {"kernel": "tiled"}, ())


def test_that_a_recording_is_written_once(whole: Session, make_writer: Callable[..., RecoveryWriter]) -> None:
    writer = make_writer()
    writer.keep(Snapshot(replace(whole, runs=whole.runs[:1])))
    assert writer.folder is not None
    before = {path.name: path.stat().st_ino for path in writer.folder.glob("0*.gemmviz")}
    writer.keep(Snapshot(whole))
    after = {path.name: path.stat().st_ino for path in writer.folder.glob("0*.gemmviz")}
    assert len(before) == 4
    assert len(after) == 5
    assert before.items() <= after.items()


def test_that_what_no_file_has_is_written_first(whole: Session, make_writer: Callable[..., RecoveryWriter]) -> None:
    writer = make_writer()
    saved = replace(whole, runs=whole.runs[:-1], traces=whole.traces[:-1])
    writer.keep(Snapshot(whole, saved=saved))
    writer.release()
    assert writer.folder is not None
    first, second = (load_session(writer.folder / f"00000{number}.gemmviz") for number in (1, 2))
    assert [run.timing.kernel_ms for run in first.runs] == [whole.runs[-1].timing.kernel_ms]
    assert [trace.spec for trace in second.traces] == [whole.traces[-1].spec]
    assert same(read(writer.folder).session, whole)
    (lost,) = find_lost(writer.folder.parent)
    assert (lost.runs, lost.recordings, lost.others) == (1, 1, 0), "what its file has was saved"


def test_that_what_a_person_removes_is_not_offered(whole: Session, make_writer: Callable[..., RecoveryWriter]) -> None:
    writer = make_writer()
    writer.keep(Snapshot(whole))
    rest = replace(whole, runs=whole.runs[1:3], traces=whole.traces[2:])
    writer.keep(Snapshot(rest))
    writer.release()
    assert writer.folder is not None
    assert len(list(writer.folder.glob("0*.gemmviz"))) == 2
    assert same(read(writer.folder).session, rest)
    both = make_writer()
    both.keep(Snapshot(rest))
    both.keep(Snapshot(whole))  # the removal is undone
    both.release()
    assert both.folder is not None
    assert same(read(both.folder).session, whole)


def test_that_nothing_is_left_once_the_session_is_saved(
    whole: Session, make_writer: Callable[..., RecoveryWriter], tmp_path: Path
) -> None:
    writer = make_writer()
    writer.keep(Snapshot(whole))
    writer.clear()
    assert folders_in(tmp_path) == []
    assert list(tmp_path.glob("*.lock")) == []
    writer.keep(Snapshot(whole))
    writer.release()
    assert len(find_lost(tmp_path)) == 1


def test_that_many_small_files_are_put_together(
    whole: Session, make_writer: Callable[..., RecoveryWriter], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemmviz.domain.recovery.writer.MOST_FILES", 10)
    monkeypatch.setattr("gemmviz.domain.recovery.writer.MOST_IN_FILE", 6)
    writer, session = make_writer(), with_results(whole, {})
    for number in range(40):
        session = replace(session, runs=(*session.runs, replace(whole.runs[0], sweep=number)))
        writer.keep(Snapshot(session))
    assert writer.folder is not None
    assert len(list(writer.folder.glob("0*.gemmviz"))) < 30
    writer.release()
    assert [run.sweep for run in read(writer.folder).session.runs] == list(range(40))


def test_that_a_damaged_file_is_named_and_set_aside_and_all_others_are_read(
    whole: Session, make_writer: Callable[..., RecoveryWriter], tmp_path: Path
) -> None:
    writer = make_writer()
    writer.keep(Snapshot(whole))
    writer.release()
    assert writer.folder is not None
    damage(writer.folder / "000002.gemmviz")
    found = read(writer.folder)
    assert found.session.runs
    assert len(found.session.traces) == 2
    (words,) = found.faults
    assert words.startswith("000002.gemmviz could not be read (")
    aside = tmp_path / DAMAGED / f"{writer.folder.name}-000002.gemmviz"
    assert str(aside) in words
    assert aside.exists()
    again = read(writer.folder)  # what is sound stays until it is discarded
    assert len(again.session.runs) == len(whole.runs)
    assert "its results are lost" in again.faults[0]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "gemmviz-recovery", "version": 2}', "\0" * 99, "FIFO"])
def test_that_all_results_are_read_without_a_table_of_contents(
    whole: Session, make_writer: Callable[..., RecoveryWriter], tmp_path: Path, content: str
) -> None:
    writer = make_writer()
    writer.keep(Snapshot(whole))
    writer.release()
    assert writer.folder is not None
    manifest = writer.folder / NAME
    manifest.unlink()
    if content == "FIFO" and hasattr(os, "mkfifo"):
        os.mkfifo(manifest)
    else:
        manifest.write_text(content, encoding="utf-8")
    (lost,) = find_lost(tmp_path)
    assert lost.is_damaged
    assert lost.changed.startswith("2026-11-22T14:01:30")
    found = read(lost.folder)
    assert same(found.session, whole)
    (words,) = found.faults
    assert words.startswith(NAME)


def test_that_results_written_after_the_table_of_contents_are_not_lost(
    whole: Session, make_writer: Callable[..., RecoveryWriter]
) -> None:
    writer = make_writer()
    writer.keep(Snapshot(replace(whole, runs=whole.runs[:2])))
    assert writer.folder is not None
    old = (writer.folder / NAME).read_bytes()
    writer.keep(Snapshot(whole))
    (writer.folder / NAME).write_bytes(old)  # the process was killed between the two
    writer.release()
    assert same(read(writer.folder).session, whole)


def test_that_a_folder_of_which_nothing_can_be_read_is_set_aside(
    whole: Session, make_writer: Callable[..., RecoveryWriter], tmp_path: Path
) -> None:
    writer = make_writer()
    writer.keep(Snapshot(with_results(whole, {"runs": whole.runs})))
    writer.release()
    assert writer.folder is not None
    for path in writer.folder.glob("*.gemmviz"):
        damage(path)
    with pytest.raises(RecoveryError, match=r"nothing of .* can be read: it was moved to"):
        read(writer.folder)
    assert find_lost(tmp_path) == ()
    assert len(list((tmp_path / DAMAGED).iterdir())) >= 2


def test_that_a_damaged_head_costs_nothing(whole: Session, make_writer: Callable[..., RecoveryWriter]) -> None:
    writer = make_writer()
    writer.keep(Snapshot(whole))
    writer.release()
    assert writer.folder is not None
    damage(writer.folder / HEAD)
    found = read(writer.folder)
    assert found.session.runs
    assert found.session.created == whole.created


def test_that_the_oldest_goes_when_there_is_no_room_and_that_it_is_told(
    whole: Session, make_writer: Callable[..., RecoveryWriter], tmp_path: Path
) -> None:
    earlier = make_writer()
    earlier.keep(Snapshot(whole))
    earlier.release()
    size = sum(path.stat().st_size for path in tmp_path.rglob("*.*"))
    writer = make_writer(size + 2000)
    (told,) = writer.keep(Snapshot(whole))
    assert "what 1 earlier windows left unsaved was removed" in told
    assert writer.is_complete
    assert len(folders_in(tmp_path)) == 1
    smaller = make_writer(size)
    words = smaller.keep(Snapshot(whole))  # the other window is there, so its data stay
    assert "recordings are left out. Save the session" in words[0]
    assert not smaller.is_complete
    smaller.release()
    assert smaller.folder is not None
    found = read(smaller.folder).session
    assert len(found.runs) == len(whole.runs)
    assert len(found.traces) < len(whole.traces)


def test_that_a_folder_that_cannot_be_written_is_told_with_its_remedy(whole: Session, tmp_path: Path) -> None:
    (tmp_path / "recovery").write_text("", encoding="utf-8")
    writer = RecoveryWriter(tmp_path / "recovery", Clock())
    with pytest.raises(RecoveryError, match="cannot write"):
        writer.keep(Snapshot(whole))
    (tmp_path / "recovery").unlink()
    assert writer.keep(Snapshot(whole)) == ()


def test_that_a_full_disk_costs_nothing_of_what_was_kept(
    whole: Session, make_writer: Callable[..., RecoveryWriter], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, some = make_writer(), replace(whole, runs=whole.runs[:2])
    writer.keep(Snapshot(some))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("gemmviz.domain.session.session.write_archive", full)
        with pytest.raises(RecoveryError, match=r"is full\. Free some space"):
            writer.keep(Snapshot(whole))
    assert writer.keep(Snapshot(whole)) == ()
    writer.release()
    assert writer.folder is not None
    assert same(read(writer.folder).session, whole)


def test_that_a_discarded_folder_is_offered_no_more_and_can_be_taken_back(
    whole: Session, make_writer: Callable[..., RecoveryWriter], tmp_path: Path
) -> None:
    writer = make_writer()
    writer.keep(Snapshot(whole))
    writer.release()
    (lost,) = find_lost(tmp_path)
    assert discard(tmp_path, lost.folder)
    assert not discard(tmp_path, lost.folder)
    assert take_back(tmp_path, lost.folder)
    (again,) = find_lost(tmp_path)
    assert again == lost
    assert discard(tmp_path, lost.folder)
    assert find_lost(tmp_path) == ()
    assert not take_back(tmp_path, lost.folder)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_that_what_a_live_window_has_is_neither_offered_nor_discarded(
    whole: Session, make_writer: Callable[..., RecoveryWriter], tmp_path: Path
) -> None:
    writer = make_writer()
    writer.keep(Snapshot(whole))
    assert writer.folder is not None
    assert find_lost(tmp_path) == ()
    assert not discard(tmp_path, writer.folder)
    assert json.loads((writer.folder / NAME).read_text(encoding="utf-8"))["name"] == ""
