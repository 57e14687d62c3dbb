"""What is remembered survives anything that can happen to a file."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.gui.looks.theme import ThemeChoice
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.settings import BROKEN, FILE, Settings, load_settings, save_settings, settings_folder, writable_fault

FULL = Settings(
    theme=ThemeChoice.DARK,
    geometry="AdnQywAD",
    docks="AAAA/w==",
    recent_files=("/a/ä b.gemmviz", "/c.gemmviz"),
    last_experiment={"kernel": "tiled", "size": [17, 33, 1], "params": {"TILE": 16}, "seed": None},
    folders={"open": "/a", "export": "/b"},
    reduced_motion=True,
    lesson_steps={"tiling": 3},
    lesson_answers={"tiling": (6,)},
    lessons_seen=("gpu",),
    lessons_exercised=("gpu", "tree"),
    lessons_done=("cpu", "race"),
    first_start_seen=True,
)


def test_that_what_was_saved_is_loaded(tmp_path: Path) -> None:
    assert save_settings(FULL, tmp_path / "new" / "folder") == ""
    assert load_settings(tmp_path / "new" / "folder") == (FULL, "")


def test_that_a_first_start_has_defaults_and_nothing_to_say(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "no match") == (Settings(), "")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[1, 2]", b"null", b"\xff\xfe\x00", b"\x00" * 64, b"[" * 100_000, b'"' + b"x" * (1 << 21) + b'"'],
    ids=["empty", "cut", "list", "null", "utf16", "zeros", "deep", "long"],
)
def test_that_a_damaged_file_is_kept_beside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    settings, notice = load_settings(tmp_path)
    assert settings == Settings()
    assert "cannot be used" in notice
    assert BROKEN in notice
    assert (tmp_path / BROKEN).read_bytes() == content
    assert not (tmp_path / FILE).exists()
    assert load_settings(tmp_path) == (Settings(), "")


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("theme", "pink"),
        ("theme", 3),
        ("theme", []),
        ("geometry", 7),
        ("docks", None),
        ("recent_files", "/a"),
        ("last_experiment", [1]),
        ("folders", "x"),
        ("reduced_motion", "yes"),
        ("first_start_seen", 1),
        ("lesson_steps", [3]),
        ("lesson_answers", [6]),
        ("lessons_seen", 7),
        ("lessons_exercised", 4),
        ("lessons_done", "cpu"),
    ],
)
def test_that_a_wrong_type_costs_only_its_own_field(tmp_path: Path, field: str, wrong: object) -> None:
    save_settings(FULL, tmp_path)
    document = json.loads((tmp_path / FILE).read_text(encoding="utf-8")) | {field: wrong, "from_the_future": {}}
    (tmp_path / FILE).write_text(json.dumps(document), encoding="utf-8")
    assert load_settings(tmp_path) == (replace(FULL, **{field: getattr(Settings(), field)}), "")


def test_that_odd_entries_of_a_list_or_table_are_left_out(tmp_path: Path) -> None:
    odd = {
        "recent_files": ["/a", 3, "", None, *(f"/{n}" for n in range(20))],
        "folders": {"open": "/a", "export": 2},
        "lesson_steps": {"a": 2, "b": "3", "c": -1, "d": True},
        "lesson_answers": {"a": [1, "2", -1, True], "b": 3},
        "lessons_done": ["a", 4],
    }
    (tmp_path / FILE).write_text(json.dumps(odd), encoding="utf-8")
    settings, notice = load_settings(tmp_path)
    assert settings.recent_files == ("/a", *(f"/{n}" for n in range(9)))
    assert settings.folders == {"open": "/a"}
    assert settings.lesson_steps == {"a": 2}
    assert settings.lesson_answers == {"a": (1,)}
    assert settings.lessons_done == ("a",)
    assert notice == ""


def test_that_a_folder_that_takes_nothing_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    notice = save_settings(FULL, tmp_path / "file" / "below")
    assert "cannot be kept" in notice
    assert str(tmp_path / "file" / "below") in notice


def test_that_a_path_that_is_no_text_is_kept(tmp_path: Path) -> None:
    settings = replace(FULL, recent_files=(os.fsdecode(b"/a/\xff.gemmviz"),))
    assert save_settings(settings, tmp_path) == ""
    assert load_settings(tmp_path) == (settings, "")


def test_that_a_failed_save_leaves_the_old_file_and_no_scraps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_settings(FULL, tmp_path)

    def full_disk(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    assert "No space left on device" in save_settings(Settings(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    assert load_settings(tmp_path) == (FULL, "")


def test_that_what_json_cannot_hold_is_a_notice(tmp_path: Path) -> None:
    assert "cannot be written" in save_settings(Settings(last_experiment={"when": {1, 2}}), tmp_path)
    assert list(tmp_path.iterdir()) == []


def make_folder(path: Path) -> None:
    path.mkdir()


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_link_to_endless_zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 * 2**30)


def make_deep(path: Path) -> None:
    path.write_text('{"last_experiment": ' + "[" * 200_000 + "]" * 200_000 + "}", encoding="utf-8")


def make_rather_deep(path: Path) -> None:
    path.write_text('{"last_experiment": {"a":' + "[" * 500 + "]" * 500 + "}}", encoding="utf-8")


UNFIT = (make_folder, make_pipe, make_link_to_endless_zeros, make_huge, make_deep, make_rather_deep)


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes and no /dev in folders")
@pytest.mark.parametrize("make", UNFIT)
def test_that_unfit_settings_are_set_aside_with_one_notice(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / FILE)
    settings, notice = load_settings(tmp_path)
    assert settings == Settings()
    assert f"{tmp_path / FILE} cannot be used, it " in notice
    assert notice.endswith(f"It is kept as {tmp_path / BROKEN}.")
    assert save_settings(FULL, tmp_path) == ""
    assert load_settings(tmp_path) == (FULL, "")


def test_that_settings_one_may_not_read_stay_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_settings(FULL, tmp_path)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    settings, notice = load_settings(tmp_path)
    assert settings == Settings()
    assert "cannot be read, you may not read it; the defaults are used." in notice
    assert (tmp_path / FILE).is_file()


def test_that_the_environment_names_the_folder(tmp_path: Path) -> None:
    assert settings_folder({"GEMMVIZ_CONFIG_DIR": str(tmp_path)}) == tmp_path
    assert settings_folder({"GEMMVIZ_CONFIG_DIR": ""}) == settings_folder({})
    assert settings_folder({}).name == "gemmviz"


def test_that_motion_is_as_the_desktop_has_it_until_a_person_chooses(tmp_path: Path) -> None:
    memory = Preferences(tmp_path)
    assert [memory.reduced_motion(desktop) for desktop in (False, True)] == [False, True]
    memory.use_reduced_motion(False)
    assert [memory.reduced_motion(desktop) for desktop in (False, True)] == [False, False]


def test_that_a_folder_that_cannot_be_written_is_told_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "file is not a folder" in writable_fault(tmp_path / "file" / "settings")
    assert writable_fault(tmp_path / "not" / "made" / "yet") == ""
    monkeypatch.setattr(os, "access", lambda *_: False)  # permissions do not hold for root
    assert "may not be written to" in writable_fault(tmp_path)
