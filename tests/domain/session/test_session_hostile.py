"""Files that are cut off, foreign, or made to do harm."""

import io
import os
import pickle
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gemmviz.domain.session import archive as session_archive
from gemmviz.domain.session import session as session_module
from gemmviz.domain.session.session import SessionError, load_session

Forge = Callable[..., Path]
COLUMN = "arrays/runs.0.timing.kernel_samples_ms.npy"


def fault_of(path: Path) -> str:
    before = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    with pytest.raises(SessionError) as caught:
        load_session(path)
    message = str(caught.value)
    assert message.startswith(f"cannot open {path}: ")
    assert "\n" not in message
    assert before == (sorted(path.parent.iterdir()) if path.parent.is_dir() else [])
    return message


def add(path: Path, name: str, data: bytes = b"", mode: int = 0o100644) -> Path:
    info = zipfile.ZipInfo("placeholder")
    info.filename = name
    info.external_attr = mode << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(info, data)
    return path


def npy(array: np.ndarray, allow_pickle: bool = False) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=allow_pickle)
    return buffer.getvalue()


def header(text: str, payload: bytes, version: bytes = b"\x01\x00") -> bytes:
    return b"\x93NUMPY" + version + struct.pack("<H", len(text)) + text.encode() + payload


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_that_a_file_cut_off_is_called_so(saved: Path, part: float) -> None:
    data = saved.read_bytes()
    saved.write_bytes(data[: int(len(data) * part)])
    assert "it is cut off or damaged. Copy it again" in fault_of(saved)


@pytest.mark.parametrize("data", [b"", b"PK", b"%PDF-1.7", os.urandom(4000).replace(b"PK", b"pk")])
def test_that_a_file_that_is_no_zip_is_called_so(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "letter.gemmviz"
    path.write_bytes(data)
    assert "it is not a session file. Choose a file that gemmviz saved" in fault_of(path)


def test_that_another_programs_zip_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "letter.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.mkdir("word")
        archive.writestr("word/document.xml", "<w/>")
    assert "it has no manifest.json. Choose a file that gemmviz saved" in fault_of(path)


def test_that_a_missing_file_a_folder_and_a_pipe_are_told_apart(tmp_path: Path) -> None:
    assert "there is no such file" in fault_of(tmp_path / "no.gemmviz")
    assert "there is no such file" in fault_of(tmp_path / "no" / "no.gemmviz")
    folder = tmp_path / "folder.gemmviz"
    folder.mkdir()
    assert "it is a folder. Give an ordinary file" in fault_of(folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_that_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.gemmviz")
    assert "it is a pipe. Give an ordinary file" in fault_of(tmp_path / "pipe.gemmviz")


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (OSError(5, "Input/output error"), "Input/output error"),
        (MemoryError(), "does not fit in memory"),
    ],
)
def test_that_an_unreadable_file_is_called_so(
    saved: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, fault: str
) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(session_module, "open_archive", refuse)
    assert fault in fault_of(saved)


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "arrays/../../x",
        "/etc/x",
        "C:/x",
        "c:x",
        "..\\x",
        "arrays\\x",
        "arrays/./x",
        "a\x00b",
        "..",
        "a\nb",
    ],
)
def test_that_a_name_that_leads_out_of_the_file_is_refused(saved: Path, name: str) -> None:
    assert "its name leads out of the file" in fault_of(add(saved, name))


def test_that_a_link_is_refused(saved: Path) -> None:
    assert "it is a link" in fault_of(add(saved, "arrays/link.npy", b"/etc/passwd", 0o120777))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", ["manifest.json", COLUMN])
def test_that_an_entry_that_occurs_twice_is_refused(saved: Path, name: str) -> None:
    assert "it occurs twice" in fault_of(add(saved, name))


def test_that_an_entry_that_the_manifest_does_not_name_is_refused(saved: Path) -> None:
    assert "'arrays/extra.npy', which its manifest does not name" in fault_of(add(saved, "arrays/extra.npy"))


def test_that_a_missing_entry_is_named(forge: Forge) -> None:
    assert f"its {COLUMN!r} is missing" in fault_of(forge(leave_out=COLUMN))
    assert "it has no manifest.json" in fault_of(forge(leave_out="manifest.json"))


