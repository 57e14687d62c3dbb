"""Kernel files as other people write them, unedited: each computes what its description says, and is recorded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import described_kernel, load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import BlockTrace, MappedArray, Space
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill, InitialC, Layout
from gemmviz.measure.bench import Bench, Inputs, make_inputs
from gemmviz.measure.check.combination import Combination
from gemmviz.measure.check.reference import build_reference
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.hazards.hazards import HazardKind
from gemmviz.trace.recorder import Recorder

FOLDER = Path(__file__).parents[1] / "data" / "foreign"
EVEN = ("alpha_beta", "c_first")
"""Kernels for sizes that their tiles divide."""
FILES = sorted(path.stem for path in FOLDER.glob("*.cu"))
pytestmark = pytest.mark.usefixtures("nvrtc")


def kernel_of(name: str) -> Kernel:
    return load_user_kernel(FOLDER / f"{name}.cu")


def changed(name: str, *replacements: tuple[str, str]) -> Kernel:
    """A kernel with some of its description's text replaced."""
    path = FOLDER / f"{name}.cu"
    toml = path.with_name(f"{path.name}.toml").read_text(encoding="utf-8")
    for old, new in replacements:
        assert old in toml
        toml = toml.replace(old, new)
    return described_kernel(path, path.read_text(encoding="utf-8"), toml)


def shape_for(name: str) -> Shape:
    return Shape(64, 96, 32) if name in EVEN else Shape(33, 17, 40)


def ran(kernel: Kernel, inputs: Inputs, **params: int) -> RunResult:
    with Bench() as bench:
        return bench.run(kernel, kernel.params(params), find_device("machine"), inputs)[0]


def recorded(
    machine: MachineDevice, kernel: Kernel, shape: Shape, form: CodeForm = CodeForm.AS_COMPILED
) -> tuple[Recorder, Analysis]:
    """Every block of the grid, recorded and analysed."""
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    operands = make_operands(shape, Fill.UNIFORM, 3)
    recorder = machine_recorder_for(machine, kernel, plan, shape, operands, 60.0, form)
    return recorder, analyse(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape)


@pytest.mark.parametrize("name", FILES)
def test_that_an_unedited_file_computes_what_its_description_says(name: str) -> None:
    kernel = kernel_of(name)
    for fill in (Fill.UNIFORM, Fill.NORMAL):
        run = ran(kernel, make_inputs(shape_for(name), fill, 7))
        assert run.accuracy.passed, (name, fill, run.accuracy)
        assert run.accuracy.unwritten == 0
    assert run.spec.description == (FOLDER / f"{name}.cu.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("alpha_beta", "C = 1.5·A·B + 0.5·C"),
        ("several", "D = 0.75·A·B - 1.25·C"),
        ("half_inputs", "C = 0.300049·A·B + 0.700195·C; A in half; B column by column, in half; C in half"),
        ("six_arguments", ""),
    ],
)
def test_that_a_run_says_what_was_computed(name: str, words: str) -> None:
    assert ran(kernel_of(name), make_inputs(shape_for(name), Fill.UNIFORM, 0)).spec.computes == words


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("alpha_beta", '"alpha", "A"', '"1.4999", "A"'),
        ("alpha_beta", '"beta", "C"', '"0.5001", "C"'),
        ("column_major", '[operands.B]\nlayout = "column"', "[operands.B]"),
        ("column_major", '[operands.C]\nlayout = "column"', "[operands.C]"),
        ("several", '"alpha", "beta"', '"beta", "alpha"'),
        ("in_double", '"alpha", "beta"', '"0.1000001", "beta"'),
        ("bf16_result", '[operands.B]\ntype = "bf16"\nlayout = "column"', '[operands.B]\ntype = "bf16"'),
    ],
)
def test_that_a_wrong_description_gives_a_wrong_result(name: str, old: str, new: str) -> None:
    run = ran(changed(name, (old, new)), make_inputs(shape_for(name), Fill.NORMAL, 7))
    assert not run.accuracy.passed


