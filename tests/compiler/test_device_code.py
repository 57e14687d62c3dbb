"""What is for the host alone becomes blanks; everything else stays in its place."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.catalogue.kernel_functions import kernel_functions
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler import device_source
from gemmviz.compiler.device_code import device_code
from gemmviz.compiler.device_source import is_of_compiler
from gemmviz.compiler.nvidia.wheels import find_nvrtc
from gemmviz.domain.terms import Language


def kept(text: str, *headers: str) -> str:
    """The device code, without blank lines and ends."""
    found = device_code(text, lambda name: name in headers).text
    assert len(found) == len(text)
    assert [at for at, sign in enumerate(found) if sign == "\n"] == [at for at, sign in enumerate(text) if sign == "\n"]
    return "\n".join(line.rstrip() for line in found.splitlines() if line.strip())


KERNEL = "__global__ void k(float *C) { C[0] = 1; }"


@pytest.mark.parametrize(
    "host",
    [
        "int main() { k<<<1, 1>>>(0); return 0; }",
        'void run(float *C, cublasHandle_t h) { if (C) { k<<<1, 1>>>(C); } else { puts("}"); } }',
        "template <typename T> void launch(T *C) { k<<<1, 1>>>(C); }",
        "template void launch<float>(float *);",
        "template __global__ void other<4>(float *);",
        "cublasHandle_t handle;",
        "std::vector<int> sizes = {1, 2, 3};",
        'const std::string names[] = {"{", "}"};',
        "static cudaEvent_t start, stop;",
        "using namespace std;",
        "namespace fs = std::filesystem;",
        "void run(float *C, cublasHandle_t h);",
        "struct Timer { std::string name; void stop(); };",
        "class Buffer { public: Buffer() { cudaMalloc(&p, 4); } float *p; };",
        "auto add = [](int a, int b) { return a + b; };",
        'PYBIND11_MODULE(name, m) { m.def("run", &run); }',
        'extern "C" void solve(float *C, int n) { k<<<1, 1>>>(C); cudaDeviceSynchronize(); }',
        "static void begin() __attribute__((constructor));",
        "template <typename T> struct Matrix { std::vector<T> values; };",
        "void careful() try { throw 1; } catch (...) { }",
        "auto chosen = k;",
        "void k(float *C, int n) { k<<<n, 1>>>(C); }",
        "inline int ceil_div(int a, int b) { return (a + b - 1) / b; }",
    ],
)
def test_that_host_code_goes(host: str) -> None:
    assert kept(f"{host}\n{KERNEL}\n{host}") == KERNEL
    assert kept(f"namespace mine {{\n{host}\n{KERNEL}\n}}\n{host}") == f"namespace mine {{\n{KERNEL}\n}}"
    assert kept(f'extern "C" {{\n{host}\n{KERNEL}\n}}') == f'extern "C" {{\n{KERNEL}\n}}'


@pytest.mark.parametrize(
    "device",
    [
        "__device__ float twice(float x) { return 2 * x; }",
        "template <int N, typename T = float> struct Tile { T at[N]; };",
        "template <typename T> __device__ __forceinline__ T add(T a, T b) { return a + b; }",
        "template <int BM, int BN> __global__ void __launch_bounds__(BM * BN) other(float *C) { C[BM] = BN; }",
        "constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }",
        "const int TILE = 32;",
        "constexpr int EDGES[] = {1, 2, 3};",
        "__constant__ float table[4];",
        "__device__ int counters[2] = {0, 1};",
        "typedef float real;",
        "using real = float;",
        "namespace cg = cooperative_groups;",
        "enum class Order { ROW, COLUMN };",
        "struct Shape { int m, n, k; };",
        "union Bits { float f; unsigned u; } bits_of_nothing;",
        "#define FETCH(p) (reinterpret_cast<float4 *>(&(p))[0])",
        "#if __CUDA_ARCH__ >= 800\n__device__ void wait() {}\n#else\n__device__ void wait();\n#endif",
        'static_assert(sizeof(float) == 4, "{");',
        "__device__ void quiet() { const char *s = \"}\"; char c = '{'; /* } */ (void)s, (void)c; } // {",
    ],
)
def test_that_device_code_stays(device: str) -> None:
    assert kept(f"{device}\n{KERNEL}") == f"{device}\n{KERNEL}"


def test_that_a_function_without_a_mark_stays_where_device_code_calls_it() -> None:
    helper, deeper = "float twice(float x) { return once(x) + x; }", "float once(float x) { return x; }"
    calls = "__global__ void k(float *C) { C[0] = twice(1); }"
    assert kept(f"{deeper}\n{helper}\n{calls}") == f"{deeper}\n{helper}\n{calls}"
    assert kept(f"{deeper}\n{helper}\n{KERNEL}") == KERNEL


def test_that_a_macro_may_stand_for_the_mark() -> None:
    text = "#define DEVICE __device__ __forceinline__\nDEVICE float once(float x) { return x; }"
    assert kept(text) == text


def test_that_includes_stay_where_their_header_is_there() -> None:
    text = '#include <vector>\n#  include "tiles.cuh"\n#include <cuda_fp16.h>\n#include <cuda_runtime.h>\n' + KERNEL
    assert kept(text, "cuda_fp16.h", "tiles.cuh") == f'#  include "tiles.cuh"\n#include <cuda_fp16.h>\n{KERNEL}'
    assert device_code(text, lambda name: name == "cuda_fp16.h").left_out == ((1, "vector"), (2, "tiles.cuh"))


@pytest.mark.parametrize("name", ["driver_functions.h", "channel_descriptor.h", "thrust/host_vector.h"])
def test_that_headers_for_the_host_alone_go_though_they_are_there(name: str) -> None:
    assert device_code(f"#include <{name}>\n{KERNEL}", lambda _: True).left_out == ()
    assert kept(f"#include <{name}>\n{KERNEL}", name) == KERNEL


def test_that_directives_within_host_code_stay() -> None:
    text = "int main() {\n#ifdef SLOW\n  return 1;\n#endif\n}\n#define EDGE 4\n" + KERNEL
    assert kept(text) == f"#ifdef SLOW\n#endif\n#define EDGE 4\n{KERNEL}"


def test_that_brackets_too_many_do_no_harm() -> None:
    for text in ("}" * 50 + KERNEL, KERNEL + "{" * 50, "({[" * 30, ")" * 30 + KERNEL):
        assert len(device_code(text, lambda _: True).text) == len(text)


def test_that_nothing_is_taken_from_the_catalogue() -> None:
    for kernel in load_catalogue().kernels:
        if kernel.language is Language.CUDA:
            assert device_code(kernel.text, lambda _: True).text == kernel.text, kernel.id


def test_that_the_files_of_the_tests_keep_their_kernels() -> None:
    for path in sorted((Path(__file__).parents[1] / "data" / "foreign").glob("*.cu")):
        found = device_code(path.read_text(encoding="utf-8"), lambda name: name.startswith("cuda_")).text
        assert "<<<" not in found
        assert "main(" not in found
        assert "__global__" in found


@pytest.mark.parametrize(
    "hostile", ["a", "f(", "__global__ ", "template<", "#define a a\n", '"', "'", "x;", "f(){}", 'R"(']
)
def test_that_no_text_takes_long(hostile: str) -> None:
    text = (hostile * 1_000_000)[:300_000]
    begin = time.monotonic()
    assert len(device_code(text, lambda _: True).text) == len(text)
    kernel_functions(text)
    assert time.monotonic() - begin < 20


@pytest.mark.usefixtures("nvrtc")
def test_that_headers_of_libraries_for_the_host_are_left_out_wherever_they_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("cublas_v2.h", "cudnn.h", "mine.h"):
        (tmp_path / name).write_text("#error for the host\n", encoding="utf-8")
    found = find_nvrtc()
    monkeypatch.setattr(device_source, "find_nvrtc", lambda: replace(found, headers=(*found.headers, tmp_path)))
    assert not is_of_compiler("cublas_v2.h")
    assert not is_of_compiler("cudnn.h")
    assert is_of_compiler("mine.h")
    assert is_of_compiler("cuda_fp16.h")
