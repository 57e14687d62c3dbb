"""One command for everything on a GPU: each step has its limit and its log, none holds up another, none needs Qt."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import on_a_gpu
import pytest
from gpu_record.sanitized import errors_in
from gpu_record.steps import Ended, Step, run_steps, summary_rows

from gemmviz.backends.registry import devices_for
from gemmviz.domain.terms import Language

ROOT = Path(__file__).parents[2]
HAS_A_GPU = any(device.backend == "cuda" for device in devices_for(Language.CUDA))
SCRIPTS = (
    "record_gpu",
    "record_nvbench",
    "record_counters",
    "make_examples",
    "on_a_gpu",
    "gpu_record.launch_once",
    "gpu_record.sanitized",
)
MODULES = (
    "gemmviz.cli.run.experiment",
    "gemmviz.cli.trace.recording",
    "gemmviz.cli.run.sweeps",
    "gemmviz.measure.sweep",
    "gemmviz.engine.jobs",
    "gemmviz.engine.recording",
)
WITHOUT_QT = """
import importlib, sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"):
            raise ImportError("there is no Qt here")

sys.meta_path.insert(0, NoQt())
for name in sys.argv[1:]:
    importlib.import_module(name)
assert not {"PySide6", "shiboken6", "pyqtgraph"} & set(sys.modules)
"""


def python(*words: str) -> tuple[str, ...]:
    return (sys.executable, "-c", *words)


def test_that_every_script_and_what_it_runs_does_without_qt() -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'docs'}"}
    command = [sys.executable, "-W", "error", "-c", WITHOUT_QT, *SCRIPTS, *MODULES]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_that_a_step_that_fails_or_hangs_or_is_not_there_holds_up_no_other(tmp_path: Path) -> None:
    seen: list[int] = []
    steps = [
        Step("good", python("print('fine')"), 30),
        Step("bad", python("print('what was', 'wrong', sep='\\n'); raise SystemExit(3)"), 30),
        Step("endless", python("import time; time.sleep(60)"), 0.5),
        Step("absent", python("print(\"No such command 'roofs'.\"); raise SystemExit(2)"), 30),
        Step("nowhere", ("/nowhere/at/all",), 30),
        Step("last", python("import os; print(os.environ['WORD'])"), 30),
    ]
    begin = time.monotonic()
    ended = run_steps(steps, tmp_path, {**os.environ, "WORD": "heard"}, 100.0, lambda: seen.append(1))
    assert time.monotonic() - begin < 60
    assert [one.words for one in ended] == [
        "ok",
        "failed (3): wrong",
        "stopped after 0 s",
        "absent",
        "not started: /nowhere/at/all: No such file or directory",
        "ok",
    ]
    assert [one.is_good for one in ended] == [True, False, False, True, False, True]
    assert "fine" in (tmp_path / "01-good.log").read_text(encoding="utf-8")
    assert "heard" in (tmp_path / "06-last.log").read_text(encoding="utf-8")
    assert len(seen) == len(steps)
    assert summary_rows(ended)[1][:2] == ("bad", "failed (3): wrong")


def test_that_what_a_step_started_ends_with_it(tmp_path: Path) -> None:
    child = (
        "import subprocess, sys, time; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); "
    )
    run_steps(
        [Step("parent", python(child + "print(p.pid, flush=True); time.sleep(60)"), 2.0)], tmp_path, os.environ, 9.0
    )
    pid = int((tmp_path / "01-parent.log").read_text(encoding="utf-8").splitlines()[-1])
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.05)
    pytest.fail("it still runs")


def test_that_no_step_begins_when_the_time_is_over(tmp_path: Path) -> None:
    steps = [Step("one", python("import time; time.sleep(1.2)"), 30), Step("two", python("print(1)"), 30)]
    assert [one.words for one in run_steps(steps, tmp_path, os.environ, 2.0)] == ["ok", "no time left"]


def test_that_every_script_of_a_step_is_there(tmp_path: Path) -> None:
    for step in on_a_gpu.steps_for(tmp_path):
        for word in step.command:
            if word.endswith(".py"):
                assert Path(word).is_file(), word


def test_that_the_folder_comes_back_in_one_file_with_its_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, archive = tmp_path / "out", tmp_path / "back" / "all.tar.gz"
    code = on_a_gpu.main(["--steps", "devices", "--out", str(out), "--pack", str(archive)])
    assert code == 0, (out / "01-devices.log").read_text(encoding="utf-8")
    assert "| devices | ok |" in capsys.readouterr().out
    with tarfile.open(archive) as packed:
        assert {"out/summary.md", "out/01-devices.log"} <= set(packed.getnames())
    with pytest.raises(SystemExit):
        on_a_gpu.main(["--steps", "nothing", "--out", str(out)])


@pytest.mark.skipif(HAS_A_GPU, reason="there is a GPU")
@pytest.mark.parametrize("step", [(), ("--steps", "devices,tests"), ("--steps", "roofs"), ("--steps", "compiled")])
def test_that_without_a_gpu_nothing_is_begun_and_one_line_says_why(
    step: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert on_a_gpu.main(["--out", str(tmp_path / "out"), *step]) == 1
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert re.match(r"nothing was done: .*(driver|PyCUDA|CUDA)", line)
    assert captured.out == ""
    assert list(tmp_path.iterdir()) == []
    assert on_a_gpu.main(["--out", str(tmp_path / "out"), "--list", *step]) == 0


def test_that_the_steps_measure_on_the_gpu_that_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Step] = []

    def run_none(steps: list[Step], *_: object) -> list[Ended]:
        seen.extend(steps)
        return []

    monkeypatch.setattr(on_a_gpu, "find_gpu", lambda _: "cuda:0123")
    monkeypatch.setattr(on_a_gpu, "run_steps", run_none)
    assert on_a_gpu.main(["--steps", "roofs", "--out", str(tmp_path)]) == 0
    (roofs,) = seen
    assert roofs.command[roofs.command.index("--device") + 1] == "cuda:0123"


def test_that_the_tests_for_a_gpu_are_collected_without_plug_ins(tmp_path: Path) -> None:
    step = next(step for step in on_a_gpu.steps_for(tmp_path) if step.name == "tests")
    command = [*step.command, "--collect-only", "-p", "no:pytest-qt", "-p", "no:xdist"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=on_a_gpu.environment(dict(os.environ)), check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tests collected" in done.stdout


@pytest.mark.skipif(HAS_A_GPU, reason="there is a GPU")
def test_that_tests_for_a_gpu_say_in_one_line_why_they_were_skipped(tmp_path: Path) -> None:
    step = next(step for step in on_a_gpu.steps_for(tmp_path) if step.name == "tests")
    command = [*step.command, str(ROOT / "tests" / "gpu" / "test_roofs.py"), "-p", "no:pytest-qt", "-p", "no:xdist"]
    command.remove(str(ROOT / "tests" / "gpu"))
    done = subprocess.run(
        command, capture_output=True, text=True, env=on_a_gpu.environment(dict(os.environ)), check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (line,) = [line for line in done.stdout.splitlines() if "tests for an NVIDIA GPU were skipped" in line]
    assert re.search(r"skipped: .*(driver|PyCUDA|CUDA)", line)


def test_that_the_sanitizers_summary_is_read() -> None:
    assert errors_in("========= ERROR SUMMARY: 0 errors\n") == 0
    assert errors_in("========= ERROR SUMMARY: 3 errors\n") == 3
    assert errors_in("========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)\n") == 2
    assert errors_in("it crashed") is None
