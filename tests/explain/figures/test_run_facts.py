from dataclasses import replace
from typing import Any

from gemmviz.domain.runs.doubts import NOISY, NOT_GPU_TIMES, TIME_RAN_OUT
from gemmviz.domain.terms import Mode, StopReason
from gemmviz.explain.figures.run_facts import distinct_names, facts_of, kernel_words, notes_of, params_note
from gemmviz.explain.figures.timing.kernel import kernel_time_figure


def test_that_equal_runs_are_numbered_and_the_first_is_not(make_run: Any) -> None:
    runs = [make_run(), make_run("naive"), make_run(), make_run(params=(("TILE", 8),)), make_run()]
    assert [fact.name for fact in facts_of(runs)] == ["tiled", "naive", "tiled #2", "tiled", "tiled #3"]


def test_that_names_alone_tell_runs_of_one_kernel_apart(make_run: Any) -> None:
    def named(*runs: Any) -> tuple[str, ...]:
        return distinct_names(facts_of(runs))

    four, eight = make_run(params=(("TILE", 4), ("PAD", 1))), make_run(params=(("TILE", 8), ("PAD", 1)))
    assert named(four, eight, make_run("naive")) == ("tiled TILE=4", "tiled TILE=8", "naive")
    assert named(four, four, make_run("naive", size=(8, 8, 8))) == ("tiled", "tiled #2", "naive")
    assert named(make_run(), make_run(size=(1, 17, 33))) == ("tiled 64×64×64", "tiled 1×17×33")


def test_that_many_parameters_in_which_runs_differ_are_values_alone_and_explained_once(make_run: Any) -> None:
    def run(*values: int) -> Any:
        return make_run("best", params=tuple(zip(("BM", "BN", "TM", "TN", "BK"), (*values, 8), strict=True)))

    facts = facts_of([run(64, 128, 8, 8), run(128, 256, 8, 16), run(96, 96, 12, 12), make_run("naive")])
    assert distinct_names(facts) == ("best 64·128·8·8", "best 128·256·8·16", "best 96·96·12·12", "naive")
    assert params_note(facts) == ("values in names are BM·BN·TM·TN of best",)
    assert params_note(facts[:1]) == ()
    assert distinct_names(facts[:2]) == ("best BM=64 BN=128 TN=8", "best BM=128 BN=256 TN=16")


def test_that_the_size_is_named_only_where_runs_differ_in_it(make_run: Any) -> None:
    same = facts_of([make_run(), make_run("naive")])
    assert [fact.size for fact in same] == ["", ""]
    other = facts_of([make_run(), make_run(size=(1, 17, 33))])
    assert [fact.size for fact in other] == ["64×64×64", "1×17×33"]


def test_that_rows_say_cold_or_hot_where_they_differ_in_it_and_cpu(make_run: Any, cpu_run: Any) -> None:
    assert [fact.detail for fact in facts_of([make_run(), cpu_run()])] == ["TILE=16", "CPU"]
    facts = facts_of([make_run(), make_run(mode=Mode.HOT), cpu_run()])
    assert [fact.detail for fact in facts] == ["cold · TILE=16", "hot · TILE=16", "CPU · cold"]
    assert [fact.is_cpu for fact in facts] == [False, False, True]


def test_that_devices_are_named_where_there_are_two(make_run: Any, pocl: Any) -> None:
    facts = facts_of([make_run(), make_run(device=pocl)])
    assert [fact.detail for fact in facts] == ["A GPU · TILE=16", "pocl · TILE=16"]


def test_that_devices_of_one_model_are_told_apart_by_their_ids(make_run: Any) -> None:
    one = make_run()
    facts = facts_of([one, make_run(device=replace(one.device, id="cuda:1"))])
    assert [fact.detail for fact in facts] == ["A GPU (cuda:0) · TILE=16", "A GPU (cuda:1) · TILE=16"]


def test_that_a_legend_says_of_gpu_kernels_that_they_ran_on_a_cpu(make_run: Any, cpu_run: Any, pocl: Any) -> None:
    on_cpu = [make_run(device=pocl), cpu_run()]
    assert kernel_words(facts_of(on_cpu)) == "GPU kernel on a CPU"
    assert kernel_words(facts_of([make_run(), *on_cpu])) == "GPU kernel"
    (of_device, *_) = kernel_time_figure(on_cpu).series
    assert of_device.words == "GPU kernel on a CPU, device clock"


def test_that_times_of_gpu_kernels_on_a_cpu_are_called_that(make_run: Any, cpu_run: Any, pocl: Any) -> None:
    assert notes_of(facts_of([make_run(device=pocl)])) == (NOT_GPU_TIMES,)
    assert notes_of(facts_of([make_run(), cpu_run()])) == ()


def test_that_noisy_and_limited_runs_are_marked_and_explained(make_run: Any) -> None:
    facts = facts_of(
        [make_run(ms=(1.0, 2.0, 9.0)), make_run(stopped_by=StopReason.TIME_LIMIT), make_run(ms=(0.001, 0.002, 0.01))]
    )
    assert [fact.marks for fact in facts] == ["~", "*", ""]
    assert notes_of(facts) == (f"{NOISY} (tiled)", TIME_RAN_OUT), "which one"
