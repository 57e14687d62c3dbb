"""When a run's samples scatter so much that its median means little."""

from __future__ import annotations

from gemmviz.domain.runs.result import Summary

SHORT_MS = 0.02
"""Below this a launch's own cost shows in the time."""


def is_noisy(kernel_ms: Summary) -> bool:
    """Whether the interquartile range exceeds half the median; very short times are never called noisy."""
    return kernel_ms.iqr > kernel_ms.median / 2 and kernel_ms.median > SHORT_MS
