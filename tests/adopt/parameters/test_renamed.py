"""Parameters of a template that are called as a matrix of a description is."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.look import look_at
from gemmviz.adopt.parameters.renamed import renamed_of, with_names
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

TEXT = """template <int B, int B_ = B * 2> __global__ void __launch_bounds__(B * B)
mm(const float *A, const float *Bm, float *C, int M, int N, int K) {
    int column = blockIdx.x * B + threadIdx.x, row = blockIdx.y * B + threadIdx.y;
    float sum = 0.0f;
    if (row >= M || column >= N) return;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * Bm[k * N + column];
    C[row * N + column] = sum;
}
void run(float *a, float *b, float *c, int m, int n, int k) {
    mm<16, 32><<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
"""


def test_that_a_template_parameter_called_as_a_matrix_has_a_free_name_everywhere() -> None:
    (kernel,) = read_source(TEXT, Language.CUDA).kernels
    renamed = renamed_of(kernel)
    assert renamed == {"B": "B__"}
    changed = with_names(kernel, renamed)
    assert [(one.name, one.default) for one in changed.template] == [("B__", ""), ("B_", "B__ * 2")]
    assert "B__" in changed.bound
    assert {text for _, text in changed.block_edges} == {"B__"}


@pytest.mark.usefixtures("nvrtc")
def test_that_it_is_described_and_the_other_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemmviz.adopt.parameters.parameter_search._MOST_SETTINGS", 2)
    text = TEXT.replace(", int B_ = B * 2", "").replace("16, 32", "16")
    (found,) = look_at(Path("mm.cu"), text, "", 60.0, lambda _: None).found
    assert isinstance(found.description, Description), found.reasons
    assert found.description.template == ("B_",)
    assert "B_ is the template's B, since B means something else in a description" in found.notes
