"""What a handout has of the step of a lesson."""

from __future__ import annotations

from gemmviz.gui.export.handout.contents import PrintedStep
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.fragments_scene import FragmentsScene
from gemmviz.gui.lessons.scenes.loops_scene import LoopsScene
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.lessons.scenes.request_scene import RequestScene

PICTURED = RequestScene, RepairScene, LoopsScene, FragmentsScene
"""Scenes of lessons that no part of a session is a picture of."""


def printed_step(page: LessonPage) -> PrintedStep | None:
    """The step of a lesson that is shown, with a picture of what neither a frame nor a chart shows; None for one that
    says nothing.
    """
    if not page.words.sentence:
        return None
    shown = page.shown if isinstance(page.scene, PICTURED) else None
    return PrintedStep(f"Step {page.step + 1} of {page.steps}", page.words, shown)
