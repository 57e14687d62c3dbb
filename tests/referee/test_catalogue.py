"""The kernels of the catalogue are right; `perf` judges all that run without a GPU, the others stand for them."""

from __future__ import annotations

import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.terms import Language
from gemmviz.referee.confined import device_for
from gemmviz.referee.finding import Judgement
from gemmviz.referee.judge import judge

CHOSEN = ("dot", "cl_naive", "cpu_ijk")
ALL = [kernel.id for kernel in load_catalogue().kernels if not kernel.not_emulated]


FROM_RECORDINGS = ("Free of races and barrier errors", "Reads no uninitialised memory")


def judged(name: str) -> None:
    kernel = load_catalogue().get(name)
    ruling = judge(kernel, kernel.params({}), device_for(kernel))
    assert [f"{one.name}: {one.reason}" for one in ruling.failed] == []
    assert ruling.judgement is Judgement.RIGHT, ruling.fault
    assert ruling.found_arithmetic == "inputs as float32, sums in float32"
    unexamined = {one.name for one in ruling.not_examined}
    is_recorded = kernel.language is not Language.PYTHON
    assert unexamined == {"Time beside the library", *(() if is_recorded else FROM_RECORDINGS)}


@pytest.mark.parametrize("name", CHOSEN)
def test_that_kernels_of_each_kind_are_right(name: str) -> None:
    judged(name)


@pytest.mark.perf
@pytest.mark.parametrize("name", ALL)
def test_that_every_kernel_is_right(name: str) -> None:
    judged(name)
