"""What the results of runs are compared with, in words: R, the float64 result of what each kernel computes. No Qt."""

from __future__ import annotations

from collections.abc import Iterable

from gemmviz.domain.spec import RunSpec

PRODUCT = "A·B"
_AS_FOUND = ", with C as the launch found it"


def computed(spec: RunSpec) -> str:
    """What a kernel computes without the name of its result: "A·B", "1.5·A·B + 0.5·C"."""
    formula = spec.computes.partition(";")[0]
    return formula.partition(" = ")[2] or PRODUCT


def reference_words(specs: Iterable[RunSpec]) -> str:
    """What R is for some runs: "R: the float64 product A·B of the same inputs"."""
    found = list(dict.fromkeys(map(computed, specs)))
    others = [formula for formula in found if formula != PRODUCT]
    if not others:
        return f"R: the float64 product {PRODUCT} of the same inputs"
    as_found = _AS_FOUND if any("C" in formula for formula in others) else ""
    only = " or ".join(found) if len(found) < 3 else f"{PRODUCT}, or alpha·A·B + beta·C where a kernel computes that,"
    return f"R: {only} of the same inputs in float64{as_found}"


def scaling_words(specs: Iterable[RunSpec]) -> str:
    """G, by which an error is divided: "G = |A|·|B|"; with alpha and beta where a kernel computes with them."""
    is_scaled = any(computed(spec) != PRODUCT for spec in specs)
    return "G = |alpha|·|A|·|B| + |beta|·|C|" if is_scaled else "G = |A|·|B|"