def test_that_an_array_that_nothing_refers_to_is_refused(forge: Forge) -> None:
    path = forge(
        lambda m: m["arrays"].update(idle={"dtype": "<f8", "shape": [2]}),
        replace={"arrays/idle.npy": npy(np.zeros(2))},
    )
    assert "nothing refers to the array 'idle'" in fault_of(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_that_only_plain_compression_is_read(tmp_path: Path, method: int) -> None:
    path = tmp_path / "odd.gemmviz"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("manifest.json", "{}")
    assert "compressed by a method that gemmviz does not read" in fault_of(path)


def test_that_an_encrypted_entry_is_refused(saved: Path) -> None:
    data = bytearray(saved.read_bytes())
    entry = data.index(b"PK\x01\x02")
    data[entry + 8] |= 1
    saved.write_bytes(data)
    assert "it is encrypted" in fault_of(saved)


def test_that_what_unpacks_to_a_hundred_times_its_size_is_refused_unread(
    forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = forge(replace={"manifest.json": b" " * 2**22})
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("an entry was opened"))
    assert "it would unpack to 4194304 bytes from" in fault_of(path)


def test_that_the_sizes_together_are_limited(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_archive, "MAX_TOTAL_BYTES", 5000)
    data = saved.read_bytes()
    assert len(data) < 5000
    assert "it would unpack to" in fault_of(saved)
    saved.write_bytes(b"x" * 5001)
    assert "it has more than 5000 bytes. Give another file" in fault_of(saved)


def test_that_the_entries_are_counted(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_archive, "MAX_ENTRIES", 4)
    assert "it has 13 entries, at most 4 are read" in fault_of(saved)


def test_that_a_long_manifest_is_refused(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "MAX_MANIFEST_BYTES", 100)
    assert "its 'manifest.json' has" in fault_of(saved)


@pytest.mark.parametrize("claim", [1, 100, 10**6])
def test_that_a_size_that_lies_is_found_while_reading(forge: Forge, claim: int) -> None:
    path = forge(replace={COLUMN: npy(np.zeros(3))})
    data = bytearray(path.read_bytes())
    packed = zlib.crc32(npy(np.zeros(3)))
    for offset in (place for place in range(len(data)) if data[place : place + 4] == struct.pack("<L", packed)):
        data[offset + 8 : offset + 12] = struct.pack("<L", claim)
    path.write_bytes(data)
    fault = fault_of(path)
    assert f"its {COLUMN!r} is damaged" in fault or f"its {COLUMN!r} has another size" in fault


def test_that_no_more_is_unpacked_than_an_entry_declares(forge: Forge) -> None:
    bomb = npy(np.zeros(2**21))
    path = forge(replace={COLUMN: bomb})
    data = bytearray(path.read_bytes())
    short, crc = bomb[:200], struct.pack("<L", zlib.crc32(bomb))
    for offset in (place for place in range(len(data)) if data[place : place + 4] == crc):
        data[offset : offset + 4] = struct.pack("<L", zlib.crc32(short))
        data[offset + 8 : offset + 12] = struct.pack("<L", len(short))
    path.write_bytes(data)
    assert "claims 2097152 elements of float64 and holds 72 bytes" in fault_of(path)


def test_that_a_part_with_another_name_than_the_table_says_is_told_in_plain_words(saved: Path) -> None:
    with zipfile.ZipFile(saved) as archive:
        begin = archive.getinfo(COLUMN).header_offset + 30
    data = bytearray(saved.read_bytes())
    data[begin + 7 : begin + 11] = b"XXXX"
    saved.write_bytes(data)
    fault = fault_of(saved)
    assert fault.endswith(f"its {COLUMN!r} is damaged. Copy it again, or repeat the runs")


def test_that_a_flipped_bit_is_found(saved: Path) -> None:
    with zipfile.ZipFile(saved) as archive:
        info = archive.getinfo(COLUMN)
    data = bytearray(saved.read_bytes())
    data[info.header_offset + 30 + len(COLUMN) + info.compress_size // 2] ^= 0x10
    saved.write_bytes(data)
    assert f"its {COLUMN!r} is damaged" in fault_of(saved)


def test_that_no_damage_of_one_byte_gets_past_the_error(saved: Path, tmp_path: Path) -> None:
    data, path = saved.read_bytes(), tmp_path / "damaged.gemmviz"
    refused = 0
    for place in range(0, len(data), 3):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0xA5]) + data[place + 1 :])
        try:
            load_session(path)
        except SessionError:
            refused += 1
    assert refused > len(data) // 6


class Payload:
    """Runs a command when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("pickle-was-executed",)


def test_that_a_pickled_array_is_refused_and_not_executed(
    forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = npy(np.array([Payload()], dtype=object), allow_pickle=True)
    assert b"pickle-was-executed" in data
    assert "holds '|O'" in fault_of(forge(replace={COLUMN: data}))
    assert "no readable .npy header" in fault_of(forge(replace={COLUMN: pickle.dumps(Payload())}))
    assert not (tmp_path / "pickle-was-executed").exists()


GOOD = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (header(GOOD, bytes(23)), "claims 3 elements of float64 and holds 23 bytes"),
        (header(GOOD, bytes(32)), "claims 3 elements of float64 and holds 32 bytes"),
        (header(GOOD.replace("3", "9" * 60), bytes(24)), "has shape '9999"),
        (header(GOOD.replace("3", str(10**17)), bytes(24)), f"claims {10**17} elements"),
        (header(GOOD.replace("3", "-3"), bytes(24)), "has shape '-3,'"),
        (header(GOOD.replace("3,", "3, 1"), bytes(24)), "has shape '3, 1'"),
        (header(GOOD.replace("3,", ""), bytes(8)), "has shape ''"),
        (header(GOOD.replace("<f8", "<i8"), bytes(24)), "holds <i8 of shape (3,)"),
        (header(GOOD.replace("<f8", "<f4"), bytes(12)), "holds <f4 of shape (3,)"),
        (header(GOOD.replace("<f8", ">f8"), bytes(24)), "holds '>f8'"),
        (header(GOOD.replace("3", "2"), bytes(16)), "of shape (2,), its manifest says '<f8' of shape (3,)"),
        (header(GOOD.replace("<f8", "<U2"), bytes(24)), "holds '<U2'"),
        (header(GOOD.replace("<f8", "|V8"), bytes(24)), "holds '|V8'"),
        (header(GOOD.replace("'<f8'", "[('a', '<f8')]"), bytes(24)), "[('a', '<f8')]"),
        (header(GOOD.replace("3,", "3L,"), bytes(24)), "has shape '3L,'"),
        (header(GOOD.replace("'<f8'", "__import__('os')"), bytes(24)), "__import__('os"),
        (header("(" * 9000, b""), "no readable .npy header"),
        (header(GOOD, bytes(24), b"\x03\x00"), "no readable .npy header"),
        (header(GOOD, b"")[:20], "no readable .npy header"),
        (b"", "no readable .npy header"),
    ],
)
def test_that_an_entry_that_is_not_the_stated_column_is_refused(forge: Forge, data: bytes, fault: str) -> None:
    message = fault_of(forge(replace={COLUMN: data}))
    assert f"its {COLUMN!r}" in message
    assert fault in message
