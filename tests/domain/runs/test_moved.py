"""Bytes between host and device."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.domain.runs.moved import moved_bytes
from gemmviz.domain.runs.result import Session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic


@pytest.mark.parametrize(
    ("arithmetic", "operand", "result"),
    [
        (Arithmetic.FP32, 4, 4),
        (Arithmetic.TF32, 4, 4),
        (Arithmetic.BF16, 2, 4),
        (Arithmetic.FP16, 2, 4),
        (Arithmetic.FP64, 8, 8),
    ],
)
def test_that_bytes_of_copies_follow_the_type_of_elements(
    session: Session, arithmetic: Arithmetic, operand: int, result: int
) -> None:
    run = session.runs[0]
    run = replace(run, arithmetic=arithmetic, spec=replace(run.spec, shape=Shape(3, 5, 7)))
    assert moved_bytes(run) == (operand * (3 * 7 + 7 * 5), result * 3 * 5)
