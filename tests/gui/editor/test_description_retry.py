"""Describing a file anew once its race is gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from gemmviz.catalogue.gpus import find_gpu
from gemmviz.catalogue.kernel import NOT_VERIFIED, Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.engine.messages import Conditions, ExamineRequest, Job
from gemmviz.gui.editor.description_retry import DescriptionRetry
from gemmviz.gui.editor.examiner import SaveFindings
from gemmviz.gui.notices.notice import NoticeAction

RACE = Hazard(HazardKind.RACE, 38, "As[0][0]", (0, 0, 0), (0, 32), 0, 1, "thread 0 writes As[0,0]")


def findings(kernel: Kernel, trace: TraceRun | None) -> SaveFindings:
    work = ExamineRequest(1, Job(kernel, ()), Conditions(Shape(8, 8, 8), Fill.ONES), find_gpu("H100"))
    return SaveFindings(work, trace=trace)


def test_that_a_kernel_described_as_it_is_is_offered_a_new_description_once_it_races_no_more(
    qapp: QCoreApplication, make_recording: Callable[..., TraceRun]
) -> None:
    del qapp
    proven = replace(load_catalogue().get("tiled"), path=Path("/tmp/mine.cu"))
    as_it_is = replace(proven, description=f"{NOT_VERIFIED}: taken from its host code")
    described: list[Path] = []
    offers: list[tuple[str, list[NoticeAction]]] = []
    retry = DescriptionRetry(lambda: (Path("/tmp/mine.cu"), ()), described.append)
    retry.offered.connect(lambda words, actions, _kernel: offers.append((words, actions)))
    clean = replace(make_recording(), hazards=())
    racing = replace(clean, hazards=(RACE,))
    for kernel, trace in ((proven, clean), (as_it_is, racing), (as_it_is, None)):
        retry.follow_examined(findings(kernel, trace))
    assert offers == []
    for _ in range(2):
        retry.follow_examined(findings(as_it_is, clean))
    ((words, (action,)),) = offers
    assert words.startswith("No hazard was found in tiled, but")
    assert action.text == "Describe it anew"
    action.do()
    assert described == [Path("/tmp/mine.cu")]
