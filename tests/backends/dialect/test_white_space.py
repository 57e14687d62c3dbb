"""White space means nothing: a kernel in one line, or with a line for each token, becomes the same program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from respaced import SPACINGS, program, respaced

from gemmviz.backends.dialect.opencl_c import to_work_items
from gemmviz.backends.dialect.opencl_source import as_cuda
from gemmviz.backends.dialect.regions import NotLoopableError
from gemmviz.backends.dialect.thread_loops import to_thread_loops
from gemmviz.backends.dialect.tree import parse
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language
from gemmviz.measure.schedule_source import stamped_source

DATA = Path(__file__).parents[2] / "data" / "kernels"
CATALOGUE = [k for k in load_catalogue().kernels if k.language is not Language.PYTHON and not k.needs_cuda]
KERNELS = {k.path.name: k for k in (*CATALOGUE, *(load_user_kernel(path) for path in sorted(DATA.glob("*.cu"))))}
LAUNCH = Launch((2, 2, 1), (16, 4, 1), 64, 1024)
SOME = ("tiled.cu", "constants.cu", "structures.cu", "cl_row_private_grouped.cl")

FIRST_OF_ALL = """extern "C" __global__ void first_of_all(
    const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = A[threadIdx.x];
    for (int i = 0; i < K; ++i) C[i] += B[i];
    extern __shared__ float s[];
    float *p = s;
    do p[threadIdx.x] = - -A[0]; while (M < 0);
    if (M > 4) C[1] = p[0]; else C[2] = 1.0f;
    __syncthreads();
    return;
}
"""


def _loops(kernel: Kernel, text: str) -> list[str]:
    try:
        return program(to_thread_loops(parse(kernel.path, text), kernel.entry, LAUNCH))
    except NotLoopableError:
        return ["no loops"]


FORMS: dict[str, Callable[[Kernel, str], object]] = {
    "work-items": lambda kernel, text: program(to_work_items(parse(kernel.path, text), kernel.entry)),
    "thread loops": _loops,
    "block schedule": lambda kernel, text: program(stamped_source(kernel.path, text, kernel.entry)),
}


def forms(kernel: Kernel, text: str) -> dict[str, object]:
    if kernel.language is Language.OPENCL:
        return {"in CUDA's words": program(parse(kernel.path, as_cuda(text)).text.decode())}
    return {name: make(kernel, text) for name, make in FORMS.items()}


@cache
def as_it_is(name: str) -> dict[str, object]:
    return forms(KERNELS[name], KERNELS[name].text)


def check(name: str, text: str) -> None:
    assert program(text) == program(KERNELS[name].text), "the test changed the program"
    found = forms(KERNELS[name], text)
    for form, expected in as_it_is(name).items():
        assert found[form] == expected, form


@pytest.mark.parametrize("name", KERNELS)
def test_that_a_kernel_without_blanks_is_the_same_program(name: str) -> None:
    check(name, respaced(KERNELS[name].text, ""))


@pytest.mark.parametrize("spacing", [spacing for spacing in SPACINGS if SPACINGS[spacing]])
@pytest.mark.parametrize("name", SOME)
def test_that_a_kernel_with_other_white_space_is_the_same_program(name: str, spacing: str) -> None:
    check(name, respaced(KERNELS[name].text, SPACINGS[spacing]))


@pytest.mark.parametrize("name", SOME)
def test_that_other_line_ends_are_the_same_program(name: str) -> None:
    check(name, KERNELS[name].text.replace("\n", "\r\n").rstrip())


@pytest.mark.parametrize("spacing", SPACINGS)
def test_that_a_body_that_begins_with_an_access_is_the_same_program(spacing: str) -> None:
    kernel = replace(KERNELS["tiled.cu"], text=FIRST_OF_ALL, entry="first_of_all")
    expected = forms(kernel, FIRST_OF_ALL)
    assert forms(kernel, respaced(FIRST_OF_ALL, SPACINGS[spacing])) == expected
