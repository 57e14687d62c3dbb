"""Films are there whole or not at all, and what keeps them from being made is told in one line."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from gemmviz.domain.runs.tables import ExportError
from gemmviz.gui.export.film.temp_output import temporary_file, temporary_folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def half_a_file(path: Path, fault: BaseException) -> None:
    with temporary_file(path) as part:
        part.write_text("half")
        raise fault


def half_a_folder(path: Path, fault: BaseException) -> None:
    with temporary_folder(path) as part:
        (part / "frame_00001.png").write_text("half")
        raise fault


def test_that_a_file_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    path.write_text("old")
    with temporary_file(path) as part:
        part.write_text("new")
        assert path.read_text() == "old"
        assert part.suffix == ".gif"
    assert (names(tmp_path), path.read_text()) == (["a.gif"], "new")


@pytest.mark.parametrize("fault", [RuntimeError, KeyboardInterrupt, GeneratorExit])
def test_that_what_was_there_stays_where_anything_goes_wrong(tmp_path: Path, fault: type[BaseException]) -> None:
    path, folder = tmp_path / "a.gif", tmp_path / "a_frames"
    path.write_text("old")
    folder.mkdir()
    (folder / "frame_00001.png").write_text("old")
    with pytest.raises(fault):
        half_a_file(path, fault())
    with pytest.raises(fault):
        half_a_folder(folder, fault())
    assert names(tmp_path) == ["a.gif", "a_frames"]
    assert (path.read_text(), (folder / "frame_00001.png").read_text()) == ("old", "old")


def test_that_a_folder_of_numbered_pictures_is_replaced_as_a_whole(tmp_path: Path) -> None:
    folder = tmp_path / "a_frames"
    folder.mkdir()
    for number in range(3):
        (folder / f"frame_{number}.png").touch()
    with temporary_folder(folder) as part:
        (part / "frame_1.png").write_text("new")
    assert (names(tmp_path), names(folder)) == (["a_frames"], ["frame_1.png"])


def test_that_a_folder_with_a_persons_own_files_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "a_frames"
    folder.mkdir()
    (folder / "thesis.tex").touch()
    told = f"cannot replace {folder}: it holds thesis.tex. Move that or choose another folder"
    with pytest.raises(ExportError, match=f"^{told}$"), temporary_folder(folder):
        pytest.fail("nothing is begun")
    assert names(tmp_path) == ["a_frames"]
    (tmp_path / "b_frames").touch()
    with pytest.raises(ExportError, match="b_frames: it is a file"), temporary_folder(tmp_path / "b_frames"):
        pytest.fail("nothing is begun")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "is full. Free some space or choose another folder"),
        (errno.EACCES, "you may not write to the folder {folder}. Choose another or change its permissions"),
        (errno.EROFS, "is read-only. Choose another"),
    ],
)
def test_that_the_fault_and_the_remedy_are_told(tmp_path: Path, number: int, words: str) -> None:
    with pytest.raises(ExportError) as told:
        half_a_file(tmp_path / "a.gif", OSError(number, os.strerror(number)))
    assert str(told.value).startswith(f"cannot write {tmp_path / 'a.gif'}: ")
    assert str(told.value).endswith(words.format(folder=tmp_path))
    assert names(tmp_path) == []


def test_that_a_film_too_large_for_memory_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(ExportError, match=r"do not fit in memory\. Choose a smaller size"),
        temporary_folder(tmp_path / "a"),
    ):
        raise MemoryError("a picture of 9 x 9 pixels")
