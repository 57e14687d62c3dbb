"""Each reason why nothing was proven has a kind, from whoever saw the fault to whoever tells it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gemmviz.adopt.finding import AdoptionStep, Findings, KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove.launcher import NotCompiledError
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.domain.session.codec import decode, encode

PARAMETERS = "(const float *A, const float *B, float *C, int M, int N, int K)"
PRODUCT = """int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= M || j >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = sum"""
ONE = "if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y == 0) C[0] = A[threadIdx.y + blockIdx.x] + 1"
HOST = """
void run(float *a, float *b, float *c, int m, int n, int k) {
    mm<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
"""


def quiet(step: AdoptionStep) -> None:
    del step


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("body", "kind", "remedy"),
    [
        (
            PRODUCT.replace("= sum", "= nothing"),
            FaultKind.UNDEFINED,
            "define it in the file, or in one that it includes",
        ),
        (
            PRODUCT.replace("0.0f;", "0.0f"),
            FaultKind.NOT_COMPILED,
            "correct that line, or what it needs, and look again",
        ),
        (PRODUCT.replace("C[i * N + j]", "C[(i * N + j) * 100000LL]"), FaultKind.FAR_PAST_END, "something else"),
        (PRODUCT.replace("+= A", "= A"), FaultKind.UNLIKE, ""),
        (ONE.replace("blockIdx.x + ", "", 1), FaultKind.BLOCKS_RACE, "give each its own memory"),
        (ONE.replace(" + threadIdx.y ==", " =="), FaultKind.TWO_WRITERS, "let one thread alone write each"),
    ],
)
def test_that_the_kind_comes_from_where_the_fault_was_seen(body: str, kind: FaultKind, remedy: str) -> None:
    (found,) = look_at(
        Path("mm.cu"), f"__global__ void mm{PARAMETERS} {{\n    {body};\n}}{HOST}", "", 60.0, quiet
    ).found
    assert found.description is None
    told = next((one for one in found.why if one.kind is kind), None)
    assert told is not None, found.why
    assert remedy in told.words


def test_that_kinds_come_back_from_the_process_that_looks() -> None:
    why = (Reason("mm.cu:3: it races", FaultKind.RACE, is_guessed=True), Reason("mm.cu:3: it adds"))
    findings = Findings(("mm",), (KernelFinding("mm", 3, None, why),))
    tree, arrays = encode(findings)
    found = decode(json.loads(json.dumps(tree)), arrays, Findings)
    assert found == findings
    assert found.has_race
    assert found.found[0].reasons == ("mm.cu:3: it races", "mm.cu:3: it adds")


def test_that_a_texture_reference_is_told_instead_of_an_undefined_name() -> None:
    error = NotCompiledError('mm.cu:5: identifier "image" is undefined', is_of_compiler=True)
    told = error.reason_in("texture<float, 2, cudaReadModeElementType> image;").words
    assert told.startswith("mm.cu:5: does not compile: image is a texture reference, and CUDA has none since")
    assert error.reason_in("int texture; // image") == error.reason


@pytest.mark.usefixtures("nvrtc")
def test_that_a_line_of_another_kernel_that_does_not_compile_is_told_as_that() -> None:
    broken = f"__global__ void broken{PARAMETERS} {{\n    C[0] = lacking;\n}}\n"
    found = look_at(Path("mm.cu"), f"{broken}__global__ void mm{PARAMETERS} {{ {PRODUCT}; }}", "", 60.0, quiet).found
    own, other = ("; ".join(one.reasons) for one in found)
    assert own.startswith('mm.cu:2: does not compile: identifier "lacking" is undefined; define it in the file')
    assert other == (
        'mm.cu:2: does not compile: identifier "lacking" is undefined; that line belongs to another kernel, broken: '
        "correct it, or put mm into a file of its own"
    )
