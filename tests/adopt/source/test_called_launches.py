"""Launches in functions that are given a kernel, a pack of arguments or numbers are read by the functions' calls."""

from __future__ import annotations

import pytest

from gemmviz.adopt.source.launches import FoundLaunch, LaunchExpressions
from gemmviz.adopt.source.read import FoundSource, read_source
from gemmviz.domain.terms import Language

KERNEL = "__global__ void mm(float *a, float *b, float *c, int M, int N, int K) {}\n"
CALLER = "void h(float *a, float *b, float *c, int M, int N, int K) {{\n{code}\n}}\n"
PACK = "template <typename... Args> void launch(dim3 g, dim3 b, Args... args) { mm<<<g, b>>>(args...); }\n"
OF_KERNEL = """template <typename F, typename... Args> void launch(F f, int m, int n, Args&&... args) {
    dim3 block(16, 8);  // rows and columns
    dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y);
    f<<<grid, block>>>(std::forward<Args>(args)...);
}
"""
BY_POINTER = """template <typename... T> void start(void (*kernel)(T...), dim3 g, T... args) {
    void *list[] = {(void *)&args...};
    cudaLaunchKernel((const void *)kernel, g, dim3(32), list, 0, 0);
}
"""
OF_TEMPLATE = "template <auto Kernel, typename... T> void launch(T... args) { Kernel<<<dim3(7), 32>>>(args...); }\n"


def source(before: str, code: str) -> FoundSource:
    return read_source(KERNEL + before + CALLER.format(code=code), Language.CUDA)


def launch(before: str, code: str) -> FoundLaunch:
    (found,) = source(before, code).launches
    return found


TIMED = """float seconds(void (*kernel)(float *, float *, float *, int, int, int), dim3 g, dim3 b, int M, int N,
              int K) {
    float *x;
    kernel<<<g, b>>>(x, x, x, M, N, K);
    return 1.0f;
}
"""
CHOSEN = "void (*f)(float *, float *, float *, int, int, int) = mm; dim3 b(32, 8), g((N + 31) / 32, M / 8);"


@pytest.mark.parametrize(
    "code",
    [
        f"{CHOSEN} float s = seconds(f, g, b, M, N, K);",
        f"{CHOSEN} float s; s = seconds(f, g, b, M, N, K);",
        f"{CHOSEN} {{ for (int i = 0; i < 3; ++i) {{ float s = seconds(f, g, b, M, N, K); }} }}",
    ],
)
def test_that_a_launch_is_read_where_the_call_returns_something_and_a_variable_holds_the_kernel(code: str) -> None:
    found = launch(TIMED, code)
    assert (found.kernel, found.block, found.grid) == ("mm", ("32", "8"), ("ceil_div(N, 32)", "M // 8"))


def test_that_a_launch_behind_such_a_call_is_read_as_well() -> None:
    found = source(TIMED, f"{CHOSEN} float s = seconds(f, g, b, M, N, K); mm<<<M, 16>>>(a, b, c, M, N, K);").launches
    assert [one.block for one in found] == [("32", "8"), ("16",)]


def test_that_a_variable_that_changes_says_no_kernel() -> None:
    found = launch(TIMED, f"{CHOSEN} f = other; float s = seconds(f, g, b, M, N, K);")
    assert (
        found.unread == "it launches `f`, which may be mm or another kernel, and with which grid each could not be read"
    )


@pytest.mark.parametrize(
    ("before", "code", "block", "grid"),
    [
        (PACK, "launch(dim3(N / 8, M), dim3(8, 4), a, b, c, M, N, K);", ("8", "4"), ("N // 8", "M")),
        (OF_KERNEL, "launch(mm, M, N, a, b, c, M, N, K);", ("16", "8"), ("ceil_div(N, 16)", "ceil_div(M, 8)")),
        (BY_POINTER, "start(mm, dim3(M /* rows */), a, b, c, M, N, K);", ("32",), ("M",)),
        (OF_TEMPLATE, "launch<mm>(a, b, c, M, N, K);", ("32",), ("7",)),
    ],
)
def test_that_a_launch_of_a_pack_is_read_at_the_call(
    before: str, code: str, block: tuple[str, ...], grid: tuple[str, ...]
) -> None:
    found = launch(before, code)
    assert (found.kernel, found.function, found.block, found.grid) == ("mm", "h", block, grid)
    assert found.arguments == ("a", "b", "c", "M", "N", "K")


