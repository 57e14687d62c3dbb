"""The result of a lesson's run in words: how many times as fast as the first kernel the others are. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.catalogue.lessons import LessonReversal
from gemmviz.domain.device import DeviceKind
from gemmviz.domain.listing import listed
from gemmviz.domain.runs.baselines import Baseline, is_cpu_run
from gemmviz.domain.runs.doubts import DOUBTS, NOISY
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import Verdict
from gemmviz.explain.figures.run_facts import RunFacts, facts_of
from gemmviz.explain.figures.timing.speedup import Speedup, speedup_of, speedups_of

_SCATTER = "samples scatter widely, run again"


def result_words(runs: Sequence[RunResult], kernels: Sequence[str], *, with_doubts: bool = False) -> str:
    """How the runs of `kernels` compare with the first of them, as the chart of speed-ups has it: words that a sentence
    begins with, such as "tiled is 2.57 times as fast as naive". That samples scatter so much that ratios with them mean
    little is said in any case; `with_doubts` says of which kernels, and what else makes the times doubtful, as the
    chart does.

    "" where fewer than two of them ran, the first did not, or nothing was timed.
    """
    newest = {run.spec.kernel: run for run in runs}
    timed = [newest[kernel] for kernel in kernels if kernel in newest]
    if len(timed) < 2 or timed[0].spec.kernel != kernels[0]:
        return ""
    first = timed[0]
    baseline = Baseline(first.spec.kernel, first.spec.params, is_device_kernel=not is_cpu_run(first))
    facts = facts_of(timed)
    compared = list(zip(facts[1:], speedups_of(facts, baseline)[1:], strict=True))
    ranked, close = list[str](), list[str]()
    for fact, speedup in compared:
        if speedup is not None and speedup.verdict is Verdict.CANNOT_TELL:
            close.append(fact.name)
        elif speedup is not None:
            ranked.append(_words(fact, speedup, kernels[0]))
    found = [*ranked, *_close_words(close, kernels[0])]
    if not found:
        return ""
    doubts = [words for one in DOUBTS if (words := _doubt(one, [fact.name for fact in facts if one in fact.doubts]))]
    if not with_doubts:
        doubts = [_SCATTER] if any(NOISY in fact.doubts for fact in facts) else []
    doubt = f" ({'; '.join(doubts)})" if doubts else ""
    return f"{', and '.join(filter(None, (', '.join(found[:-1]), found[-1])))}{doubt}"


def reversal_words(runs: Sequence[RunResult], reversal: LessonReversal) -> str:
    """What a lesson says where a kernel that is faster on a GPU was slower on a CPU; "" where it was not, or ran on
    another device.
    """
    newest = {run.spec.kernel: run for run in runs}
    pair = [newest[kernel] for kernel in (reversal.slower, reversal.than) if kernel in newest]
    if len(pair) < 2 or any(run.device.kind is not DeviceKind.CPU or run.is_emulated for run in pair):
        return ""
    slower, than = facts_of(pair)
    return reversal.says if speedup_of(slower, than).verdict is Verdict.SLOWER else ""


def _doubt(doubt: str, names: Sequence[str]) -> str:
    """Which kernels' times are doubtful, and why: "cpu_ikj: samples scatter widely, run again"; "" for none."""
    if not names:
        return ""
    return f"{listed(names)}: {_SCATTER if doubt == NOISY else doubt[2:].partition(':')[0]}"


def _words(fact: RunFacts, speedup: Speedup, first: str) -> str:
    if speedup.verdict is Verdict.SAME:
        return f"{fact.name} is as fast as {first}"
    pair = (fact.name, first) if speedup.ratio >= 1 else (first, fact.name)
    return f"{pair[0]} is {speedup.times} as fast as {pair[1]}"


def _close_words(names: Sequence[str], first: str) -> tuple[str, ...]:
    """That kernels cannot be ranked against the first; nothing for none."""
    if len(names) > 1:
        return (f"{listed(names)} are too close to {first} to be ranked",)
    return tuple(f"{name} and {first} are too close to be ranked" for name in names)
