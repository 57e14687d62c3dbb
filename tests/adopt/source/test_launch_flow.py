"""A launch in host code is read with the values that its variables have there, and not by the names of functions."""

from __future__ import annotations

import pytest

from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

FILE = """__global__ void mm(float *a, float *b, float *c, int M, int N, int K) {{}}
{before}
void h(float *a, float *b, float *c, int M, int N, int K) {{ {code} }}
"""


def launches(code: str, before: str = "") -> tuple[FoundLaunch, ...]:
    return read_source(FILE.format(before=before, code=code), Language.CUDA).launches


def grid(text: str, before: str = "", code: str = "") -> tuple[str, ...]:
    (found,) = launches(f"{code} mm<<<{text}, 256>>>(a, b, c, M, N, K);", before)
    return found.grid


@pytest.mark.parametrize("brackets", ["<< < {} >> >", "<<< {} >> >", "<< <{}>>>"])
def test_that_spaced_brackets_of_a_launch_are_read_as_its_brackets(brackets: str) -> None:
    (found,) = launches(f"mm {brackets.format('dim3(N / 16, M / 16), cdiv<int>(1024, 4)')} (a, b, c, M, N, K);")
    assert (found.line, found.grid) == (3, ("N // 16", "M // 16"))
    assert not launches("int shifted = M << (N < 4 && K >> 2 > (M));")


@pytest.mark.parametrize(
    ("function", "called", "header"),
    [
        ("int cdiv(int a, int b) { if (b == 0) return 0; return a / b; }", "cdiv(N, 16)", "N // 16"),
        ("int div_up(int a, int b) { int q = a / b; return q; }", "div_up(N, 16)", "N // 16"),
        ("int div_up(int a, int b) { int q = a / b; if (a % b) ++q; return q; }", "div_up(48, 32)", "2"),
        ("int ceil_div(int b, int a) { int q = (a + b - 1) / b; return q; }", "ceil_div(N, 16)", "(16 + N - 1) // N"),
        ("int cdiv(int a, int b) { return std::ceil((float)a / b); }", "cdiv(N, 16)", "ceil_div(N, 16)"),
        ("int cdiv(float a, float b) { return ceil(a / b); }", "cdiv(N, 16)", "ceil_div(N, 16)"),
        ("int cdiv(int a, int b) { return ceil(a / b); }", "cdiv(N, 16)", "N // 16"),
        ("auto cdiv = [](int a, int b) { return (a + b - 1) / b; };", "cdiv(N, 16)", "ceil_div(N, 16)"),
        ("#define CDIV(a, b) ((a) / (b))", "CDIV(N, 16)", "N // 16"),
    ],
)
def test_that_a_function_is_what_its_body_computes(function: str, called: str, header: str) -> None:
    assert grid(called, function) == (header,)


@pytest.mark.parametrize(
    "function",
    [
        "int cdiv(int a, int b) { int q = 0; while (q * b < a) ++q; return q; }",
        "int cdiv(int a, int b) { return table[a] / b; }",
        "int cdiv(int a) { return a; }",
        "int cdiv(int a, int b) { return a / b; }\nint cdiv(long a, int b) { return (a + b - 1) / b; }",
    ],
)
def test_that_a_function_with_a_body_that_cannot_be_evaluated_is_not_believed_by_its_name(function: str) -> None:
    assert grid("cdiv(N, 16)", function) == ()


