"""Numbers that count vectors of a matrix are read as a size divided by the elements of a vector."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.vector_counts import vector_counts
from gemmviz.adopt.prove.unfit import with_counts_of_vectors
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.adopt.source.kernels import SignatureParameter
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

TEXT = """__kernel void mm(__global const float *A, __global const float4 *B, __global float4 *C, int M, int N4,
                          int K) {
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= M || j >= N4) return;
    float4 sum = (float4)(0.0f);
    for (int k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N4 + j];
    C[i * N4 + j] = sum;
}
"""


@pytest.mark.parametrize(
    ("pointer", "name", "found"),
    [
        ("float4", "N4", {1: ("N", 4)}),
        ("double2", "k_vec2", {1: ("K", 2)}),
        ("half2", "nvec", {1: ("N", 2)}),
        ("float4", "width_vec", {1: ("", 4)}),
        ("float", "N4", {}),
        ("float4", "N2", {}),
        ("float4", "N", {}),
    ],
)
def test_that_a_name_says_which_size_counts_vectors(pointer: str, name: str, found: dict[int, tuple[str, int]]) -> None:
    b = SignatureParameter("B", "", pointer, is_pointer=True, is_const=True)
    number = SignatureParameter(name, "", "int", is_pointer=False, is_const=False)
    assert vector_counts([b, number], [1]) == found


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_that_takes_a_number_of_vectors_is_proven() -> None:
    (found,) = look_at(Path("mm.cl"), TEXT, "", 60.0, lambda _: None).found
    assert found.description is not None, found.reasons
    assert found.description.arguments == ("A", "B", "C", "M", "N // 4", "K")
    assert any("N4 is N // 4: its name says that it counts vectors" in one for one in found.because)


def test_that_a_read_past_the_end_is_told_with_the_vectors_that_may_be_its_cause() -> None:
    (kernel,) = read_source(TEXT.replace("N4", "width"), Language.OPENCL).kernels
    past = Reason("16 bytes past the end of B", FaultKind.PAST_END)
    other = Reason("its results are wrong, as past the end of B")
    told = with_counts_of_vectors(kernel, (past, other), "")
    assert told[0].words.startswith(
        f"{past.words}; a number may count vectors (float4), and gemmviz gave it a count of elements"
    )
    assert told[0].words.endswith("write N // 4 in 'args' for a number of vectors along N")
    assert told[1] == other
    assert with_counts_of_vectors(kernel, (past, other), "its matrices are of float2") == (other,)
    (plain,) = read_source(TEXT.replace("float4", "float"), Language.OPENCL).kernels
    assert with_counts_of_vectors(plain, (past,), "") == (past,)
