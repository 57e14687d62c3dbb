"""On a fresh system the analysis is compiled before a confined process needs it, and that is said."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gemmviz.cli.progress import RunProgress
from gemmviz.engine.analysis import ahead, first_use
from gemmviz.engine.analysis.ahead import CONFINED
from gemmviz.engine.analysis.first_use import WORDS, compile_for_confined, is_first

NOTHING = (sys.executable, "-c", "")
FOR_EVER = (sys.executable, "-c", "import time; time.sleep(600)")


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the caches of a fresh system."""
    monkeypatch.setattr(first_use, "user_cache_path", lambda name, **_: tmp_path / name)
    monkeypatch.setattr(ahead, "cache_folder", lambda name: tmp_path / "gemmviz" / name)
    return tmp_path


def test_that_a_fresh_system_is_told_what_takes_long(fresh: Path) -> None:
    del fresh
    said: list[str] = []
    compile_for_confined(said.append, NOTHING)
    assert said[0] == WORDS == "compiling the analysis, once for all kernels, up to 1 min"


def test_that_nothing_is_compiled_or_said_where_a_process_compiled_before(fresh: Path) -> None:
    code = fresh / "gemmviz" / "confined" / "numba" / "trace" / "f.nbi"
    code.parent.mkdir(parents=True)
    code.touch()
    said: list[str] = []
    compile_for_confined(said.append, NOTHING)
    assert said == []


def test_that_what_was_compiled_ahead_is_not_compiled_again(fresh: Path) -> None:
    done = fresh / "gemmviz" / "analysis" / CONFINED
    done.parent.mkdir(parents=True)
    done.write_text(ahead._fingerprint(), encoding="utf-8")
    assert not is_first(CONFINED)


def test_that_who_cancels_meanwhile_waits_for_nothing(fresh: Path) -> None:
    del fresh

    def cancel(words: str) -> None:
        if words != WORDS:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compile_for_confined(cancel, FOR_EVER)


def test_that_it_is_said_once_where_standard_error_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress(1) as progress:
        progress.announce(WORDS)
        progress.announce(f"{WORDS}: 3 s so far")
    assert capsys.readouterr().err == f"gemmviz: {WORDS}\n"