def test_that_a_function_of_another_file_is_taken_by_its_name_and_named() -> None:
    (found,) = launches("mm<<<div_up(N, 16), 256>>>(a, b, c, M, N, K);")
    assert (found.grid, found.taken) == (("ceil_div(N, 16)",), ("div_up",))
    (found,) = launches("mm<<<(N + 15) / 16, 256>>>(a, b, c, M, N, K);")
    assert found.taken == ()


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("N % 16 ? N / 16 : N / 16", "N // 16"),
        ("N / 16 + !!(N % 16)", "N // 16 + (not not N % 16)"),
        ("std::floor(N / 16.0)", "N // 16"),
        ("std::ceil(N / 16.0)", "ceil_div(N, 16)"),
        ("std::ceil(N * 0.0625)", "ceil_div(N, 16)"),
        ("ceilf(float(N) / 16)", "ceil_div(N, 16)"),
        ("(int)ceil(N / 16)", "N // 16"),
        ("N / 16.0", "N // 16"),
        ("std::min(N, 16)", "min(N, 16)"),
    ],
)
def test_that_fractions_and_choices_are_evaluated(text: str, header: str) -> None:
    assert grid(text) == (header,)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("int T = 16; dim3 g((N + T - 1) / T); T = 32;", ("ceil_div(N, 16)",)),
        ("int T = 16; T *= 2; dim3 g((N + T - 1) / T);", ("ceil_div(N, 32)",)),
        ("int T = 16; { int T = 8; } dim3 g((N + T - 1) / T);", ("ceil_div(N, 16)",)),
        ("int T = 16; { T = 8; } dim3 g((N + T - 1) / T);", ("ceil_div(N, 8)",)),
        ("int T = 16; scanf(format, &T); dim3 g((N + T - 1) / T);", ("ceil_div(N, T)",)),
        ("int T = 16; for (int i = 0; i < 3; ++i) T *= 2; dim3 g((N + T - 1) / T);", ("ceil_div(N, T)",)),
        ("dim3 g((N + 15) / 16); N = 2 * N;", ()),
        ("dim3 g; g.x = (M + 15) / 16; g.y = N;", ("ceil_div(M, 16)", "N")),
        ("dim3 g(N, M); g.y = 1;", ("N",)),
        ("dim3 g(N); if (M > 64) g = dim3(M);", ("M if M > 64 else N",)),
        ("dim3 g(N); if (M > 64) g.x = M; else g.x = K;", ("M if M > 64 else K",)),
        ("dim3 g(N); if (M > 64) { g = dim3(M); return; }", ("N",)),
        ("dim3 h(N, M), g = h; h.x = K;", ("N", "M")),
        ("dim3 g(N); resize(g);", ("N",)),
    ],
)
def test_that_a_variable_has_the_value_of_its_last_assignment_before_the_launch(
    code: str, found: tuple[str, ...]
) -> None:
    assert grid("g", code=code) == found


def test_that_a_function_that_takes_a_reference_may_change_what_it_is_given() -> None:
    before = "void read(int &n) { n = 7; }"
    assert grid("(N + T - 1) / T", before, "int T = 16; read(T);") == ("ceil_div(N, T)",)


def test_that_variables_of_the_file_that_are_assigned_to_have_no_value() -> None:
    assert grid("(N + T - 1) / T", "int T = 16;\nvoid set() { T = 32; }") == ("ceil_div(N, T)",)
    assert grid("(N + T - 1) / T", "int T = 16;") == ("ceil_div(N, 16)",)


@pytest.mark.parametrize(
    ("before", "lines"),
    [
        ("#if 0\nLAUNCH\n#endif", []),
        ("#ifdef NOT_DEFINED\nLAUNCH\n#else\nLAUNCH\n#endif", [5]),
        ("#define FAST 1\n#if FAST == 1 && defined(FAST)\nLAUNCH\n#else\nLAUNCH\n#endif", [4]),
        ("#define FAST 0\n#if FAST\nLAUNCH\n#elif !FAST\nLAUNCH\n#else\nLAUNCH\n#endif", [6]),
        ("#if 0\n#if 1\nLAUNCH\n#endif\n#else\nLAUNCH\n#endif", [7]),
        ("#define A\n#undef A\n#ifdef A\nLAUNCH\n#endif", []),
        ('#include "config.h"\n#ifdef FAST\nLAUNCH\n#endif', [4]),
        ("#ifdef __CUDACC__\nLAUNCH\n#endif", [3]),
        ("/*\n#if 0\n*/\nLAUNCH\n/*\n#endif\n*/", [5]),
        ("// LAUNCH\n/* LAUNCH */", []),
    ],
)
def test_that_code_that_the_preprocessor_leaves_out_has_no_launch(before: str, lines: list[int]) -> None:
    text = before.replace("LAUNCH", "void g(float *a, int n) { mm<<<1, 256>>>(a, a, a, n, n, n); }")
    found = launches("", text)
    assert [one.line for one in found] == lines


