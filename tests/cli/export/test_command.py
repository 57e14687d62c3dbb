"""`gemmviz export`: pictures and tables with no display, and what it refuses."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from gemmviz.cli.app import run_app
from gemmviz.domain.session.session import load_session

QUICK = ("--budget", "0.05", "--mode", "hot")

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "s.gemmviz"
    words = ["run", "--kernel", "tiled,cpu_blas", "--size", "33x17x29", *QUICK, "--out", str(path)]
    assert run_app(words) == 0
    return path


def start(*words: str) -> subprocess.CompletedProcess[str]:
    """The real command where there is no display."""
    bare = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    return subprocess.run(
        [sys.executable, "-m", "gemmviz", "export", *words],
        env=bare,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_that_it_draws_without_a_display(saved: Path, tmp_path: Path) -> None:
    done = start(str(saved), "--out", str(tmp_path / "out"), "--format", "png,svg,csv", "--scale", "2")
    assert (done.returncode, done.stderr) == (0, "")
    paths = [Path(line) for line in done.stdout.splitlines()]
    assert sorted(paths) == sorted((tmp_path / "out").iterdir())
    png = (tmp_path / "out" / "kernel_time.png").read_bytes()
    assert png.startswith(PNG)
    width, height = int.from_bytes(png[16:20]), int.from_bytes(png[20:24])
    root = ET.parse(tmp_path / "out" / "kernel_time.svg").getroot()
    assert (root.get("width"), root.get("height")) == (str(width), str(height)) == ("2400", str(height))
    texts = {(text.text or "").strip() for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"tiled", "cpu_blas"} <= texts


def test_that_the_theme_is_followed(saved: Path, tmp_path: Path) -> None:
    for theme, ground in (("light", "#f5f7f9"), ("dark", "#12161b")):
        done = start(str(saved), "--out", str(tmp_path / theme), "--format", "svg", "--theme", theme, "--plot", "rate")
        assert (done.returncode, done.stderr) == (0, "")
        assert [path.name for path in (tmp_path / theme).iterdir()] == ["rate.svg"]
        assert f'fill="{ground}"' in (tmp_path / theme / "rate.svg").read_text(encoding="utf-8")


def test_that_csv_alone_imports_no_qt(saved: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from gemmviz.cli.app import run_app; "
        f"code = run_app(['export', {str(saved)!r}, '--out', {str(tmp_path / 'out')!r}, '--format', 'csv']); "
        "print(code, *(m for m in sys.modules if m.partition('.')[0] in ('PySide6', 'pyqtgraph')), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "0"
    assert (tmp_path / "out" / "kernel_time.csv").exists()


def test_that_csv_reads_back_to_the_numbers_of_the_session(gemmviz: Any, saved: Path, tmp_path: Path) -> None:
    answer = gemmviz("export", str(saved), "--out", str(tmp_path / "out"))
    assert (answer.code, answer.err) == (0, "")
    runs = load_session(saved).runs
    for name, column, value_of in (
        ("kernel_time", "median_ms", lambda run: run.timing.kernel_ms.median),
        ("rate", "gflops", lambda run: run.gflops),
        ("accuracy", "relative_frobenius", lambda run: run.accuracy.relative_frobenius),
        ("end_to_end_time", "end_to_end_ms", lambda run: run.timing.whole.median),
        ("runs", "median_ms", lambda run: run.timing.kernel_ms.median),
    ):
        with (tmp_path / "out" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
        assert [float(row[column]) for row in rows] == [value_of(run) for run in runs]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--format", "bmp"), "--format bmp: choose from png, svg, pdf, csv, gif, mp4, frames"),
        (("--format", ""), "--format : choose from"),
        (("--format", "png", "--theme", "pink"), "--theme pink: choose light or dark"),
        (("--format", "png", "--scale", "0"), "--scale 0: give a number from 0.1 to 8"),
        (("--format", "png", "--scale", "nan"), "--scale 'nan'"),
        (("--format", "png", "--scale", "900"), "--scale 900"),
        (("--plot", "pie"), "--plot pie: choose from kernel_time"),
    ],
)
def test_that_bad_input_is_refused_in_a_sentence(
    gemmviz: Any, saved: Path, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    answer = gemmviz("export", str(saved), "--out", str(tmp_path / "out"), *words)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.complaint
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("formats", ["csv", "png"])
def test_that_a_folder_that_cannot_be_is_named(saved: Path, tmp_path: Path, formats: str) -> None:
    (tmp_path / "file").write_text("x")
    done = start(str(saved), "--out", str(tmp_path / "file"), "--format", formats)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"gemmviz: --out {tmp_path / 'file'}: cannot write")
    assert len(done.stderr.splitlines()) == 1


def test_that_a_foreign_file_is_refused(gemmviz: Any, tmp_path: Path) -> None:
    (tmp_path / "s.gemmviz").write_text("no session")
    answer = gemmviz("export", str(tmp_path / "s.gemmviz"), "--out", str(tmp_path / "out"), "--format", "png")
    assert answer.code == 2
    assert "s.gemmviz" in answer.complaint
    assert not (tmp_path / "out").exists()


def test_that_a_chart_the_session_has_not_is_told(saved: Path, tmp_path: Path) -> None:
    done = start(str(saved), "--out", str(tmp_path / "out"), "--format", "png", "--plot", "traffic")
    assert (done.returncode, done.stdout) == (1, "")
    assert "has nothing for these charts" in done.stderr
