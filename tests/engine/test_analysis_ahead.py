"""What is compiled before a recording asks for it, and how it is remembered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gemmviz.trace
from gemmviz.engine.analysis import ahead
from gemmviz.engine.analysis.ahead import CONFINED, ORDINARY, copy_for_confined, missing_stage

EVERY_FUNCTION = """
import numba

uncalled = set()

def interpreted(**_options):
    def mark(function):
        name = function.__name__
        uncalled.add(name)
        def call(*arguments):
            uncalled.discard(name)
            return function(*arguments)
        return call
    return mark

numba.njit = interpreted
import importlib, pkgutil
import gemmviz.trace
for one in pkgutil.walk_packages(gemmviz.trace.__path__, "gemmviz.trace."):
    importlib.import_module(one.name)
from gemmviz.engine.analysis.ahead import compile_all
assert len(uncalled) > 40
compile_all()
print(" ".join(sorted(uncalled)))
"""
"""Numba's functions run interpreted, which tells of each whether it was called."""


def test_that_every_compiled_function_is_called() -> None:
    command = [sys.executable, "-W", "ignore", "-c", EVERY_FUNCTION]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert not [name for name in done.stdout.split() if not is_part_of_another(name)]


def is_part_of_another(name: str) -> bool:
    """Whether another compiled function calls it, and is compiled with it."""
    sources = [path.read_text() for path in Path(gemmviz.trace.__file__).parent.rglob("*.py")]
    functions = [part for text in sources for part in text.split("@njit(")[1:]]
    return any(f"{name}(" in part.split("\n\n\n")[0].partition("def ")[2].partition("\n")[2] for part in functions)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / "analysis"
    (folder / "numba" / "trace_1").mkdir(parents=True)
    (folder / "numba" / "trace_1" / "f.nbc").write_bytes(b"code")
    return folder


def finish(folder: Path, stage: str) -> None:
    (folder / stage).write_text(ahead._fingerprint())


def test_that_stages_come_one_after_the_other_and_once(memory: Path) -> None:
    assert missing_stage(memory) == ORDINARY
    finish(memory, ORDINARY)
    assert missing_stage(memory) == CONFINED
    finish(memory, CONFINED)
    assert missing_stage(memory) is None


def test_that_changed_code_is_compiled_again(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(memory, ORDINARY)
    finish(memory, CONFINED)
    monkeypatch.setattr(ahead, "version", lambda _name: "another")
    assert missing_stage(memory) == ORDINARY


def test_that_a_confined_process_gets_a_copy_once(memory: Path, tmp_path: Path) -> None:
    there = tmp_path / "confined" / "numba"
    copy_for_confined(there, memory)
    assert not there.exists()  # nothing is compiled yet
    finish(memory, CONFINED)
    copy_for_confined(there, memory)
    assert (there / "trace_1" / "f.nbc").read_bytes() == b"code"
    (there / "trace_1" / "g.nbc").write_bytes(b"its own")
    copy_for_confined(there, memory)
    assert (there / "trace_1" / "g.nbc").exists()
    (memory / CONFINED).write_text("newer")
    copy_for_confined(there, memory)
    assert not (there / "trace_1" / "g.nbc").exists()
    assert (there / "trace_1" / "f.nbc").exists()


def test_that_links_that_a_kernel_left_are_not_followed(memory: Path, tmp_path: Path) -> None:
    finish(memory, CONFINED)
    target = tmp_path / "elsewhere"
    target.mkdir()
    there = tmp_path / "numba"
    there.symlink_to(target)
    copy_for_confined(there, memory)
    assert list(target.iterdir()) == []


COUNT = """
import sys
from numba.core import event
from gemmviz.engine.analysis.ahead import copy_ordinary
from pathlib import Path

import numpy as np
from gemmviz.trace.hazards.cell_table import place_of

with event.install_recorder("numba:compile") as heard:
    place_of(np.full(8, -1, np.int64), 3)
copy_ordinary(Path(sys.argv[1]))
print(len(heard.buffer))
"""
"""How often Numba compiles a function that the ordinary cache has."""


def test_that_confined_processes_begin_with_what_was_compiled_for_all(tmp_path: Path) -> None:
    def compiled(**others: str) -> int:
        command = [sys.executable, "-W", "ignore", "-c", COUNT, str(tmp_path)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **others})
        return int(done.stdout)

    ordinary = {"NUMBA_CACHE_DIR": ""}
    compiled(**ordinary)
    assert compiled(NUMBA_CACHE_DIR=str(tmp_path)) == 0
    assert compiled(NUMBA_CACHE_DIR=str(tmp_path / "other")) > 0
