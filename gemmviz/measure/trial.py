"""A smaller run of the same kernel and block, for backends that choose a way of building by measuring."""

from __future__ import annotations

from gemmviz.backends.base import TrialRun
from gemmviz.catalogue.kernel import Kernel, Plan, Refusal
from gemmviz.domain.device import Device
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params

TRIAL_FLOP = 2**26
"""A trial launch lasts about 60 ms on a core that reaches 1 GFLOP/s."""


def trial_for(kernel: Kernel, shape: Shape, params: Params, device: Device, plan: Plan, limit_s: float) -> TrialRun:
    """The smallest useful run whose block and compiled-in constants are those of `plan`; else the run itself."""
    for smaller in (shrink(shape), shrink(shape, keep_k=True)):
        try:
            found = kernel.plan(smaller, params, device)
        except Refusal:
            continue
        if found.launch.block == plan.launch.block and found.defines == plan.defines:
            same_shared = found.launch.dynamic_shared_bytes == plan.launch.dynamic_shared_bytes
            if same_shared:
                return TrialRun(smaller, found.launch, smaller.m * smaller.n * found.partial_sums, limit_s, found.call)
    return TrialRun(shape, plan.launch, shape.m * shape.n * plan.partial_sums, limit_s, plan.call)


def shrink(shape: Shape, keep_k: bool = False) -> Shape:
    """Halve the largest dimension until the product takes at most TRIAL_FLOP operations."""
    sizes = {"m": shape.m, "n": shape.n, "k": shape.k}
    while 2 * sizes["m"] * sizes["n"] * sizes["k"] > TRIAL_FLOP:
        free = [name for name in sizes if sizes[name] > 1 and not (keep_k and name == "k")]
        if not free:
            break
        largest = max(free, key=lambda name: sizes[name])
        sizes[largest] = (sizes[largest] + 1) // 2
    return Shape(sizes["m"], sizes["n"], sizes["k"])
