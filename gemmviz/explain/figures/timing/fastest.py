"""Which kernel is the fastest, in one sentence that ranks none that cannot be ranked. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain import figures
from gemmviz.domain.listing import either
from gemmviz.domain.terms import Arithmetic, Verdict
from gemmviz.explain.figures.run_facts import RunFacts, name_among
from gemmviz.explain.figures.timing.speedup import speedup_of

_MOST_NAMED = 3


def fastest_words(facts: Sequence[RunFacts], unit: str) -> tuple[str, ...]:
    """The lowest median kernel time in a unit, in each arithmetic where runs differ in it: "fastest in fp32: sgemm_best
    or cublas_fp32, 2.58 ms; in tf32: wgmma_tf32, 0.330 ms", where "or" stands between those that cannot be ranked. ()
    where not all right runs have the same size, caches, numbers and GPU, or no two an arithmetic in common.
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
    told = [f"in {kind}: {_of(of_kind, unit)}" for kind, of_kind in kinds.items() if len(of_kind) > 1]
    return (f"fastest {'; '.join(told)}",) if told else ()


def _of(facts: Sequence[RunFacts], unit: str) -> str:
    """The fastest of some, with those that cannot be ranked against it, and its time."""
    ordered = sorted(facts, key=lambda fact: fact.device_ms.median)
    best, others = ordered[0], ordered[1:]
    tied = [best, *(one for one in others if speedup_of(best, one).verdict is Verdict.CANNOT_TELL)]
    names = [name_among(one, facts) for one in tied]
    return f"{either(names, _MOST_NAMED)}, {figures.milliseconds(best.device_ms.median, unit)}"
