"""On what the run of a lesson would go here, and about how long it would take. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.catalogue.lessons import Lesson
from gemmviz.catalogue.loader import Catalogue
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.control.lessons.attempt_preset import preset_of_attempt
from gemmviz.gui.experiment.run_plan import run_plan
from gemmviz.gui.kernels.availability import Devices
from gemmviz.gui.lessons.shown_step import RunHere
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.work.experiment import Experiment, for_lesson


def run_here(
    lesson: Lesson,
    experiment: Experiment,
    catalogue: Catalogue,
    found: Sequence[Device],
    device: Device | None,
    runs: Sequence[RunResult],
) -> RunHere:
    """The run of a lesson's last step on the devices `found`, of which `device` runs GPU kernels, with all that the run
    does besides measuring; it has no time before there are devices, nor where nothing is timed.
    """
    attempt = lesson.attempt
    is_on_gpu = device is not None and device.kind is DeviceKind.GPU
    if not found or attempt.file or attempt.page == MEMORY:
        return RunHere(is_on_gpu)
    planned = for_lesson(experiment, preset_of_attempt(lesson, attempt.kernels), catalogue)
    return RunHere(is_on_gpu, run_plan(planned, catalogue, {}, Devices(tuple(found)), runs).run_time)
