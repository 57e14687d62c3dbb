"""Launches in a function template of the host code, read with the arguments of its first call."""

from __future__ import annotations

import pytest

from gemmviz.adopt.source.launches import FoundLaunch, LaunchExpressions, launches_of
from gemmviz.adopt.source.names import names_of
from gemmviz.adopt.source.tree import parse

SOURCE = """
template <int BM, int BN> __global__ void tiles(const float *A, const float *B, float *C, int M, int N, int K) {}
template <int BM, int BN>
void launch(const float *A, const float *B, float *C, int M, int N, int K) {
    tiles<BM, BN><<<dim3(N / BN, M / BM), BM * BN>>>(A, B, C, M, N, K);
}
const int WIDE = 32;
"""


def launch_with(calls: str) -> FoundLaunch:
    root = parse(f"{SOURCE}\nint main() {{ {calls} }}\n")
    (found,) = launches_of(root, names_of(root))
    return found


@pytest.mark.parametrize(
    ("calls", "template"),
    [
        ("launch<16, 32>(a, b, c, m, n, k);", ("16", "32")),
        ("launch<16, WIDE>(a, b, c, m, n, k);", ("16", "32")),
        ("launch<8 * 2, 32>(a, b, c, m, n, k); launch<4, 4>(a, b, c, m, n, k);", ("16", "32")),
        ("other<4, 4>(a, b, c); launch<16, 32>(a, b, c, m, n, k);", ("16", "32")),
    ],
)
def test_that_parameters_of_a_launching_template_are_what_its_call_gives(calls: str, template: tuple[str, ...]) -> None:
    found = launch_with(calls)
    assert found.template == template
    assert found.block == ("512",)
    assert found.grid == ("N // 32", "M // 16")


def test_that_the_names_of_such_parameters_stay_for_further_values() -> None:
    found = launch_with("launch<16, 32>(a, b, c, m, n, k);")
    assert found.written == LaunchExpressions(("BM * BN",), ("N // BN", "M // BM"), "0", ("BM", "BN"))


@pytest.mark.parametrize("calls", ["", "launch<ROWS, 32>(a, b, c, m, n, k);", "launch<16>(a, b, c, m, n, k);"])
def test_that_what_no_call_says_stays_unknown(calls: str) -> None:
    assert launch_with(calls).template == ("BM", "BN")