def test_that_a_launch_under_the_condition_of_its_kernel_is_read() -> None:
    text = "#ifdef FAST\n__global__ void f(int n) {}\nvoid g(int n) { f<<<n, 32>>>(n); }\n#endif"
    (found,) = read_source(text, Language.CUDA).launches
    assert found.grid == ("n",)


def test_that_a_macro_that_launches_is_written_out() -> None:
    before = "#define LAUNCH(g, ...) mm<<<g, 256>>>(__VA_ARGS__)\n#define TWICE(g) LAUNCH(g, a, b, c, M, N, K)"
    (found,) = launches("\nLAUNCH(dim3(M / 16,\n N / 16), a, b, c, M, N, K);", before)
    assert (found.line, found.grid, found.arguments) == (5, ("M // 16", "N // 16"), ("a", "b", "c", "M", "N", "K"))
    (found,) = launches("TWICE(N);", before)
    assert found.grid == ("N",)


def test_that_what_changes_in_a_loop_around_a_launch_is_known() -> None:
    (found,) = launches("for (int r = 0; r < M; r += 16) mm<<<N, 256>>>(a + r * K, b, c + r * N, 16, N, K);")
    assert (found.changing, found.is_grid_changing) == ({0, 2}, False)
    (found,) = launches("for (int i = 0; i < 9; ++i) mm<<<N, 256>>>(a, b, c, M, N, K);")
    assert not found.changing
    (found,) = launches("while (M) { mm<<<M, 256>>>(a, b, c, M, N, K); a += 16; }")
    assert found.changing == {0}


@pytest.mark.parametrize(
    "code",
    [
        "if (N % 16 == 0) LAUNCH",
        "if (N % 16 != 0) return; LAUNCH",
        "if (N % 16) { exit(1); } LAUNCH",
        "assert(N % 16 == 0); LAUNCH",
        'TORCH_CHECK(N % 16 == 0, "size"); LAUNCH',
    ],
)
def test_that_the_conditions_of_a_launch_are_read(code: str) -> None:
    (found,) = launches(code.replace("LAUNCH", "mm<<<N / 16, 256>>>(a, b, c, M, N, K);"))
    (condition,) = found.conditions
    assert condition.names == {"N"}
    assert condition.words in ("N % 16 == 0", "not N % 16 != 0", "not N % 16")


def test_that_the_second_branch_is_launched_where_the_first_is_not() -> None:
    first, second = launches("if (f(N)) mm<<<N, 256>>>(a, b, c, M, N, K); else mm<<<M, 256>>>(a, b, c, M, N, K);")
    assert [one.words for one in (*first.conditions, *second.conditions)] == ["", ""]
    _, second = launches("if (N > 9) mm<<<N, 256>>>(a, b, c, M, N, K); else mm<<<M, 256>>>(a, b, c, M, N, K);")
    assert [one.words for one in second.conditions] == ["not N > 9"]


CHECK = (
    """#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("failed"); exit(1); } } while (0)"""
)


def test_that_calls_of_the_runtime_that_succeeded_are_no_condition_of_a_launch() -> None:
    code = "int m = argc > 1 ? atoi(argv[1]) : 1024; CHECK(cudaMalloc(&a, m * K * 4)); CHECK(cudaMemset(a, 0, m * K)); "
    (found,) = launches(f"{code} mm<<<m / 16, 256>>>(a, b, c, m, N, K);", CHECK)
    assert found.conditions == ()
    (found,) = launches(f"{code} if (N % 16) return; mm<<<m / 16, 256>>>(a, b, c, m, N, K);", CHECK)
    assert [one.words for one in found.conditions] == ["not N % 16"]


