"""Lets `adopt` record a described kernel at a smaller size: those recordings take a third of the time for a look."""

from __future__ import annotations

import pytest

from gemmviz.adopt.parameters import parameter_search
from gemmviz.adopt.recordings import races


def shorten_recordings(patch: pytest.MonkeyPatch) -> None:
    """Let whole grids be recorded at the size that the program takes for what it records often."""
    patch.setattr(races, "_SMALL", races.OF_FEW_BLOCKS)


def try_no_further_values(patch: pytest.MonkeyPatch) -> None:
    """Let no further values of a file's constants be tried, which takes as long as all else."""
    patch.setattr(parameter_search, "_MOST_SETTINGS", 0)
