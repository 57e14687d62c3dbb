"""The document of a run."""

from __future__ import annotations

import pytest
from gpu_runs import gpu_run

from gemmviz.cli.run.document import accuracy_entry
from gemmviz.domain.terms import Arithmetic


@pytest.mark.parametrize(
    ("arithmetic", "kind"), [(Arithmetic.FP32, "float32"), (Arithmetic.FP16, "float32"), (Arithmetic.FP64, "float64")]
)
def test_that_the_type_is_named_whose_last_places_an_error_is_counted_in(arithmetic: Arithmetic, kind: str) -> None:
    assert accuracy_entry(gpu_run("tiled", (1.0,)).accuracy, arithmetic)["ulp_of"] == kind
