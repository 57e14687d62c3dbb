"""`gemmviz trace --device machine`: compiled code with no GPU; own kernels in a confined process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from own_kernel import naive_with

from gemmviz.domain.session.session import load_session

MMA = '"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %0}, {%0}, {%0}, {%0, %0};"'
pytestmark = pytest.mark.usefixtures("nvrtc")


@pytest.fixture
def own(tmp_path: Path) -> Any:
    """A kernel file: the catalogue's naive with another statement in front of its last brace."""

    def write(statement: str) -> str:
        naive_with(tmp_path / "own.cu", statement)
        return str(tmp_path / "own.cu")

    return write


def test_that_a_kernel_of_ones_own_is_recorded_in_its_sandbox(gemmviz: Any, own: Any) -> None:
    answer = gemmviz("trace", "--kernel-file", own(""), "--size", "32x32x16", "--device", "machine", "--json")
    assert answer.code == 0, answer.err
    document = json.loads(answer.out)
    assert document["device"] == "machine:sm_90a"


def test_that_variables_of_the_module_are_listed(gemmviz: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(
        '/*---\ntitle = "mine"\nentry = "k"\n[launch]\nblock = ["8", "8"]\n'
        'grid = ["ceil_div(N, 8)", "ceil_div(M, 8)"]\n---*/\n'
        "__device__ double wide[2][3];\n__device__ unsigned int count;\n"
        'extern "C" __global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {\n'
        "    atomicAdd(&count, 1u);\n"
        "    if (threadIdx.x < 3) C[threadIdx.x] = A[0] + (float)wide[1][threadIdx.x];\n}\n"
    )
    request = "trace", "--kernel-file", str(path), "--size", "8x8x8", "--device", "machine"
    document = gemmviz(*request, "--json").document
    assert document["variables"] == [
        {"name": "wide", "rows": 2, "columns": 3, "element_bytes": 8},
        {"name": "count", "rows": 1, "columns": 1, "element_bytes": 4},
    ]
    assert {site["array"] for site in document["sites"]} == {"A", "C", "wide", "count"}


def test_that_instructions_and_active_lanes_are_told(gemmviz: Any, tmp_path: Path) -> None:
    saved = tmp_path / "s.gemmviz"
    request = ("trace", "--kernel", "naive", "--size", "16x16x5", "--as", "compiled", "--out", str(saved))
    answer = gemmviz(*request)
    assert answer.code == 0, answer.err
    _, _, told = answer.out.partition("PTX instructions of a warp, as compiled")
    kinds, _, lines = told.partition("The same by line")
    assert kinds.split("fused multiply-adds")[1].split()[0] == "5"
    assert "line " in lines
    executed = gemmviz(*request, "--force", "--json").document["executed"]
    (adds,) = [one for one in executed if one["kind"] == "fused multiply-adds"]
    assert adds["lanes"] == 32 * adds["instructions"]
    assert sum(one.instructions for one in load_session(saved).traces[0].executed) == sum(
        one["instructions"] for one in executed
    )


def test_that_a_target_is_compiled_for(gemmviz: Any) -> None:
    answer = gemmviz("trace", "--kernel", "naive", "--size", "16x16x4", "--target", "A100", "--json")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["device"] == "machine:sm_80"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--target", "sm_42"), "--target sm_42: unknown target; choose from sm_75"),
        (("--target", "H900"), "did you mean 'H200'?"),
        (("--target", "sm_80", "--device", "pocl"), "--target sm_80: pocl is not the PTX machine"),
        (("--device", "machine:x"), "--device 'machine:x': unknown target; choose from"),
    ],
)
def test_that_a_target_that_is_none_is_answered_with_the_choices(
    gemmviz: Any, given: tuple[str, ...], words: str
) -> None:
    answer = gemmviz("trace", "--kernel", "naive", "--size", "16x16x4", *given)
    assert answer.code == 2
    assert words in answer.err


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("for (;;) ((volatile float *)C)[threadIdx.x] += 1.0f;", "did not end within 1 s"),
        (f'asm volatile({MMA} :: "d"(1.0));', "it uses tensor cores (mma"),
    ],
)
def test_that_what_goes_wrong_is_told_in_one_line(gemmviz: Any, own: Any, statement: str, words: str) -> None:
    answer = gemmviz(
        "trace", "--kernel-file", own(statement), "--size", "32x32x16", "--device", "machine", "--time-limit", "1"
    )
    assert answer.code == 1
    (line,) = answer.err.splitlines()
    assert words in line


def test_that_an_access_outside_every_array_is_recorded_and_told(gemmviz: Any, own: Any) -> None:
    path = own("C[1 << 28] = 1.0f;")
    answer = gemmviz("trace", "--kernel-file", path, "--size", "32x32x16", "--device", "machine", "--json")
    (hazard,) = json.loads(answer.out)["hazards"]
    assert hazard["kind"] == "out_of_bounds"
    assert "past the end of C, which has 32×32 elements" in hazard["detail"]
    refused = gemmviz("run", "--kernel-file", path, "--size", "32x32x16", "--device", "machine")
    assert "outside every array" in refused.err + refused.out


def test_that_a_kernel_beyond_opencl_is_recorded_on_the_machine_by_itself(gemmviz: Any, own: Any) -> None:
    path = own("__shfl_down_sync(~0u, first_row, 1);")
    answer = gemmviz("trace", "--kernel-file", path, "--size", "16x16x4")
    assert answer.code == 0, answer.err
    assert "recorded on the PTX machine (sm_90a code on a CPU)" in answer.out
    refused = gemmviz("run", "--kernel-file", path, "--size", "16x16x4")
    assert refused.code == 2
    assert "uses __shfl_down_sync" in refused.err
    assert "--device machine" in refused.err
    assert gemmviz("run", "--kernel-file", path, "--size", "16x16x4", "--device", "machine").code == 0
