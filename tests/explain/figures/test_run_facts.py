from dataclasses import replace
from datetime import datetime
from typing import Any

from gemmviz.domain.runs.doubts import NOISY, NOT_GPU_TIMES, TIME_RAN_OUT
from gemmviz.domain.terms import Mode, StopReason
from gemmviz.explain.figures.run_facts import distinct_names, facts_of, kernel_words, notes_of, params_note
from gemmviz.explain.figures.timing.kernel import kernel_time_figure


def at(run: Any, time: str, day: int = 30) -> Any:
    return replace(run, finished=datetime.fromisoformat(f"2026-11-{day}T{time}").astimezone().isoformat())


def test_that_equal_runs_say_when_each_ran(make_run: Any) -> None:
    runs = [at(make_run(), "10:00:01"), make_run("naive"), at(make_run(), "10:05:00"), make_run(params=(("TILE", 8),))]
    assert [fact.name for fact in facts_of(runs)] == ["tiled · 10:00:01", "naive", "tiled · 10:05:00", "tiled"]


def test_that_equal_runs_of_several_days_say_the_day_and_where_two_share_one_the_time_too(make_run: Any) -> None:
    first, second, third = (
        at(make_run(), "10:00:00", 29),
        at(make_run(), "10:00:00", 30),
        at(make_run(), "10:00:02", 30),
    )
    assert [fact.name for fact in facts_of([first, second])] == ["tiled · 2026-11-29", "tiled · 2026-11-30"]
    assert [fact.name for fact in facts_of([first, second, third])][1:] == [
        "tiled · 2026-11-30 10:00:00",
        "tiled · 2026-11-30 10:00:02",
    ]


def test_that_equal_runs_say_their_inputs_rather_than_the_time_and_of_one_second_their_order(make_run: Any) -> None:
    run = at(make_run(), "10:00:00")
    seeded = replace(run, spec=replace(run.spec, seed=7))
    assert [fact.name for fact in facts_of([run, seeded])] == ["tiled · uniform, seed 0", "tiled · uniform, seed 7"]
    assert [fact.name for fact in facts_of([run, run])] == [
        "tiled · 10:00:00 · run 1 of 2",
        "tiled · 10:00:00 · run 2 of 2",
    ]


def test_that_names_alone_say_caches_and_device_where_runs_of_one_kernel_differ_in_them(
    make_run: Any, pocl: Any
) -> None:
    facts = facts_of([make_run(), make_run(mode=Mode.HOT), make_run("naive")])
    assert distinct_names(facts) == ("tiled · cold", "tiled · hot", "naive")
    facts = facts_of([make_run(), make_run(device=pocl), make_run("naive")])
    assert distinct_names(facts) == ("tiled · A GPU", "tiled · pocl", "naive")
    assert distinct_names(facts, with_device=False) == ("tiled", "tiled", "naive")


def test_that_names_alone_tell_runs_of_one_kernel_apart(make_run: Any) -> None:
    def named(*runs: Any) -> tuple[str, ...]:
        return distinct_names(facts_of(runs))

    four, eight = make_run(params=(("TILE", 4), ("PAD", 1))), make_run(params=(("TILE", 8), ("PAD", 1)))
    assert named(four, eight, make_run("naive")) == ("tiled TILE=4", "tiled TILE=8", "naive")
    assert named(four, four, make_run("naive", size=(8, 8, 8))) == ("tiled · run 1 of 2", "tiled · run 2 of 2", "naive")
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
        [
            make_run(ms=(1.0, 2.0, 9.0)),
            make_run("naive", stopped_by=StopReason.TIME_LIMIT),
            make_run("best", ms=(0.001, 0.002, 0.01)),
        ]
    )
    assert [fact.marks for fact in facts] == ["~", "*", ""]
    assert notes_of(facts) == (f"{NOISY} (tiled)", TIME_RAN_OUT), "which one"
