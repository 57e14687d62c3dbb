"""A file keeps its line ends and its byte order mark, is written whole or not at all, and never over another's work."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gemmviz.catalogue.loader import MOST_BYTES, read_source
from gemmviz.gui.editor.kernel_file import (
    ChangedOutsideError,
    FileError,
    encoded,
    has_changed_outside,
    read_kernel_file,
    save_kernel_file,
    save_kernel_file_as,
)


def written(folder: Path, data: bytes) -> Path:
    path = folder / "mine.cu"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"one\ntwo\n",
        b"one\r\ntwo",
        b"\xef\xbb\xbfone\r\ntwo\r\n",
        b"one\rtwo\r",
        b"mixed\r\nends\nhere\rtoo",
        "é \u2028 \u00a0 \f\v".encode(),
    ],
)
def test_that_a_file_that_was_not_changed_is_written_as_it_was(tmp_path: Path, data: bytes) -> None:
    file = read_kernel_file(written(tmp_path, data))
    assert encoded(file, file.text) == data
    assert file.text == read_source(file.path), "the text that is examined is the one that is edited"


@pytest.mark.parametrize(
    ("data", "change", "wanted"),
    [
        (b"a\r\nb\r\nc\r\n", ("b\n", "B\nnew\n"), b"a\r\nB\r\nnew\r\nc\r\n"),
        (b"a\nb\r\nc\nd\n", ("c\n", ""), b"a\nb\r\nd\n"),
        (b"a\nb\r\nc\nd\n", ("c\n", "c\ne\n"), b"a\nb\r\nc\ne\nd\n"),
        (b"a\nb", ("b", "b\nc"), b"a\nb\nc"),
        (b"\xef\xbb\xbfa\n", ("a", ""), b"\xef\xbb\xbf\n"),
        (b"a\r\nb", ("a\nb", "a"), b"a"),
    ],
)
def test_that_lines_that_stay_keep_their_ends_and_new_ones_get_the_usual(
    tmp_path: Path, data: bytes, change: tuple[str, str], wanted: bytes
) -> None:
    file = read_kernel_file(written(tmp_path, data))
    assert change[0] in file.text
    assert encoded(file, file.text.replace(*change)) == wanted


def test_that_a_save_is_refused_where_another_program_wrote_and_done_anyway_where_that_is_wanted(
    tmp_path: Path,
) -> None:
    file = read_kernel_file(written(tmp_path, b"mine\n"))
    assert not has_changed_outside(file)
    file.path.write_bytes(b"theirs\n")
    with pytest.raises(ChangedOutsideError, match=r"mine\.cu was changed by another program"):
        save_kernel_file(file, "edited\n")
    assert file.path.read_bytes() == b"theirs\n"
    saved = save_kernel_file(file, "edited\n", anyway=True)
    assert (file.path.read_bytes(), saved.text) == (b"edited\n", "edited\n")
    assert not has_changed_outside(saved)


def test_that_a_file_that_was_touched_but_not_changed_is_saved(tmp_path: Path) -> None:
    file = read_kernel_file(written(tmp_path, b"mine\n"))
    os.utime(file.path, (1, 1))
    assert save_kernel_file(file, "edited\n").data == b"edited\n"


def test_that_a_file_that_is_gone_is_written_again(tmp_path: Path) -> None:
    file = read_kernel_file(written(tmp_path, b"mine\n"))
    file.path.unlink()
    save_kernel_file(file, "again\n")
    assert file.path.read_bytes() == b"again\n"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere")
def test_that_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    file = read_kernel_file(written(tmp_path, b"mine\n"))
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(FileError, match="you may not write to the folder"):
            save_kernel_file(file, "edited\n")
    finally:
        tmp_path.chmod(0o700)
    assert file.path.read_bytes() == b"mine\n"


def test_that_a_link_is_not_written_through(tmp_path: Path) -> None:
    target = written(tmp_path, b"mine\n")
    link = tmp_path / "link.cu"
    link.symlink_to(target)
    with pytest.raises(FileError, match="link"):
        save_kernel_file(read_kernel_file(link), "edited\n")
    assert target.read_bytes() == b"mine\n"


def test_that_a_copy_keeps_the_ends_and_replaces_only_where_it_may(tmp_path: Path) -> None:
    file = read_kernel_file(written(tmp_path, b"a\r\n"))
    copy = tmp_path / "copy.cu"
    assert save_kernel_file_as(file, "a\nb\n", copy).path == copy
    assert copy.read_bytes() == b"a\r\nb\r\n"
    with pytest.raises(FileError, match=r"copy\.cu"):
        save_kernel_file_as(file, "c\n", copy)
    assert copy.read_bytes() == b"a\r\nb\r\n"


@pytest.mark.parametrize(
    ("data", "fault"),
    [(b"a\nb\xff", "line 2 is not UTF-8"), (b"x" * (MOST_BYTES + 1), f"more than {MOST_BYTES} bytes")],
)
def test_that_what_cannot_be_edited_is_told(tmp_path: Path, data: bytes, fault: str) -> None:
    with pytest.raises(FileError, match=fault):
        read_kernel_file(written(tmp_path, data))


def test_that_a_text_that_is_too_long_is_not_written(tmp_path: Path) -> None:
    file = read_kernel_file(written(tmp_path, b"a\n"))
    with pytest.raises(FileError, match="are more than the"):
        save_kernel_file(file, "x" * (MOST_BYTES + 1))
    with pytest.raises(FileError, match="line 2 holds half a character"):
        save_kernel_file(file, "a\n\ud800")
    assert file.path.read_bytes() == b"a\n"
