"""Tables of all runs in an export: CSV, whatever formats charts have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.gui.export.steps import export_steps


def test_that_a_table_is_written_as_csv_beside_charts_that_are_not(
    make_result: Callable[..., RunResult], host: Device, qapp: QApplication, tmp_path: Path
) -> None:
    del qapp
    session = Session("", "1", host, 0.0, (make_result(),))
    steps = export_steps(session, tmp_path, ("png",), names={"rate"}, fixed=("runs.csv", "samples.csv"))
    written = [step.path.name for step in steps if step.path is not None]
    assert sorted(written) == ["rate.png", "runs.csv", "samples.csv"]
