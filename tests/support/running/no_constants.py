"""Lets hypothesis draw no constants of the source: to look for them in every module of gemmviz and of the tests takes
each process of a run as long as many tests do.
"""

from __future__ import annotations

import pytest
from hypothesis.internal.conjecture import providers


def draw_no_constants(patch: pytest.MonkeyPatch) -> None:
    """Let it know the constants that it brings alone. Older versions look for no others."""
    patch.setattr(providers, "_get_local_constants", lambda: providers._local_constants, raising=False)
