"""Whether a change of a figure is better or worse. No Qt."""

from __future__ import annotations

import math
from enum import StrEnum

from gemmviz.domain import figures


class Worth(StrEnum):
    """What a change is worth, as the word beside it."""

    BETTER = "better"
    WORSE = "worse"
    PRICE = "for the repair"
    """Worse, where the version before raced or was wrong and this one is right: a broken kernel sets no standard."""
    SAME = "same"
    OTHER = "changed"
    """Neither: more of it is no gain and no loss by itself."""
    OF_PTX = "PTX only"
    """Better or worse in the PTX, where a GPU runs SASS that has other accesses: it is not known of those."""
    UNKNOWN = "unknown"
    """It cannot be said, or not yet."""


NEGLIGIBLE = 0.01
"""A change by a smaller part of the larger figure is no gain and no loss, as a barrier that is executed once more."""


def worth_of(before: float, after: float, *, more_is_better: bool | None = False, is_exact: bool = False) -> Worth:
    """What it is worth that a figure went from `before` to `after`; None: neither more nor less is better.
    `is_exact`: any change counts, however small a part it is.
    """
    if before == after or (math.isnan(before) and math.isnan(after)):
        return Worth.SAME
    if more_is_better is None or math.isnan(before) or math.isnan(after):
        return Worth.OTHER
    if not is_exact and abs(after - before) < NEGLIGIBLE * max(abs(before), abs(after)):
        return Worth.OTHER
    return Worth.BETTER if (after > before) is more_is_better else Worth.WORSE


def in_ptx(worth: Worth) -> Worth:
    """What a change is worth that is counted in the PTX where SASS has other accesses."""
    return Worth.OF_PTX if worth in (Worth.BETTER, Worth.WORSE) else worth


def change_words(before: float, after: float) -> str:
    """How much a figure changed, with its sign, to three digits: "-50 %", "+12.5 %", "none left", "+3" from 0, "="
    where nothing changed; "" where that has no meaning.
    """
    if before == after:
        return "="
    if not (math.isfinite(before) and math.isfinite(after)):
        return ""
    if before == 0:
        return f"{after:+g}"
    if after == 0:
        return "none left"
    percent = 100 * (after - before) / abs(before)
    return f"{'+' if percent > 0 else '-'}{figures.plain(abs(percent))} %"


def points_words(before: float, after: float) -> str:
    """How much a share changed, in percentage points: "+25 points", "=" where nothing changed; "" where that has no
    meaning.
    """
    if before == after:
        return "="
    if not (math.isfinite(before) and math.isfinite(after)):
        return ""
    return f"{'+' if after > before else '-'}{figures.plain(100 * abs(after - before))} points"
