"""Programs that are started die with the process that started them, whatever ends it, and so does all they started."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from processes import running, wait_until

from gemmviz.domain.processes.child_process import child_process, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and shells as POSIX has them")

FAMILY = "sleep 4711 & setsid sleep 4712 & (sleep 4713 &); sleep 4714"
"""A shell with a child, one in a session of its own, an orphan, and one that it waits for."""
PARENT = """
import sys
from pathlib import Path
from gemmviz.domain.processes.child_process import child_process
with child_process(["sh", "-c", sys.argv[1]], leftovers=[Path(word) for word in sys.argv[2:]]) as child:
    child.wait()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_that_a_child_and_all_it_started_die_with_the_process(number: signal.Signals, tmp_path: Path) -> None:
    left = (tmp_path / "file", tmp_path / "folder")
    left[0].touch()
    left[1].mkdir()
    (left[1] / "inside").touch()
    with running("-c", PARENT, FAMILY, *map(str, left), temporary=tmp_path / "tmp") as parent:
        wait_until(lambda: len(parent.descendants()) == 6, "a supervisor, a shell and four that sleep")
        parent.signal_and_finish(number)
        wait_until(lambda: not parent.left(), "no descendant lives")
    if number is signal.SIGKILL:
        wait_until(lambda: not any(path.exists() for path in left), "what was being made is removed")


def test_that_what_a_program_writes_and_how_it_ends_is_handed_on() -> None:
    done = run(["sh", "-c", "echo out; echo err >&2; exit 3"], 60.0)
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")
    assert run(["sh", "-c", "kill -SEGV $$"], 60.0).returncode == -signal.SIGSEGV
    assert run(["sh", "-c", "kill -KILL $$"], 60.0).returncode == -signal.SIGKILL


def test_that_a_program_past_its_limit_is_ended_with_all_it_started(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    with pytest.raises(TimeoutError, match=r"within 0\.3 s"):
        run(["sh", "-c", f"(sleep 1; touch {mark}) & setsid sh -c 'sleep 1; touch {mark}' & sleep 4715"], 0.3)
    with child_process(["sleep", "1.5"]) as child:
        child.wait()
    assert not mark.exists()


def test_that_what_a_program_leaves_running_ends_with_it(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert run(["sh", "-c", f"setsid sh -c 'sleep 0.5; touch {mark}' & exit 0"], 60.0).returncode == 0
    with child_process(["sleep", "1"]) as child:
        child.wait()
    assert not mark.exists()


def test_that_a_program_that_is_not_there_is_an_error_at_once() -> None:
    with pytest.raises(FileNotFoundError):
        run(["no-such-program-here"], 60.0)
