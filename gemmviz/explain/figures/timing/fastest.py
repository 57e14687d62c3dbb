"""Which kernel is the fastest, in one sentence that ranks none that cannot be ranked. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gemmviz.domain import figures
from gemmviz.domain.terms import Arithmetic, Verdict
from gemmviz.explain.figures.ranking import Ranked, least_words
from gemmviz.explain.figures.run_facts import RunFacts, name_among
from gemmviz.explain.figures.spread import Spread
from gemmviz.explain.figures.timing.speedup import are_apart, speedup_of


def fastest_words(facts: Sequence[RunFacts], unit: str = "") -> tuple[str, ...]:
    """The lowest median kernel time in a unit, and the factor against the slowest: "fastest: sgemm_best, 2.58 ms, 31.2
    times as fast as naive"; "fastest: tiled (2.93 µs) or naive (3.53 µs), which cannot be told apart".

    Where runs differ in their arithmetic, the time in each: "fastest in fp32: sgemm_best, 2.58 ms; in tf32: wgmma_tf32,
    0.330 ms". () where not all right runs have the same size, caches, numbers and GPU, or no two an arithmetic in
    common.
    """
    right = comparable(facts)
    unit = unit or figures.time_unit(fact.device_ms.median for fact in facts)
    kinds: dict[Arithmetic, list[RunFacts]] = {}
    for fact in right:
        kinds.setdefault(fact.run.arithmetic, []).append(fact)
    if len(kinds) == 1:
        return (f"fastest: {_of(right, unit)}{_factor(right)}",)
    told = [f"in {kind}: {_of(of_kind, unit)}" for kind, of_kind in kinds.items() if len(of_kind) > 1]
    return (f"fastest {'; '.join(told)}",) if told else ()


def fastest_whole_words(facts: Sequence[RunFacts], unit: str) -> tuple[str, ...]:
    """The same of end-to-end times, whatever the arithmetic: "fastest end to end: tiled, 5.10 ms"."""
    right = [fact for fact in comparable(facts) if math.isfinite(fact.run.timing.whole.median)]
    if len(right) < 2:
        return ()
    wholes = [fact.run.timing.whole for fact in right]
    spreads = [Spread(one.first, one.median, one.third, one.first, one.n) for one in wholes]
    words = least_words(
        [Ranked(name_among(fact, right), one.median) for fact, one in zip(right, wholes, strict=True)],
        lambda best, other: not are_apart(spreads[best], spreads[other]),
        lambda ms: figures.milliseconds(ms, unit),
    )
    return (f"fastest end to end: {words}",)


def comparable(facts: Sequence[RunFacts]) -> list[RunFacts]:
    """The right runs with a time, where they are two or more of one size, caches, numbers and GPU; else none."""
    right = [fact for fact in facts if not fact.is_wrong and fact.device_ms.n]
    conditions = {(fact.run.spec.shape, fact.run.spec.mode, fact.run.spec.fill) for fact in right}
    devices = {fact.run.device.id for fact in right if not fact.is_cpu}
    return right if len(right) > 1 and len(conditions) == 1 and len(devices) <= 1 else []


def _of(facts: Sequence[RunFacts], unit: str) -> str:
    """The fastest of some, with those that cannot be ranked against it, and its time."""
    return least_words(
        [Ranked(name_among(fact, facts), fact.device_ms.median) for fact in facts],
        lambda best, other: speedup_of(facts[best], facts[other]).verdict is Verdict.CANNOT_TELL,
        lambda ms: figures.milliseconds(ms, unit),
    )


def _factor(facts: Sequence[RunFacts]) -> str:
    """How many times as fast the fastest is as the slowest, behind its time; "" where the two cannot be ranked."""
    fastest, *_, slowest = sorted(facts, key=lambda fact: fact.device_ms.median)
    speedup = speedup_of(fastest, slowest)
    if speedup.verdict is not Verdict.FASTER:
        return ""
    factor = f"{speedup.times} as fast as {name_among(slowest, facts)}"
    is_tied = any(speedup_of(fastest, fact).verdict is Verdict.CANNOT_TELL for fact in facts if fact is not fastest)
    return f"; {name_among(fastest, facts)} is {factor}" if is_tied else f", {factor}"
