"""Why a kernel cannot be given what it takes, as the types of its parameters say."""

from __future__ import annotations

import pytest

from gemmviz.adopt.prove.types import parameter_type
from gemmviz.adopt.prove.unfit import why_no_matrices
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

MATRICES = "const float *a, const float *b, float *c"


@pytest.mark.parametrize(
    ("parameters", "advice"),
    [
        (
            f"const int *m_, const int *n_, const int *k_, {MATRICES}",
            "where they are sizes, pass m_, n_ and k_ by value",
        ),
        (f"const int *row_offsets, const int *columns, {MATRICES}, int M", "take the matrix with its zeros"),
        (f"const int *m, const int *columns, {MATRICES}", "take the matrix with its zeros"),
    ],
)
def test_that_sizes_behind_pointers_are_to_be_passed_by_value_and_indices_of_a_sparse_matrix_not(
    parameters: str, advice: str
) -> None:
    (kernel,) = read_source(f"__global__ void mm({parameters}) {{}}\n", Language.CUDA).kernels
    types = tuple(parameter_type(one, {}) for one in kernel.parameters)
    assert why_no_matrices(kernel, types).endswith(advice)
