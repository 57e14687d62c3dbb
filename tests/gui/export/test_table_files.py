"""Tables of all runs in an export: CSV, whatever formats charts have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication

from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.gui.export.steps import export_steps
from gemmviz.gui.recording.block_names import table_prefix


def test_that_a_table_is_written_as_csv_beside_charts_that_are_not(
    make_result: Callable[..., RunResult], host: Device, qapp: QApplication, tmp_path: Path
) -> None:
    del qapp
    session = Session("", "1", host, 0.0, (make_result(),))
    steps = export_steps(session, tmp_path, ("png",), names={"rate"}, fixed=("runs.csv", "samples.csv"))
    written = [step.path.name for step in steps if step.path is not None]
    assert sorted(written) == ["rate.png", "runs.csv", "samples.csv"]


def test_that_tables_of_recordings_are_named_after_up_to_two_kernels(recorded: Session) -> None:
    (trace,) = recorded.traces[:1]
    others = [replace(trace, spec=replace(trace.spec, kernel=name)) for name in ("naive", "my kernel")]
    assert table_prefix([]) == ""
    assert table_prefix([trace, trace]) == "tiled-"
    assert table_prefix([trace, others[0]]) == "tiled_and_naive-"
    assert table_prefix([others[1]]) == "my_kernel-"
    assert table_prefix([trace, *others]) == ""
