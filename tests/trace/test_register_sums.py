"""Sums that a compiler keeps in a register although each term is stored in the source, told from recordings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.cli.app import run_app
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.session import load_session
from gemmviz.trace.register_sums import register_sums


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], TraceRun]:
    def make(kernel: str, form: str) -> TraceRun:
        path = tmp_path_factory.mktemp("recorded") / "s.gemmviz"
        assert run_app(["trace", "--kernel", kernel, "--size", "4x4x4", "--as", form, "--out", str(path)]) == 0
        (run,) = load_session(path).traces
        return run

    return make


def test_that_fewer_stores_than_the_source_writes_are_explained(
    recorded: Callable[[str, str], TraceRun], capsys: pytest.CaptureFixture[str]
) -> None:
    run = recorded("tiled_global_accumulate", "compiled")
    line = next(n for n, code in enumerate(run.source_text.splitlines(), 1) if "C[row * N + col] +=" in code)
    (words,) = register_sums(run)
    assert words.startswith(f"Line {line}: the warps execute 4 multiply-adds and 2 stores to C, because")
    assert words in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("kernel", "form"),
    [("tiled_global_accumulate", "written"), ("tiled", "compiled"), ("global_accumulate", "compiled")],
    ids=["as written every store is there", "the source stores once", "the compiler stores each time"],
)
def test_that_nothing_is_said_where_all_stores_are_there(
    recorded: Callable[[str, str], TraceRun], kernel: str, form: str
) -> None:
    assert register_sums(recorded(kernel, form)) == ()
