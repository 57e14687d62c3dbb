"""What a process leaves that was killed is told by its name, and goes; what a living one uses stays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from gemmviz.domain.files import leftovers
from gemmviz.domain.files.leftovers import part_beside, remove_leftovers, removed_in_the_end, temporary_folder
from gemmviz.domain.processes.process_stamp import is_of_a_dead_process, process_stamp


@pytest.fixture
def dead_stamp() -> str:
    """The stamp of a process that has ended."""
    words = "from gemmviz.domain.processes.process_stamp import process_stamp; print(process_stamp())"
    return subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the system's folder of temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(leftovers, "_swept", set())
    return tmp_path


def test_that_a_stamp_tells_the_living_from_the_dead(dead_stamp: str) -> None:
    mine = process_stamp()
    assert not is_of_a_dead_process(f"gemmviz-{mine}-abc")
    assert is_of_a_dead_process(f"gemmviz-{dead_stamp}-abc")
    machine, pid, start = mine.split("-")
    assert is_of_a_dead_process(f"{machine}-{pid}-{int(start) - 86400}"), "the number has gone to another process"
    assert not is_of_a_dead_process(f"00000000-{dead_stamp.partition('-')[2]}"), "of another machine nobody can tell"
    assert not is_of_a_dead_process("gemmviz-nothing")


def test_that_the_next_start_removes_what_dead_processes_left_and_nothing_else(here: Path, dead_stamp: str) -> None:
    target = here / "results"
    target.mkdir()
    gone = [here / f"gemmviz-{dead_stamp}-xyz", target / f".gemmviz-{dead_stamp}-12ab.part.mp4"]
    gone[0].mkdir()
    (gone[0] / "answer.gemmviz").touch()
    gone[1].touch()
    stay = [
        *(here / name for name in (f"gemmviz-{process_stamp()}-a", "gemmviz-old", f"other-{dead_stamp}")),
        *(target / name for name in (f"gemmviz-{dead_stamp}", f".gemmviz-{process_stamp()}.part", "run.gemmviz")),
    ]
    for path in stay:
        path.touch()
    remove_leftovers([target])
    assert not any(path.exists() for path in gone)
    assert all(path.exists() for path in stay)


def test_that_a_link_in_a_left_folder_is_not_followed(here: Path, dead_stamp: str) -> None:
    precious = here / "precious"
    precious.mkdir()
    (precious / "thesis").touch()
    left = here / f"gemmviz-{dead_stamp}-xyz"
    left.mkdir()
    (left / "link").symlink_to(precious)
    (here / f"gemmviz-{dead_stamp}-link").symlink_to(precious)
    remove_leftovers()
    assert [path.name for path in here.iterdir()] == ["precious"]
    assert (precious / "thesis").exists()


def test_that_a_folder_of_a_name_with_the_stamp_goes_with_its_block(here: Path) -> None:
    with temporary_folder() as folder:
        assert folder.parent == here
        assert process_stamp() in folder.name
        assert folder.is_dir()
    assert list(here.iterdir()) == []


def test_that_an_end_in_a_hurry_removes_what_is_in_use(here: Path) -> None:
    words = (
        "import os; from pathlib import Path; from gemmviz.domain.files import leftovers as l\n"
        "with l.temporary_folder(), l.removed_in_the_end(l.part_beside(Path('x.gif'))) as _:\n"
        "    part = next(path for path in l._mine if path.suffix == '.gif'); part.touch()\n"
        "    print(part.name, len(list(Path.cwd().iterdir()))); l.remove_own_leftovers(); os._exit(0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", words],
        capture_output=True,
        text=True,
        check=True,
        cwd=here,
        env={**os.environ, "TMPDIR": str(here)},
    )
    assert re.fullmatch(r"\.gemmviz-\w{8}-\d+-\d+-\w{8}\.part\.gif 2\n", done.stdout)
    assert list(here.iterdir()) == []


def test_that_what_becomes_a_file_clears_up_behind_those_before_it(here: Path, dead_stamp: str) -> None:
    left = here / f".gemmviz-{dead_stamp}-12ab.part"
    left.touch()
    with removed_in_the_end(part_beside(here / "s.gemmviz")):
        assert not left.exists()
