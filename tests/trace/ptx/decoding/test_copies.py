"""Asynchronous copies that are read or overwritten before somebody has waited for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from quick_machine import QuickMachine

from gemmviz.backends.cuda.recorder import cuda_recorder_for
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.backends.ptx_recorder import source_of
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import analyse
from gemmviz.trace.ptx.decoding.copies import NEVER, landings
from gemmviz.trace.ptx.decoding.requests import CopyStep
from gemmviz.trace.ptx.probing.accesses import What

OWN = """/*---
title    = "Copies a row of A by cp.async and reads it"
entry    = "own"
requires = ["cuda"]
[launch]
block = ["64"]
grid  = ["1"]
---*/
#define PLACE(of) (unsigned)__cvta_generic_to_shared(of)
#define COPY(to, from) \\
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(PLACE(to)), "l"(from) : "memory")
#define DO(what) asm volatile(what ::: "memory")
#define AT_BARRIER(what) asm volatile(what :: "r"(PLACE(&barrier)) : "memory")
extern "C" __global__ void own(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float first[64], second[64];
    __shared__ unsigned long long barrier;
    const int me = threadIdx.x, other = 63 - me;
    BODY
}
"""
COMMIT = 'DO("cp.async.commit_group;");\n'
COPY = "COPY(&first[me], &A[me]);\n" + COMMIT
AGAIN = "COPY(&second[me], &A[me]);\n" + COMMIT
WAIT_ALL = 'DO("cp.async.wait_all;");\n'
READ = "C[me] = first[other];\n"
IN_WARP = "C[me] = first[me ^ 31];\n"
OWN_READ = "C[me] = first[me];\n"
SYNC = "__syncthreads();\n"
MBARRIER = """if (me == 0) AT_BARRIER("mbarrier.init.shared.b64 [%0], 64;");
    __syncthreads();
    COPY(&first[me], &A[me]);
    AT_BARRIER("cp.async.mbarrier.arrive.shared.b64 [%0];");
    WAIT
    C[me] = first[other];
