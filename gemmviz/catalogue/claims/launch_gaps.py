"""Sizes that no rule of a description refuses, and for which its launch cannot be computed or is none."""

from __future__ import annotations

from collections.abc import Mapping

from gemmviz.catalogue.expressions import ExpressionError, evaluate
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.launch.launch_rule import GeometryError


def launch_gap(kernel: Kernel, names: Mapping[str, int], refusal: Refusal) -> str:
    """The key to correct where a size is refused for no rule, but since an expression of the description has no value
    there, or gives no block or grid at all; "" for other refusals: what a device is too small for is a limit, no gap.
    """
    if is_ruled_out(kernel, names):
        return ""
    cause = refusal.__cause__
    if isinstance(cause, ExpressionError):
        return cause.key if isinstance(cause, GeometryError) else "constraints"
    try:
        launch, _ = kernel.rule.launch(names, 0)
    except ExpressionError:
        return ""
    least = {"grid": min(launch.grid), "block": min(launch.block), "shared_bytes": launch.dynamic_shared_bytes + 1}
    return next((key for key, size in least.items() if size < 1), "")


def is_ruled_out(kernel: Kernel, names: Mapping[str, int]) -> bool:
    """Whether a rule of the description refuses a size, of which nothing is said; a fraction of the time of a plan."""
    return any(_refuses(one.rule, names) for one in kernel.constraints)


def _refuses(rule: str, names: Mapping[str, int]) -> bool:
    try:
        return not evaluate(rule, names)
    except ExpressionError:
        return False