GRID_FUNCTION = "static dim3 grid_for(int m, int n) { RETURNED }"
CONFIG = "cudaLaunchConfig_t config = {0}; config.gridDim = dim3((N + 15) / 16, M); config.blockDim = dim3(32, 8);"


@pytest.mark.parametrize(
    ("returned", "found"),
    [
        ("return dim3((n + 15) / 16, (m + 15) / 16);", ("ceil_div(N, 16)", "ceil_div(M, 16)")),
        ("int wide = n / 64; dim3 g(wide, m); return g;", ("N // 64", "M")),
        ("return {(unsigned)n, (unsigned)m, 2u};", ("N", "M", "2")),
        ("if (m > 9) return dim3(n); return dim3(m);", ()),
        ("return table[m];", ()),
    ],
)
@pytest.mark.parametrize("code", ["", "dim3 g = grid_for(M, N);", "auto g = grid_for(M, N);"])
def test_that_a_grid_of_a_function_of_the_file_is_followed(returned: str, found: tuple[str, ...], code: str) -> None:
    assert grid("g" if code else "grid_for(M, N)", GRID_FUNCTION.replace("RETURNED", returned), code) == found


@pytest.mark.parametrize(
    ("code", "shared"),
    [
        (f"{CONFIG} cudaLaunchKernelEx(&config, mm, a, b, c, M, N, K);", "0"),
        (f"{CONFIG} config.dynamicSmemBytes = 4 * K; cudaLaunchKernelEx(&config, mm, a, b, c, M, N, K);", "4 * K"),
        (
            "cudaLaunchConfig_t config{dim3((N + 15) / 16, M), dim3(32, 8), 64};"
            "void *args[] = {&a, &b, &c, &M, &N, &K}; cudaLaunchKernelExC(&config, (void *)mm, args);",
            "64",
        ),
        (
            "cudaLaunchConfig_t config = {.gridDim = dim3((N + 15) / 16, M), .blockDim = {32, 8}};"
            "cudaLaunchKernelEx(&config, mm, a, b, c, M, N, K);",
            "0",
        ),
        (
            'CUfunction f; cuModuleGetFunction(&f, module, "mm"); void *args[] = {&a, &b, &c, &M, &N, &K};'
            "cuLaunchKernel(f, (N + 15) / 16, M, 1, 32, 8, 1, 0, stream, args, nullptr);",
            "0",
        ),
    ],
)
def test_that_launches_by_a_configuration_and_by_the_driver_are_read(code: str, shared: str) -> None:
    (found,) = launches(code)
    assert (found.kernel, found.grid, found.block) == ("mm", ("ceil_div(N, 16)", "M"), ("32", "8"))
    assert (found.shared_bytes, found.arguments) == (shared, ("a", "b", "c", "M", "N", "K"))


def test_that_two_launches_by_one_configuration_are_both_read() -> None:
    launch = "cudaLaunchKernelEx(&config, mm, a, b, c, M, N, K);"
    assert [one.grid for one in launches(f"{CONFIG} {launch} {launch}")] == [("ceil_div(N, 16)", "M")] * 2
    assert launches(f"{CONFIG} fill(&config); {launch}")[0].grid == (), "it may have been changed"


def test_that_a_launch_of_an_unknown_handle_says_so_and_proposes_nothing() -> None:
    code = "void *args[] = {&a, &b, &c, &M, &N, &K}; cuLaunchKernel(f, N, M, 1, 32, 8, 1, 0, 0, args, 0);"
    source = read_source(FILE.format(before="", code=code), Language.CUDA)
    (found,) = source.launches_of(source.kernels[0])
    assert found.unread == "it launches `f`, and which kernel that is could not be read"
    assert (found.grid, found.block) == ((), ())
    two = read_source(FILE.format(before="__global__ void other(float *a) {}", code=code), Language.CUDA)
    assert two.launches_of(two.kernels[0]) == ()