def test_that_such_a_launch_is_told_with_the_line_of_the_call_and_no_other_code_moves() -> None:
    other = "void g(float *a) { mm<<<1, 1>>>(a, a, a, 1, 2, 3); }\n"
    found = read_source(
        KERNEL + OF_KERNEL + CALLER.format(code="launch(mm, M, N, a, b, c, M, N, K);") + other, Language.CUDA
    )
    assert [(one.function, one.line) for one in found.launches] == [("h", 8), ("g", 10)]


def test_that_exchanged_arguments_of_a_pack_stay_exchanged() -> None:
    assert launch(PACK, "launch(dim3(M), dim3(8), a, b, c, N, M, K);").arguments[3:] == ("N", "M", "K")


def test_that_each_call_is_a_launch_of_its_own_also_through_another_function() -> None:
    through = f"{PACK}template <class... T> void twice(T... all) {{ launch(dim3(2), all...); }}\n"
    code = "twice(dim3(8), a, b, c, M, N, K);\nlaunch(dim3(3), dim3(4), b, a, c, M, N, K);"
    assert [(one.block, one.grid) for one in source(through, code).launches] == [(("8",), ("2",)), (("4",), ("3",))]


@pytest.mark.parametrize(
    "code",
    [
        "",  # nobody calls it
        "launch(dim3(M));",  # too few arguments
        "return;\n}\ntemplate <class... T> void launch(T... args) { mm<<<1, 1>>>(args...);",  # two of one name
    ],
)
def test_that_a_launch_whose_call_does_not_tell_it_stays_where_it_is(code: str) -> None:
    found = source(PACK, code).launches
    assert found[0].line == 2
    assert (found[0].function, found[0].arguments, found[0].grid) == ("launch", ("",), ())


def test_that_names_of_the_function_do_not_hide_those_of_the_call() -> None:
    inner = """template <class... T> void launch(int count, T... args) {
    int M = count * 2;
    mm<<<M, 32>>>(args...);
}
"""
    found = source(inner, "launch(K, a, b, c, M, N, K);").launches
    assert [(one.function, one.arguments) for one in found] == [("launch", ("",))]


def test_that_a_grid_that_a_function_is_given_is_not_read_as_a_number() -> None:
    plain = "void start(dim3 g, dim3 b, float *x, int n) { mm<<<g, b>>>(x, x, x, n, n, n); }\n"
    found = launch(plain, "")
    assert (found.block, found.grid, found.texts.grid) == ((), (), "g")
    computed = launch(plain.replace("mm<<<g, b>>>", "mm<<<(n + b.x - 1) / b.x, b>>>"), "")
    assert (computed.block, computed.grid) == ((), ("ceil_div(n, b.x)",))


OF_NUMBERS = """
template <int BM, int BN> __global__ void tiles(const float *A, const float *B, float *C, int M, int N, int K) {}
template <int BM, int BN>
void launch(const float *A, const float *B, float *C, int M, int N, int K) {
    tiles<BM, BN><<<dim3(N / BN, M / BM), BM * BN>>>(A, B, C, M, N, K);
}
const int WIDE = 32;
"""


def launch_of_numbers(calls: str) -> FoundLaunch:
    return launches_of_numbers(calls)[0]


def launches_of_numbers(calls: str, file: str = OF_NUMBERS) -> tuple[FoundLaunch, ...]:
    return read_source(f"{file}\nint main() {{ {calls} }}\n", Language.CUDA).launches


@pytest.mark.parametrize(
    ("calls", "template"),
    [
        ("launch<16, 32>(a, b, c, m, n, k);", ("16", "32")),
        ("launch<16, WIDE>(a, b, c, m, n, k);", ("16", "32")),
        ("CHECK((launch<16, 32>(a, b, c, m, n, k), 0));", ("16", "32")),
        ("launch<8 * 2, 32>(a, b, c, m, n, k); launch<4, 4>(a, b, c, m, n, k);", ("16", "32")),
        ("other<4, 4>(a, b, c); launch<16, 32>(a, b, c, m, n, k);", ("16", "32")),
    ],
)
def test_that_parameters_of_a_launching_template_are_what_its_call_gives(calls: str, template: tuple[str, ...]) -> None:
    found = launch_of_numbers(calls)
    assert found.template == template
    assert found.block == ("512",)
    assert found.grid == ("N // 32", "M // 16")


def test_that_each_call_with_other_numbers_is_a_launch_of_its_own() -> None:
    calls = "launch<16, 32>(a, b, c, m, n, k); launch<4, 4>(a, b, c, m, n, k); launch<16, 32>(c, b, a, m, n, k);"
    found = launches_of_numbers(calls)
    assert [(one.line, one.template, one.block) for one in found] == [
        (5, ("16", "32"), ("512",)),
        (5, ("4", "4"), ("16",)),
    ]


