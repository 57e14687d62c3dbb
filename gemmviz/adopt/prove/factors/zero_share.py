"""A kernel that multiplies C by the constant 0 and adds that: right unless C holds a NaN or an infinity, which stay."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.check import Checked, check
from gemmviz.adopt.prove.launcher import ArrayLauncher
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element

_HUGE, _HUGE_OF_HALF = 2.0**100, 2.0**14
"""Elements of C at which a constant that is only small would show."""


def checked_with_share(
    kernel: ArrayLauncher, description: Description, shape: Shape, limit_s: float
) -> tuple[Description, Checked]:
    """What came of the check of a description, and the description: of a kernel that is wrong only because C held NaNs,
    the one that says 0·C, whatever finite elements C holds. Each run may take `limit_s` seconds.
    """
    found = check(kernel, description, shape, limit_s)
    if found.is_right or found.is_untold or found.overwrites or description.reads_c:
        return description, found
    with_share = replace(description, kept=0.0)
    huge = _HUGE_OF_HALF if description.storage("C").element is Element.HALF else _HUGE
    if all(check(kernel, with_share, shape, limit_s, c_times=one).is_right for one in (1.0, huge)):
        return with_share, Checked()
    return description, found


def share_words(description: Description) -> str:
    """What a description with 0·C needs: "" for any other one."""
    if description.kept:
        return ""
    return "C is read and multiplied by 0, so a NaN in it stays one: its description begins C as zeros"
