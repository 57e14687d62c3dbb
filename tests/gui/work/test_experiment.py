import json
from dataclasses import replace
from pathlib import Path

import pytest
from some_devices import GPU, HOST

from gemmviz.catalogue.kernel import ParameterError
from gemmviz.catalogue.loader import Catalogue, load_catalogue, load_user_kernel
from gemmviz.catalogue.presets import load_presets
from gemmviz.domain.shape import Shape, ShapeError
from gemmviz.domain.terms import Fill, Mode
from gemmviz.gui.experiment.record_choice import usual_recording
from gemmviz.gui.experiment.run_plan import run_plan
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.work.experiment import (
    MOST_SWEEP_RUNS,
    Experiment,
    SweepError,
    conditions_of,
    default_experiment,
    fitted,
    for_blackboard,
    from_dict,
    jobs_of,
    ladder_jobs,
    preset_of,
    sweep_jobs,
    to_dict,
    with_compared,
    with_param,
    with_preset,
    with_size,
)

CATALOGUE, PRESETS = load_catalogue(), load_presets()
DEFAULT = default_experiment(CATALOGUE)


def only_cpu() -> Catalogue:
    return Catalogue(tuple(kernel for kernel in CATALOGUE.kernels if kernel.runs_on_host))


def test_that_the_first_experiment_shares_memory_on_a_device() -> None:
    kernel = CATALOGUE.get(DEFAULT.kernel)
    assert not kernel.runs_on_host
    assert kernel.plan(DEFAULT.shape, DEFAULT.params_of(kernel), GPU).launch.shared_bytes > 0
    assert preset_of(DEFAULT, PRESETS, CATALOGUE) == PRESETS[0]
    assert DEFAULT.compared | {DEFAULT.kernel} == set(PRESETS[0].kernels)


def test_that_the_first_experiment_runs_and_records_within_seconds() -> None:
    plan = run_plan(DEFAULT, CATALOGUE, {})
    assert (plan.runs, plan.run_time) == (("tiled", "naive"), "about 4 s")
    kernel = CATALOGUE.get(DEFAULT.kernel)
    grid = kernel.plan(DEFAULT.shape, DEFAULT.params_of(kernel), GPU).launch.grid
    assert usual_recording(grid, DEFAULT.shape, None).text == "Record all 16 blocks"


def test_that_a_catalogue_without_gpu_kernels_has_a_first_experiment_too() -> None:
    experiment = default_experiment(only_cpu())
    assert experiment.kernel == "cpu_ijk"
    assert default_experiment(only_cpu(), ()).kernel == only_cpu().kernels[0].id


def test_that_without_presets_the_first_kernel_with_shared_memory_is_taken() -> None:
    sharing = [k.id for k in CATALOGUE.kernels if k.rule.shared_bytes != "0" or k.rule.static_shared_bytes != "0"]
    assert default_experiment(CATALOGUE, ()).kernel == sharing[0]


def test_that_an_empty_catalogue_gives_an_experiment_without_jobs() -> None:
    experiment = default_experiment(Catalogue(()))
    assert experiment.kernel == ""
    assert jobs_of(experiment, Catalogue(())) == ()


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_that_a_preset_sets_size_fill_kernels_and_parameters(preset) -> None:
    experiment = with_preset(replace(DEFAULT, seed=7, mode=Mode.HOT), preset, CATALOGUE)
    assert (experiment.shape, experiment.fill, experiment.seed, experiment.mode) == (
        preset.shape,
        preset.fill,
        7,
        Mode.HOT,
    )
    assert not CATALOGUE.get(experiment.kernel).runs_on_host
    assert experiment.compared == set(preset.kernels) - {experiment.kernel}
    assert preset_of(experiment, PRESETS, CATALOGUE) == preset
    for kernel in CATALOGUE.kernels:
        chosen = dict(experiment.params_of(kernel))
        for parameter in kernel.parameters:
            wanted = dict(preset.params).get(parameter.name)
            if wanted in parameter.choices:
                assert chosen[parameter.name] == wanted


def test_that_another_kernel_of_a_preset_is_still_that_preset() -> None:
    preset = PRESETS[0]
    experiment = with_preset(DEFAULT, preset, CATALOGUE)
    first, second = preset.kernels[:2]
    swapped = replace(experiment, kernel=second, compared=experiment.compared - {second} | {first})
    assert preset_of(swapped, PRESETS, CATALOGUE) == preset


