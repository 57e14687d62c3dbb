from collections.abc import Callable
from dataclasses import replace

import pytest
from some_devices import CPU, GPU, HOST

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.shape import Shape
from gemmviz.gui.experiment.run_plan import LEAST_LAUNCHES, OVERHEAD_S, SEARCH_S, about, kernel_span, run_plan
from gemmviz.gui.kernels.availability import Availability, Devices
from gemmviz.gui.work.experiment import Experiment, budget_s_of, conditions_of, from_dict, to_dict

CATALOGUE = load_catalogue()
EXPERIMENT = Experiment("tiled", Shape(32, 32, 32), frozenset({"naive", "dot"}))
DEVICES, ON_GPU = Devices((CPU, HOST)), Devices((GPU, HOST))
NO = Availability("needs M = N = 1", "Needs M = 1.")


def test_that_what_cannot_run_is_left_out_and_told() -> None:
    plan = run_plan(EXPERIMENT, CATALOGUE, {"dot": NO})
    assert plan.runs == ("tiled", "naive")
    assert plan.cannot_run == ("dot",)
    assert "dot" not in plan.ladder
    assert len(plan.ladder) == len(CATALOGUE.kernels) - 1
    assert plan.run_words == "Run 2 kernels"
    assert plan.run_time == "about 20 s"


def test_that_nothing_runs_where_the_chosen_kernel_cannot() -> None:
    plan = run_plan(EXPERIMENT, CATALOGUE, {"tiled": NO})
    assert (plan.runs, plan.run_words, plan.run_time) == ((), "Run", "")


def test_that_one_kernel_is_one_kernel() -> None:
    assert run_plan(replace(EXPERIMENT, compared=frozenset()), CATALOGUE, {}).run_words == "Run 1 kernel"


def test_that_the_estimate_is_the_budget_that_the_run_will_have() -> None:
    tiled = CATALOGUE.get("tiled")
    for experiment in (EXPERIMENT, replace(EXPERIMENT, budget_s=0.5), replace(EXPERIMENT, is_quick=True)):
        assert conditions_of(experiment).budget_s == budget_s_of(experiment)
        usual_s = budget_s_of(experiment) + OVERHEAD_S
        assert kernel_span(experiment, tiled, ON_GPU, ()) == pytest.approx((usual_s, usual_s), rel=1e-3)


def test_that_a_first_run_on_pocl_has_time_to_search_for_the_best_way(make_result: Callable[..., RunResult]) -> None:
    tiled = CATALOGUE.get("tiled")
    low, high = kernel_span(EXPERIMENT, tiled, DEVICES, ())
    assert high - low == pytest.approx(SEARCH_S, rel=1e-3)
    once = replace(make_result("tiled", (1.0,) * 3, shape="32x32x32"), device=CPU)
    again = kernel_span(EXPERIMENT, tiled, DEVICES, (once,))
    assert again[0] == again[1] < high
    on_host = kernel_span(EXPERIMENT, CATALOGUE.get("cpu_ijk"), DEVICES, ())
    assert on_host[1] - on_host[0] < SEARCH_S / 2


def test_that_launches_that_are_slow_lengthen_the_estimate(make_result: Callable[..., RunResult]) -> None:
    naive, large = CATALOGUE.get("naive"), replace(EXPERIMENT, shape=Shape(2048, 2048, 2048), is_quick=True)
    launch_s = 2 * 2048**3 / 1e9
    span = kernel_span(large, naive, DEVICES, ())
    assert span[0] == 1 + OVERHEAD_S, "it may be a fast one"
    assert span[1] == pytest.approx(launch_s * (LEAST_LAUNCHES + 1) + OVERHEAD_S + SEARCH_S)
    small = replace(make_result("naive", (2 * 512**3 / 2e6,) * 3, shape="512x512x512"), device=CPU)
    elsewhere = replace(make_result("naive", (1.0,) * 3, shape="2048x2048x2048"), device=GPU)
    low, high = kernel_span(large, naive, DEVICES, (small, elsewhere))
    assert low == high == pytest.approx(launch_s / 2 * (LEAST_LAUNCHES + 1) + OVERHEAD_S), "2 GFLOP/s, as it ran here"
    plan = run_plan(replace(large, kernel="naive", compared=frozenset()), CATALOGUE, {}, DEVICES)
    assert plan.run_time == "about 2 s to 80 s"


@pytest.mark.parametrize(("budget", "is_quick", "used"), [(10.0, True, 1.0), (0.5, True, 0.5), (10.0, False, 10.0)])
def test_that_quick_mode_never_lengthens_a_run(budget: float, is_quick: bool, used: float) -> None:
    assert budget_s_of(replace(EXPERIMENT, budget_s=budget, is_quick=is_quick)) == used


@pytest.mark.parametrize("is_quick", [True, False])
def test_that_quick_mode_is_remembered(is_quick: bool) -> None:
    assert from_dict(to_dict(replace(EXPERIMENT, is_quick=is_quick)), CATALOGUE).is_quick is is_quick


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "about 1 s"),
        (2, "about 2 s"),
        (11, "about 10 s"),
        (77, "about 75 s"),
        (125, "about 3 min"),
        (3000, "about 50 min"),
        (9000, "about 2.5 h"),
    ],
)
def test_that_an_estimate_has_few_digits(seconds: float, words: str) -> None:
    assert about(seconds) == words
