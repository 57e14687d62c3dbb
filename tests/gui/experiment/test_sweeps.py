from dataclasses import replace

from some_devices import GPU

from gemmviz.catalogue.kernel import Constraint, Parameter
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.experiment.sweeps import Sweep, names_to_sweep, sweep_of
from gemmviz.gui.work.experiment import default_experiment, with_kernel

CATALOGUE = load_catalogue()
EXPERIMENT = with_kernel(default_experiment(CATALOGUE), "tiled")


def test_that_parameters_are_swept_alone_in_pairs_and_all_together() -> None:
    assert names_to_sweep(CATALOGUE.get("cpu_ijk")) == ()
    assert names_to_sweep(CATALOGUE.get("tiled")) == (("TILE",),)
    assert names_to_sweep(CATALOGUE.get("tiled_wide")) == (("TILE",), ("F",), ("TILE", "F"))
    names = names_to_sweep(CATALOGUE.get("register_1d"))
    assert [len(one) for one in names] == [1] * 4 + [2] * 6 + [4]


def test_that_a_sweep_is_counted() -> None:
    assert sweep_of(EXPERIMENT, CATALOGUE, ("TILE",), GPU) == Sweep(("TILE",), "Sweep TILE (5 runs)")
    wide = with_kernel(EXPERIMENT, "tiled_wide")
    assert sweep_of(wide, CATALOGUE, ("TILE", "F"), GPU).text == "Sweep all combinations (19 runs)"


def test_that_a_sweep_that_cannot_be_keeps_its_name_and_says_why() -> None:
    sweep = sweep_of(with_kernel(EXPERIMENT, "register_2d"), CATALOGUE, ("BM", "BN", "BK", "TM", "TN"), GPU)
    assert sweep.text == "Sweep all combinations"
    assert sweep.refusal.startswith("More than 64 combinations")


def test_that_a_kernel_with_endless_combinations_is_refused_at_once() -> None:
    kernel = CATALOGUE.get("tiled")
    params = tuple(Parameter(f"P{number}", "", tuple(range(64)), 0) for number in range(16))
    many = replace(kernel, id="many", parameters=params, constraints=(Constraint("M == 0"),))
    catalogue = CATALOGUE.with_kernel(many)
    names = tuple(parameter.name for parameter in params)
    sweep = sweep_of(with_kernel(default_experiment(catalogue), "many"), catalogue, names, GPU)
    assert sweep.refusal.startswith("More than 4096 combinations of P0, ")
