"""In which format a proven kernel adds, or holds its products, told by the probes that tell it of every kernel."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.check import given_value, launch_index, local_bytes, result_in, stored
from gemmviz.adopt.prove.launcher import ArrayLauncher, BlockGeometry, TryError
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.domain.listing import either
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element
from gemmviz.measure.arithmetic.formats import FLOAT32, FORMATS
from gemmviz.measure.arithmetic.probing import probed

_ALPHA, _BETA = 1.0, 0.0
_NAMES = {
    Element.HALF: re.compile(r"(?:__)?half2?|__(?:float|double|int)2half\w*|__hfma2?|__hadd2?|__hmul2?"),
    Element.BFLOAT16: re.compile(r"(?:__)?(?:nv_)?bfloat16\w*|__(?:float|double|int)2bfloat16\w*"),
}
"""What the types of 16 bits, and the functions that make numbers of them, are called in CUDA."""


def formats_in(words: Collection[str]) -> frozenset[Element]:
    """The formats of 16 bits that a kernel names: its sums may be as coarse."""
    return frozenset(element for element, name in _NAMES.items() if any(map(name.fullmatch, words)))


def coarse_sum_words(kernel: ArrayLauncher, description: Description, shape: Shape, limit_s: float) -> str:
    """The format in which a kernel adds, where every model that explains its sums has one that is coarser than
    float32: "its sums are in half, ..."; or that to which each product is rounded before it is added; "" where that is
    not told.
    """
    names = {"M": shape.m, "N": shape.n, "K": shape.k, **description.defaults}

    def launch(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.floating]:
        values = {"A": a, "B": b} | dict.fromkeys("CD", np.zeros((shape.m, shape.n), np.float32))
        arrays = {name: stored(one.astype(np.float64), description, name) for name, one in values.items()}
        block, grid = launch_index(description.block, names), launch_index(description.grid, names)
        given = [given_value(text, names, description, shape, arrays, _ALPHA, _BETA) for text in description.arguments]
        geometry = BlockGeometry(block, evaluate_whole(description.shared_bytes, names))
        kernel.with_local(local_bytes(description, names)).run(given, geometry, grid, limit_s)
        return result_in(arrays[description.result], description, shape)

    a, b, result = (FORMATS[description.storage(name).element] for name in ("A", "B", description.result))
    try:
        answers = probed(launch, shape, (a, b), result, description.scalings(_ALPHA, _BETA)[0])
    except (TryError, ExpressionError):
        return ""
    models = answers.models
    if not models or any(one.sums.bits >= FLOAT32.bits and one.products is None for one in models):
        return ""
    if rounded := [*dict.fromkeys(one.products.name for one in models if one.products is not None)]:
        of = either(rounded)
        return f"each product is rounded to {of} before it is added, as probes with sums of three terms tell"
    sums = either([*dict.fromkeys(one.sums.name for one in models)])
    return f"its sums are in {sums}, as probes with sums of three terms tell"
