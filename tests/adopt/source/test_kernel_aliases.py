"""A launch of a variable is one of the kernel that the variable holds."""

from __future__ import annotations

import pytest

from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

KERNELS = """template <int T> __global__ void mm(float *a, float *b, float *c, int M, int N, int K) {}
namespace la { __global__ void plain(float *a, float *b, float *c, int M, int N, int K) {} }
typedef void (*Kernel)(float *, float *, float *, int, int, int);
Kernel table[] = {mm<8>, mm<32>};
struct Config { Kernel kernel; };
"""
LAUNCH = "<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(a, b, c, M, N, K);"


def launches(code: str) -> list[FoundLaunch]:
    function = f"void go(float *a, float *b, float *c, int M, int N, int K, bool is_big, Config config) {{ {code} }}"
    return [*read_source(KERNELS + function, Language.CUDA).launches]


@pytest.mark.parametrize(
    ("code", "kernel", "template"),
    [
        (f"auto chosen = mm<16>; chosen{LAUNCH}", "mm", ("16",)),
        (f"Kernel chosen = &la::plain; (*chosen){LAUNCH}", "la::plain", ()),
        (f"void (*f)(float *, float *, float *, int, int, int) = (Kernel)mm<4>; f{LAUNCH}", "mm", ("4",)),
        (f"Kernel f; f = la::plain; f{LAUNCH}", "la::plain", ()),
        (f"auto one = static_cast<Kernel>(mm<2>); auto two = one; two{LAUNCH}", "mm", ("2",)),
        (f"auto *chosen{{&la::plain}}; chosen{LAUNCH}", "la::plain", ()),
    ],
)
def test_that_the_kernel_that_a_variable_holds_is_launched(code: str, kernel: str, template: tuple[str, ...]) -> None:
    (found,) = launches(code)
    assert (found.kernel, found.template, found.unread) == (kernel, template, "")
    assert (found.block, found.grid) == (("16", "16"), ("N // 16", "M // 16"))


@pytest.mark.parametrize(
    "code",
    [
        f"Kernel f = is_big ? mm<32> : mm<8>; f{LAUNCH}",
        f"Kernel f = mm<8>; if (is_big) f = mm<32>; f{LAUNCH}",
        f"table[is_big]{LAUNCH}",
    ],
)
def test_that_each_kernel_that_a_variable_may_hold_is_one_that_could_not_be_read(code: str) -> None:
    found = launches(code)
    assert sorted(one.template for one in found) == [("32",), ("8",)]
    assert all("which may be " in one.unread and one.block == () for one in found)


@pytest.mark.parametrize("code", [f"auto f = load(is_big); f{LAUNCH}", f"config.kernel{LAUNCH}"])
def test_that_a_launch_of_no_kernel_that_is_known_is_open(code: str) -> None:
    (found,) = launches(code)
    assert found.kernel == ""
    assert found.unread.endswith("and which kernel that is could not be read")
