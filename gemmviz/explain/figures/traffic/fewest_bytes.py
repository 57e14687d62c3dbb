"""Which recording moves the fewest bytes, in one sentence. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gemmviz.domain.recordings.multiply_adds import is_complete
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.figures.ranking import Ranked, least_words
from gemmviz.explain.figures.traffic.units import SHORT_WORDS, Per, value_words


def fewest_bytes_words(moved: Sequence[tuple[str, TraceRun, float]], per: Per) -> tuple[str, ...]:
    """Of recordings, each with its name and the bytes it moves: "fewest bytes moved: tiled, 0.625 B per multiply-add";
    () for fewer than two, where they differ in size, form of code or in being whole, and where one does not tell.
    """
    alike = {(run.spec.shape, run.form, is_complete(run)) for _, run, _ in moved}
    if len(moved) < 2 or len(alike) > 1 or any(math.isnan(nbytes) for _, _, nbytes in moved):
        return ()
    written = [value_words(nbytes, per) for _, _, nbytes in moved]
    words = least_words(
        [Ranked(name, nbytes) for name, _, nbytes in moved],
        lambda best, other: written[best] == written[other],
        lambda nbytes: f"{value_words(nbytes, per)} {SHORT_WORDS[per]}".rstrip(),
    )
    return (f"fewest bytes moved: {words}",)
