"""A damaged cache of the compiler is noticed, emptied and said, and breaks no kernel."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from gemmviz.backends.base import CompileError, OpenDevice, Source, TrialRun
from gemmviz.backends.opencl import pocl_cache, pocl_entry
from gemmviz.backends.opencl.pocl_cache import (
    FOLDER_VARIABLE,
    CompilerCache,
    compiler_cache,
    own_folder,
    take_notes,
)
from gemmviz.backends.opencl.pocl_entry import SUMS
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.files.bounded_read import read_bytes
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch

ELF = b"\x7fELF\x02" + bytes(59) + b"code"
DEAD = "4194301"
"""No process has this number: the largest is 4194304, and numbers are given in turn."""


def entry_in(folder: Path, name: str = "AB/CDEF") -> Path:
    entry = folder / name
    (entry / "k" / "8-1-1").mkdir(parents=True)
    (entry / "last_accessed").touch()
    (entry / "program.bc").write_bytes(b"BC\xc0\xde and more")
    (entry / "k" / "8-1-1" / "k.so").write_bytes(ELF)
    return entry


@pytest.fixture(autouse=True)
def no_notes() -> Iterator[None]:
    before = take_notes()
    yield
    take_notes()
    for words in before:
        pocl_cache.note(words)


def test_that_an_entry_that_agrees_with_its_checksums_stays(tmp_path: Path) -> None:
    entry = entry_in(tmp_path)
    CompilerCache(tmp_path).seal()
    assert (entry / SUMS).is_file()
    assert CompilerCache(tmp_path).look_through() == 0
    assert entry.is_dir()


@pytest.mark.parametrize("name", ["program.bc", "k/8-1-1/k.so", SUMS])
@pytest.mark.parametrize("way", ["emptied", "flipped", "gone", "longer"])
def test_that_a_damaged_entry_goes_and_others_stay(tmp_path: Path, name: str, way: str) -> None:
    entry, other = entry_in(tmp_path), entry_in(tmp_path, "GH/IJKL")
    CompilerCache(tmp_path).seal()
    data = bytearray((entry / name).read_bytes())
    place = random.Random(f"{name}{way}").randrange(len(data))
    if way == "gone":
        (entry / name).unlink()
    else:
        data[place] ^= 0xFF
        (entry / name).write_bytes({"emptied": b"", "flipped": bytes(data), "longer": bytes(data) + b"x"}[way])
    damaged = 0 if (name, way) == (SUMS, "gone") else 1  # then nothing is known, and the files look whole
    assert CompilerCache(tmp_path).look_through() == damaged
    assert entry.exists() == (damaged == 0)
    assert other.is_dir()


def test_that_files_that_came_later_are_looked_at_and_then_sealed(tmp_path: Path) -> None:
    entry = entry_in(tmp_path)
    CompilerCache(tmp_path).seal()
    later = entry / "k" / "4-1-1" / "k.so"
    later.parent.mkdir()
    later.write_bytes(ELF)
    assert CompilerCache(tmp_path).look_through() == 0
    CompilerCache(tmp_path).seal()
    later.write_bytes(ELF[:-1] + b"X")
    assert CompilerCache(tmp_path).look_through() == 1


def test_that_entries_that_did_not_change_since_the_last_look_are_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry, other = entry_in(tmp_path), entry_in(tmp_path, "GH/IJKL")
    CompilerCache(tmp_path).seal()
    time.sleep(0.02)  # a file system may count in steps of 4 ms
    assert CompilerCache(tmp_path).look_through() == 0
    read, real = [], read_bytes
    monkeypatch.setattr(pocl_entry, "read_bytes", lambda path, most: read.append(path) or real(path, most))
    time.sleep(0.02)
    assert CompilerCache(tmp_path).look_through() == 0
    assert not read
    (other / "program.bc").touch()
    assert CompilerCache(tmp_path).look_through() == 0
    assert {path.relative_to(other).as_posix() for path in read} == {"program.bc", "k/8-1-1/k.so"}
    with monkeypatch.context() as patch:
        patch.setattr(time, "monotonic_ns", lambda: 0)  # the computer was started just now
        assert CompilerCache(tmp_path).look_through() == 0
    assert entry / "program.bc" in read


def test_that_nothing_is_removed_from_a_folder_that_the_user_chose(tmp_path: Path) -> None:
    entry = entry_in(tmp_path)
    (entry / "program.bc").write_bytes(b"")
    cache = CompilerCache(tmp_path, is_own=False)
    assert cache.look_through() == 1
    assert not cache.clear()
    cache.seal()
    with cache.at_work():
        assert {path.name for path in tmp_path.iterdir()} == {"AB"}
    assert entry.is_dir()


def test_that_what_a_process_died_of_is_removed(tmp_path: Path) -> None:
    entry = entry_in(tmp_path)
    with CompilerCache(tmp_path).at_work():
        (mark,) = (path for path in tmp_path.iterdir() if path.is_file())
        mine = mark.name
        CompilerCache(tmp_path).look_through()  # this process is alive
        assert entry.is_dir()
        (tmp_path / mine.replace(str(os.getpid()), DEAD, 1)).write_text(mark.read_text())
    assert not (tmp_path / mine).exists()
    CompilerCache(tmp_path).look_through()
    assert not entry.exists()
    assert not list(tmp_path.glob("at-work-*"))


def test_that_what_others_may_be_building_stays(tmp_path: Path) -> None:
    sealed = entry_in(tmp_path, "AB/SEALED")
    CompilerCache(tmp_path).seal()
    old = entry_in(tmp_path, "AB/OLD")
    os.utime(old / "last_accessed", (0, 1000.0))
    other = CompilerCache(tmp_path)
    other.enter()
    new = entry_in(tmp_path, "AB/NEW")
    (new / "k" / "8-1-1" / "k.so").write_bytes(ELF[:40])  # half of it is there
    mark = tmp_path / f"at-work-{DEAD}-1"
    mark.write_text("0.0", encoding="ascii")
    cache = CompilerCache(tmp_path)
    assert cache.look_through() == 0
    cache.seal()
    assert (sealed.is_dir(), old.is_dir(), new.is_dir(), mark.exists()) == (True, False, True, True)
    assert not (new / SUMS).exists() or "k/8-1-1/k.so" not in (new / SUMS).read_text(encoding="utf-8")
    other.leave()
    assert not list(tmp_path.glob("in-use-*"))
    cache.look_through()
    assert (sealed.is_dir(), new.is_dir(), mark.exists()) == (True, False, False)


def test_that_a_process_that_was_killed_uses_the_folder_no_more(tmp_path: Path) -> None:
    left = tmp_path / "in-use-1-1"
    left.touch()
    assert CompilerCache(tmp_path).others_came_s() == float("inf")
    assert not left.exists()


def test_that_a_crash_of_a_launch_costs_what_was_used_shortly_before(tmp_path: Path) -> None:
    new, old = entry_in(tmp_path), entry_in(tmp_path, "GH/IJKL")
    os.utime(old / "last_accessed", (0, 1000.0))
    with CompilerCache(tmp_path).at_work(launching=True):
        (mark,) = (path for path in tmp_path.iterdir() if path.is_file())
        mark.rename(tmp_path / mark.name.replace(str(os.getpid()), DEAD, 1))
    CompilerCache(tmp_path).look_through()
    assert not new.exists()
    assert old.is_dir()


def test_that_only_temporary_files_that_nobody_writes_go(tmp_path: Path) -> None:
    for name, age_s in (("tempfile_new", 0.0), ("tempfile_older", 120.0), ("tempfile_old", 7200.0)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, (tmp_path / name).stat().st_mtime - age_s))
    with CompilerCache(tmp_path).at_work():
        CompilerCache(tmp_path).look_through()
        assert {path.name for path in tmp_path.glob("tempfile_*")} == {"tempfile_new", "tempfile_older"}
    CompilerCache(tmp_path).look_through()
    assert [path.name for path in tmp_path.glob("tempfile_*")] == ["tempfile_new"]


@pytest.mark.parametrize("way", ["a file", "below a file"])
def test_that_without_a_folder_to_write_a_temporary_one_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    (tmp_path / "file").touch()
    chosen = tmp_path / "file" / ("" if way == "a file" else "cache")
    monkeypatch.setenv(FOLDER_VARIABLE, str(chosen))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(pocl_cache, "_in_use", [])
    found = compiler_cache()
    assert found.is_own
    assert os.environ[FOLDER_VARIABLE] == str(found.folder)
    assert not found.fault()
    (words,) = take_notes()
    assert "cannot be written" in words
    assert str(chosen) in words
    assert compiler_cache() is found
    assert take_notes() == []
    shutil.rmtree(found.folder)


def test_that_a_disk_that_is_nearly_full_is_no_place_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert CompilerCache(tmp_path).fault() == ""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=3 * 2**19))
    assert CompilerCache(tmp_path).fault() == "only 1.5 MiB are free there"


def test_that_the_folder_names_the_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pocl_cache, "_in_use", [])
    found = compiler_cache()
    assert found.folder == own_folder()
    assert found.is_own
    assert "pocl-" in found.folder.name
    assert "gemmviz-" in found.folder.name
    monkeypatch.setattr(pocl_cache, "_in_use", [])
    assert compiler_cache().is_own, "a child finds the variable set by its parent"


OF_THE_PROCESS = """
import shutil, sys
from gemmviz.backends.base import Source, TrialRun
from gemmviz.backends.opencl.pocl_cache import compiler_cache, take_notes
from gemmviz.backends.registry import backend_of, devices_for
from gemmviz.backends.opencl.pocl_entry import SUMS
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.files.bounded_read import read_bytes
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

