from collections.abc import Callable
from dataclasses import replace

from some_devices import GPU

from gemmviz.catalogue.kernel import Constraint, Parameter
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.experiment.sweeps import Sweep, names_to_sweep, sweep_of
from gemmviz.gui.kernels.availability import Devices
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.work.experiment import default_experiment

CATALOGUE = load_catalogue()
DEVICES = Devices((GPU,))
EXPERIMENT = with_kernel(default_experiment(CATALOGUE), "tiled", CATALOGUE)


def test_that_parameters_are_swept_alone_in_pairs_and_all_together() -> None:
    assert names_to_sweep(CATALOGUE.get("cpu_ijk")) == ()
    assert names_to_sweep(CATALOGUE.get("tiled")) == (("TILE",),)
    tiled = CATALOGUE.get("tiled")
    fixed = replace(tiled, parameters=(*tiled.parameters, Parameter("TM", "TM", (4,), 4)))
    assert names_to_sweep(fixed) == (("TILE",),)
    assert names_to_sweep(fixed, takes_further=True) == (("TILE",), ("TM",), ("TILE", "TM"))
    assert names_to_sweep(CATALOGUE.get("tiled_wide")) == (("TILE",), ("F",), ("TILE", "F"))
    names = names_to_sweep(CATALOGUE.get("register_1d"))
    assert [len(one) for one in names] == [1] * 4 + [2] * 6 + [4]


def test_that_a_sweep_is_counted() -> None:
    assert sweep_of(EXPERIMENT, CATALOGUE, ("TILE",), DEVICES) == Sweep(("TILE",), "Sweep TILE (5 runs, about 10 s)")
    wide = with_kernel(EXPERIMENT, "tiled_wide", CATALOGUE)
    assert sweep_of(wide, CATALOGUE, ("TILE", "F"), DEVICES).text == "Sweep all combinations (19 runs, about 40 s)"


def test_that_a_sweep_that_cannot_be_keeps_its_name_and_says_why() -> None:
    sweep = sweep_of(
        with_kernel(EXPERIMENT, "register_2d", CATALOGUE), CATALOGUE, ("BM", "BN", "BK", "TM", "TN"), DEVICES
    )
    assert sweep.text == "Sweep all combinations"
    assert sweep.refusal.startswith("More than 64 combinations")


def test_that_a_kernel_with_endless_combinations_is_refused_at_once() -> None:
    kernel = CATALOGUE.get("tiled")
    params = tuple(Parameter(f"P{number}", "", tuple(range(64)), 0) for number in range(16))
    many = replace(kernel, id="many", parameters=params, constraints=(Constraint("M == 0"),))
    catalogue = CATALOGUE.with_kernel(many)
    names = tuple(parameter.name for parameter in params)
    sweep = sweep_of(with_kernel(default_experiment(catalogue), "many", catalogue), catalogue, names, DEVICES)
    assert sweep.refusal.startswith("More than 4096 combinations of P0, ")


def test_that_the_time_of_a_sweep_is_that_of_its_runs() -> None:
    whole = replace(EXPERIMENT, is_quick=False, budget_s=10.0)
    assert sweep_of(whole, CATALOGUE, ("TILE",), DEVICES).text == "Sweep TILE (5 runs, about 55 s)"


def test_that_settings_that_took_long_to_compile_lengthen_it(make_result: Callable[..., RunResult]) -> None:
    run = make_result("tiled", (0.01,) * 4, shape=str(EXPERIMENT.shape))
    earlier = replace(run, device=GPU, sweep=1, timing=replace(run.timing, compile_ms=5000.0))
    assert sweep_of(EXPERIMENT, CATALOGUE, ("TILE",), DEVICES, (earlier,)).text == "Sweep TILE (5 runs, about 30 s)"
