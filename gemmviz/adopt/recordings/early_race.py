"""A race that keeps a kernel from being proven, looked for before the time of the search has passed."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.recordings.guessed_races import race_of_guesses
from gemmviz.adopt.recordings.races import faults_in, race_as_launched

_TRIED_BEFORE, _SHARE_BEFORE = 3, 0.3
"""Guesses that proved nothing before the first of them is recorded, or the share of the time that has passed."""


def look_for_early_race(
    searched: SearchedKernel, called: Description | None, guesses: Sequence[Description], log: SearchLog
) -> None:
    """Once all tries with the launch in host code, or the first guesses, have proven nothing, tell the log the gravest
    race in the first block of that launch, or of the first guess. What is recorded for it is not recorded again.
    """
    is_early = log.guess <= _TRIED_BEFORE and log.left_s > (1 - _SHARE_BEFORE) * log.budget_s
    if log.race is not None or log.tried.is_likely or log.guess < 2 or (called is None and is_early):
        return
    if called is not None:
        race = race_as_launched(faults_in(searched.path, searched.text, called, log))
    else:
        race = race_of_guesses(searched, guesses[:1], log).reason
    log.race = () if race is None else (race,)