def test_that_numbers_of_one_call_are_not_mixed_with_types_of_another() -> None:
    file = OF_NUMBERS.replace("<int BM, int BN>", "<typename T, int BM, int BN>").replace("float", "T")
    calls = "launch<float, 16, 32>(a, b, c, m, n, k); launch<double, 4, 4>(a, b, c, m, n, k);"
    found = launches_of_numbers(calls, file.replace("tiles<BM", "tiles<T, BM"))
    assert {one.template[1:] for one in found} == {("16", "32")}


def test_that_the_names_of_such_parameters_stay_for_further_values() -> None:
    found = launch_of_numbers("launch<16, 32>(a, b, c, m, n, k);")
    assert found.written == LaunchExpressions(("BM * BN",), ("N // BN", "M // BM"), "0", ("BM", "BN"))


@pytest.mark.parametrize("calls", ["", "launch<ROWS, 32>(a, b, c, m, n, k);", "launch<16>(a, b, c, m, n, k);"])
def test_that_what_no_call_says_stays_unknown(calls: str) -> None:
    assert launch_of_numbers(calls).template == ("BM", "BN")


WRAPPED = """
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {}
void launch(int edge, const float *A, const float *B, float *C, int M, int N, int K) {
    dim3 grid((N + edge - 1) / edge, (M + edge - 1) / edge);
    mm<<<grid, dim3(edge, edge)>>>(A, B, C, M, N, K);
}
void handed_on(int t, float *a, int M) { launch(t, a, a, a, M, M, M); }
const int WIDE = 32;
"""


@pytest.mark.parametrize(
    ("calls", "edges"),
    [
        ("launch(32, a, b, c, M, N, K);", ["32"]),
        ("launch(WIDE / 2, a, b, c, M, N, K); launch(8, a, b, c, M, N, K);", ["16", "8"]),
        ("for (int t : {8, 16, 32}) launch(t, a, b, c, M, N, K);", ["8", "16", "32"]),
        ("for (int t = 4; t <= WIDE; t *= 2) launch(t, a, b, c, M, N, K);", ["4", "8", "16", "32"]),
        ("const int ts[] = {4, 8}; for (int t : ts) launch(t, a, b, c, M, N, K);", ["4", "8"]),
        ("const int ts[] = {4, 8}; for (int i = 0; i < 2; ++i) launch(ts[i], a, b, c, M, N, K);", ["4", "8"]),
        ("handed_on(16, a, M); handed_on(2, a, M);", ["16", "2"]),
        ("int t = 4; launch(t, a, b, c, M, N, K);", ["4"]),
    ],
)
def test_that_a_number_that_a_block_depends_on_is_what_each_call_gives(calls: str, edges: list[str]) -> None:
    found = launches_of_numbers(calls, WRAPPED)
    assert [one.block for one in found] == [(edge, edge) for edge in edges]
    assert [one.grid for one in found] == [(f"ceil_div(N, {edge})", f"ceil_div(M, {edge})") for edge in edges]


@pytest.mark.parametrize(
    "calls",
    [
        "launch(atoi(argv[1]), a, b, c, M, N, K);",
        "int t = 4; t = chosen(); launch(t, a, b, c, M, N, K);",
        "for (int t = 4; t <= limit; t *= 2) launch(t, a, b, c, M, N, K);",
    ],
)
def test_that_a_number_that_a_call_computes_leaves_the_block_unread(calls: str) -> None:
    (found,) = (one for one in launches_of_numbers(calls, WRAPPED) if one.function == "launch")
    assert (found.block, found.grid) == ((), ())


def test_that_sizes_that_a_kernel_is_given_stay_names_whatever_a_call_gives() -> None:
    (found,) = launches_of_numbers("launch(16, a, b, c, 1024, 1024, 512);", WRAPPED)
    assert found.grid == ("ceil_div(N, 16)", "ceil_div(M, 16)")


def test_that_a_launch_under_a_condition_that_the_number_of_a_call_breaks_is_none() -> None:
    file = WRAPPED.replace("    mm<<<grid", "    if (edge == 16) mm<<<1, 2>>>(A, B, C, M, N, K); else mm<<<grid")
    found = launches_of_numbers("launch(16, a, b, c, M, N, K); launch(8, a, b, c, M, N, K);", file)
    assert [one.block for one in found] == [("2",), ("8", "8")]
