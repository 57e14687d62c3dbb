"""The float64 product that a result is held against is computed once, whatever the result is held against."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import changed, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.engine.own_kernel_file import load_own_kernel
from gemmviz.measure.check import judge, reference
from gemmviz.referee.examinations.sizes import judged
from gemmviz.referee.inputs import SEED, random_numbers
from gemmviz.referee.subject import Subject


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("3.0f * acc", ""),
        ("acc + beta * C[row * N + col]", ": right with alpha = 1 in place of 1.5, so alpha may be ignored"),
    ],
    ids=("wrong", "alpha ignored"),
)
def test_that_a_wrong_result_with_other_factors_is_held_against_one_product(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, result: str, words: str
) -> None:
    args = 'args = ["A", "B", "C", "M", "N", "K", "alpha", "beta"]\nalpha = 1.5\nbeta = 0.5'
    path = kernel_of(tmp_path, changed("= acc;", f"= {result};"), keys=args).path
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("int K)", "int K, float alpha, float beta)"), encoding="utf-8")
    products = []
    build = reference.build_reference
    monkeypatch.setattr(judge, "build_reference", lambda *given: products.append(given) or build(*given))
    kernel = load_own_kernel(path)
    subject = Subject(kernel, kernel.params({}), find_device("machine"))
    case = judged(subject, random_numbers(Shape(17, 9, 5), Fill.NORMAL, SEED))
    subject.release()
    assert case.failed
    assert case.found.endswith(words)
    assert len(products) == 1
