"""`gemmviz export` of recorded blocks: pictures and animations with no display, and what it refuses beforehand."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from gemmviz.cli.app import run_app
from gemmviz.cli.export.film import asked_block_names, film_jobs
from gemmviz.cli.export.memory_options import MemoryWords, read_memory_words
from gemmviz.cli.faults import BadInputError
from gemmviz.domain.recordings.trace_run import StoredBlock
from gemmviz.domain.session.session import load_session

QUICK = ("--budget", "0.05", "--mode", "hot")

STEM = "tiled_9x7x10_memory_block_1_2"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded block of 7 phases."""
    path = tmp_path_factory.mktemp("saved") / "s.gemmviz"
    words = [
        "trace",
        "--kernel",
        "tiled",
        "--param",
        "TILE=4",
        "--size",
        "9x7x10",
        "--block",
        "1,2",
        "--out",
        str(path),
    ]
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


def test_that_films_are_made_without_a_display(saved: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = start(
        str(saved),
        "--out",
        str(out),
        "--format",
        "png,svg,gif,mp4,frames",
        "--plot",
        "memory",
        "--size",
        "320x240",
        "--mode",
        "request",
        "--fps",
        "4",
        "--theme",
        "dark",
        "--block",
        "1,2",
        "--heat",
        "so-far",
    )
    assert (done.returncode, done.stderr) == (
        0,
        f"gemmviz: {STEM}: all 37 frames at speed 4, 19.5 s; "
        f"{STEM}_frames: 37 PNG files, one for each frame (--animate: 78)\n",
    )
    names = [f"{STEM}.png", f"{STEM}.svg", f"{STEM}.gif", f"{STEM}.mp4", f"{STEM}_frames"]
    assert [Path(line) for line in done.stdout.splitlines()] == [out / name for name in names]
    assert sorted(path.name for path in out.iterdir()) == sorted(names)
    with Image.open(out / f"{STEM}.gif") as film:
        assert film.size == (320, 240)
        assert film.convert("RGB").getpixel((2, 2)) == (0x12, 0x16, 0x1B)
    assert len(list((out / f"{STEM}_frames").iterdir())) == 37
    assert b"ftyp" in (out / f"{STEM}.mp4").read_bytes()[:12]
    svg = (out / f"{STEM}.svg").read_text(encoding="utf-8")
    assert "of 37" in svg
    assert "Loads so far" in svg


def test_that_a_range_nobody_chose_is_told(saved: Path) -> None:
    session = load_session(saved)
    for words, note in (
        (MemoryWords(mode="request"), "all 37 frames at speed 4, 19.5 s"),
        (MemoryWords(mode="request", speed=0.5), "frames 1 to 4 of 37 at speed 0.5, 17.0 s; --frames 1:37 exports all"),
    ):
        (job,) = film_jobs(session, asked_block_names(session, None), ["gif"], read_memory_words(words))
        assert job.note == f"{STEM}: {note}"
    for words in (
        MemoryWords(),
        MemoryWords(frames="2:5"),
        MemoryWords(speed=2.0),
        MemoryWords(frames="1:7", speed=0.25),
    ):
        (job,) = film_jobs(session, asked_block_names(session, None), ["gif"], read_memory_words(words))
        assert job.note == "", words


def test_that_a_block_without_accesses_has_no_film_and_is_named(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = load_session(saved)
    (run,) = session.traces
    nothing = np.zeros(0, np.int32)
    idle = StoredBlock((0, 0, 0), run.blocks[0].threads, nothing, nothing, np.zeros(0, np.int64), ())
    asked = read_memory_words(MemoryWords())
    beside = replace(session, traces=(replace(run, blocks=(idle, *run.blocks)),))
    (job,) = film_jobs(beside, asked_block_names(beside, None), ["gif"], asked)
    assert job.name.block == (1, 2, 0)
    assert "block (0, 0) accesses no memory, so it has no frames" in capsys.readouterr().err
    alone = replace(session, traces=(replace(run, blocks=(idle,)),))
    with pytest.raises(BadInputError, match=r"block \(0, 0\) accesses no memory.*Choose another block"):
        film_jobs(alone, asked_block_names(alone, None), ["gif"], asked)


def test_that_neither_qt_nor_encoders_are_imported_before_they_are_needed(saved: Path, tmp_path: Path) -> None:
    code = (
        "import sys; import gemmviz; from gemmviz.cli.app import run_app; "
        f"code = run_app(['export', {str(saved)!r}, '--out', {str(tmp_path / 'out')!r}, '--format', 'csv']); "
        "late = ('PySide6', 'PIL', 'imageio', 'imageio_ffmpeg'); "
        "print(code, *(m for m in sys.modules if m.partition('.')[0] in late), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "0"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("mp4", "--size", "481x271"), "--size 481x271: MP4 needs an even width and height. Choose 480x270"),
        (("gif", "--size", "5x5"), "--size 5x5: choose from 320x240 to 3840x2160"),
        (("gif", "--size", "big"), "--size big: write WIDTHxHEIGHT in pixels, for instance 1920x1080"),
        (("gif", "--frames", "3:200"), "--frames 3:200: choose frames from 1 to 7"),
        (("png", "--frames", "9"), "--frames 9:9: tiled TILE=4, 9×7×10, block (1, 2) has frames 1 to 7"),
        (("gif", "--frames", "3:2"), "--frames 3:2: count frames from 1 and give the first one first"),
        (("gif", "--frames", "all"), "--frames all: write FIRST:LAST, counted from 1, for instance 3:20, or one frame"),
        (("gif", "--speed", "17"), "--speed 17: choose from 0.25 to 16"),
        (("gif", "--fps", "60"), "--fps 60: choose from 1 to 50 fps for a GIF"),
        (("mp4", "--fps", "3", "--speed", "8"), "--fps 3: frames would be left out. Choose 4 fps or more"),
        (("gif", "--mode", "warp"), "--mode warp: choose from barrier, step, request"),
        (("gif", "--heat", "hot"), "--heat hot: choose from none, so-far, in-all, sectors, banks, age"),
        (("gif", "--block", "7,7"), "--block 7,7: no recording holds this block. Choose from 1,2, or record it with"),
        (("png", "--block", "x"), "--block x: write BX,BY"),
        (("gif", "--plot", "traffic"), "--plot traffic: gif can show recordings only; add memory"),
    ],
)
def test_that_bad_input_is_refused_in_a_sentence(
    gemmviz: Any, saved: Path, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    answer = gemmviz("export", str(saved), "--out", str(tmp_path / "out"), "--format", *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.complaint.startswith(f"gemmviz: {told}")
    assert not (tmp_path / "out").exists()


def test_that_a_film_too_long_is_refused_with_its_figure(gemmviz: Any, saved: Path, tmp_path: Path) -> None:
    words = ("--format", "frames", "--frames", "1:37", "--mode", "request", "--speed", "0.5", "--size", "3840x2160")
    answer = gemmviz("export", str(saved), "--out", str(tmp_path / "out"), *words, "--fps", "60", "--animate")
    assert answer.code == 2
    assert "--frames 1:37: 4.4 to 13 GB are more than 2.0 GB" in answer.complaint
    assert answer.complaint.endswith("or a smaller size.")


def test_that_a_session_without_recordings_has_no_animation(gemmviz: Any, tmp_path: Path) -> None:
    run = tmp_path / "run.gemmviz"
    assert gemmviz("run", "--kernel", "cpu_blas", "--size", "8x8x8", *QUICK, "--out", str(run)).code == 0
    answer = gemmviz("export", str(run), "--out", str(tmp_path / "out"), "--format", "gif")
    assert (answer.code, answer.out) == (1, "")
    assert "holds no recorded block to animate; record one with `gemmviz trace" in answer.complaint


def test_that_a_missing_ffmpeg_is_told(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "nowhere"))
    done = start(str(saved), "--out", str(tmp_path / "out"), "--format", "mp4", "--frames", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("gemmviz: --format mp4: MP4 needs ffmpeg. Run pip install imageio-ffmpeg")
    assert len(done.stderr.splitlines()) == 1
    assert list((tmp_path / "out").iterdir()) == []


def test_that_an_interrupted_film_leaves_nothing(saved: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["--format", "gif,mp4,frames", "--speed", "0.25", "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "gemmviz", "export", str(saved), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    deadline = time.monotonic() + 60
    while len(list(out.iterdir()) if out.exists() else ()) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    told = process.communicate(timeout=60)
    assert (process.returncode, *told) == (130, "", "gemmviz: stopped; files already written are complete\n")
    assert list(out.iterdir()) == []
