"""Warms up with a few launches: until times are steady takes up to a second on a busy machine, for each kernel."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gemmviz.measure.stopping import WarmUpRule


def warm_up_little(patch: pytest.MonkeyPatch) -> None:
    """Let a warm-up end after its least number of launches, whether times are steady or not."""

    def is_over(rule: WarmUpRule, kernel_ms: Sequence[float], elapsed_s: float) -> bool:
        return len(kernel_ms) >= rule.min_runs or elapsed_s >= rule.limit_seconds

    patch.setattr(WarmUpRule, "is_over", is_over)
