"""`gemmviz roofs`: measured, printed, kept in a session, refused."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from gpu_runs import made_roofs
from short_roofs import shorten_roofs

from gemmviz.cli.app import run_app
from gemmviz.cli.faults import BAD_INPUT
from gemmviz.cli.roofs import print_roofs
from gemmviz.domain.runs.gauges import NO_GAUGES
from gemmviz.domain.runs.roof import RoofKind
from gemmviz.domain.session.session import load_session
from gemmviz.measure.roofs import measure_roofs
from gemmviz.measure.stopping import StoppingRule


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = partial(measure_roofs, rule=StoppingRule(3, 0.0, limit_seconds=0.2), kinds=(RoofKind.FP32, RoofKind.TF32))
    monkeypatch.setattr("gemmviz.engine.roofs.measure_roofs", quick)
    shorten_roofs(monkeypatch)


def test_that_roofs_are_added_to_a_session_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "roofs.gemmviz"
    for _ in range(2):
        assert run_app(["roofs", "--device", "pocl", "--into", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "fp32 FMA" in printed
    assert "not measured: tf32: it needs an NVIDIA GPU" in printed
    first, second = load_session(path).roofs
    assert first.finished <= second.finished
    assert [roof.kind for roof in second.roofs] == [RoofKind.FP32]
    assert run_app(["report", str(path)]) == 0
    assert capsys.readouterr().out.count("fp32 FMA") == 2


def test_that_the_json_document_has_every_sample(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["roofs", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (roof,) = document["roofs"]
    assert (roof["kind"], roof["unit"]) == ("fp32", "GFLOP/s")
    rates = sorted(roof["work"] / (ms * 1e6) for ms in roof["samples_ms"])
    assert rates[0] <= roof["median"] <= rates[-1]
    assert document["floor_ms"] > 0


@pytest.mark.parametrize("option", ["--device", "--into"])
def test_that_nothing_is_measured_for_what_cannot_be(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "no_session.gemmviz"
    path.write_text("not a session", encoding="utf-8")
    monkeypatch.setattr("gemmviz.cli.roofs.roofs_of_device", lambda *_: pytest.fail("something was measured"))
    assert run_app(["roofs", option, "machine:sm_90a" if option == "--device" else str(path)]) == BAD_INPUT
    assert path.read_text(encoding="utf-8") == "not a session"


def test_that_a_roof_of_one_sample_has_no_spread(capsys: pytest.CaptureFixture[str]) -> None:
    roofs = made_roofs()
    one, *others = roofs.roofs
    print_roofs(replace(roofs, roofs=(replace(one, samples_ms=one.samples_ms[:1], gauges=NO_GAUGES), *others)))
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [" – " in row for row in rows[: len(roofs.roofs)]] == [True] + [False] * len(others)
