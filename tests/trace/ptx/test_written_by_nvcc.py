"""What a GPU records as written: nvcc compiles it, ptxas takes it, and its sites are those of the PTX machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.backends.cuda.build import build
from gemmviz.backends.cuda.nvcc import Nvcc, find_nvcc
from gemmviz.backends.cuda.ptx import reassemble
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.backends.ptx_recorder import source_of
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.source import SOURCE_NAME, CompilerMissingError
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.machine.ptx.parse import parse
from gemmviz.trace.ptx.probing.instrument import InstrumentedPtx, instrument_ptx
from gemmviz.trace.ptx.probing.sites import sites_of
from gemmviz.trace.ptx.probing.split_vectors import vector_accesses


@pytest.fixture(scope="module")
def nvcc() -> Nvcc:
    try:
        return find_nvcc()
    except CompilerMissingError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", ["tiled", "vectorized", "dot"])
def test_that_a_kernel_as_written_assembles_and_has_the_sites_of_the_machine(
    nvcc: Nvcc, machine: MachineDevice, name: str, tmp_path: Path
) -> None:
    kernel = load_catalogue().get(name)
    shape = Shape(1, 1, 75) if name == "dot" else Shape(64, 64, 32)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    source = source_of(kernel, plan, 60.0)
    written = build(source, "sm_90", nvcc, tmp_path, CodeForm.AS_WRITTEN)
    compiled = build(source, "sm_90", nvcc, tmp_path, CodeForm.AS_COMPILED)
    made: list[InstrumentedPtx] = []

    def rewrite(ptx: str, symbol: str) -> str:
        vectors = vector_accesses(parse(compiled.ptx, SOURCE_NAME), source.text, is_opencl=False)
        made.append(instrument_ptx(ptx, symbol, SOURCE_NAME, vectors))
        return made[-1].text

    assert reassemble(written, rewrite, tmp_path).cubin != written.cubin
    assert ".target sm_90, debug" in made[0].text
    operands = make_operands(shape, Fill.ONES, 0)
    theirs = machine_recorder_for(machine, kernel, plan, shape, operands, 60.0, CodeForm.AS_WRITTEN)
    ours = sites_of(made[0].probed, source.text).sites
    assert [(one.line, one.text, one.kind, one.width_bytes) for one in ours] == [
        (one.line, one.text, one.kind, one.width_bytes) for one in theirs.instrumented.sites
    ]
