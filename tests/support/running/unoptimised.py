"""Leaves the code of the PTX machine as it is: LLVM takes longer to optimise it than a test to run it once."""

from __future__ import annotations

import pytest
from hypothesis import settings

from gemmviz.machine import program


def is_plain_run() -> bool:
    """Whether this is no run of `.ci/thorough`, which optimises as the program does."""
    return settings.get_current_profile_name() == "plain"


def optimise_nothing(patch: pytest.MonkeyPatch) -> None:
    """Let LLVM optimise no code, however short."""
    patch.setattr(program, "_MOST_OPTIMISED", 0)
