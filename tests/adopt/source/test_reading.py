"""What stands in a kernel file: signatures, indices, and how host code launches."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.source.kernels import Condition, FoundKernel
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.read import FoundSource, read_source
from gemmviz.adopt.source.tree import SourceError, declared_name, parse, walk
from gemmviz.domain.terms import Language

FOLDER = Path(__file__).parents[2] / "data" / "adopt"


def read(name: str) -> FoundSource:
    language = Language.OPENCL if name.endswith(".cl") else Language.CUDA
    return read_source((FOLDER / name).read_text(encoding="utf-8"), language)


def kernel(name: str) -> FoundKernel:
    return read(name).kernels[0]


def launch(name: str) -> FoundLaunch:
    return read(name).launches[0]


def test_that_a_template_and_its_parameters_are_read() -> None:
    found = kernel("six_template_arguments.cu")
    assert [(one.name, one.kind) for one in found.template] == [
        ("BLOCK_SIZE_M", "number"),
        ("BLOCK_SIZE_K", "number"),
        ("BLOCK_SIZE_N", "number"),
        ("THREAD_SIZE_Y", "number"),
        ("THREAD_SIZE_X", "number"),
        ("ENABLE_DOUBLE_BUFFER", "bool"),
    ]
    assert [(one.name, one.type, one.is_pointer) for one in found.parameters] == [
        ("A", "float", True),
        ("B", "float", True),
        ("C", "float", True),
        ("M", "int", False),
        ("K", "int", False),
        ("N", "int", False),
    ]
    assert (found.block_axes, found.grid_axes) == ("xy", "xy")


def test_that_qualifiers_bounds_and_defaults_are_read() -> None:
    text = """
    typedef unsigned int u32;
    namespace a { namespace b {
    template <typename T = float, int N = 4>
    __global__ __launch_bounds__(N * 32, 2) void f(const T *__restrict__ x, u32 count, T const *y, volatile T *z)
    { assert(N * 64 == blockDim.x); extern __shared__ T room[]; room[threadIdx.x] = x[blockIdx.z]; }
    } }"""
    (found,) = read_source(text, Language.CUDA).kernels
    assert found.name == "a::b::f"
    assert [(one.name, one.kind, one.default) for one in found.template] == [
        ("T", "type", "float"),
        ("N", "number", "4"),
    ]
    assert [(one.name, one.type, one.is_const) for one in found.parameters] == [
        ("x", "T", True),
        ("count", "unsigned int", False),
        ("y", "T", True),
        ("z", "T", False),
    ]
    assert (found.bound, found.threads, found.dynamic_shared) == ("N * 32", ("N * 64",), "T")
    assert (found.block_axes, found.grid_axes, found.line) == ("x", "z", 5)


def test_that_aliases_of_pointers_are_read() -> None:
    text = """
    typedef float real, *Out;
    typedef const real *__restrict__ In;
    typedef float const *Row;
    using Left = const real*;
    using Twice = In;
    typedef double* const Fixed;
    __global__ void f(In a, Left b, Out c, Twice d, const Out e, Row g, Fixed h, real i, const real* j) {}"""
    (found,) = read_source(text, Language.CUDA).kernels
    assert [(one.name, one.type, one.is_pointer, one.is_const) for one in found.parameters] == [
        ("a", "float", True, True),
        ("b", "float", True, True),
        ("c", "float", True, False),
        ("d", "float", True, True),
        ("e", "float", True, False),
        ("g", "float", True, True),
        ("h", "double", True, False),
        ("i", "float", False, False),
        ("j", "float", True, True),
    ]


def test_that_tiles_are_told_by_the_index_of_a_block_and_by_its_copies() -> None:
    text = """__global__ void f(float *C, int M) {
        int bx = blockIdx.x, by = blockIdx.y, bz = blockIdx.z;
        bz = 1;
        C[(by * BM + threadIdx.y) * M + BN * bx + bz * BK] = blockIdx.x * EDGE;
    }"""
    (found,) = read_source(text, Language.CUDA).kernels
    assert {*found.block_edges} == {("x", "EDGE"), ("x", "BN"), ("y", "BM")}


def test_that_macros_of_pointers_and_qualifiers_are_no_names() -> None:
    text = """#define RESTRICT __restrict__
    #define IN const float* RESTRICT
    __global__ void f(IN A, float* RESTRICT C, const int M) {}"""
    (found,) = read_source(text, Language.CUDA).kernels
    told = [(one.name, one.type, one.is_pointer, one.is_const) for one in found.parameters]
    assert told == [("A", "float", True, True), ("C", "float", True, False), ("M", "int", False, True)]


@pytest.mark.parametrize(
    "call",
    [
        "hipLaunchKernelGGL(f, dim3(4, M), dim3(16, 16), 32, stream, c, M);",
        "hipLaunchKernelGGL(HIP_KERNEL_NAME(f), dim3(4, M), dim3(16, 16), 32, stream, c, M);",
        "void *args[] = {&c, &M}; hipLaunchKernel((void *)f, dim3(4, M), dim3(16, 16), args, 32, stream);",
    ],
)
def test_that_launches_of_hip_are_read(call: str) -> None:
    text = f"__global__ void f(float *C, int M) {{}}\nvoid g(float *c, int M, hipStream_t stream) {{ {call} }}"
    (found,) = read_source(text, Language.CUDA).launches
    assert (found.kernel, found.grid, found.block, found.shared_bytes) == ("f", ("4", "M"), ("16", "16"), "32")
    assert found.arguments == ("c", "M")


def test_that_opencl_kernels_are_read_with_their_conditions() -> None:
    plain, tiled = read("conditional_column.cl").kernels
    assert (plain.name, plain.line, plain.conditions) == ("plain", 3, (Condition("KERNEL == 1"),))
    assert tiled.conditions == (Condition("KERNEL == 2"),)
    assert [(one.name, one.is_pointer, one.is_const) for one in plain.parameters[3:]] == [
        ("A", True, True),
        ("B", True, True),
        ("C", True, False),
    ]
    assert (plain.block_axes, plain.grid_axes) == ("xy", "xy")
    assert [one.is_local for one in kernel("local_argument.cl").parameters] == [False] * 3 + [True] + [False] * 3


def test_that_conditions_with_an_alternative_say_which_side() -> None:
    text = "#ifdef FAST\n__global__ void f(int n) {}\n#else\n__global__ void g(int n) {}\n#endif\n"
    first, second = read_source(text, Language.CUDA).kernels
    assert first.conditions == (Condition("defined(FAST)"),)
    assert second.conditions == (Condition("defined(FAST)", holds=False),)


def test_that_a_kernel_whose_work_is_done_elsewhere_has_the_indices_of_its_file() -> None:
    text = """__device__ void work(float *C) { C[threadIdx.y * 4 + threadIdx.x] = blockIdx.x; }
    __global__ void f(float *C) { work(C); }"""
    (found,) = read_source(text, Language.CUDA).kernels
    assert (found.block_axes, found.grid_axes) == ("xy", "x")


@pytest.mark.parametrize(
    ("name", "block", "grid", "template"),
    [
        ("blocktile_template.cu", ("128",), ("ceil_div(N, 32)", "ceil_div(M, 64)"), ("64", "32", "8", "4", "4")),
        ("widths_and_main.cu", ("edge", "edge"), ("sizeB.x // edge", "sizeA.y // edge"), ("16",)),
        ("six_template_arguments.cu", ("8", "16"), ("N // 32", "M // 64"), ("64", "8", "32", "4", "4", "false")),
        ("half_gemm.cu", ("16", "16"), ("ceil_div(N, 16)", "ceil_div(M, 16)"), ()),
        ("inline_assembly.cu", ("256",), ("ceil_div(n, 16)", "ceil_div(m, 16)"), ()),
        ("dynamic_shared.cu", ("t_x", "t_x"), ("ceil_div(cols, t_x)", "ceil_div(rows, t_x)"), ("T",)),
        ("launched_by_name.cu", ("64",), ("rows",), ()),
        ("bfloat16.cu", ("128",), ("ceil_div(N, 64)", "ceil_div(M, 32)"), ("32", "64", "16", "128")),
    ],
)
def test_that_a_launch_is_traced_to_where_its_numbers_come_from(
    name: str, block: tuple[str, ...], grid: tuple[str, ...], template: tuple[str, ...]
) -> None:
    found = launch(name)
    assert (found.block, found.grid, found.template) == (block, grid, template)


def test_that_arguments_stay_names_and_what_is_computed_from_them_is_said() -> None:
    assert launch("inline_assembly.cu").arguments == ("d_A", "d_B", "d_C", "m", "n", "k", "k * 4", "n * 4")
    assert launch("dynamic_shared.cu").shared_bytes == "2 * t_x * t_x * 4"
    assert launch("launched_by_name.cu").arguments == ("out", "left", "right", "rows", "inner", "columns")


def test_that_the_nearest_constant_around_a_launch_counts() -> None:
    text = """
    const int BM = 8;
    __global__ void f(float *C, int M) {}
    void go(float *C, int M) {
        if (M > 64) { const int BM = 64; f<<<M / BM, BM>>>(C, M); }
        else { const int BM = 16; dim3 block(BM); dim3 grid; grid = M; f<<<M / BM, block>>>(C, M); }
        int edge = 4; edge = M; f<<<1, edge>>>(C, nullptr);
    }"""
    first, second, third = read_source(text, Language.CUDA).launches
    assert (first.block, first.grid) == (("64",), ("M // 64",))
    assert (second.block, second.grid) == (("16",), ("M // 16",))
    assert (third.block, third.arguments, third.function) == (("M",), ("C", "null"), "go")


def test_that_the_names_behind_each_part_of_a_launch_are_read() -> None:
    text = """
    #define EDGE 16
    template <int T> __global__ void f(float *x, int n) {}
    void run(float *x, int n)
    {
        const int tile = EDGE, threads = tile * 2;
        dim3 block(threads, 4);
        f<tile><<<dim3((n + tile - 1) / tile), block, EDGE * 4>>>(x, n);
    }"""
    (found,) = read_source(text, Language.CUDA).launches
    assert found.named.block == ({"threads", "tile", "EDGE"}, set())
    assert found.named.grid == ({"n", "tile", "EDGE"},)
    assert (found.named.shared_bytes, found.named.template) == ({"EDGE"}, ({"tile", "EDGE"},))


def test_that_templates_instantiated_by_name_are_read() -> None:
    text = "template <class T, int N> __global__ void f(T *C) {}\ntemplate __global__ void f<__half, 16>(__half *);"
    found = read_source(text, Language.CUDA)
    assert found.instantiations_of(found.kernels[0]) == (("__half", "16"),)


def test_that_a_file_that_does_not_parse_still_has_its_kernels() -> None:
    text = "@@@ }}} template < __global__ \n__global__ void f(float *A, int n) { A[0] = ; }\n int main( { f<<<1, }"
    assert [one.name for one in read_source(text, Language.CUDA).kernels] in ([], ["f"])
    assert read_source("", Language.CUDA).kernels == ()
    assert read_source("\0\xff\udc80 __global__", Language.CUDA).kernels == ()


@pytest.mark.parametrize("ends", [("(", ")"), ("{", "}"), ("f(", ")"), ("-", ""), ("if(x)", "")])
def test_that_code_nested_without_end_is_refused_in_words(ends: tuple[str, str]) -> None:
    deep = f"{ends[0] * 20_000}1{ends[1] * 20_000}"
    with pytest.raises(SourceError, match="nested more than 1000 levels deep: split it into parts"):
        read_source(f"__global__ void f(float *C) {{ int x = {deep}; }}", Language.CUDA)


@pytest.mark.parametrize("sign", ["(", "{", "[", "a<", "template<", "#if 1\n", "/*", '"', "<<<", "\\\n"])
def test_that_signs_without_end_are_read_over_or_refused_in_words(sign: str) -> None:
    text = f"__global__ void f(float *C) {{ {sign * 20_000} }}"
    try:
        kernels = len(read_source(text, Language.CUDA).kernels)
    except SourceError as error:
        kernels = 0 if "nested" in str(error) else 2
    assert kernels <= 1


def test_that_a_file_with_very_many_kernels_and_launches_is_bounded() -> None:
    text = "".join(f"__global__ void f{n}(float *C) {{}}\nvoid g{n}() {{ f{n}<<<1, 32>>>(0); }}\n" for n in range(300))
    found = read_source(text, Language.CUDA)
    assert len(found.kernels) == len(found.launches) == 64


OLD = "#if 0\n__global__ void mm(const float *a, int n) { }\n#endif\n"


def test_that_a_kernel_that_the_conditions_leave_out_is_none() -> None:
    found = read_source(f"{OLD}__global__ void mm(const float *a, float *b, int n) {{ }}\n", Language.CUDA)
    assert [(one.line, len(one.parameters)) for one in found.kernels] == [(4, 3)]
    assert found.left_out == (2,)


def test_that_a_file_with_no_other_kernel_says_that_its_conditions_leave_it_out() -> None:
    found = look_at(Path("mm.cu"), OLD, "", 60, lambda _: None)
    assert found.fault == (
        "mm.cu: there is no kernel in it: its conditions (#if) leave out the one that begins in line 2"
    )


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_is_not_mistaken_for_another_one_of_its_name_that_is_compiled() -> None:
    one = "__global__ void mm(const float *a, const float *b, float *c, int n"
    text = f"#define OLD 0\n#if OLD\n{one}) {{ }}\n#else\n{one}, int k) {{ c[n] = a[n] * b[k]; }}\n#endif\n"
    (found, _) = look_at(Path("mm.cu"), text, "", 60, lambda _: None).found
    assert found.reasons == (
        "mm.cu:3: what is compiled as mm takes 5 parameters, and this one takes 4: conditions (#if) leave it out, or "
        "the file has several kernels of that name",
    )


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ("void f(float *C, int n) { unsigned short i = threadIdx.x; C[i] = n; }", True),
        ("void f(float *C, uint16_t n) { C[0] = n; }", True),
        ("void f(float *C, int n) { C[0] = n; /* short */ }", False),
    ],
)
def test_that_a_kernel_that_counts_in_16_bits_is_known(code: str, counts: bool) -> None:
    (kernel,) = read_source(f"__global__ {code}", Language.CUDA).kernels
    assert kernel.has_16_bits is counts


@pytest.mark.parametrize(
    ("parameter", "name"),
    [
        ("float (*c)[WIDTH]", "c"),
        ("float d[2][WIDTH]", "d"),
        ("const float *__restrict__ a", "a"),
        ("void (*f)(int, Real)", "f"),
        ("float (&r)[WIDTH]", "r"),
        ("int n = WIDTH", "n"),
        ("float (*)[WIDTH]", ""),
    ],
)
def test_that_a_declarator_declares_its_name_and_no_constant_of_its_type(parameter: str, name: str) -> None:
    root = parse(f"void run({parameter}) {{}}")
    found = next(one for one in walk(root) if one.type in ("parameter_declaration", "optional_parameter_declaration"))
    assert declared_name(found.child_by_field_name("declarator")) == name


def test_that_a_constant_in_the_type_of_a_host_parameter_is_no_parameter() -> None:
    text = """constexpr int W = 80, H = 96;
__global__ void mm(const float *a, const float *b, float (*c)[W]) {}
void run(float *a, float *b, float (*c)[W]) { mm<<<H, W>>>(a, b, c); }
"""
    (found,) = read_source(text, Language.CUDA).launches
    assert (found.grid, found.block) == (("96",), ("80",))
