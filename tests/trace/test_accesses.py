"""What counts as an access, and what is known of it from the source alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.backends.base import CompileError
from gemmviz.domain.access import AccessKind, Site, Space
from gemmviz.domain.spec import Launch
from gemmviz.trace.instrument import Instrumented, instrument

LOAD, STORE = AccessKind.LOAD, AccessKind.STORE
LAUNCH = Launch((1, 1, 1), (8, 4, 1), 256, 256)
HEAD = "__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {\n"


def recorded(body: str, before: str = "") -> Instrumented:
    return instrument(Path("mine.cu"), f"{before}{HEAD}{body}\n}}\n", "k", LAUNCH)


def sites(body: str, before: str = "") -> list[Site]:
    return recorded(body, before).sites


def kinds(body: str) -> list[tuple[str, AccessKind]]:
    return [(site.text, site.kind) for site in sites(body)]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("float x = A[M];", [("A[M]", LOAD)]),
        ("C[M] = 1.0f;", [("C[M]", STORE)]),
        ("C[M] += 1.0f;", [("C[M]", LOAD), ("C[M]", STORE)]),
        ("C[M] -= A[N];", [("C[M]", LOAD), ("C[M]", STORE), ("A[N]", LOAD)]),
        ("C[M]++;", [("C[M]", LOAD), ("C[M]", STORE)]),
        ("--C[M];", [("C[M]", LOAD), ("C[M]", STORE)]),
        ("(C[M]) = 2.0f;", [("C[M]", STORE)]),
        ("C[M] = C[N] = 3.0f;", [("C[M]", STORE), ("C[N]", STORE)]),
        ("*C = *A;", [("*C", STORE), ("*A", LOAD)]),
        ("*(C + M) = *(A + N);", [("*(C + M)", STORE), ("*(A + N)", LOAD)]),
        ("C[(int)A[M]] = 1.0f;", [("C[(int)A[M]]", STORE), ("A[M]", LOAD)]),
        ("if (A[M] > 0.0f) return;", [("A[M]", LOAD)]),
        ("float x = M < N ? A[M] : 0.0f;", [("A[M]", LOAD)]),
        ("const float *p = &A[M];", []),
        ("const float *p = A + M;", []),
        ("int n = sizeof(A[M]);", []),
        ("int n = sizeof A[M];", []),
        ("float x = *&A[M];", [("*&A[M]", LOAD)]),
    ],
)
def test_that_kinds_follow_from_what_is_done_with_an_element(
    statement: str, expected: list[tuple[str, AccessKind]]
) -> None:
    assert sorted(kinds(statement)) == sorted(expected)


@pytest.mark.parametrize(
    ("statement", "texts"),
    [
        ("float t[4]; t[M] = 1.0f; C[0] = t[N];", ["C[0]"]),
        ("float t[2][4]; t[0][M] = A[M]; C[0] = t[1][N];", ["A[M]", "C[0]"]),
        ("float t; float *p = &t; *p = A[0]; C[0] = t;", ["A[0]", "C[0]"]),
        ("float4 v = make_float4(1, 2, 3, 4); C[0] = v.x;", ["C[0]"]),
    ],
)
def test_that_private_memory_is_not_recorded(statement: str, texts: list[str]) -> None:
    assert [site.text for site in sites(statement)] == texts


def test_that_shared_memory_of_every_form_is_recorded() -> None:
    found = sites(
        "__shared__ float one[8], two[4][9], three[2][3][4];\n__shared__ float alone;\n"
        "extern __shared__ float rest[];\n"
        "one[0] = 1.0f; two[1][2] = 1.0f; three[0][1][2] = 1.0f; alone = 1.0f; rest[3] = 1.0f;"
    )
    assert [(site.text, site.array) for site in found] == [
        ("one[0]", "one"), ("two[1][2]", "two"), ("three[0][1][2]", "three"), ("alone", "alone"), ("rest[3]", "rest"),
    ]  # fmt: skip
    assert {(site.space, site.kind, site.width_bytes) for site in found} == {(Space.SHARED, STORE, 4)}


@pytest.mark.parametrize(
    ("statement", "width"),
    [
        ("float x = A[0];", 4),
        ("float4 v = *reinterpret_cast<const float4 *>(&A[M]);", 16),
        ("float4 v = *(const float4 *)(A + M);", 16),
        ("float4 v = ((const float4 *)A)[M];", 16),
        ("float2 v = *reinterpret_cast<const float2 *>(A + 2 * M);", 8),
        ("const float4 *p = (const float4 *)A; float4 v = p[M];", 16),
        ("const float4 *p = (const float4 *)A; float x = p[M].x;", 4),
        ("const float4 *p = (const float4 *)A; float x = p[M].w;", 4),
        ("__shared__ double s[4]; s[M] = 1.0;", 8),
        ("__shared__ float4 s[4]; s[M] = make_float4(1, 2, 3, 4);", 16),
        ("__shared__ float4 s[4]; s[M].y = 1.0f;", 4),
        ("__shared__ int s[4]; s[M] = 1;", 4),
        ("__shared__ unsigned char s[4]; s[M] = 1;", 1),
        ("__shared__ unsigned long long s[4]; s[M] = 1;", 8),
    ],
)
def test_that_widths_are_those_of_the_type(statement: str, width: int) -> None:
    assert [site.width_bytes for site in sites(statement)] == [width]


@pytest.mark.parametrize(
    ("statements", "arrays"),
    [
        ("A += M; C[0] = A[0];", ["C", "A"]),
        ("const float *p = A + M; p += 4; p = p + N; C[0] = *p;", ["C", "A"]),
        ("const float *p = A, *q = B; C[0] = p[0] * q[0];", ["C", "A", "B"]),
        ("const float *p = M > N ? A : B; C[0] = p[0];", ["C", ""]),
        ("const float *p = A; if (M) p = B; C[0] = p[0];", ["C", ""]),
        ("C[0] = (M > N ? A : B)[K];", ["C", ""]),
        ("__shared__ float s[8]; float *p = s + M; *p = 1.0f;", ["s"]),
        ("__shared__ float s[2][8]; float *p = s[1]; p[M] = 1.0f;", ["s"]),
    ],
)
def test_that_arrays_are_followed_through_pointers(statements: str, arrays: list[str]) -> None:
    assert sorted(site.array for site in sites(statements)) == sorted(arrays)


def test_that_lines_and_columns_count_from_one_and_texts_are_whole() -> None:
    found = sites("    C[M] =\n        A[N * K +\n          1] + B[0]; C[1] = 0.0f;", before="// a comment\n\n")
    places = {site.text: (site.line, site.column) for site in found}
    assert places == {"C[M]": (4, 5), "A[N * K +\n          1]": (5, 9), "B[0]": (6, 16), "C[1]": (6, 22)}


def test_that_names_of_a_kernels_own_do_not_matter() -> None:
    text = (
        "__global__ void k(const float *x, const float *y, float *z, int M, int N, int K) {\nz[0] = x[0] * y[0];\n}\n"
    )
    found = instrument(Path("mine.cu"), text, "k", LAUNCH).sites
    assert sorted((site.text, site.array) for site in found) == [("x[0]", "A"), ("y[0]", "B"), ("z[0]", "C")]


@pytest.mark.parametrize(
    ("body", "before", "text", "reason"),
    [
        ("float x = frexp(A[M], (int *)C);", "", "frexp(A[M], (int *)C)", "given an address"),
        ("C[M] = AT(N);", "#if 1\n#define AT(i) A[(i)]\n#endif\n", "A[(i)]", "inside a macro"),
        ("C[M] = FIRST;", "#if 1\n#define FIRST A[0]\n#endif\n", "A[0]", "inside a macro"),
        ("C[M] = AT(N);", "#define AT(...) A[__VA_ARGS__]\n", "A[__VA_ARGS__]", "inside a macro"),
    ],
)
def test_that_what_cannot_be_seen_is_named_with_its_line(body: str, before: str, text: str, reason: str) -> None:
    skipped = recorded(body, before).skipped
    line = next(i for i, line in enumerate(f"{before}{HEAD}{body}".splitlines(), 1) if text in line)
    assert [(access.line, access.text) for access in skipped] == [(line, text)]
    assert reason in skipped[0].reason


def test_that_what_is_seen_is_not_named() -> None:
    body = "float x = fmaf(A[0], B[0], 1.0f); x = fminf(x, A[M]); C[0] = sqrtf(x); __syncthreads();"
    found = recorded(body, "#define TWICE(x) ((x) + (x))\n")
    assert found.skipped == []
    assert len(found.sites) == 4


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("atomicAdd(&C[M], 1.0f);", "atomicAdd"),
        ("float x = __shfl_down_sync(0xffffffffu, A[M], 1); C[0] = x;", "__shfl_down_sync"),
        ("__syncwarp(); C[0] = A[0];", "__syncwarp"),
        ("__threadfence(); C[0] = A[0];", "__threadfence"),
    ],
)
def test_that_what_a_plain_run_refuses_is_not_recorded_either(statement: str, name: str) -> None:
    with pytest.raises(CompileError, match=rf"^mine\.cu:2:\d+: {name} is beyond the CUDA C that gemmviz translates"):
        recorded(statement)


def test_that_a_barrier_in_a_macro_that_is_not_plain_is_refused() -> None:
    with pytest.raises(CompileError, match=r"^mine\.cu:2:1: a barrier inside a macro that is not plain is not seen"):
        recorded("C[0] = A[0]; SYNC;", "#if 1\n#define SYNC __syncthreads()\n#endif\n")
