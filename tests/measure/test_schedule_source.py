"""Where a kernel's source is edited so that its blocks stamp themselves, and what the compiler says to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scheduling import gpu

from gemmviz.backends.base import CompileError, Source
from gemmviz.backends.cuda.nvcc import Nvcc, find_nvcc, options_for, run_nvcc
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.nvidia.nvidia_log import resources_in
from gemmviz.compiler.source import SOURCE_NAME, CompilerMissingError
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gemmviz.measure.schedule_source import stamped_source

KERNELS = [kernel for kernel in load_catalogue().kernels if kernel.language is Language.CUDA]
OBJECT = " gemmviz_stamp gemmviz_stamp_of_this_block;"
MINE = Path("mine.cu")


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.id)
def test_that_every_kernel_of_the_catalogue_is_edited_once_at_the_head_of_its_body(kernel: Kernel) -> None:
    prelude, line, edited = stamped_source(kernel.path, kernel.text, kernel.entry).partition("#line 1\n")
    assert line
    assert "gemmviz_stamps" in prelude
    assert edited.replace(OBJECT, "") == kernel.text
    head, _, _ = edited.partition(OBJECT)
    assert edited.count(OBJECT) == 1
    assert re.search(rf"__global__[^;{{}}]*\b{kernel.entry}\s*\([^{{}};]*\)\s*\{{$", head)


def edited(text: str) -> str:
    """The edited text, the object written as @."""
    return stamped_source(MINE, text, "k").partition("#line 1\n")[2].replace(OBJECT, "@")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("__global__ void k(int a) { a; }", "__global__ void k(int a) {@ a; }"),
        ("// __global__ void k() {}\n__global__ void k() {}", "// __global__ void k() {}\n__global__ void k() {@}"),
        ("/* __global__ void k() {\n*/__global__ void k()\n{}", "/* __global__ void k() {\n*/__global__ void k()\n{@}"),
        (
            'char s[] = "\\"__global__ void k() {"; __global__ void k() {}',
            'char s[] = "\\"__global__ void k() {"; __global__ void k() {@}',
        ),
        ("char c = '{'; __global__ void k() {}", "char c = '{'; __global__ void k() {@}"),
        (
            'auto s = R"x(__global__ void k() { )" )x"; __global__ void k() {}',
            'auto s = R"x(__global__ void k() { )" )x"; __global__ void k() {@}',
        ),
        (
            "#define D __global__ void k() {\\\n}\n__global__ void k() {}",
            "#define D __global__ void k() {\\\n}\n__global__ void k() {@}",
        ),
        (
            "__global__ void k(int);\n__global__ void k(int a) {}",
            "__global__ void k(int);\n__global__ void k(int a) {@}",
        ),
        (
            "__device__ void k(float) {}\n__global__ void k(int) {}",
            "__device__ void k(float) {}\n__global__ void k(int) {@}",
        ),
        ("__global__ void kk() {}\n__global__ void k() {}", "__global__ void kk() {}\n__global__ void k() {@}"),
        (
            "__global__ void __launch_bounds__(256, A < 3 ? 2 : 1)\nk(float (*a)(int), int b /* ) */) // {\n{ }",
            "__global__ void __launch_bounds__(256, A < 3 ? 2 : 1)\nk(float (*a)(int), int b /* ) */) // {\n{@ }",
        ),
        (
            "#if X\n__global__ void k() {}\n#else\n__global__ void k() {}\n#endif",
            "#if X\n__global__ void k() {@}\n#else\n__global__ void k() {@}\n#endif",
        ),
        ('extern "C" {\n__global__ void k() {}\n}', 'extern "C" {\n__global__ void k() {@}\n}'),
        ("#define THREADS 64 // it's\n__global__ void k() {}", "#define THREADS 64 // it's\n__global__ void k() {@}"),
    ],
)
def test_that_comments_literals_and_other_functions_do_not_mislead(text: str, found: str) -> None:
    assert edited(text) == found


@pytest.mark.parametrize(
    "text", ["", "__device__ void k() {}", "__global__ void k();", "KERNEL(k)(int a) {}", "__global__ void k("]
)
def test_that_a_kernel_without_a_body_in_plain_sight_is_named(text: str) -> None:
    with pytest.raises(CompileError, match=r"mine\.cu: the body of the kernel 'k' is not found"):
        stamped_source(MINE, text, "k")


@pytest.fixture(scope="module")
def nvcc() -> Nvcc:
    try:
        return find_nvcc()
    except CompilerMissingError as error:
        pytest.skip(str(error))


def compiled(text: str, kernel: Kernel, nvcc: Nvcc, folder: Path) -> tuple[Resources, str]:
    """What the kernel takes as nvcc compiles it for sm_90a, and the lines of its log that warn."""
    shape = Shape(1, 1, 4096) if kernel.id.startswith("dot") else Shape(1024, 1024, 1024)
    plan = kernel.plan(shape, kernel.params({}), gpu())
    source = Source(kernel.path, text, kernel.entry, Language.CUDA, plan.defines, kernel.requires)
    folder.mkdir()
    (folder / SOURCE_NAME).write_text(text, encoding="utf-8")
    worked, log = run_nvcc(nvcc, options_for(source, "sm_90a"), folder)
    assert worked, log
    warnings = [line for line in log.splitlines() if re.search(r"warn|error|performance loss", line, re.IGNORECASE)]
    return resources_in(log)[kernel.entry], "\n".join(warnings)


@pytest.mark.parametrize("name", ["naive", "dot", "cp_async", "wgmma_bf16_late"])
def test_that_stamps_cost_no_registers_worth_mentioning(name: str, nvcc: Nvcc, tmp_path: Path) -> None:
    kernel = load_catalogue().get(name)
    plain, _ = compiled(kernel.text, kernel, nvcc, tmp_path / "plain")
    text = stamped_source(kernel.path, kernel.text, kernel.entry)
    stamped, warnings = compiled(text, kernel, nvcc, tmp_path / "stamped")
    assert warnings == ""
    assert abs(stamped.registers - plain.registers) <= 4
    assert stamped.spill_store_bytes == plain.spill_store_bytes
    assert stamped.static_shared_bytes == plain.static_shared_bytes


def test_that_a_message_of_the_compiler_keeps_its_line(nvcc: Nvcc, tmp_path: Path) -> None:
    text = "__global__ void k(const float *A, float *C)\n{\n    C[0] = A[0] + nothing;\n}\n"
    (tmp_path / SOURCE_NAME).write_text(stamped_source(MINE, text, "k"), encoding="utf-8")
    source = Source(MINE, text, "k", Language.CUDA)
    worked, log = run_nvcc(nvcc, options_for(source, "sm_90"), tmp_path)
    assert not worked
    assert f"{SOURCE_NAME}(3): error" in log
