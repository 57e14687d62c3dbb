"""What a kernel's arrays take is known before it is built, and too much is refused with figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gemmviz.backends.array_sizes import check_arrays, declared_arrays
from gemmviz.backends.base import CompileError, Source, TrialRun
from gemmviz.backends.opencl.device import OpenClDevice
from gemmviz.backends.registry import devices_for
from gemmviz.backends.whole_expressions import Definition, value_of
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language

HEAD = "__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {\n"
CL_HEAD = (
    "__kernel void k(__global const float *A, __global const float *B, __global float *C, int M, int N, int K) {\n"
)
KNOWN = {
    "T": Definition("16"),
    "TWICE": Definition("(2 * T)"),
    "SQ": Definition("((x) * (x))", ("x",)),
    "LOOP": Definition("LOOP + 1"),
    "DEEP": Definition("+".join(["T"] * 3000)),
    "BOTH": Definition("SQ(a) + b", ("a", "b")),
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("1 << 22", 2**22),
        ("0x10u + 010 + 0b11 + 1'000", 1027),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("10 - 3 - 2", 5),
        ("5 & 3 | 8 ^ 1", 9),
        ("!0 + ~0", 0),
        ("T > 8 ? 4 : 2", 4),
        ("T < 8 ? 4 : T == 16 ? 6 : 2", 6),
        ("TWICE", 32),
        ("SQ(T + 1)", 289),
        ("BOTH(2, SQ(3))", 13),
        ("sizeof(float4) / sizeof(float)", 4),
        ("(int)T + (unsigned int)2", 18),
        ("min(T, 4) + max(T, 40)", 44),
        ("1 && 0 || 1", 1),
        ("T\n*\n2", 32),
        ("32ULL", 32),
        ("x", None),
        ("1 / 0", None),
        ("LOOP", None),
        ("1 << 70", None),
        ("1 +", None),
        ("", None),
        ("SQ", None),
        ("SQ(1, 2)", None),
        ("T(1)", None),
        ("1.5", None),
        ("A[0]", None),
        ("DEEP * DEEP", None),
        ("9" * 5000, None),
        ("(" * 3000, None),
        ("sizeof(x)", None),
        ("0x", None),
        ("08", None),
    ],
)
def test_that_an_expression_has_the_value_that_c_gives_it(text: str, value: int | None) -> None:
    assert value_of(text, KNOWN) == value


def source_of(body: str, before: str = "", language: Language = Language.CUDA, **defines: int) -> Source:
    head = HEAD if language is Language.CUDA else CL_HEAD
    return Source(Path("mine.cu"), f"{before}{head}{body}\n}}\n", "k", language, tuple(defines.items()))


def sizes(body: str, before: str = "", **defines: Any) -> dict[str, int]:
    return {array.name: array.nbytes for array in declared_arrays(source_of(body, before, **defines)).arrays}


@pytest.mark.parametrize(
    ("body", "before", "expected"),
    [
        ("float a[4], b[2][3]; int c;", "", {"a": 16, "b": 24}),
        ("__shared__ float4 s[T][T + 1];", "", {"s": 16 * 8 * 9}),
        ("double d[2 * T];", "", {"d": 128}),
        ("unsigned\nchar c[T];", "", {"c": 8}),
        ("constexpr int W = T * 2; float a[W];", "", {"a": 64}),
        ("float a[W];", "enum { W = 3 };\n", {"a": 12}),
        ("float a[W];", "static const unsigned W = 1u << 4;\n", {"a": 64}),
        ("float a[N_OF(T)];", "#define N_OF(x) \\\n  ((x) + 1) // more\n", {"a": 36}),
        ("float *p; float (*q)[T];", "", {}),
        ("struct P { float x[8]; int n; } p; P all[2];", "", {"p": 36, "all": 72}),
        ("real a[2];", "typedef double real;\n", {"a": 16}),
        ("extern __shared__ float s[]; float a[UNKNOWN];", "", {}),
        ("help(A);", "__device__ void help(const float *p) { float inner[T]; inner[0] = p[0]; }\n", {"inner": 32}),
        ("float a[W];", "#if 1\n#define W 4\n#else\n#define W 8\n#endif\n", {}),
    ],
)
def test_that_the_sizes_of_arrays_are_found(body: str, before: str, expected: dict[str, int]) -> None:
    assert sizes(body, before, T=8) == expected


def test_that_shared_sizes_of_the_catalogue_are_those_of_its_headers() -> None:
    device = devices_for(Language.CUDA)[0]
    for kernel in load_catalogue().kernels:
        if kernel.language is not Language.CUDA or kernel.needs_cuda:
            continue
        shape = Shape(1, 1, 64) if kernel.id.startswith("dot") else Shape(64, 64, 64)
        plan = kernel.plan(shape, kernel.params({}), device)
        source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, plan.defines)
        assert declared_arrays(source).shared_bytes == plan.launch.static_shared_bytes, kernel.id
        check_arrays(source, plan.launch, device)


USE = " for (int i = 0; i < M; ++i) mine[i] = A[i]; C[0] = mine[N];"
WAIT = "__syncthreads();"


@pytest.mark.parametrize(
    ("body", "threads", "expected"),
    [
        ("float mine[1 << 22];" + USE, 8, "mine.cu:2: the arrays of one thread take 16777216 bytes, 'mine' alone "),
        ("__shared__ float mine[100000000];" + USE, 8, "the shared arrays take 400000000 bytes per block"),
        ("float mine[1 << 16];" + WAIT + USE, 64, "those of the 64 threads of a block 16777216; "),
        (
            "float mine[BIG][BIG];" + USE.replace("mine[i]", "mine[i][0]").replace("mine[N]", "mine[N][0]"),
            8,
            "the arrays of one thread take 67108864 bytes",
        ),
    ],
)
@pytest.mark.parametrize("language", [Language.CUDA, Language.OPENCL])
def test_that_too_much_is_refused_by_runs(
    embedded: OpenClDevice, body: str, threads: int, expected: str, language: Language
) -> None:
    if language is Language.OPENCL:
        body = body.replace("__shared__", "__local").replace(WAIT, "barrier(CLK_LOCAL_MEM_FENCE);")
    source = source_of(body, language=language, BIG=4096)
    launch = Launch((1, 1, 1), (threads, 1, 1))
    with pytest.raises(CompileError) as error:
        embedded.compile(source, launch, TrialRun(Shape(4, 4, 4), launch, 16), print)
    assert expected in str(error.value)


def test_that_large_arrays_that_fit_still_run(embedded: OpenClDevice) -> None:
    source = source_of("float mine[1 << 16];" + USE)
    launch = Launch((1, 1, 1), (16, 1, 1))
    embedded.compile(source, launch, TrialRun(Shape(4, 4, 4), launch, 16), lambda _: None)