kernel, shape = load_catalogue().get("naive"), Shape(32, 32, 32)
device = next(device for device in devices_for(Language.CUDA) if device.embedded)
opened = backend_of(device).open(device)
plan = kernel.plan(shape, kernel.params({}), device)
source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines)
for way in sys.argv[1].split(","):
    if way == "emptied":
        for path in compiler_cache().folder.rglob("program.bc"):
            path.write_bytes(b"")
    elif way == "deleted":
        shutil.rmtree(compiler_cache().folder)
    opened.compile(source, plan.launch, TrialRun(shape, plan.launch, shape.m * shape.n), lambda words: None)
    opened.flush_caches()
    print(way, take_notes())
opened.release()
"""


OF_A_BUSY_PROCESS = """
import sys
from gemmviz.cli.app import run_app

for size in sys.argv[1].split(","):
    for tile in (2, 8):
        words = ["run", "--kernel", "tiled", "--size", size, "--budget", "0.05", "--param", f"TILE={tile}"]
        assert run_app(words) == 0, (size, tile)
"""


def started(ways: str, cache: Path, *, code: str = OF_THE_PROCESS) -> subprocess.Popen[str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    environment.pop(FOLDER_VARIABLE, None)
    return subprocess.Popen(
        [sys.executable, "-c", code, ways], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def lines_of(process: subprocess.Popen[str]) -> list[str]:
    said, complaints = process.communicate(timeout=300)
    assert process.returncode == 0, complaints
    return said.splitlines()


def test_that_a_process_survives_a_cache_that_is_damaged_under_it(embedded: OpenDevice, tmp_path: Path) -> None:
    del embedded
    whole, emptied, deleted = lines_of(started("whole,emptied,deleted", tmp_path))
    assert whole == "whole []"
    assert emptied == 'emptied ["The compiler\'s cache was damaged and has been emptied: kernels are compiled again."]'
    assert deleted == "deleted []"
    (folder,) = (tmp_path / "gemmviz").glob("pocl-*-gemmviz-*")
    damaged = [*folder.rglob("program.bc")]
    assert damaged
    for path in damaged:
        path.with_name(SUMS).unlink(missing_ok=True)  # no checksum tells
        path.write_bytes(b"")
    pair = [started("whole", tmp_path), started("whole", tmp_path)]
    told = [lines_of(process)[0] for process in pair]
    assert any("damaged" in line for line in told), told


def test_that_nothing_is_removed_under_processes_that_build(embedded: OpenDevice, tmp_path: Path) -> None:
    del embedded
    lines_of(started("33x37x29", tmp_path, code=OF_A_BUSY_PROCESS))
    pair = [started("34x37x29", tmp_path, code=OF_A_BUSY_PROCESS) for _ in range(2)]
    (folder,) = (tmp_path / "gemmviz").glob("pocl-*-gemmviz-*")
    while any(process.poll() is None for process in pair):
        (folder / f"at-work-{DEAD}-1").write_text("0.0", encoding="ascii")
        CompilerCache(folder).look_through()
        time.sleep(0.1)
    assert all(len(lines_of(process)) >= 2 for process in pair)


def test_that_a_fault_of_the_source_does_not_empty_the_cache(embedded: OpenDevice) -> None:
    kernel = load_catalogue().get("naive")
    text = kernel.text.replace("float acc", "flaot acc")
    launch = Launch((1, 1, 1), (8, 8, 1))
    before = compiler_cache().entries()
    with pytest.raises(CompileError, match="flaot"):
        embedded.compile(
            Source(kernel.path, text, kernel.entry, kernel.language, ()),
            launch,
            TrialRun(Shape(8, 8, 8), launch, 64),
            print,
        )
    assert set(before) <= set(compiler_cache().entries())
    assert take_notes() == []
