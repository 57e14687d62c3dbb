"""Variables of the module: recorded by their names, the same in each launch, and searched for hazards like C."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from own_recordings import FOUR_THREADS, HEAD, SHAPE, block_0, recorder_of_text, touched, whole_grid
from quick_machine import QuickMachine
from usual_calls import usual_call

from gemmviz.backends.base import Source
from gemmviz.backends.cuda.ptx import assemble
from gemmviz.backends.cuda.recorder import CudaRecorder
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.catalogue.kernel import Plan
from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import MappedArray
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import analyse
from gemmviz.trace.ptx.probing.instrument import instrument_ptx

BLOCKS = Launch((3, 1, 1), (4, 1, 1))
OWN_C = "C[blockIdx.x * 4 + t] = "
VARIABLES = """
__device__ unsigned int count;
__device__ float scale = 2.0f, sums[8];
__device__ double wide[2][3] = {{1, 2, 3}, {4, 5, 6}};
__managed__ int shared_with_host = 7;
"""
BODY = f"sums[t] = scale * t;\natomicAdd(&count, 1u);\n{OWN_C}A[t] + (float)wide[1][t % 3] + shared_with_host;"
Make = Callable[..., MachineRecorder]


@pytest.fixture
def made(machine: MachineDevice) -> Make:
    """A recorder of the kernel around `body`, whose threads have the numbers t, with variables before it."""

    def make(
        body: str, before: str = VARIABLES, launch: Launch = BLOCKS, form: CodeForm = CodeForm.AS_WRITTEN
    ) -> MachineRecorder:
        return recorder_of_text(machine, f"{before}{HEAD}int t = threadIdx.x;\n{body}\n}}\n", launch, form=form)

    return make


def variables_of(recorder: MachineRecorder | CudaRecorder) -> dict[str, MappedArray]:
    return {one.name: one for one in recorder.arrays if one.is_variable}


def hazards_of(recorder: MachineRecorder) -> list[tuple[HazardKind, str]]:
    found: tuple[Hazard, ...] = analyse(recorder, whole_grid(recorder), SHAPE).hazards
    return [(one.kind, one.detail) for one in found]


@pytest.mark.parametrize("form", CodeForm)
def test_that_each_variable_has_its_name_elements_and_dimensions(made: Make, form: CodeForm) -> None:
    found = variables_of(made(BODY, form=form))
    sizes = {name: (one.rows, one.columns, one.element_bytes) for name, one in found.items()}
    assert sizes == {
        "count": (1, 1, 4),
        "scale": (1, 1, 4),
        "sums": (1, 8, 4),
        "wide": (2, 3, 8),
        "shared_with_host": (1, 1, 4),
    }


@pytest.mark.parametrize("form", CodeForm)
def test_that_accesses_to_variables_are_recorded(made: Make, form: CodeForm) -> None:
    recorder = made(BODY, launch=FOUR_THREADS, form=form)
    found = touched(block_0(recorder))
    assert recorder.instrumented.skipped == ()
    assert [one for one in found if one[0] == "store sums"] == [("store sums", t, t, 4) for t in range(4)]
    assert [one for one in found if one[0] == "load wide"] == [("load wide", t, 3 + t % 3, 8) for t in range(4)]
    assert {one[2] for one in found if one[0] in ("load scale", "store count", "load shared_with_host")} == {0}


def test_that_accesses_are_called_what_the_source_writes(made: Make) -> None:
    sites = {(site.array, site.kind.value): site.text for site in made(BODY).instrumented.sites}
    assert sites["sums", "store"] == "sums[t]"
    assert sites["scale", "load"] == "scale"
    assert sites["wide", "load"] == "wide[1][t % 3]"
    assert sites["shared_with_host", "load"] == "shared_with_host"


def test_that_an_alignment_is_not_the_size_of_an_element(made: Make) -> None:
    found = variables_of(made("C[t] = sums[t];", "__device__ __align__(256) float sums[64] = {1.0f};\n"))
    assert (found["sums"].columns, found["sums"].element_bytes) == (64, 4)


def test_that_a_constant_of_the_host_is_part_of_the_code_as_with_nvcc(made: Make) -> None:
    before = "const float NOTHING = 0.0f;\n__device__ const float LITTLE = 1.0f;\n"
    recorder = made("C[t] = t < 2 ? LITTLE : NOTHING;", before, FOUR_THREADS)
    assert list(variables_of(recorder)) == ["LITTLE"]
    assert {what for what, *_ in touched(block_0(recorder))} == {"load LITTLE", "store C"}
    assert recorder.instrumented.skipped == ()


def test_that_requests_and_sectors_count_as_global_memory(made: Make) -> None:
    recorder = made("sums[t] = scale; C[t] = 0.0f;", launch=FOUR_THREADS)
    totals = analyse(recorder, whole_grid(recorder), SHAPE).totals
    assert (totals.global_load_requests, totals.global_store_requests) == (1, 2)
    assert (totals.global_load_sectors, totals.global_store_sectors) == (1, 2)


def test_that_a_launch_begins_with_the_initial_values(made: Make) -> None:
    recorder = made("count += 1; scale += 1.0f; C[t] = count + scale;", launch=FOUR_THREADS)
    for _ in range(3):
        list(recorder.blocks(np.zeros(1, np.int32)))
        assert recorder.c[0, 0, 0] == 4.0


def test_that_atomic_additions_to_a_counter_do_not_race(made: Make) -> None:
    assert hazards_of(made(f"atomicAdd(&count, 1u); {OWN_C}0.0f;")) == []


def test_that_a_plain_increment_races_within_a_block_and_between_blocks(made: Make) -> None:
    found = hazards_of(made(f"count++; {OWN_C}0.0f;"))
    assert HazardKind.RACE in {kind for kind, _ in found}
    between = [detail for kind, detail in found if kind is HazardKind.BLOCK_RACE]
    assert between[0] == (
        "thread 0 of block (1, 0, 0) reads count (line 8), and block (0, 0, 0) writes it; blocks cannot wait for each "
        "other, so the value read is undefined; threads that add to it need an atomic operation, such as atomicAdd, "
        "and of those that compute it anew only one may write it"
    )


def test_that_blocks_that_write_one_element_race(made: Make) -> None:
    ((kind, detail),) = hazards_of(made(f"sums[t] = t;\n{OWN_C}0.0f;"))
    assert kind is HazardKind.BLOCK_RACE
    assert "writes sums[0] (line 8)" in detail
    assert hazards_of(made(f"if (t < 2) sums[2 * blockIdx.x + t] = t;\n{OWN_C}0.0f;")) == []


def test_that_an_access_outside_a_variable_is_out_of_bounds(made: Make) -> None:
    ((kind, detail),) = hazards_of(made(f"{OWN_C}sums[t + 6];", launch=FOUR_THREADS))
    assert kind is HazardKind.OUT_OF_BOUNDS
    assert "past the end of sums, which has 8 elements" in detail


def test_that_reading_a_variable_nobody_wrote_is_no_hazard_as_it_begins_with_zeros(made: Make) -> None:
    assert hazards_of(made(f"{OWN_C}sums[t];")) == []


def test_that_a_variable_called_like_a_matrix_is_told_apart(made: Make) -> None:
    before = "namespace mine { __device__ float C[4] = {1, 2, 3, 4}; }\n"
    recorder = made("C[t] = mine::C[t];", before, FOUR_THREADS)
    assert list(variables_of(recorder)) == ["::C"]
    assert touched(block_0(recorder)) == sorted((what, t, t, 4) for what in ("load ::C", "store C") for t in range(4))


def test_that_two_variables_of_one_name_have_their_symbols(made: Make) -> None:
    before = "namespace a { __device__ float x = 1; }\nnamespace b { __device__ float x = 2; }\n"
    names = set(variables_of(made("C[t] = a::x + b::x;", before)))
    assert len(names) == 2
    assert all("1x" in name for name in names)


COEFFICIENTS = "__constant__ float coefficients[4] = {1, 2, 3, 4};\n"


@pytest.mark.parametrize("form", CodeForm)
def test_that_constant_memory_is_read_beside_the_recording_with_a_note(made: Make, form: CodeForm) -> None:
    recorder = made("C[t] = A[t] * coefficients[t];", COEFFICIENTS, FOUR_THREADS, form)
    assert touched(block_0(recorder)) == sorted((what, t, t, 4) for what in ("load A", "store C") for t in range(4))
    ((line, why),) = {(one.line, one.reason) for one in recorder.instrumented.skipped}
    assert line == 4
    assert "constant memory" in why
    assert hazards_of(recorder) == []


EITHER = """
__constant__ float coefficients[4] = {1, 2, 3, 4};
__device__ __noinline__ float at(const float *p, int i) { return p[i]; }
"""
CHOSEN = "C[t] = at(t % 2 ? coefficients : A, t);"


@pytest.mark.parametrize("form", CodeForm)
def test_that_lanes_that_read_constant_memory_are_left_out_of_a_request(made: Make, form: CodeForm) -> None:
    recorder = made(CHOSEN, EITHER, FOUR_THREADS, form)
    found = touched(block_0(recorder))
    assert [one for one in found if one[0].startswith("load")] == [("load A", 0, 0, 4), ("load A", 2, 2, 4)]
    assert len(recorder.instrumented.skipped) == 1
    assert hazards_of(recorder) == []
    assert recorder.c[0, 0, [1, 3]].tolist() == [2.0, 4.0]


@pytest.mark.parametrize(("before", "body"), [(VARIABLES, BODY), (EITHER, CHOSEN)])
@pytest.mark.parametrize("form", CodeForm)
def test_that_a_gpu_records_the_same(made: Make, form: CodeForm, before: str, body: str) -> None:
    recorder = made(body, before, form=form)
    source = Source(recorder._source.path, recorder._source.text, "k", recorder._source.language, ())
    device = QuickMachine(recorder.instrumented.text)
    plan = Plan(BLOCKS, (), 1, usual_call(SHAPE), "k")
    gpu = CudaRecorder(device, source, plan, SHAPE, make_operands(SHAPE, Fill.UNIFORM, 0), 60.0, form)
    for _ in range(2):
        for here, there in zip(recorder.blocks(whole_grid(recorder)), gpu.blocks(whole_grid(recorder)), strict=True):
            assert touched(here) == touched(there)
            np.testing.assert_array_equal(here.addresses, there.addresses)
    np.testing.assert_array_equal(recorder.c, gpu.c)


@pytest.mark.skipif(find_tool("ptxas") is None, reason="needs ptxas")
@pytest.mark.parametrize("form", CodeForm)
def test_that_the_driver_finds_the_variables_of_what_a_gpu_runs(made: Make, form: CodeForm) -> None:
    text = instrument_ptx(made(BODY, form=form).instrumented.text, "k", "k.cu").text
    declared = [line for line in text.splitlines() if " count" in line and line.startswith(".visible .global")]
    assert len(declared) == 1
    old = re.sub(r"^\.version .*$", ".version 9.0", text, flags=re.MULTILINE)  # for an older ptxas
    assert assemble(old, "sm_90a")[0]
