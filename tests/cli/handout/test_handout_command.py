"""`gemmviz report --pdf`: a handout with no display, and what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest
from pypdf import PdfReader

from gemmviz.cli.app import run_app
from gemmviz.cli.handout.command import title_of
from gemmviz.resources import resource_folder

SESSION = str(resource_folder("assets") / "lessons" / "race.gemmviz")


def test_that_it_writes_the_parts_that_are_asked_for_without_a_display(tmp_path: Path) -> None:
    bare = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "QT_QPA_PLATFORM")}
    path = tmp_path / "race.pdf"
    words = [
        "report",
        SESSION,
        "--pdf",
        str(path),
        "--paper",
        "letter",
        "--title",
        "Races",
        "--parts",
        "traffic,sources",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "gemmviz", *words], env=bare, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{path}\n", "")
    reader = PdfReader(path)
    text = "\n".join(page.extract_text() for page in reader.pages)
    assert round(reader.pages[0].mediabox.width) == 612
    assert text.startswith("Races\n")
    assert "Sources" in text
    assert "Pictures" not in text


@pytest.mark.parametrize(
    ("session", "title"),
    [("lessons/race.gemmviz", "Find the race"), ("examples/gpu-ladder.gemmviz", "The ladder on a GPU")],
)
def test_that_a_copy_of_what_comes_with_the_program_has_its_title(session: str, title: str, tmp_path: Path) -> None:
    copy = tmp_path / "mine.gemmviz"
    copyfile(resource_folder("assets") / session, copy)
    assert title_of(copy) == title
    with copy.open("ab") as file:
        file.write(b"changed")
    assert title_of(copy) == "mine"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--paper", "a4"], "--paper is for a handout: name its file with --pdf, too"),
        (["--pdf", "x.pdf", "--paper", "a5"], "--paper a5: choose a4 or letter"),
        (
            ["--pdf", "x.pdf", "--parts", "sauces"],
            "--parts sauces: choose from all, results, resources, requests, charts",
        ),
        (["--pdf", "x.pdf", "--json"], "--pdf and --json exclude each other: give one of them"),
        (["--pdf", "taken.pdf"], "--pdf taken.pdf: the file already exists"),
    ],
)
def test_that_what_means_nothing_is_refused(
    options: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken.pdf").write_text("mine")
    assert run_app(["report", SESSION, *options]) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["taken.pdf"]
    assert Path("taken.pdf").read_text() == "mine"
