from dataclasses import replace
from pathlib import Path

import pytest
from some_devices import GPU, HOST

from gemmviz.catalogue.kernel import Constraint, Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
from gemmviz.gui.experiment.remedies import remedies_of
from gemmviz.gui.kernels.availability import Devices
from gemmviz.gui.kernels.choice import lost_words, values_to_offer, with_kernel
from gemmviz.gui.work.experiment import Experiment, with_param, with_size

SHIPPED = load_catalogue()
TILED, DEVICES = SHIPPED.get("tiled"), Devices((GPU, HOST))


def alike(kernel_id: str, *choices: int, rules: tuple[Constraint, ...] = ()) -> Kernel:
    """A kernel like `tiled` whose tiles have other sizes or rules."""
    (tile,) = TILED.parameters
    sizes = replace(tile, choices=choices, default=choices[-1])
    return replace(TILED, id=kernel_id, parameters=(sizes,), constraints=rules)


COARSE, STRICT = alike("coarse", 4, 32), alike("strict", 8, 16, rules=(Constraint("TILE == 16"),))
CATALOGUE = SHIPPED.with_kernel(COARSE).with_kernel(STRICT)
START = Experiment("tiled", Shape(64, 48, 32), compared=frozenset({"naive"}))


@pytest.mark.parametrize("value", [4, 32])
def test_that_a_chosen_value_goes_with_a_person_to_another_kernel(value: int) -> None:
    chosen = with_kernel(with_param(START, TILED, "TILE", value), "tiled_wide", CATALOGUE)
    assert (chosen.kernel, chosen.compared) == ("tiled_wide", START.compared)
    assert chosen.params_of(CATALOGUE.get("tiled_wide")) == (("TILE", value), ("F", 4))
    back = with_kernel(with_param(chosen, CATALOGUE.get("tiled_wide"), "TILE", 8), "tiled", CATALOGUE)
    assert back.params_of(TILED) == (("TILE", 8),)


def test_that_what_nobody_chose_is_each_kernels_own_default() -> None:
    assert with_kernel(START, "coarse", CATALOGUE).params_of(COARSE) == (("TILE", 32),)
    passed = with_kernel(with_kernel(START, "coarse", CATALOGUE), "tiled", CATALOGUE)
    assert passed.params == ()


def test_that_a_value_that_is_not_offered_is_told_with_what_it_became() -> None:
    before = with_param(START, TILED, "TILE", 8)
    after = with_kernel(before, "coarse", CATALOGUE, DEVICES)
    assert after.params_of(COARSE) == (("TILE", 32),)
    words = "TILE changed from 8 to 32: coarse does not offer TILE 8"
    assert lost_words(before, after, CATALOGUE, DEVICES) == words
    resized = with_size(after, 64, 64, 64)
    assert lost_words(before, resized, CATALOGUE, DEVICES) == words, "a remedy may change the size as well"
    assert lost_words(before, with_param(after, COARSE, "TILE", 4), CATALOGUE, DEVICES) == "", "more was set"


def test_that_a_value_with_which_the_other_kernel_cannot_run_stays_behind() -> None:
    before = with_param(START, TILED, "TILE", 8)
    after = with_kernel(before, "strict", CATALOGUE, DEVICES)
    assert after.params_of(STRICT) == (("TILE", 16),)
    words = "TILE changed from 8 to 16: strict cannot run here with TILE 8"
    assert lost_words(before, after, CATALOGUE, DEVICES) == words
    assert with_kernel(before, "strict", CATALOGUE).params_of(STRICT) == (("TILE", 8),), "no device is known"


def test_that_a_kernel_that_runs_no_longer_as_a_ticked_one_is_chosen_is_told() -> None:
    after = with_kernel(START, "naive", CATALOGUE, DEVICES)
    assert after.compared == START.compared, "passing a kernel with the arrow keys changes no tick"
    words = "Run leaves out tiled: naive, which was ticked, is chosen now. Tick tiled to run it as well"
    assert lost_words(START, after, CATALOGUE, DEVICES) == words
    both = replace(START, compared=frozenset({"naive", "tiled"}))
    assert lost_words(both, with_kernel(both, "naive", CATALOGUE, DEVICES), CATALOGUE, DEVICES) == "", "both still run"
    coarse = with_param(replace(START, compared=frozenset({"coarse"})), TILED, "TILE", 8)
    told = lost_words(coarse, with_kernel(coarse, "coarse", CATALOGUE, DEVICES), CATALOGUE, DEVICES)
    assert told.startswith("TILE changed from 8 to 32: coarse does not offer TILE 8. Run leaves out tiled: coarse")


def test_that_a_kernel_of_ones_own_keeps_its_values_and_the_message_names_each_that_differs(tmp_path: Path) -> None:
    own = replace(SHIPPED.get("register_2d"), id="mine", path=tmp_path / "mine.cu")
    catalogue, former = SHIPPED.with_kernel(own), SHIPPED.get("register_2d")
    default = dict(own.params({}))
    before = with_param(with_param(replace(START, kernel="register_2d"), former, "BK", 8), former, "TM", 8)
    after = with_kernel(before, "mine", catalogue, DEVICES)
    assert dict(after.params_of(own)) == default
    words = lost_words(before, after, catalogue, DEVICES)
    differing = [f"{name} changed from {value} to {default[name]}" for name, value in (("BK", 8), ("TM", 8))]
    assert words == f"{' and '.join(differing)}: mine begins with its own values"
    assert values_to_offer(before, after, catalogue) == (("BK", 8), ("TM", 8))
    chosen = with_kernel(with_param(before, own, "BK", 4), "mine", catalogue, DEVICES)
    assert dict(chosen.params_of(own)) == default | {"BK": 4}, "which was set for it before"
    words = lost_words(with_param(before, own, "BK", 4), chosen, catalogue, DEVICES)
    assert words.endswith("mine keeps the values that were set for it")
    assert dict(with_kernel(before, "mine", catalogue, DEVICES, is_copy=True).params_of(own))["BK"] == 8


def test_that_nothing_is_told_where_values_are_kept() -> None:
    before = with_param(START, TILED, "TILE", 8)
    for kernel in ("tiled_wide", "register_2d", "cpu_ijk", "tiled"):
        assert lost_words(before, with_kernel(before, kernel, CATALOGUE, DEVICES), CATALOGUE, DEVICES) == ""


def test_that_a_remedy_sets_what_was_tried() -> None:
    never = alike("never", 4, 8, 16, rules=(Constraint("TILE > 32"),))
    near = alike("near", 4, 8, 16)
    catalogue = replace(SHIPPED, kernels=(near, never))
    before = with_param(Experiment("never", Shape(64, 48, 32)), never, "TILE", 8)
    (remedy,) = remedies_of(before, catalogue, DEVICES, 2**34)
    assert remedy.text == "Choose near"
    assert remedy.experiment == with_kernel(before, "near", catalogue, DEVICES)
    assert remedy.experiment.params_of(near) == (("TILE", 8),)
