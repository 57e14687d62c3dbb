import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, NoReturn

import pytest

from gemmviz.domain.files.atomic import ExistsError, WriteError, describe_write_fault, write_atomically

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")


def put(text: bytes) -> Callable[[BinaryIO], None]:
    def write(file: BinaryIO) -> None:
        file.write(text)

    return write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    return path


def test_that_the_new_content_takes_the_place_of_the_old(path: Path) -> None:
    write_atomically(path, put(b"new"))
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


def test_that_the_old_content_is_there_until_the_new_is_on_the_disk(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append(path.read_bytes()))
    write_atomically(path, put(b"new"))
    assert seen[0] == b"old"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ZeroDivisionError, MemoryError])
def test_that_an_interrupted_write_leaves_nothing_half_written(path: Path, error: type[BaseException]) -> None:
    def write(file: BinaryIO) -> NoReturn:
        file.write(b"half")
        raise error

    with pytest.raises(error):
        write_atomically(path, write)
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("number", "fault"),
    [
        (errno.EACCES, "you may not write to the folder {folder}. Choose another or change its permissions"),
        (errno.EROFS, "is read-only. Choose another"),
        (errno.ENOSPC, "is full. Free some space or choose another folder"),
        (errno.EIO, "Input/output error. Choose another folder or file name"),
    ],
)
def test_that_the_fault_and_the_remedy_are_told(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int, fault: str
) -> None:
    def fail(_: int) -> NoReturn:
        raise OSError(number, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(WriteError) as caught:
        write_atomically(path, put(b"new"))
    assert str(caught.value).startswith(f"cannot write {path}: ")
    assert str(caught.value).endswith(fault.format(folder=path.parent))
    assert list(path.parent.iterdir()) == [path]


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
def test_that_a_folder_without_permission_is_named(path: Path) -> None:
    path.parent.chmod(0o555)
    try:
        with pytest.raises(WriteError, match=f"you may not write to the folder {path.parent}"):
            write_atomically(path, put(b"new"))
    finally:
        path.parent.chmod(0o755)


def test_that_a_folder_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"it is not an ordinary file\. Choose another name"):
        write_atomically(tmp_path, put(b"new"))
    assert list(tmp_path.iterdir()) == []


@posix
def test_that_a_device_is_not_replaced_by_a_file() -> None:
    with pytest.raises(WriteError, match="it is not an ordinary file"):
        write_atomically(Path(os.devnull), put(b"new"))
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@posix
@pytest.mark.parametrize("goal", ["file", "nowhere", "."])
@pytest.mark.parametrize("may_replace", [True, False])
def test_that_nothing_is_written_through_a_link(path: Path, goal: str, may_replace: bool) -> None:
    link = path.parent / "link"
    link.symlink_to(goal)
    with pytest.raises(WriteError, match=f"it is a link to {goal}. Name the file itself"):
        write_atomically(link, put(b"new"), may_replace=may_replace)
    assert link.is_symlink()
    assert path.read_bytes() == b"old"
    assert set(path.parent.iterdir()) == {path, link}


@posix
def test_that_a_link_is_followed_where_that_is_meant(path: Path) -> None:
    link = path.parent / "link"
    link.symlink_to(path)
    write_atomically(link, put(b"new"), follows_link=True)
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_that_a_file_that_is_there_stays_where_it_is_not_to_be_replaced(path: Path) -> None:
    with pytest.raises(ExistsError, match="it already exists"):
        write_atomically(path, put(b"new"), may_replace=False)
    assert path.read_bytes() == b"old"
    other = path.parent / "other"
    write_atomically(other, put(b"new"), may_replace=False)
    assert other.read_bytes() == b"new"
    assert set(path.parent.iterdir()) == {path, other}


@pytest.mark.parametrize("link", [Path.hardlink_to, None])
def test_that_a_file_that_comes_meanwhile_stays(path: Path, monkeypatch: pytest.MonkeyPatch, link: object) -> None:
    if link is None:  # as on file systems that have no links
        monkeypatch.setattr(Path, "hardlink_to", lambda *_: (_ for _ in ()).throw(OSError(errno.EPERM, "no")))
    other = path.parent / "other"

    def write(file: BinaryIO) -> None:
        file.write(b"new")
        other.write_bytes(b"somebody else's")

    with pytest.raises(ExistsError):
        write_atomically(other, write, may_replace=False)
    assert other.read_bytes() == b"somebody else's"
    write_atomically(path.parent / "third", put(b"new"), may_replace=False)
    assert {one.name for one in path.parent.iterdir()} == {"file", "other", "third"}


@posix
def test_that_a_private_file_stays_private(path: Path) -> None:
    path.chmod(0o600)
    write_atomically(path, put(b"new"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
def test_that_a_file_that_may_not_be_written_to_stays(path: Path) -> None:
    path.chmod(0o444)
    with pytest.raises(WriteError, match=r"you may not change it\. Change its permissions"):
        write_atomically(path, put(b"new"))
    assert path.read_bytes() == b"old"


@posix
def test_that_a_new_file_has_the_permissions_of_any_other(path: Path) -> None:
    other = path.parent / "other"
    write_atomically(other, put(b"new"))
    assert other.stat().st_mode == path.stat().st_mode


def test_that_a_name_as_long_as_the_system_takes_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 240)
    write_atomically(path, put(b"new"))
    assert path.read_bytes() == b"new"
    with pytest.raises(WriteError, match="Choose a shorter one"):
        write_atomically(tmp_path / ("n" * 300), put(b"new"))


def test_that_a_folder_that_is_there_and_takes_no_files_is_not_called_missing(tmp_path: Path) -> None:
    error = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    said = describe_write_fault(tmp_path / "none", error)
    assert said.endswith(f": nothing can be created in the folder {tmp_path}. Choose another")
    assert "does not exist" in describe_write_fault(tmp_path / "missing" / "none", error)
