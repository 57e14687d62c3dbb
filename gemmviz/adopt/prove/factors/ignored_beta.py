"""A parameter called beta that does not multiply C: it only decides whether C is added, or has no effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.adopt.description import FIRST_ALPHA, FIRST_BETA, Description
from gemmviz.adopt.propose.roles import factor_of
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.faults import no_factor_words
from gemmviz.adopt.prove.launcher import ArrayLauncher
from gemmviz.adopt.source.kernels import SignatureParameter
from gemmviz.domain.shape import Shape


def ignored_beta(
    kernel: ArrayLauncher,
    description: Description,
    parameters: Sequence[SignatureParameter],
    shape: Shape,
    limit_s: float,
) -> str:
    """That the kernel is right with C added whole where its parameter beta is neither 0 nor 1; "" where it is not, or
    where beta multiplies C. `description` gives a number that does nothing 0.
    """
    if not description.kept or not _is_right_with_beta(kernel, description, parameters, shape, limit_s):
        return ""
    with_alpha = f"alpha = {FIRST_ALPHA:g} and " if description.has_alpha else ""
    return (
        f"{no_factor_words('beta')}: with {with_alpha}beta = {FIRST_BETA:g} it is right with beta = "
        f"{description.kept:g} in place of {FIRST_BETA:g}, so beta may be ignored"
    )


def unused_beta(
    kernel: ArrayLauncher,
    description: Description,
    parameters: Sequence[SignatureParameter],
    shape: Shape,
    limit_s: float,
) -> str:
    """That the kernel, which is proven right without a factor of C, has a parameter beta that changes nothing; "" where
    that is not so or where it has none.
    """
    if not _is_right_with_beta(kernel, description, parameters, shape, limit_s):
        return ""
    is_added = "added whatever beta is" if description.reads_c else "not added"
    return f"beta has no effect: with beta = {FIRST_BETA:g} the result is the same, and C is {is_added}"


def _is_right_with_beta(
    kernel: ArrayLauncher,
    description: Description,
    parameters: Sequence[SignatureParameter],
    shape: Shape,
    limit_s: float,
) -> bool:
    """Whether what is described is right also where its parameter beta, which is described as none, has a value."""
    names = [factor_of(one) if not one.is_pointer else "" for one in parameters]
    if description.has_beta or "beta" not in names:
        return False
    given = [
        str(FIRST_BETA) if name == "beta" else text for name, text in zip(names, description.arguments, strict=True)
    ]
    return check(kernel, replace(description, arguments=tuple(given)), shape, limit_s).is_right
