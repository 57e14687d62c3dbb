"""A kernel's template is described with a type that its file launches, or with none."""

from __future__ import annotations

import pytest

from gemmviz.adopt.propose.instances import instances_of, unread_types_of
from gemmviz.adopt.source.read import FoundSource, read_source
from gemmviz.domain.terms import Language

KERNEL = "template <typename T> __global__ void mm(const T *A, const T *B, T *C, int M, int N, int K) {}\n"
OF_SIZES = "template <typename T> __global__ void mm(const float *A, const float *B, float *C, T n) {}\n"
LAUNCHER = """template <typename T> void launch(const T *A, const T *B, T *C, int M, int N, int K) {
    mm<T><<<dim3(N, M), 32>>>(A, B, C, M, N, K);
}
"""
DEDUCING = LAUNCHER.replace("mm<T>", "mm")
METHOD = """template <class T> struct Gemm {
    T *A, *B, *C;
    void run(int M) { mm<T><<<M, 32>>>(A, B, C, M, M, M); }
};
"""
TWICE = f"{LAUNCHER}template <class U> void outer(U *x, int n) {{ launch(x, x, x, n, n, n); }}\n"
FOR_TYPE = "#define FOR(T) template void launch<T>(const T *, const T *, T *, int, int, int)\n"
POINTERS = "double *a, *b, *c;"
VECTORS = "std::vector<double> a(9), b(9), c(9);"


def source(text: str) -> FoundSource:
    return read_source(KERNEL + text, Language.CUDA)


def types(text: str) -> list[str]:
    """The types that launches of the file give the kernel."""
    return [one.template[0] for one in source(text).launches]


def host(code: str) -> str:
    return f"int main() {{\n{code}\n}}\n"


@pytest.mark.parametrize(
    "text",
    [
        LAUNCHER + host("launch<double>(a, b, c, 1, 2, 3);"),
        LAUNCHER + host(f"{POINTERS} launch(a, b, c, 1, 2, 3);"),
        LAUNCHER + "double *a;" + host("launch(&a[4], a + 2, a, 1, 2, 3);"),
        LAUNCHER + host(f"{VECTORS} launch(a.data(), b.data(), c.data(), 1, 2, 3);"),
        LAUNCHER + host("auto a = static_cast<double *>(p); launch(a, a, a, 1, 2, 3);"),
        LAUNCHER + host("launch((double *)p, x.data_ptr<double>(), q, 1, 2, 3);"),
        LAUNCHER + "using real = double;\n" + host("launch<real>(a, b, c, 1, 2, 3);"),
        LAUNCHER + "template void launch<double>(const double *, const double *, double *, int, int, int);\n",
        LAUNCHER + "template void launch(const double *, const double *, double *, int, int, int);\n",
        LAUNCHER + "struct Data { double *A; };\n" + host("launch(s.A, s.A, s.A, 1, 2, 3);"),
        DEDUCING + host(f"{POINTERS} launch(a, b, c, 1, 2, 3);"),
        TWICE + host(f"{POINTERS} outer(a, 8);"),
        FOR_TYPE + LAUNCHER + "FOR(double);",
        LAUNCHER + "#define RUN(T, n) \\\n    launch<T>(a, b, c, n, n, n)\n" + host("RUN(double, 3);"),
        LAUNCHER + "#define RUN(n) launch(a, b, c, n, n, n)\n" + host(f"{POINTERS} RUN(3);"),
        TWICE + "#define RUN(T) outer<T>(p, 3)\n" + host("RUN(double);"),
        METHOD + host("Gemm<double> gemm; gemm.run(3);"),
        METHOD + host("Gemm<double>().run(3);"),
        host(f"{POINTERS} mm<<<1, 1>>>(a, b, c, 1, 2, 3);"),
        host(f"{VECTORS} mm<<<1, 1>>>(thrust::raw_pointer_cast(a.data()), b.data(), c.data(), 1, 2, 3);"),
    ],
)
def test_that_the_type_is_that_of_the_call(text: str) -> None:
    assert types(text) == ["double"]
    found = source(text)
    (kernel,) = found.kernels
    made = instances_of(kernel, found.launches_of(kernel), (), found.names)
    assert {one.template for one in made} == {("double",)}


