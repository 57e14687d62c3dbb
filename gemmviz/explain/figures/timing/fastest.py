"""Which kernel is the fastest, in one sentence that ranks none that cannot be ranked. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain import figures
from gemmviz.domain.listing import listed
from gemmviz.domain.terms import Arithmetic, Verdict
from gemmviz.explain.figures.run_facts import RunFacts
from gemmviz.explain.figures.timing.speedup import speedup_of

_MOST_NAMED = 3


def fastest_words(facts: Sequence[RunFacts], unit: str) -> tuple[str, ...]:
    """The lowest median kernel time in a unit, in each arithmetic where runs differ in it: "fastest in fp32: sgemm_best
    and cublas_fp32, which cannot be ranked, 2.58 ms; in TF32: wgmma_tf32, 0.330 ms". () where no two right runs have
    the same size, caches, numbers and GPU.
    """
    right = [fact for fact in facts if not fact.is_wrong and fact.device_ms.n]
    conditions = {(fact.run.spec.shape, fact.run.spec.mode, fact.run.spec.fill) for fact in right}
    devices = {fact.run.device.id for fact in right if not fact.is_cpu}
    if len(right) < 2 or len(conditions) > 1 or len(devices) > 1:
        return ()
    kinds: dict[Arithmetic, list[RunFacts]] = {}
    for fact in right:
        kinds.setdefault(fact.run.arithmetic, []).append(fact)
    if len(kinds) == 1:
        return (f"fastest: {_of(right, unit)}",)
    return (f"fastest {'; '.join(f'in {kind}: {_of(of_kind, unit)}' for kind, of_kind in kinds.items())}",)


def _of(facts: Sequence[RunFacts], unit: str) -> str:
    """The fastest of some, with those that cannot be ranked against it, and its time."""
    ordered = sorted(facts, key=lambda fact: fact.device_ms.median)
    best, others = ordered[0], ordered[1:]
    tied = [other for other in others if speedup_of(best, other).verdict is Verdict.CANNOT_TELL]
    time = figures.milliseconds(best.device_ms.median, unit)
    if not tied:
        return f"{best.name}, {time}"
    names = listed([fact.name for fact in (best, *tied)], _MOST_NAMED)
    return f"{names}, which cannot be ranked, {time}"
