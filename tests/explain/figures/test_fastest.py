"""Which kernel is the fastest, in a sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gpu_runs import gpu_run

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic
from gemmviz.explain.figures.run_facts import facts_of
from gemmviz.explain.figures.timing.fastest import fastest_words
from gemmviz.explain.figures.timing.kernel import kernel_time_figure

SLOW, FAST, NEARLY = (gpu_run(name, (ms,) * 5) for name, ms in (("naive", 8.0), ("tiled", 2.0), ("wide", 2.04)))


def words(*runs: Any) -> tuple[str, ...]:
    return fastest_words(facts_of(runs), "ms")


def test_that_the_fastest_is_named_with_its_time_and_with_what_cannot_be_ranked_against_it() -> None:
    assert words(SLOW, FAST) == ("fastest: tiled, 2.00 ms",)
    assert words(SLOW, NEARLY, FAST) == ("fastest: tiled or wide, 2.00 ms",)
    other = gpu_run("tiled", (2.02,) * 5, params=(("TILE", 32),))
    assert words(SLOW, FAST, other) == ("fastest: tiled TILE=16 or tiled TILE=32, 2.00 ms",)
    assert kernel_time_figure([SLOW, FAST]).notes[0] == "fastest: tiled, 2.00 ms"


def test_that_each_arithmetic_has_its_fastest() -> None:
    tensor = replace(FAST, arithmetic=Arithmetic.TF32)
    slow = replace(SLOW, arithmetic=Arithmetic.TF32)
    both = words(SLOW, NEARLY, tensor, slow)
    assert both == ("fastest in fp32: wide, 2.04 ms; in tf32: tiled, 2.00 ms",)
    assert words(SLOW, NEARLY, tensor) == ("fastest in fp32: wide, 2.04 ms",), "one alone is no ranking"
    assert words(SLOW, tensor) == ()


def test_that_no_wrong_run_and_none_of_another_size_is_ranked() -> None:
    wrong = replace(FAST, accuracy=replace(FAST.accuracy, passed=False))
    assert words(SLOW, NEARLY, wrong) == ("fastest: wide, 2.04 ms",)
    assert words(SLOW, wrong) == ()
    other = replace(FAST, spec=replace(FAST.spec, shape=Shape(1, 1, 1)))
    assert words(SLOW, other) == ()
    assert words(SLOW) == ()
