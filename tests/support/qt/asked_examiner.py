"""A version control whose examiner keeps what it is asked, and ends it when a test says how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from driving import part
from PySide6.QtCore import QObject, Signal

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.kernels.kernel_version import Check, Compilation
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import ExamineRequest
from gemmviz.gui.control.version_control import VersionControl
from gemmviz.gui.editor.changes_table import ChangesTable
from gemmviz.gui.editor.examination import SetUp
from gemmviz.gui.editor.examiner import SaveFindings
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.widgets.plain_label import PlainLabel

CODE = Compilation("H200", "sm_90", "NVRTC 13.0", Resources(32))
A100 = Compilation("NVIDIA A100", "sm_80", "NVRTC 13.0", Resources(64))
RIGHT = Check(Shape(65, 63, 67), passed=True, max_error_over_ug=0.5, bound=3.0)


class AskedExaminer(QObject):
    """Keeps what it is asked to examine, and ends it when a test says how."""

    progressed, found, ended = Signal(str), Signal(object), Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[ExamineRequest] = []
        self.current: ExamineRequest | None = None

    @property
    def is_busy(self) -> bool:
        return self.current is not None

    @property
    def limits_s(self) -> list[float]:
        return [one.conditions.launch_limit_s for one in self.asked]

    def examine(self, work: ExamineRequest) -> None:
        self.asked.append(work)
        self.current = work

    def cancel(self) -> None:
        self.current = None

    def close(self) -> None:
        self.current = None

    def end(self, check: Check | None, code: Compilation = CODE, trace: TraceRun | None = None) -> None:
        """End what is examined: with a result, or because the time ran out."""
        work, self.current = self.current, None
        assert work is not None
        limit = f"Not checked: the kernel did not end within {work.conditions.launch_limit_s:g} s"
        findings = SaveFindings(
            work, code, trace=trace, check=check, faults=[] if check else [limit], is_out_of_time=check is None
        )
        self.found.emit(findings)
        self.ended.emit(findings)


@dataclass
class Trying:
    """A version control with an examiner that a test ends."""

    examiner: AskedExaminer
    panel: EditorPanel
    document: SessionDocument
    control: VersionControl
    kernel: Kernel
    set_up: list[SetUp]
    place: list[str]

    def choose_target(self, target: str) -> None:
        """Choose another target GPU, as a person does in the experiment."""
        self.set_up[0] = replace(self.set_up[0], experiment=replace(self.set_up[0].experiment, target=target))
        self.control.follow_target()

    @property
    def rows(self) -> dict[str, Any]:
        return {row.texts[0]: row for row in part(self.panel, ChangesTable, "versionTotals").rows}

    @property
    def said(self) -> str:
        return part(self.panel, PlainLabel, "examinationStatus").text()


def recorded_as(recording: TraceRun, text: str, finished: str) -> TraceRun:
    """The recording as one of `tiled` when its file had that text."""
    spec = replace(recording.spec, kernel="tiled")
    return replace(recording, spec=spec, source_name="tiled.cu", source_text=text, finished=finished)
