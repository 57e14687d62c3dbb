"""Which run the panel of figures shows: the one that belongs to what is chosen, or a head says that it does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.shape import Shape
from gemmviz.gui.figures.run_choice import CHOSEN_RUN, LAST_RUN, RUN_OF_KERNEL, run_to_show

Make = Callable[..., RunResult]


def test_that_the_run_of_the_chosen_kernel_and_size_is_shown_before_newer_ones(make_result: Make) -> None:
    mine, newer = make_result("tiled"), make_result("naive")
    kernel, shape, params = mine.spec.kernel, mine.spec.shape, mine.spec.params
    assert run_to_show([mine, newer], (), kernel, shape, params) == (mine, RUN_OF_KERNEL)
    assert run_to_show([mine, newer], [newer], kernel, shape, params) == (newer, CHOSEN_RUN)
    assert run_to_show([], (), kernel, shape, params) == (None, LAST_RUN)


def test_that_a_head_says_in_what_the_run_differs_from_what_is_chosen(make_result: Make) -> None:
    run = make_result("tiled")
    kernel, shape, params = run.spec.kernel, run.spec.shape, run.spec.params
    other = replace(run, spec=replace(run.spec, params=(("TILE", 4),)))
    assert run_to_show([run, other], (), kernel, shape, params) == (run, "Run of the chosen kernel")
    assert run_to_show([other], (), kernel, shape, params) == (other, "Chosen kernel, other parameters")
    assert run_to_show([run], (), kernel, Shape(1, 2, 3), params) == (run, "Last run, of another size")
    assert run_to_show([run], (), "naive", shape, ()) == (run, "Last run")
