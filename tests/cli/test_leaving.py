"""What a session says is no command to a terminal, no fault to a reader of JSON, no formula to a spreadsheet."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from nasty import NASTY, RECOGNISED, hidden_in, nasty_session

from gemmviz.cli.faults import complain
from gemmviz.cli.progress import RunProgress
from gemmviz.domain.session.session import save_session


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nasty") / "s.gemmviz"
    save_session(nasty_session(), path)
    return path


def compact(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 200])
def test_that_a_report_shows_nasty_names_whole_and_inert(
    gemmviz: Any, saved: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    answer = gemmviz("report", str(saved))
    assert (answer.code, answer.err) == (0, "")
    assert hidden_in(answer.out) == set()
    assert max(map(len, answer.out.splitlines())) <= columns
    if columns == 20:  # there no two cells stand side by side
        assert [part for part in RECOGNISED if compact(part) not in compact(answer.out)] == []


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals of POSIX")
def test_that_a_terminal_gets_no_escape_but_those_of_our_styles(saved: Path) -> None:
    import pty

    leader, follower = pty.openpty()
    words = [sys.executable, "-m", "gemmviz", "report", str(saved)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "90"}
    process = subprocess.Popen(words, stdout=follower, stderr=follower, env=environment)
    os.close(follower)
    got = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        got += piece
    os.close(leader)
    assert process.wait() == 0
    text = got.decode()
    assert hidden_in(text, "\n\r\x1b") == set()
    assert "\x1b]" not in text
    assert "[/red]x" in text


def test_that_a_complaint_is_text_whose_further_lines_are_indented(capsys: pytest.CaptureFixture[str]) -> None:
    complain(f"a{NASTY}\n\tb")
    told = capsys.readouterr().err
    assert hidden_in(told) == set()
    first, *others = told.splitlines()
    assert first.startswith("gemmviz: a=cmd")
    assert all(line.startswith("  ") for line in others), told


def test_that_progress_takes_names_as_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with RunProgress(1) as progress:
        progress.next()
        progress.say(NASTY)
    told = capsys.readouterr().err
    assert hidden_in(told, "\n\r\x1b") == set()
    assert "\x1b]0" not in told


def test_that_documents_are_json_for_every_reader(gemmviz: Any, saved: Path) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(word)

    answer = gemmviz("report", str(saved), "--json")
    document = json.loads(answer.out, parse_constant=refuse)
    assert document["runs"][0]["kernel"].startswith(NASTY)
    assert answer.out.isascii()


def test_that_figures_that_are_none_are_null_and_lone_surrogates_are_written_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from gemmviz.cli.terminal import print_json

    print_json({"a": [float("nan"), float("inf")], "b": "\udc80"})
    assert json.loads(capsys.readouterr().out) == {"a": [None, None], "b": r"\udc80"}


def test_that_no_exported_cell_is_a_formula_and_no_name_of_a_file_is_nasty(
    gemmviz: Any, saved: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert gemmviz("export", str(saved), "--out", str(out), "--format", "csv").code == 0
    paths = list(out.iterdir())
    assert len(paths) > 10
    seen: set[str] = set()
    for path in paths:
        assert path.name.isascii()
        assert len(path.name) < 100
        text = path.read_text(encoding="utf-8")
        assert hidden_in(text) == set()
        seen |= {cell for row in csv.reader(text.splitlines(keepends=True)) for cell in row}
    for cell in seen:
        assert not cell.startswith(("@", "\t", "\r", "=", "+"))
        assert not cell.startswith("-") or float(cell) < 0
        assert ";=" not in cell
    assert [part for part in RECOGNISED if not any(part in cell for cell in seen)] == []
