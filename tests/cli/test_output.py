"""Where reports go: readers that leave early, closed streams, widths."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.table import Table

from gemmviz.cli.terminal import report_terminal

COMMAND = [sys.executable, "-m", "gemmviz"]
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="streams as POSIX has them")
RUN = ("run", "--kernel", "cpu_ikj", "--size", "4x4x4", "--budget", "0.05", "--mode", "hot")


@posix_only
@pytest.mark.parametrize("words", [RUN, (*RUN, "--json"), ("kernels",), ("kernels", "--json"), ("--help",)])
def test_that_a_command_whose_reader_has_gone_ends_as_sigpipe_ends_others(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run([*COMMAND, *words], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@posix_only
@pytest.mark.parametrize("words", [RUN, (*RUN, "--json"), ("kernels",), ("--help",)])
def test_that_a_closed_output_is_told(words: tuple[str, ...]) -> None:
    line = 'exec "$@" >&-'
    done = subprocess.run(["sh", "-c", line, "sh", *COMMAND, *words], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "gemmviz: cannot write the output: standard output is closed\n"


@posix_only
def test_that_a_closed_error_stream_costs_nothing(tmp_path: Path) -> None:
    out = tmp_path / "s.gemmviz"
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *COMMAND, *RUN, "--json", "--out", str(out)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["runs"][0]["kernel"] == "cpu_ikj"
    assert out.read_bytes()[:2] == b"PK"


@pytest.mark.parametrize("columns", [60, 80, 150])
def test_that_columns_is_heeded_where_there_is_no_terminal(
    gemmviz: Any, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    widths = [len(line) for line in gemmviz("kernels").out.splitlines()]
    assert columns - 15 < max(widths) <= columns


@pytest.mark.parametrize("columns", ["", "0", "wide", "-5", "1e3"])
def test_that_an_odd_columns_is_no_fault(gemmviz: Any, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert gemmviz(*RUN).code == 0


def test_that_no_line_of_a_file_ends_in_blanks(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = report_terminal(40)
    terminal.print_words("a sentence that goes on in a second line", ", and its end", indent=2)
    table = Table("a name", "a number", box=None)
    table.add_row("one", "1")
    terminal.print_table(table)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert [line for line in lines if line != line.rstrip()] == []
