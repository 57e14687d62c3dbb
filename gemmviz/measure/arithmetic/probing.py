"""Gives a kernel the probes, and tells which models explain all of its answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.shape import Shape
from gemmviz.measure.arithmetic.formats import FLOAT32, FLOAT64, MODELS, Format, Model
from gemmviz.measure.arithmetic.probes import SumProbe, explains, probes

_TERMS = 3
_MOST_HALF = 65504.0
Matrix = NDArray[np.float32]
Launch = Callable[[Matrix, Matrix], NDArray[np.floating]]
"""Multiplies A, shape (M, K), by B, shape (K, N), on a C of zeros."""


@dataclass(frozen=True, slots=True)
class ProbedModels:
    """What a kernel answered to each probe, and the models that explain all of it, the most exact first."""

    found: tuple[tuple[SumProbe, float], ...]
    models: tuple[Model, ...]


def probed(launch: Launch, shape: Shape, stored: tuple[Format, Format], result: Format, factor: float) -> ProbedModels:
    """The answers of a kernel at a size. `stored` are the formats of A and B, `result` that of what it computes, and
    `factor` what it multiplies the product by.
    """
    inputs = min((*stored, FLOAT32), key=lambda one: one.bits)  # operands are made as float32
    usable = [probe for probe in probes(inputs) if len(probe.terms) <= shape.k]
    found = tuple(one for batch in _batches(usable, shape) for one in _launched(launch, shape, batch))
    models = (model for model in MODELS if FLOAT64 in stored or model.inputs is not FLOAT64)
    able = (model for model in models if all(explains(model, probe, result, value, factor) for probe, value in found))
    return ProbedModels(found, tuple(able))


def _batches(all_probes: Sequence[SumProbe], shape: Shape) -> list[Sequence[SumProbe]]:
    """The probes of each launch. One whose B a narrow format holds as infinity is alone: 0 times it is a NaN in all
    other rows.
    """
    alone = [probe for probe in all_probes if any(abs(b) > _MOST_HALF for _, b in probe.terms)]
    others = [probe for probe in all_probes if probe not in alone]
    size = max(1, min(shape.m, shape.k // _TERMS))
    return [*([one] for one in alone), *(others[begin : begin + size] for begin in range(0, len(others), size))]


def _launched(launch: Launch, shape: Shape, batch: Sequence[SumProbe]) -> list[tuple[SumProbe, float]]:
    """One row of C for each probe; its terms lie at columns of A that no other probe uses. All elements of a row are
    the same, or the one is told that differs.
    """
    a, b = np.zeros((shape.m, shape.k), np.float32), np.zeros((shape.k, shape.n), np.float32)
    for row, probe in enumerate(batch):
        for place, (x, y) in enumerate(probe.terms):
            k = (row * _TERMS + place) % shape.k
            a[row, k] = x
            b[k, :] = y
    c = launch(a, b)
    return [(probe, float(value)) for row, probe in enumerate(batch) for value in np.unique(c[row])[:2]]
