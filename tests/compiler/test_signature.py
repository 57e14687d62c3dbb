"""The types of a kernel's parameters, as the compiler reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.compiler.mangled_types import MangledTypeError, parameters_of_function
from gemmviz.compiler.signature import signature_of
from gemmviz.compiler.source import Source
from gemmviz.domain.terms import Language


@pytest.mark.parametrize(
    ("mangled", "words"),
    [
        ("FvvE", []),
        ("FviE", ["int"]),
        ("FvPKfS1_PfiiiE", ["const float *", "const float *", "float *", "int", "int", "int"]),
        ("FvfdbyxmlE", ["float", "double", "bool", "unsigned long long", "long long", "unsigned long", "long"]),
        ("FvPK6__halfP13__nv_bfloat16S4_E", ["const half *", "nv_bfloat16 *", "nv_bfloat16 *"]),
        ("FvPPfPKPKdE", ["float **", "const double **"]),
        ("FvPV6float4N4mine5ShapeEPvE", ["float4 *", "mine::Shape", "void *"]),
    ],
)
def test_that_a_mangled_function_type_is_read(mangled: str, words: list[str]) -> None:
    assert [one.words for one in parameters_of_function(mangled, ["probe"])] == words


@pytest.mark.parametrize(
    "mangled", ["", "v", "Fv", "FvQE", "FvS9_E", "FvSt4pairIiiEE", "Fv4abE", "FvN4mine", "FvA3_iE"]
)
def test_that_what_is_not_read_is_refused(mangled: str) -> None:
    with pytest.raises(MangledTypeError):
        parameters_of_function(mangled)


def test_that_nesting_has_an_end() -> None:
    with pytest.raises(MangledTypeError, match="nested too deeply"):
        parameters_of_function("Fv" + "P" * 100_000 + "fE")


SOURCE = """
#include <cuda_fp16.h>
#define REAL float
typedef const REAL *input;
using count = unsigned;
namespace mine {
template <typename T, int N> __global__ void k(input a, T *b, T c, count m, const size_t n, half h, volatile T *v) {}
}
struct Same { __device__ float operator()(float x) const { return x; } };
struct Held { float x; };
template <class F, class G> __global__ void with(float *a, F f, G g) {}
extern "C" __global__ void plain(double *__restrict__ a, long long b) {}
"""


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (
            "mine::k<double, 4>",
            ["const float *", "double *", "double", "unsigned int", "unsigned long", "half", "double *"],
        ),
        (
            "mine::k<half2, 4>",
            ["const float *", "__half2 *", "__half2", "unsigned int", "unsigned long", "half", "__half2 *"],
        ),
        ("plain", ["double *", "long long"]),
        ("with<Same, Held>", ["float *", "an empty structure", "Held"]),
    ],
)
def test_that_typedefs_macros_and_templates_are_resolved(entry: str, words: list[str]) -> None:
    source = Source(Path("mine.cu"), SOURCE, entry, Language.CUDA, is_foreign=True)
    found = signature_of(source, "sm_90a")
    assert found is not None
    assert [one.words for one in found] == words


@pytest.mark.usefixtures("nvrtc")
def test_that_what_does_not_compile_has_no_signature() -> None:
    assert signature_of(Source(Path("mine.cu"), "nonsense", "k", Language.CUDA), "sm_90a") is None
