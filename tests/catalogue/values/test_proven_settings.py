"""Settings that a description calls proven, and those that nobody tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import described_kernel

SOURCE = "__global__ void f(const float *A, const float *B, float *C, int M, int N, int K) {}\n"
DESCRIPTION = """entry = "f"
args = ["A", "B", "C", "M", "N", "K"]
PROVEN
[params.BM]
choices = [32, 64]
[params.TM]
choices = [4, 8]
[launch]
block = ["BM"]
grid = ["M"]
"""


def kernel(proven: str) -> Kernel:
    return described_kernel(Path("f.cu"), SOURCE, DESCRIPTION.replace("PROVEN", proven))


def test_that_a_setting_that_is_not_listed_is_untried_and_the_defaults_never_are() -> None:
    found = kernel("proven_settings = [{BM = 64}, {TM = 8}]")
    assert found.untried((("BM", 64), ("TM", 8))) == (("BM", 64), ("TM", 8))
    assert [found.untried((("BM", bm), ("TM", tm))) for bm, tm in ((32, 4), (64, 4), (32, 8))] == [(), (), ()]


def test_that_nothing_is_called_untried_where_nothing_is_listed() -> None:
    assert kernel("").untried((("BM", 64), ("TM", 8))) == ()


@pytest.mark.parametrize("proven", ["7", "[7]", '[{BM = "64"}]', "[{BM = true}]"])
def test_that_a_list_of_something_else_is_refused_with_its_line(proven: str) -> None:
    with pytest.raises(HeaderError, match=r"f\.cu.*'proven_settings' must be a list of tables of whole numbers"):
        kernel(f"proven_settings = {proven}")
