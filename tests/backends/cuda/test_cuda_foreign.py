"""Files as their authors wrote them, compiled by nvcc. The last test asks a real one, where there is one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.backends.argument_bytes import pack, values_of
from gemmviz.backends.base import Source, address_of
from gemmviz.backends.cuda.build import build, instantiated
from gemmviz.backends.cuda.nvcc import Nvcc, find_nvcc
from gemmviz.backends.launch_arguments import fitted_to, launch_arguments
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.compiler.device_source import device_source
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.kernels.mangled_names import plain_name
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language
from gemmviz.measure.bench import source_of

FOREIGN = Path(__file__).parents[2] / "data" / "foreign"


@pytest.fixture(scope="module")
def real() -> Nvcc:
    try:
        return find_nvcc()
    except CompilerMissingError:
        pytest.skip("there is no nvcc")


def test_that_nvcc_makes_a_template_because_something_uses_it() -> None:
    text = "int main() { return 0; }\ntemplate <int N> __global__ void k(float *C) { C[0] = N; }\n"
    plain = Source(Path("mine.cu"), text, "k<4>", Language.CUDA)
    cut = instantiated(device_source(replace(plain, is_foreign=True)))
    assert cut.text.splitlines()[0].strip() == ""
    assert cut.text.splitlines()[1:] == [
        "template <int N> __global__ void k(float *C) { C[0] = N; }",
        "",
        "static void *const gemmviz_instance = (void *)&k<4>;",
    ]
    assert device_source(plain) is plain
    assert instantiated(replace(plain, entry="k")).text == text


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("name", ["alpha_beta", "half_inputs", "several"])
def test_that_unedited_files_compile_and_get_what_their_parameters_take(
    real: Nvcc, machine: MachineDevice, tmp_path: Path, name: str
) -> None:
    kernel = load_user_kernel(FOREIGN / f"{name}.cu")
    plan = kernel.plan(Shape(64, 96, 32), kernel.params({}), machine.device)
    asked = source_of(kernel, plan, machine.device)
    made = build(asked, "sm_90", real, tmp_path / "cache")
    assert plain_name(made.symbol) == plan.entry.partition("<")[0].rpartition("::")[2]
    call = fitted_to(plan.call, made.signature, asked)
    buffers = {matrix: machine.allocate(16) for matrix in call.matrices}
    given = values_of(launch_arguments(call, buffers), address_of, lambda *_: b"", made.signature)
    assert pack(given, made.parameters, made.symbol)
