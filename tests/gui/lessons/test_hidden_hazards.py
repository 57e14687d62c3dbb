"""Scenes that do not mark the hazards of their recordings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lesson_scenes import LESSONS, data_of

from gemmviz.catalogue.lesson_scenes import Pictures
from gemmviz.catalogue.lessons import Lesson
from gemmviz.explain.block.arithmetic import is_small


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_that_no_hazard_is_left_out_that_makes_sums_unknown(lesson: Lesson) -> None:
    data = data_of(lesson.id)[1]
    scenes = [each for step in lesson.steps for each in (step.scene, step.answer_scene) if isinstance(each, Pictures)]
    for scene in scenes:
        for marked, shown_run in zip(
            data.recordings(replace(scene, hazards=True)), data.recordings(scene), strict=True
        ):
            if scene.hazards or not marked.hazards:
                continue
            block = shown_run.blocks[0].trace(shown_run.sites, shown_run.arrays)
            assert is_small(block), f"{scene.titles}: nobody knows in which order its threads read"
