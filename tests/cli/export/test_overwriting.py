"""What is there stays: --force replaces files, nothing goes through a link, all is known before the work begins."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from nasty import EXAMPLES

from gemmviz.cli.export.overwriting import save_if_asked
from gemmviz.domain.session.session import load_session, save_session

SESSION = EXAMPLES / "cpu-four.gemmviz"
RUN = ("run", "--kernel", "cpu_ikj", "--size", "4x4x4", "--budget", "0.02", "--mode", "hot")
ASKING = {
    "run": RUN,
    "trace": ("trace", "--kernel", "tiled", "--size", "4x4x4"),
    "schedule": ("schedule", "--kernel", "tiled", "--size", "4x4x4"),
}
links = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")


@pytest.fixture
def never_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """No work may begin: what stands in the way of saving is found out before."""

    def fail(*_: object) -> None:
        raise AssertionError("the work began")

    for name in (
        "run.experiment.make_inputs",
        "trace.recording.do_job",
        "schedule.command.device_for_schedule",
        "roofs.roofs_of_device",
    ):
        monkeypatch.setattr(f"gemmviz.cli.{name}", fail)


@pytest.mark.usefixtures("never_begun")
@pytest.mark.parametrize("command", ASKING)
def test_that_a_file_that_is_there_is_refused_before_the_work(gemmviz: Any, tmp_path: Path, command: str) -> None:
    out = tmp_path / "s.gemmviz"
    out.write_bytes(b"mine")
    answer = gemmviz(*ASKING[command], "--out", str(out))
    assert (answer.code, answer.out) == (2, "")
    assert answer.complaint == (
        f"gemmviz: --out {out}: the file already exists. Choose another name, or replace it with --force."
    )
    assert out.read_bytes() == b"mine"


def test_that_force_replaces_it(gemmviz: Any, tmp_path: Path) -> None:
    out = tmp_path / "s.gemmviz"
    out.write_bytes(b"mine")
    assert gemmviz(*RUN, "--out", str(out), "--force").code == 0
    assert load_session(out).runs[0].spec.kernel == "cpu_ikj"
    assert list(tmp_path.iterdir()) == [out]


@links
@pytest.mark.usefixtures("never_begun")
@pytest.mark.parametrize("goal", ["there.gemmviz", "nowhere", "."])
@pytest.mark.parametrize("command", [*ASKING, "roofs"])
def test_that_a_link_is_refused_with_force_too(gemmviz: Any, tmp_path: Path, command: str, goal: str) -> None:
    (tmp_path / "there.gemmviz").write_bytes(b"mine")
    link = tmp_path / "link.gemmviz"
    link.symlink_to(goal)
    words = (*ASKING[command], "--force", "--out") if command in ASKING else ("roofs", "--device", "pocl", "--into")
    answer = gemmviz(*words, str(link))
    assert (answer.code, answer.out) == (2, "")
    assert f"it is a link to {goal}. Name the file itself" in answer.complaint
    assert (tmp_path / "there.gemmviz").read_bytes() == b"mine"
    assert not (tmp_path / "nowhere").exists()


def test_that_a_file_that_came_meanwhile_stays_and_nothing_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = load_session(SESSION)
    out = tmp_path / "s.gemmviz"
    out.write_bytes(b"mine")
    (tmp_path / "s-2.gemmviz").write_bytes(b"mine too")
    assert save_if_asked(session, out) == 1
    assert (out.read_bytes(), (tmp_path / "s-2.gemmviz").read_bytes()) == (b"mine", b"mine too")
    assert len(load_session(tmp_path / "s-3.gemmviz").runs) == len(session.runs)
    assert f"was not replaced; saved {tmp_path / 's-3.gemmviz'}" in capsys.readouterr().err


def test_that_an_export_replaces_only_with_force(gemmviz: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "runs.csv").write_text("mine", encoding="utf-8")
    (out / "samples.csv").write_text("mine", encoding="utf-8")
    answer = gemmviz("export", str(SESSION), "--out", str(out))
    assert answer.code == 2
    assert answer.complaint == (
        f"gemmviz: --out {out}: runs.csv, samples.csv already exist. Choose another folder, or replace them with "
        "--force."
    )
    assert {path.name for path in out.iterdir()} == {"runs.csv", "samples.csv"}
    assert gemmviz("export", str(SESSION), "--out", str(out), "--force").code == 0
    assert (out / "runs.csv").read_text(encoding="utf-8").startswith("kernel,")


@links
@pytest.mark.parametrize("goal", ["../precious", "nowhere"])
def test_that_an_export_looks_at_every_place_before_it_replaces_the_first(
    gemmviz: Any, tmp_path: Path, goal: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    (out / "runs.csv").write_text("mine", encoding="utf-8")
    (out / "traffic.csv").symlink_to(goal)
    answer = gemmviz("export", str(SESSION), "--out", str(out), "--force")
    assert answer.code == 2
    assert f"it is a link to {goal}" in answer.complaint
    assert (out / "runs.csv").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "precious").read_text(encoding="utf-8") == "mine"


@links
def test_that_the_folder_of_an_export_may_be_a_link(gemmviz: Any, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert gemmviz("export", str(SESSION), "--out", str(tmp_path / "link"), "--plot", "traffic").code == 0
    assert (tmp_path / "real" / "traffic.csv").is_file()


def test_that_a_films_folder_is_replaced_only_with_force(gemmviz: Any, tmp_path: Path) -> None:
    words = ["export", str(SESSION), "--out", str(tmp_path), "--format", "frames", "--frames", "1", "--size", "320x240"]
    assert gemmviz(*words, "--block", "0,0").code == 0
    folders = sorted(tmp_path.iterdir())
    before = [path.stat().st_ino for path in folders]
    answer = gemmviz(*words, "--block", "0,0")
    assert answer.code == 2
    assert "already exist" in answer.complaint
    assert [path.stat().st_ino for path in folders] == before
    (folders[0] / "mine.txt").write_text("mine", encoding="utf-8")
    answer = gemmviz(*words, "--block", "0,0", "--force")
    assert answer.code == 2
    assert "it holds mine.txt" in answer.complaint
    assert [path.stat().st_ino for path in folders] == before
    (folders[0] / "mine.txt").unlink()
    assert gemmviz(*words, "--block", "0,0", "--force").code == 0


def test_that_a_session_of_ours_is_added_to_and_another_file_is_not(gemmviz: Any, tmp_path: Path) -> None:
    other = tmp_path / "x.gemmviz"
    other.write_bytes(b"mine")
    answer = gemmviz("roofs", "--device", "pocl", "--into", str(other))
    assert answer.code == 2
    assert "it is not a session file" in answer.complaint
    assert other.read_bytes() == b"mine"


@links
def test_that_saving_never_goes_through_a_link(tmp_path: Path) -> None:
    from gemmviz.domain.session.session import SessionError

    session = load_session(SESSION)
    save_session(session, tmp_path / "a.gemmviz")
    before = (tmp_path / "a.gemmviz").read_bytes()
    (tmp_path / "b.gemmviz").symlink_to("a.gemmviz")
    with pytest.raises(SessionError, match=r"it is a link to a\.gemmviz"):
        save_session(session, tmp_path / "b.gemmviz")
    assert (tmp_path / "a.gemmviz").read_bytes() == before


@pytest.mark.parametrize("formats", ["csv", "csv,svg"])
def test_that_a_named_chart_brings_its_own_table_and_no_other(gemmviz: Any, tmp_path: Path, formats: str) -> None:
    out = tmp_path / "out"
    assert gemmviz("export", str(SESSION), "--out", str(out), "--format", formats, "--plot", "rate").code == 0
    assert {path.name for path in out.iterdir()} == {f"rate.{suffix}" for suffix in formats.split(",")}
