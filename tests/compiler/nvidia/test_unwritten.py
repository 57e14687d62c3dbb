"""Functions that have no form for -G: the kernel is recorded as compiled, and the words name function and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.compiler.nvidia.nvidia_log import error_in
from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.nvidia.unwritten import unwritten_call, unwritten_words
from gemmviz.compiler.source import Source, WrittenFormError
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch

HEADER = '/*---\ntitle = "Dots"\nentry = "dots"\n[launch]\nblock = ["32"]\ngrid = ["1"]\n---*/\n'
KERNEL = """extern "C" __global__ void dots(const float *A, const float *B, float *C, int M, int N, int K)
{
    int unused = 3;  // __dp4a(1, 2, 3)
    C[threadIdx.x] = CALL;
}
"""


@pytest.mark.parametrize("name", ["__dp4a", "__dp2a_lo", "__dp2a_hi"])
@pytest.mark.usefixtures("nvrtc")
def test_that_the_error_of_the_written_form_names_function_and_line(name: str, tmp_path: Path) -> None:
    text = KERNEL.replace("CALL", f"{name}((int)threadIdx.x, 7, 5)")
    source = Source(tmp_path / "dots.cu", text, "dots", Language.CUDA)
    with pytest.raises(WrittenFormError, match=rf"dots\.cu:4: .* {name} as written .*--as compiled"):
        compile_cuda(source, "sm_90", CodeForm.AS_WRITTEN)
    assert compile_cuda(source, "sm_90", CodeForm.AS_COMPILED).symbol == "dots"


def test_that_a_kernel_is_recorded_as_compiled_where_it_has_no_other_form(tmp_path: Path) -> None:
    path = tmp_path / "dots.cu"
    path.write_text(HEADER + KERNEL.replace("CALL", "__dp4a((int)threadIdx.x, 7, 5)"), encoding="utf-8")
    kernel = load_user_kernel(path)
    job = Job(kernel, kernel.params({}))
    run = record(job, Conditions(Shape(32, 32, 32)), device_for_recording(kernel), [(0, 0, 0)], Watch())
    assert run.form is CodeForm.AS_COMPILED
    assert "__dp4a (line 11)" in unwritten_words(run.source_text)


def test_that_a_name_alone_is_no_call_and_comments_count_for_nothing() -> None:
    assert unwritten_call("int a = 1; // __dp4a(1, 2, 3)\nint my__dp4a(int);") is None
    assert unwritten_words("int a;") == ""


def test_that_an_error_without_a_place_is_told_without_the_warnings_in_front_of_it() -> None:
    log = 'kernel.cu(13): warning #177-D: variable "error" was declared\n  int error;\n\nError: unsupported thing\n'
    assert error_in(log, Path("mine.cu"), "kernel.cu") == "mine.cu: does not compile: Error: unsupported thing"
