"""Kernels in OpenCL C with arguments of their own: the same result on the CPU by PoCL and on the PTX machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.backends.base import CompileError
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.device import Device
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.measure.bench import Bench, make_inputs

SHAPE = Shape(32, 20, 24)
TEXT = """typedef float real;
#define INDEX uint
__kernel void blas(const INDEX m, const INDEX n, const ulong k, const real alpha, __global const real *restrict X,
                   __global const half *Y, const real beta, __global const real *Z, __global real *W,
                   __local real *stage, __global int *none)
{
    const uint row = get_global_id(0), col = get_global_id(1);
    real sum = none ? 1e9f : 0.0f;
    for (ulong i = 0; i < k; ++i) sum += X[i * m + row] * vload_half(i * n + col, Y);
    stage[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    W[row * n + col] = alpha * stage[get_local_id(0)] + beta * Z[row * n + col];
}
"""
ARGS = '["M", "N", "K", "alpha", "A", "B", "beta", "C", "D", "local(4 * T)", "null"]'
DESCRIPTION = f"""args = {ARGS}
alpha = 1.5
beta = 0.5
[params.T]
choices = [16]
[operands.A]
layout = "column"
[operands.B]
type = "half"
[launch]
block = ["T"]
grid = ["M // T", "N"]
"""


@pytest.fixture(params=["pocl", "machine"])
def device(request: pytest.FixtureRequest) -> Device:
    if request.param == "machine":
        request.getfixturevalue("nvrtc")
        return find_device("machine")
    found: Device = request.getfixturevalue("embedded").device
    return found


def described(folder: Path, description: str = DESCRIPTION) -> Kernel:
    path = folder / "blas.cl"
    path.write_text(TEXT, encoding="utf-8")
    path.with_name("blas.cl.toml").write_text(description, encoding="utf-8")
    return load_user_kernel(path)


def run(kernel: Kernel, device: Device) -> bool:
    with Bench() as bench:
        inputs = make_inputs(SHAPE, Fill.NORMAL, 3)
        return bench.run(kernel, kernel.params({}), device, inputs)[0].accuracy.passed


def test_that_arguments_types_layouts_and_local_memory_are_given(device: Device, tmp_path: Path) -> None:
    kernel = described(tmp_path)
    assert kernel.requires == ()
    assert run(kernel, device)


@pytest.mark.parametrize(
    ("changed", "by", "message"),
    [
        ('"local(4 * T)"', '"null"', r"blas\.cl:3: parameter 10 of blas, 'stage', is local memory: give it local"),
        ('"null"', '"local(4)"', r"blas\.cl:3: parameter 11 of blas is given local memory in 'args', but is no"),
    ],
)
def test_that_local_memory_in_the_wrong_place_is_refused(
    device: Device, tmp_path: Path, changed: str, by: str, message: str
) -> None:
    with pytest.raises(CompileError, match=message):
        run(described(tmp_path, DESCRIPTION.replace(changed, by)), device)


@pytest.mark.parametrize(
    ("changed", "by", "message"),
    [
        ('type = "half"', 'type = "double"', r"blas\.cl:3: parameter 6 of blas, `const half \*`, points to half"),
        ('"K", "alpha"', '"K", "A"', r"parameter 4 of blas, `float`, is no pointer, but 'args' gives it the matrix A"),
        ('"M", "N"', '"M", "-N"', r"parameter 2 of blas, `unsigned int`, holds 0 to 4294967295, but .* -N = -20"),
        (', "null"]', "]", r"blas takes 11 parameters .* but 'args' gives it 10"),
    ],
)
def test_that_types_are_compared_on_every_device(
    device: Device, tmp_path: Path, changed: str, by: str, message: str
) -> None:
    with pytest.raises(Refusal, match=message):
        run(described(tmp_path, DESCRIPTION.replace(changed, by)), device)


def test_that_local_memory_counts_against_that_of_a_block(device: Device, tmp_path: Path) -> None:
    kernel = described(tmp_path, DESCRIPTION.replace("4 * T", "1024 * 1024 * T"))
    with pytest.raises(Refusal, match="16777216 bytes of shared memory per block are too many"):
        kernel.plan(SHAPE, kernel.params({}), device)


def test_that_no_local_memory_is_refused(device: Device, tmp_path: Path) -> None:
    kernel = described(tmp_path, DESCRIPTION.replace("4 * T", "T - 16"))
    with pytest.raises(Refusal, match=r"'local\(T - 16\)' gives 0 bytes of local memory; a block needs at least 1"):
        kernel.plan(SHAPE, kernel.params({}), device)


def test_that_a_template_in_opencl_c_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(HeaderError, match=r"blas\.cl\.toml:1: OpenCL C has no templates"):
        described(tmp_path, f"template = [16]\n{DESCRIPTION}")
