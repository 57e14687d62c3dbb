"""What is read from outside is an ordinary file of bounded length, or is refused at once and in words."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.loader import MOST_BYTES, load_user_kernel
from gemmviz.domain.files.bounded_read import Cause, ReadError, open_bounded, read_bytes, read_text
from gemmviz.domain.session.session import SessionError, load_session

odd_files = pytest.mark.skipif(sys.platform == "win32", reason="no pipes, links and devices in folders")


def make_pipe(path: Path) -> str:
    os.mkfifo(path)
    return "it is a pipe. Give an ordinary file"


def make_link_to_endless_zeros(path: Path) -> str:
    path.symlink_to("/dev/zero")
    return "it is a device. Give an ordinary file"


def make_link_to_a_terminal(path: Path) -> str:
    path.symlink_to("/dev/tty")
    return "it is a device. Give an ordinary file"


def make_folder(path: Path) -> str:
    path.mkdir()
    return "it is a folder. Give an ordinary file"


def make_socket(path: Path) -> str:
    with tempfile.TemporaryDirectory() as short:  # the name of a socket may not be long
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(f"{short}/s")
        Path(f"{short}/s").rename(path)
    return "it is a socket. Give an ordinary file"


def make_link_to_itself(path: Path) -> str:
    path.symlink_to(path)
    return "it is a link that leads back to itself. Name the file itself"


def make_link_to_nothing(path: Path) -> str:
    path.symlink_to(path.with_name("nothing"))
    return "it is a link to a file that is not there. Correct the link, or remove it"


def make_sparse(path: Path) -> str:
    with path.open("wb") as file:
        file.truncate(10 * 2**30)
    return "it has more than"


ODD = (
    make_pipe,
    make_link_to_endless_zeros,
    make_link_to_a_terminal,
    make_folder,
    make_socket,
    make_link_to_itself,
    make_link_to_nothing,
    make_sparse,
)


@odd_files
@pytest.mark.parametrize("make", ODD)
def test_that_what_is_no_ordinary_file_is_refused_in_words(tmp_path: Path, make: Callable[[Path], str]) -> None:
    path = tmp_path / "odd"
    reason = make(path)
    with pytest.raises(ReadError) as caught:
        read_bytes(path, 100)
    assert caught.value.reason.startswith(reason)
    assert str(caught.value).startswith(f"cannot read {path}: {reason}")


@odd_files
@pytest.mark.parametrize("make", ODD)
def test_that_kernel_files_and_sessions_are_read_so(tmp_path: Path, make: Callable[[Path], str]) -> None:
    kernel, session = tmp_path / "odd.cu", tmp_path / "odd.gemmviz"
    reason = make(kernel)
    with pytest.raises(HeaderError) as refused:
        load_user_kernel(kernel)
    assert refused.value.reason.startswith(reason)
    make(session)
    with pytest.raises(SessionError) as unopened:
        load_session(session)
    assert str(unopened.value).startswith(f"cannot open {session}: {reason}")


@odd_files
def test_that_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a\r\nb\rc")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_bytes(tmp_path / "link", 6) == b"a\r\nb\rc"
    assert read_text(tmp_path / "link", 6) == "a\nb\nc"


def open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


@odd_files
def test_that_a_pipe_that_takes_a_files_place_meanwhile_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, really = tmp_path / "file", os.open
    path.write_bytes(b"x")

    def swap(*arguments: Any) -> int:
        path.unlink()
        os.mkfifo(path)
        return really(*arguments)

    monkeypatch.setattr(os, "open", swap)
    before = open_files()
    with pytest.raises(ReadError, match="it is a pipe"):
        read_bytes(path, 10)
    assert before == open_files()


@pytest.mark.parametrize(("most", "fits"), [(9, False), (10, True), (11, True)])
def test_that_the_limit_counts_to_the_byte(tmp_path: Path, most: int, fits: bool) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    if fits:
        assert read_bytes(path, most) == b"0123456789"
    else:
        with pytest.raises(ReadError, match=r"it has more than 9 bytes\. Give another file"):
            read_bytes(path, most)


@pytest.mark.skipif(not Path("/proc/kallsyms").exists(), reason="no such file of the kernel here")
def test_that_a_file_that_hides_its_size_is_read_to_the_limit_only() -> None:
    assert Path("/proc/kallsyms").stat().st_size == 0
    with pytest.raises(ReadError, match="more than 1000 bytes"):
        read_bytes(Path("/proc/kallsyms"), 1000)


def test_that_a_missing_file_can_be_told_from_one_that_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ReadError) as missing:
        read_bytes(tmp_path / "none", 1)
    assert missing.value.cause is Cause.MISSING
    (tmp_path / "file").write_bytes(b"x")

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ReadError, match=r"you may not read it\. Change its permissions") as refused:
        read_bytes(tmp_path / "file", 1)
    assert refused.value.cause is Cause.REFUSED


def test_that_names_no_file_can_have_are_refused() -> None:
    with pytest.raises(ReadError, match="this is not a file name"):
        read_bytes(Path("a\x00b"), 1)
    with pytest.raises(ReadError, match="its name is too long"):
        read_bytes(Path("x" * 5000), 1)


def test_that_a_byte_that_is_no_text_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"one\ntwo \xe9\n")
    with pytest.raises(ReadError, match=r"the byte 0xE9 is not UTF-8\. Save the file as UTF-8") as caught:
        read_text(tmp_path / "file", 100)
    assert caught.value.line == 2


def test_that_an_opened_file_can_be_sought_in(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"0123456789")
    with open_bounded(tmp_path / "file", 10) as file:
        file.seek(-2, os.SEEK_END)
        assert file.read() == b"89"
        assert not os.get_inheritable(file.fileno())


def test_that_a_kernel_file_has_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "long.cu"
    path.write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(HeaderError, match=f"it has more than {MOST_BYTES} bytes. Give another file"):
        load_user_kernel(path)


def test_that_a_byte_that_no_text_has_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "nulls.cu"
    path.write_bytes(b"// one\n\0__global__ void k() {}\n")
    with pytest.raises(ReadError, match="it holds a NUL byte, which no text has") as raised:
        read_text(path, 100)
    assert raised.value.line == 2