@pytest.mark.parametrize(
    "change",
    [
        lambda e: with_size(e, e.shape.m, e.shape.n, e.shape.k + 1),
        lambda e: with_kernel(e, "register_2d", CATALOGUE),
        lambda e: with_compared(e, "dot", True),
        lambda e: replace(e, fill=Fill.ONES),
        lambda e: with_param(e, CATALOGUE.get("tiled"), "TILE", 8),
    ],
    ids=["size", "kernel", "compared", "fill", "parameter"],
)
def test_that_settings_that_differ_from_a_preset_are_none(change) -> None:
    assert preset_of(change(DEFAULT), PRESETS, CATALOGUE) is None


def test_that_a_parameter_of_one_kernel_leaves_the_others_alone() -> None:
    changed = with_param(DEFAULT, CATALOGUE.get("tiled_wide"), "F", 8)
    assert changed.params_of(CATALOGUE.get("tiled_wide")) == (("TILE", 16), ("F", 8))
    assert changed.params_of(CATALOGUE.get("tiled")) == DEFAULT.params_of(CATALOGUE.get("tiled"))


@pytest.mark.parametrize(("name", "value"), [("TILE", 5), ("WARP", 1)])
def test_that_a_parameter_that_is_not_offered_is_an_error(name: str, value: int) -> None:
    with pytest.raises(ParameterError, match=name):
        with_param(DEFAULT, CATALOGUE.get("tiled"), name, value)


@pytest.mark.parametrize("size", [(0, 1, 1), (2**24, 2**24, 1), (1, 1, 2**24 + 1)])
def test_that_a_size_no_run_can_have_is_an_error(size: tuple[int, int, int]) -> None:
    with pytest.raises(ShapeError):
        with_size(DEFAULT, *size)


def test_that_a_kernel_that_offers_other_values_falls_back_to_its_default() -> None:
    experiment = replace(DEFAULT, params=(("tiled", (("TILE", 7),)),))
    assert experiment.params_of(CATALOGUE.get("tiled")) == (("TILE", 16),)


def test_that_jobs_are_the_chosen_kernel_and_then_the_compared_in_lesson_order() -> None:
    experiment = replace(DEFAULT, kernel="tiled", compared=frozenset({"tiled", "naive", "cpu_blas", "cpu_ijk", "gone"}))
    assert [job.kernel.id for job in jobs_of(experiment, CATALOGUE)] == ["tiled", "cpu_ijk", "cpu_blas", "naive"]


def test_that_the_ladder_has_every_kernel_with_what_was_chosen_for_it() -> None:
    experiment = with_param(DEFAULT, CATALOGUE.get("register_2d"), "BM", 128)
    jobs = ladder_jobs(experiment, CATALOGUE)
    assert [job.kernel for job in jobs] == list(CATALOGUE.kernels)
    assert {job.kernel.id: dict(job.params) for job in jobs}["register_2d"]["BM"] == 128


def test_that_a_sweep_has_every_choice_that_can_run() -> None:
    jobs = sweep_jobs(with_kernel(DEFAULT, "tiled", CATALOGUE), CATALOGUE, ("TILE",), GPU)
    assert [dict(job.params)["TILE"] for job in jobs] == [2, 4, 8, 16, 32]
    small = replace(GPU, max_threads_per_block=64)
    jobs = sweep_jobs(with_kernel(DEFAULT, "tiled", CATALOGUE), CATALOGUE, ("TILE",), small)
    assert [dict(job.params)["TILE"] for job in jobs] == [2, 4, 8]


def test_that_a_sweep_holds_the_other_parameters() -> None:
    experiment = with_param(with_kernel(DEFAULT, "tiled_wide", CATALOGUE), CATALOGUE.get("tiled_wide"), "F", 2)
    assert {dict(job.params)["F"] for job in sweep_jobs(experiment, CATALOGUE, ("TILE",), GPU)} == {2}
    both = sweep_jobs(experiment, CATALOGUE, ("TILE", "F"), GPU)
    assert len(both) == len({job.params for job in both}) > 10
    assert all(2 * 4 * dict(j.params)["F"] * dict(j.params)["TILE"] ** 2 <= 49152 for j in both)


@pytest.mark.parametrize(
    ("kernel", "names", "device", "message"),
    [
        ("register_2d", ("BM", "BN", "BK", "TM", "TN"), GPU, f"more than {MOST_SWEEP_RUNS} combinations"),
        ("tiled", (), GPU, "its parameters are TILE"),
        ("tiled", ("F",), GPU, "cannot be swept over F"),
        ("cpu_ijk", ("TILE",), HOST, "its parameters are none"),
        ("tiled", ("TILE",), None, "no device"),
        ("dot", ("THREADS",), GPU, "no combination of THREADS can run at 64×64×64"),
    ],
)
def test_that_a_sweep_that_cannot_be_says_why(kernel, names, device, message) -> None:
    with pytest.raises(SweepError, match=message):
        sweep_jobs(with_kernel(DEFAULT, kernel, CATALOGUE), CATALOGUE, names, device)