"""
ARRIVE_AND_WAIT = """AT_BARRIER("{ .reg .pred p; .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];"
        "again: mbarrier.try_wait.shared.b64 p, [%0], s; @!p bra again; }");"""
ROW = Shape(1, 64, 64)


def wait(groups: int) -> str:
    return f'DO("cp.async.wait_group {groups};");\n'


def own(body: str) -> str:
    """The kernel with that body."""
    return OWN.replace("BODY", body)


@pytest.fixture
def hazards_of(machine: MachineDevice, tmp_path: Path):
    """The hazards of the first block; with `as_on_a_gpu` what writes down its copies is the PTX itself."""

    def find(text: str, shape: Shape = ROW, *, as_on_a_gpu: bool = False, **given: int) -> tuple[Hazard, ...]:
        path = tmp_path / "own.cu"
        path.write_text(text, encoding="utf-8")
        kernel = load_user_kernel(path)
        plan = kernel.plan(shape, kernel.params(given), machine.device)
        operands = make_operands(shape, Fill.INTEGERS, 3)
        if as_on_a_gpu:
            compiled = machine.compile_as(source_of(kernel, plan, 60.0), CodeForm.AS_COMPILED, plan.launch)
            recorder = cuda_recorder_for(QuickMachine(compiled.ptx), kernel, plan, shape, operands, 60.0)
        else:
            recorder = machine_recorder_for(machine, kernel, plan, shape, operands, 60.0)
        return analyse(recorder, np.zeros(1, np.int32), shape).hazards

    return find


@pytest.mark.parametrize(
    "body",
    [
        COPY + wait(0) + SYNC + READ,
        COPY + wait(0) + OWN_READ,
        COPY + wait(0) + "__syncwarp();\n" + IN_WARP,
        COPY + AGAIN + wait(1) + SYNC + READ,
        COPY + wait(0) + SYNC + "first[other] = 1.0f;\n" + SYNC + READ,
        COPY + WAIT_ALL + SYNC + READ,
        COPY.replace(COMMIT, "") + WAIT_ALL + SYNC + READ,
        MBARRIER.replace("WAIT", ARRIVE_AND_WAIT),
    ],
)
def test_that_copies_that_are_waited_for_are_no_hazard(hazards_of, body: str) -> None:
    assert hazards_of(own(body)) == ()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (COPY + SYNC + READ, "thread 0 never waits for that copy"),
        (COPY + OWN_READ, "thread 0 never waits for that copy"),
        (COPY + OWN_READ + wait(0), "it waits for that copy only later"),
        (COPY + SYNC + wait(0) + READ, "no barrier stands between the wait of thread 0 and this access"),
        (COPY + wait(1) + SYNC + READ, "thread 0 never waits for that copy"),
        (COPY + "__syncwarp();\n" + IN_WARP, "thread 0 never waits for that copy"),
        (COPY.replace(COMMIT, "") + wait(0) + SYNC + READ, "thread 0 never waits for that copy"),
        (MBARRIER.replace("WAIT", "__syncthreads();"), "thread 0 never waits"),
    ],
)
def test_that_a_read_before_the_wait_is_told_with_both_lines(hazards_of, body: str, words: str) -> None:
    text = own(body)
    (hazard,) = hazards_of(text)
    assert hazard.kind is HazardKind.COPY_IN_FLIGHT
    assert hazard.count == 64
    line = 1 + text[: text.index("C[me]")].count("\n")
    assert hazard.line == line
    assert f"reads first[{hazard.threads[0]}] (line {line})" in hazard.detail
    assert words in hazard.detail.replace(f"thread {hazard.threads[0]} ", "thread 0 ")


def test_that_it_is_told_if_a_copy_is_overwritten(hazards_of) -> None:
    (hazard,) = hazards_of(own(COPY + SYNC + "first[other] = 1.0f;\n" + wait(0) + SYNC + READ))
    assert hazard.kind is HazardKind.COPY_IN_FLIGHT
    assert "overwrites first[" in hazard.detail


WAIT_OF_BEST = 'asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 3) : "memory");'


def test_that_the_recorder_of_a_gpu_tells_the_same(hazards_of) -> None:
    for body in (COPY + SYNC + READ, COPY + wait(0) + SYNC + READ, MBARRIER.replace("WAIT", ARRIVE_AND_WAIT)):
        assert hazards_of(own(body), as_on_a_gpu=True) == hazards_of(own(body))


RUNGS = {
    "cp_async": ({"BM": 64, "BN": 64, "TM": 4, "TN": 4, "STAGES": 3}, "__pipeline_wait_prior(STAGES - 2);", "2", "1"),
    "sgemm_best": ({"BM": 64, "BN": 64, "TM": 8, "TN": 8}, WAIT_OF_BEST, "3", "2"),
}


@pytest.mark.parametrize("name", RUNGS)
def test_that_the_catalogue_waits_for_its_copies_and_that_a_looser_wait_is_told(hazards_of, name: str) -> None:
    text, shape = load_catalogue().get(name).text, Shape(64, 64, 80)
    given, waits, fewer, more = RUNGS[name]
    assert hazards_of(text, shape, **given) == ()
    assert text.count(waits) == 1
    found = hazards_of(text.replace(waits, waits.replace(f"- {fewer}", f"- {more}")), shape, **given)
    assert {hazard.kind for hazard in found} == {HazardKind.COPY_IN_FLIGHT}


def test_that_a_wait_covers_the_groups_before_its_latest() -> None:
    def step(event: int, what: What, value: int, lanes: int = 32) -> CopyStep:
        return CopyStep(event, what, np.where(np.arange(32) < lanes, value, INACTIVE))

    steps = [
        step(1, What.COMMIT, 0),
        step(3, What.COMMIT, 0),
        step(4, What.WAIT_GROUP, 1),
        step(5, What.WAIT_ALL, 0, 16),
        step(7, What.COMMIT, 0),
        step(8, What.WAIT_GROUP, 0),
    ]
    over = landings(np.array([0, 2, 6, 9]), steps)
    assert over[:, 0].tolist() == [4, 5, 8, NEVER]
    assert over[:, 31].tolist() == [4, 8, 8, NEVER]