def test_that_parameters_reach_the_template() -> None:
    inputs = make_inputs(Shape(33, 17, 40), Fill.UNIFORM, 1)
    runs = [ran(kernel_of("six_arguments"), inputs, TM=tm) for tm in (1, 2)]
    assert [run.launch.block for run in runs] == [(16, 16, 1), (16, 8, 1)]
    assert all(run.accuracy.passed for run in runs)
    assert [run.resources.static_shared_bytes for run in runs] == [4 * 8 * (16 + 32), 4 * 8 * (17 + 32)]


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("alpha_beta", 'args = ["M"', 'args = ["1.5"', "parameter 1 of product<.*>, `int`, is a whole number"),
        (
            "in_double",
            '[operands.A]\ntype = "double"',
            '[operands.A]\ntype = "float32"',
            r"in_double.cu:2: parameter 1 of in_type<double>, `const double \*`, points to double, but the elements "
            "of A are float32",
        ),
        ("several", '"C", "D", "M"', '"D", "C", "M"', "points to what it may not change, but 'args' gives it D"),
        ("several", '"beta", "null"]', '"beta"]', r"apart takes 11 parameters \(const float \*, .*\), but 'args'"),
        ("half_inputs", '[operands.C]\ntype = "half"', "[operands.C]", 'say type = "half" in .operands.C.'),
    ],
)
def test_that_types_are_compared_before_anything_runs(
    machine: MachineDevice, name: str, old: str, new: str, words: str
) -> None:
    kernel = changed(name, (old, new))
    with pytest.raises(Refusal, match=words):
        ran(kernel, make_inputs(shape_for(name), Fill.UNIFORM, 0))
    with pytest.raises(Refusal, match=words):
        recorded(machine, kernel, shape_for(name))


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.parametrize("name", FILES)
def test_that_a_recording_leaves_the_result_and_finds_no_hazard(
    machine: MachineDevice, name: str, form: CodeForm
) -> None:
    shape, kernel = shape_for(name), kernel_of(name)
    recorder, analysis = recorded(machine, kernel, shape, form)
    assert [hazard.detail for hazard in analysis.hazards] == []
    operands = make_operands(shape, Fill.UNIFORM, 3)
    wanted = Combination.of(recorder.call, operands).reference(build_reference(operands.a, operands.b)).r
    coarse = 2e-2 if name == "bf16_result" else 4e-3 if name == "half_inputs" else 1e-5
    np.testing.assert_allclose(recorder.c[0], wanted, rtol=coarse, atol=1e-4)
    named = {array.name: array for array in recorder.arrays if array.space is Space.GLOBAL}
    assert set(named) == set(recorder.call.matrices)
    touched = {site.array for site in recorder.instrumented.sites if site.space is Space.GLOBAL} - {""}
    assert {recorder.call.result} <= touched <= set(named)


def test_that_loads_are_counted_by_rows_and_columns_whatever_the_layout(machine: MachineDevice) -> None:
    shape = Shape(33, 17, 40)
    _, analysis = recorded(machine, kernel_of("column_major"), shape)
    reuse = analysis.reuse
    assert (reuse.a.shape, reuse.b.shape) == ((33, 40), (40, 17))
    assert np.unique(reuse.a).tolist() == [2]  # two blocks share a row of A, since C has 17 columns
    assert np.unique(reuse.b).tolist() == [3]
    by_row = changed("column_major", ('[operands.A]\nlayout = "column"', "[operands.A]"))
    loads = [recorded(machine, kernel, shape)[1] for kernel in (kernel_of("column_major"), by_row)]
    assert loads[0].totals.as_dict()["global_load_sectors"] == loads[1].totals.as_dict()["global_load_sectors"]


def accesses(trace: BlockTrace, array: MappedArray) -> np.ndarray:
    """The addresses in an array, sorted."""
    inside = (trace.addresses >= array.base) & (trace.addresses < array.base + array.nbytes)
    return np.unique(trace.addresses[inside])


def test_that_an_element_stored_column_by_column_is_named_by_its_row_and_column(machine: MachineDevice) -> None:
    shape = Shape(33, 17, 40)
    recorder, _ = recorded(machine, kernel_of("column_major"), shape)
    c = next(array for array in recorder.arrays if array.name == "C")
    assert (c.rows, c.columns, c.layout) == (33, 17, Layout.COLUMN)
    (last,) = list(recorder.blocks(np.array([5], np.int32)))  # rows 32 and on, columns 16 and on: one element
    assert accesses(last, c).tolist() == [c.address_of(32, 16)] == [c.base + c.nbytes - 4]


def test_that_a_kernel_that_reads_an_undefined_c_is_told_so(machine: MachineDevice) -> None:
    kernel = changed("alpha_beta", ('"beta", "C"', '"0.0", "C"'), ("beta = 0.5\n", ""))
    assert kernel.call.start is InitialC.UNDEFINED
    assert not ran(kernel, make_inputs(Shape(32, 32, 8), Fill.UNIFORM, 0)).accuracy.passed
    _, analysis = recorded(machine, kernel, Shape(32, 32, 8))
    (hazard,) = analysis.hazards
    assert hazard.kind is HazardKind.UNWRITTEN_READ
    assert "multiplies it by beta" in hazard.detail


def test_that_an_access_is_called_by_what_the_source_writes(machine: MachineDevice) -> None:
    """Whatever its parameters are called: B^T · A^T is C^T, so that a kernel's A may be given the matrix B."""
    path, words = (
        FOLDER / "swapped.cu",
        'args = ["B", "A", "C", "N", "M", "K"]\n[launch]\nblock = [32]\ngrid = [1, "M"]',
    )
    text = (
        "__global__ void swapped(const float *A, const float *B, float *out, int m, int n, int k) {\n"
        "  int i = threadIdx.x, j = blockIdx.y;\n"
        "  if (i >= m) return;\n"
        "  float sum = 0;\n"
        "  for (int p = 0; p < k; ++p) sum += A[p * m + i] * B[j * k + p];\n"
        "  out[j * m + i] = sum;\n"
        "}\n"
    )
    kernel = described_kernel(path, text, words)
    recorder, analysis = recorded(machine, kernel, Shape(5, 17, 8), CodeForm.AS_WRITTEN)
    operands = make_operands(Shape(5, 17, 8), Fill.UNIFORM, 3)
    np.testing.assert_allclose(recorder.c[0], operands.a @ operands.b, rtol=1e-5)
    assert {(site.array, site.text) for site in recorder.instrumented.sites} == {
        ("B", "A[p * m + i]"),
        ("A", "B[j * k + p]"),
        ("C", "out[j * m + i]"),
    }
    assert not analysis.hazards
