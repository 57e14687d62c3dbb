"""Which of many runs the charts of times show first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.runs.baselines import Baseline
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.session.session import load_session
from gemmviz.explain.figures.timing.ladder import MANY, left_out_note, left_out_words, shown_first


@pytest.fixture(scope="module")
def ladder() -> Session:
    return load_session(next(one.path for one in load_examples() if one.id == "gpu-ladder"))


def names(runs: tuple[RunResult, ...]) -> list[str]:
    return [run.spec.kernel for run in runs]


def test_that_few_runs_are_all_shown(make_run: Any) -> None:
    runs = [make_run(f"k{place}", ms=(1.0,) * 3) for place in range(MANY)]
    assert shown_first(runs) == tuple(runs)
    assert left_out_note(runs, runs) == ""


def test_that_of_a_ladder_the_steps_the_fastest_and_the_libraries_are_shown(ladder: Session) -> None:
    shown = shown_first(ladder.runs)
    assert names(shown)[:7] == [
        "naive",
        "tiled",
        "register_1d",
        "register_2d",
        "double_buffered",
        "sgemm_best",
        "cublas_fp32",
    ]
    assert {"cublas_tf32", "cublas_bf16", "wgmma_bf16_late"} <= set(names(shown))
    assert len(shown) == 15
    note = left_out_note(shown, ladder.runs)
    assert note.startswith("12 of 27 runs not shown: naive_uncoalesced, naive_1d, ")
    assert note.partition(". ")[0].endswith(", tiled_global_accumulate")
    assert left_out_words(15, 27) == "12 of 27 runs not shown"
    assert " and 3 more. Shown are " in left_out_note(shown[3:], ladder.runs)


def test_that_the_order_in_which_kernels_ran_makes_no_step(ladder: Session) -> None:
    backwards = shown_first(ladder.runs[::-1])
    newest = set(names(ladder.runs[:3]))
    assert set(names(backwards)) - newest <= set(names(shown_first(ladder.runs)))


def test_that_what_is_new_or_wrong_or_compared_with_is_shown(ladder: Session) -> None:
    runs = list(ladder.runs)
    slow = next(place for place, run in enumerate(runs) if run.spec.kernel == "warp_tiled")
    runs[slow] = replace(runs[slow], accuracy=replace(runs[slow].accuracy, passed=False))
    runs.append(runs.pop(next(place for place, run in enumerate(runs) if run.spec.kernel == "row_shared")))
    against = Baseline("tiled_padded", (("TILE", 16),), is_device_kernel=True)
    shown = names(shown_first(runs, against))
    assert {"warp_tiled", "row_shared", "tiled_padded"} <= set(shown)
    assert "tiled_padded" not in names(shown_first(runs))


def test_that_of_one_kernel_with_many_parameters_the_fastest_are_shown(make_run: Any) -> None:
    runs = [make_run(params=(("TILE", tile),), ms=(1.0 + tile,) * 3) for tile in range(2, 32)]
    shown = shown_first(runs)
    assert shown[0] == runs[0]
    assert len(shown) == 12
    assert shown[-3:] == tuple(runs[-3:]), "the newest"
