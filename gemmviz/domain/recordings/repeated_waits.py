"""Requests of loops that wait, which a recording leaves out because they only repeat the one before."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.session.field_ranges import Count, Line


@dataclass(frozen=True, slots=True)
class RepeatedWait:
    """Requests of the instruction `text` in a loop that waits: each read the same values at the same addresses as the
    one before it, so no other figure of the recording has it. `requests` is the sum over all recorded warps.
    """

    line: Line
    text: str
    requests: Count
