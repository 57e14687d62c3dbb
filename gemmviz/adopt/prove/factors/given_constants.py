"""Floating-point parameters that a description gives a constant: whether another value of them changes the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.adopt.description import FIRST_BETA, Description
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.launcher import ArrayLauncher
from gemmviz.domain.shape import Shape

CONSTANTS = ("1.0", "0.0")
"""What a description gives such a parameter where it is no factor."""
_OTHERS = ("1.5", "-2.0", "1.0", "0.0")
_BETAS = (FIRST_BETA, 0.0, 1.0)
"""A kernel that leaves a factor out may do so with some values of beta alone."""


def fault_of_given_constants(
    kernel: ArrayLauncher, description: Description, names: Sequence[str], shape: Shape, limit_s: float
) -> str:
    """Which parameter, of those that are given a constant, changes the result with another value, at a size at which
    the kernel is right; "" for none. `names` are those of the parameters. Each run may take `limit_s` seconds.
    """
    betas = _BETAS if description.has_beta else (FIRST_BETA,)
    for place, constant in enumerate(description.arguments):
        for value in _OTHERS if constant in CONSTANTS else ():
            given = tuple(value if at == place else text for at, text in enumerate(description.arguments))
            for beta in betas:
                found = check(kernel, replace(description, arguments=given), shape, limit_s, beta=beta)
                if found.is_right or found.is_untold:
                    continue
                name, beside = names[place], f" and beta = {beta:g}" if description.has_beta else ""
                return (
                    f"{name} does not act as such: with {name} = {float(constant):g} the result is "
                    f"{description.formula}, with {name} = {float(value):g}{beside} it is not: at {shape} {found.fault}"
                )
    return ""
