"""The measured roof of a run: that of its own device and arithmetic; and those of several runs in words. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.roof import Roofs, compute_roof, newest_roofs, share_of
from gemmviz.domain.runs.roof_words import (
    KIND_WORDS,
    is_lowered,
    rate_words,
    roof_words,
    throttle_sentence,
    where_measured,
)
from gemmviz.domain.terms import Arithmetic

LOWERED_ROOFS = "clock lowered while roofs were measured:"
"""A note that begins so names the roofs that are too low."""


@dataclass(frozen=True, slots=True)
class RunRoof:
    """The most GFLOP/s a run could reach, and in words what that is and when it was measured at which clock.
    `throttling` is a sentence where something held that clock down, "" where nothing did.
    """

    gflops: float
    words: str
    throttling: str = ""


def roof_of(run: RunResult, measured: Sequence[Roofs]) -> RunRoof | None:
    """None where the roof of its device and arithmetic was not measured."""
    roofs = newest_roofs(tuple(measured), run.device)
    rate = compute_roof(roofs, run.arithmetic) if roofs is not None else None
    if roofs is None or rate is None:
        return None
    words = f"{roof_words(roofs, run.arithmetic)} on {roofs.device.name}"
    return RunRoof(rate, words, throttle_sentence(roofs, run.arithmetic))


def roof_notes(runs: Sequence[RunResult], measured: Sequence[Roofs]) -> tuple[str, ...]:
    """For each device the roofs of its runs, at which clock and when they were measured; then which of them were
    measured at a clock that was held down, in one sentence.
    """
    found: dict[str, tuple[Roofs, dict[Arithmetic, None]]] = {}
    for run in runs:
        roofs = newest_roofs(tuple(measured), run.device)
        if roofs is not None and compute_roof(roofs, run.arithmetic) is not None:
            found.setdefault(run.device.id, (roofs, {}))[1][run.arithmetic] = None
    measured_words = [
        f"roofs measured on {where_measured(roofs)}: {_roofs(roofs, tuple(used))}" for roofs, used in found.values()
    ]
    kinds = ((roofs, share) for roofs, used in found.values() for one in used if (share := share_of(one)) is not None)
    lowered = dict.fromkeys(
        f"{KIND_WORDS[roof.kind]} to {figures.megahertz(roof.clock_mhz)} ({', '.join(roof.gauges.throttles)})"
        for roofs, share in kinds
        if (roof := roofs.of(share.kind)) is not None and is_lowered(roof)
    )
    told = (f"{LOWERED_ROOFS} {', '.join(lowered)}; at full clock they would be higher",) if lowered else ()
    return (*measured_words, *told)


def _roofs(roofs: Roofs, used: Sequence[Arithmetic]) -> str:
    """ "fp32 FMA 63.9 TFLOP/s at 1980 MHz; TF32 tensor 476 TFLOP/s at 1935 MHz (tf32x3: 1/3 of it)"."""
    parts: dict[str, list[str]] = {}
    for arithmetic in used:
        share = share_of(arithmetic)
        roof = roofs.of(share.kind) if share is not None else None
        if share is not None and roof is not None:
            clock = f" at {figures.megahertz(roof.clock_mhz)}" if roof.clock_mhz else ""
            words = f"{KIND_WORDS[share.kind]} {rate_words(share.kind, roof.median)}{clock}"
            shares = parts.setdefault(words, [])
            if share.divisor > 1:
                shares.append(f"{arithmetic}: 1/{share.divisor} of it")
    return "; ".join(words + (f" ({', '.join(shares)})" if shares else "") for words, shares in parts.items())
