"""The button of a lesson's run says how long all of it takes here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lesson_scenes import LESSONS
from some_devices import CPU, GPU

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.control.lessons.run_here import run_here
from gemmviz.gui.lessons.scenes.attempt_scene import run_words
from gemmviz.gui.work.experiment import default_experiment

CATALOGUE = load_catalogue()
EXPERIMENT = default_experiment(CATALOGUE)
TILING = LESSONS["tiling"]


def words(device: Device | None, *runs: RunResult) -> str:
    found = () if device is None else (device,)
    here = run_here(TILING, EXPERIMENT, CATALOGUE, found, device, runs)
    return run_words(TILING.attempt, here.time).removeprefix("Run naive and tiled at 512 × 512 × 512")


def test_that_the_time_has_building_and_the_search_for_the_best_way_in_it(
    make_result: Callable[..., RunResult],
) -> None:
    assert words(CPU) == " (about 25 s to 50 s in all)"
    once = (replace(make_result(name, (1.0,) * 3, shape="512x512x512"), device=CPU) for name in ("naive", "tiled"))
    assert words(CPU, *once) == " (about 25 s in all)"
    assert words(GPU) == " (about 25 s in all)"
    assert words(None) == "", "nobody has looked for devices yet"
