"""The verdicts on the choices of a sweep against its best, for reports and documents."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.runs.result import RunResult
from gemmviz.explain.figures.sweep import SweepChoice, choices_of, sweeps_of


def sweep_verdicts(runs: Sequence[RunResult]) -> dict[RunResult, SweepChoice]:
    """Each run of a sweep held against the best of its sweep; runs are told apart by identity."""
    return {choice.fact.run: choice for sweep in sweeps_of(runs) for choice in choices_of(runs, sweep)}
