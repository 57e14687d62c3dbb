"""The runs under Oclgrind: what it is given, and that it being silent is what counts as success."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from machine_record import oclgrind

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape

SHAPE = Shape(24, 40, 17)


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in on PATH that keeps its arguments and input, and prints what the file `says` holds."""
    script = tmp_path / oclgrind.COMMAND
    script.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/words\ncp *.sim *.cl {tmp_path} 2>/dev/null\n'
        f"cat {tmp_path}/says 2>/dev/null\nexit 0\n"
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path


def _run() -> None:
    kernel = load_catalogue().get("tiled")
    plan = kernel.plan(SHAPE, kernel.params({"TILE": 8}), find_device("machine"))
    oclgrind.run_all_blocks(kernel, plan, SHAPE)


def test_that_a_launch_has_the_grid_the_block_and_the_arguments(stand_in: Path) -> None:
    _run()
    lines = (stand_in / "launch.sim").read_text().splitlines()
    assert lines[:4] == ["kernel.cl", "sgemm_tiled", "40 24 1", "8 8 1"]
    assert lines[4:7] == [f"<size={4 * n} float fill={v}>" for n, v in ((24 * 17, 1), (17 * 40, 1), (24 * 40, 0))]
    assert lines[7:] == ["<size=4 int>", "24", "<size=4 int>", "40", "<size=4 int>", "17"]
    assert "__kernel" in (stand_in / "kernel.cl").read_text()
    words = (stand_in / "words").read_text().splitlines()
    assert "--data-races" in words
    assert "-cl-std=CL1.2 -DTILE=8" in words


def test_that_what_oclgrind_tells_ends_the_measurement(stand_in: Path) -> None:
    (stand_in / "says").write_text("Read-write data race at local memory address 0x1\n")
    with pytest.raises(oclgrind.OclgrindError, match="data race at local memory"):
        _run()


def test_the_version_and_that_there_is_none(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (stand_in / "says").write_text("\nOclgrind 21.10\n\nCopyright\n")
    assert oclgrind.version() == "Oclgrind 21.10"
    monkeypatch.setenv("PATH", str(stand_in / "nothing"))
    assert oclgrind.version() == ""
