"""`gemmviz lesson`: a whole lesson as files, with no display, and what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

from gemmviz.catalogue.lessons import load_lessons
from gemmviz.cli.app import run_app

TREE = next(lesson for lesson in load_lessons() if lesson.id == "tree")


def test_that_a_lesson_is_written_without_a_display(tmp_path: Path) -> None:
    bare = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "QT_QPA_PLATFORM")}
    handout, stills = tmp_path / "tree.pdf", tmp_path / "stills"
    words = [
        "lesson",
        "tree",
        "--handout",
        str(handout),
        "--stills",
        str(stills),
        "--size",
        "320x180",
        "--title",
        "Tree",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "gemmviz", *words], env=bare, capture_output=True, text=True, check=False, timeout=120
    )
    pictures = [stills / f"lesson_{TREE.number}_step_{step}.png" for step in range(1, TREE.step_count + 1)]
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [str(path) for path in (handout, *pictures)]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)
    assert PdfReader(handout).pages[0].extract_text().startswith("Tree\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["trees", "--handout", "t.pdf"], "trees: there is no such lesson. Choose from tiling, "),
        (["tree"], "give --handout FILE, --stills FOLDER or both"),
        (["tree", "--stills", "s", "--format", "png,gif"], "--format gif: choose from png, pdf"),
        (["tree", "--stills", "s", "--theme", "blue"], "--theme blue: choose light or dark"),
        (["tree", "--handout", "t.pdf", "--paper", "a3"], "--paper a3: choose a4 or letter"),
        (["tree", "--stills", "s", "--size", "12"], "--size 12: write WIDTHxHEIGHT"),
    ],
)
def test_that_what_means_nothing_is_refused(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_app(["lesson", *words]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_that_pictures_that_are_there_are_not_replaced_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = tmp_path / f"lesson_{TREE.number}_step_2.png"
    taken.write_bytes(b"mine")
    assert run_app(["lesson", "tree", "--stills", str(tmp_path)]) == 2
    assert f"{taken.name} already exists" in capsys.readouterr().err
    assert taken.read_bytes() == b"mine"