def test_that_the_conditions_have_every_setting_that_is_no_kernels() -> None:
    experiment = Experiment("tiled", Shape(3, 4, 5), frozenset(), (), Fill.ONES, 9, Mode.HOT, "gpu0", 2.5, 7.0)
    conditions = conditions_of(experiment)
    for name in ("shape", "fill", "seed", "mode", "device", "budget_s", "launch_limit_s"):
        assert getattr(conditions, name) == getattr(experiment, name)


def test_that_the_machine_is_asked_for_with_its_target() -> None:
    chosen = replace(DEFAULT, device="machine", target="A100")
    assert conditions_of(chosen).device == "machine:A100"
    assert conditions_of(replace(chosen, target="")).device == "machine"
    assert conditions_of(replace(chosen, device="pocl")).device == "pocl"


def test_that_what_is_saved_is_read_back() -> None:
    experiment = replace(
        with_param(DEFAULT, CATALOGUE.get("naive"), "THREAD", 8),
        seed=3,
        mode=Mode.HOT,
        fill=Fill.COUNTING,
        device="gpu0",
        budget_s=1.5,
        launch_limit_s=30.0,
        shape=Shape(1, 17, 33),
        target="RTX 4090",
    )
    assert from_dict(json.loads(json.dumps(to_dict(experiment))), CATALOGUE) == experiment


@pytest.mark.parametrize("values", [None, 3, "tiled", [], {}, {"kernel": None}, {"kernel": "no such kernel"}])
def test_that_what_is_no_experiment_reads_as_the_first_one(values: object) -> None:
    assert from_dict(values, CATALOGUE).kernel == DEFAULT.kernel


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("size", "0x0x0"),
        ("size", 7),
        ("size", "999999999x1x1"),
        ("fill", "noise"),
        ("fill", None),
        ("seed", -1),
        ("seed", 2**40),
        ("seed", True),
        ("mode", "warm"),
        ("budget_s", float("nan")),
        ("budget_s", "fast"),
        ("budget_s", 0),
        ("launch_limit_s", 1e9),
        ("device", 5),
        ("compared", "tiled"),
        ("params", ["TILE", 16]),
        ("target", "Voodoo 2"),
        ("target", 90),
    ],
)
def test_that_one_unusable_value_costs_only_itself(key: str, value: object) -> None:
    saved = to_dict(replace(DEFAULT, seed=5, mode=Mode.HOT)) | {key: value}
    read = to_dict(from_dict(saved, CATALOGUE))
    assert read[key] == to_dict(DEFAULT)[key]
    assert {name: read[name] for name in ("seed", "mode") if name != key}.items() <= saved.items()


def test_that_strange_parameters_are_left_out() -> None:
    saved = to_dict(DEFAULT) | {
        "params": {"tiled": {"TILE": 8, "X": "a", "Y": True}, "naive": 3, "dot": {"THREADS": 9}}
    }
    read = from_dict(saved, CATALOGUE)
    assert read.params_of(CATALOGUE.get("tiled")) == (("TILE", 8),)
    assert read.params_of(CATALOGUE.get("dot")) == (("THREADS", 512),)


def test_that_a_kernel_that_is_gone_is_left_and_its_parameters_wait_for_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(CATALOGUE.get("tiled").text, encoding="utf-8")
    more = CATALOGUE.with_kernel(load_user_kernel(path))
    chosen = with_param(
        with_compared(with_kernel(DEFAULT, "mine", CATALOGUE), "mine", True), more.get("mine"), "TILE", 4
    )
    left = fitted(chosen, CATALOGUE)
    assert left.kernel == DEFAULT.kernel
    assert "mine" not in left.compared
    assert with_kernel(left, "mine", CATALOGUE).params_of(more.get("mine")) == (("TILE", 4),)
    assert fitted(chosen, more) == chosen


@pytest.mark.parametrize(("size", "tile"), [("8x8x8", 4), ("4x4x4", 2), ("16x8x12", 4), ("2x2x2", None)])
def test_that_a_blackboard_has_whole_numbers_and_several_tiles(size: str, tile: int | None) -> None:
    kernel = CATALOGUE.get("tiled")
    changed = for_blackboard(with_kernel(DEFAULT, "tiled", CATALOGUE), Shape.parse(size), kernel)
    assert (changed.fill, str(changed.shape)) == (Fill.COUNTING, size)
    usual = dict(DEFAULT.params_of(kernel))["TILE"]
    assert dict(changed.params_of(kernel))["TILE"] == (usual if tile is None else tile)
    assert for_blackboard(DEFAULT, Shape.parse(size), CATALOGUE.get("naive")).params == DEFAULT.params