def test_that_a_kernel_of_two_types_has_both_and_each_once() -> None:
    calls = "float *f; double *d; launch(f, f, f, 1, 1, 1); launch<double>(d, d, d, 1, 1, 1); launch(d, d, d, 2, 2, 2);"
    assert types(LAUNCHER + host(calls)) == ["float", "double"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            LAUNCHER + host("launch(make(), make(), make(), 1, 2, 3);"),
            (6, "calls launch, and which type T is there"),
        ),
        (
            FOR_TYPE + LAUNCHER + "#define ALL(F) F(double)\nALL(FOR);",
            (2, "the macro FOR uses launch, and with which type could not be read"),
        ),
        (host("mm<<<1, 1>>>(x.p(), x.p(), x.p(), 1, 2, 3);"), (3, "launches mm, and which type T is there")),
    ],
)
def test_that_a_type_that_cannot_be_read_is_asked_for(text: str, told: tuple[int, str]) -> None:
    found = source(text)
    reason = unread_types_of(found.launches_of(found.kernels[0]))
    assert reason is not None
    assert reason.line == told[0]
    assert reason.words.startswith(told[1])


@pytest.mark.parametrize(
    ("text", "template", "assumed"),
    [
        (KERNEL + LAUNCHER, ("float",), "T = float is assumed: nothing in the file calls launch"),
        (KERNEL + LAUNCHER.replace("T", "Real"), ("float",), "T = float is assumed: nothing in the file calls launch"),
        (KERNEL, ("float",), "T = float is assumed: no host code of the file launches mm"),
        (KERNEL + "template __global__ void mm<double>(const double *, int);\n", ("double",), ""),
        (KERNEL + host("mm<double><<<1, 1>>>(a, b, c, 1, 2, 3);"), ("double",), ""),
        (
            KERNEL.replace("T>", "T, typename I>").replace("int M, int N, int K", "I M, I N, I K, T alpha"),
            ("float", "int"),
            "T = float and I = int are assumed: no host code of the file launches mm",
        ),
        (
            OF_SIZES + "template <typename U> void go(float *a, U n) { mm<U><<<n, 32>>>(a, a, a, n); }\n",
            ("int",),
            "T = int is assumed: nothing in the file calls go",
        ),
    ],
)
def test_that_a_type_that_nothing_names_is_said_to_be_assumed(
    text: str, template: tuple[str, ...], assumed: str
) -> None:
    found = read_source(text, Language.CUDA)
    (kernel,) = found.kernels
    made = instances_of(kernel, found.launches_of(kernel), found.instantiations_of(kernel), found.names)
    assert {(one.template, one.assumed) for one in made if one.template == template} == {(template, assumed)}
    assert made[0].template == template


def test_that_the_ground_names_the_call() -> None:
    (launch,) = source(LAUNCHER + host("launch<double>(a, b, c, 1, 2, 3);")).launches
    assert (launch.line, launch.types_because) == (3, "line 6 calls launch so")


def test_that_types_and_numbers_are_those_of_one_call() -> None:
    text = """template <typename T, int TILE> __global__ void mm(const T *A, const T *B, T *C, int n) {}
template <typename T, int TILE> void launch(T *A, int n) { mm<T, TILE><<<n / TILE, TILE>>>(A, A, A, n); }
int main() { launch<float, 16>(p, 4); launch<double, 32>(q, 4); }
"""
    assert [one.template for one in read_source(text, Language.CUDA).launches] == [("float", "16")]


@pytest.mark.parametrize(
    ("code", "template"),
    [
        ("struct Op {}; void go() { mm<Op><<<1, 32>>>(a, b, c, 1, 2, 3); }", "mine::Op"),
        ("namespace inner { struct Op {}; void go() { mm<Op><<<1, 32>>>(a, b, c, 1, 2, 3); } }", "mine::inner::Op"),
        (
            "namespace inner { struct Op {}; } void go() { mm<inner::Op><<<1, 32>>>(a, b, c, 1, 2, 3); }",
            "mine::inner::Op",
        ),
        ("template <class T> struct Op {}; void go() { mm<Op<int>><<<1, 32>>>(a, b, c, 1, 2, 3); }", "mine::Op<int>"),
        ("void go() { mm<float><<<1, 32>>>(a, b, c, 1, 2, 3); }", "float"),
    ],
)
def test_that_a_type_of_a_namespace_is_named_as_outside_of_it(code: str, template: str) -> None:
    assert types(f"namespace mine {{ {code} }}\n") == [template]
