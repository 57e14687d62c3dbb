from dataclasses import replace
from typing import Any

from gemmviz.domain.terms import Mode
from gemmviz.explain.figures.circumstances import subtitle_of, subtitle_of_times, without_caches


def test_that_one_size_device_and_day_are_named(make_run: Any) -> None:
    run = replace(make_run(), finished="2026-01-02T03:04:05Z")
    assert subtitle_of([run, run]) == "M×N×K = 64×64×64  ·  A GPU  ·  2026-01-02"
    assert subtitle_of([]) == ""


def test_that_caches_are_named_with_times_where_they_are_the_same_of_all(make_run: Any) -> None:
    cold, hot = make_run(), make_run(mode=Mode.HOT)
    assert subtitle_of_times([cold, cold]) == "M×N×K = 64×64×64  ·  A GPU  ·  cold caches"
    assert subtitle_of_times([cold, hot]) == subtitle_of([cold])
    assert without_caches(subtitle_of_times([hot])) == subtitle_of([hot])


def test_that_few_of_each_are_named_and_many_are_counted(make_run: Any, cpu_run: Any) -> None:
    sizes = [(n, n, n) for n in (512, 4, 64, 7)]
    runs = [replace(make_run(size=size), finished=f"2026-01-0{day}") for day, size in enumerate(sizes, 1)]
    assert subtitle_of(runs[:2]) == "M×N×K = 4×4×4, 512×512×512  ·  A GPU  ·  2026-01-01 to 2026-01-02"
    assert subtitle_of(runs).startswith("4 sizes, M×N×K from 4×4×4 to 512×512×512  ·  ")
    run = make_run()
    two = [run, cpu_run()]
    assert subtitle_of(two) == "M×N×K = 64×64×64  ·  A GPU and This CPU"
    gpus = [
        replace(make_run(), device=replace(make_run().device, id=f"cuda:{n}", name=name))
        for n, name in enumerate("ABC")
    ]
    assert "3 devices" in subtitle_of(gpus)
    twins = [replace(make_run(), device=replace(make_run().device, id=f"cuda:{n}")) for n in range(2)]
    assert "2 × A GPU" in subtitle_of(twins)
    by_both = [run, replace(run, device=replace(run.device, id="opencl:0", backend="opencl"))]
    assert "  ·  A GPU" in subtitle_of(by_both), "one GPU by two drivers"
