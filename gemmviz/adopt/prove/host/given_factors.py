"""Which constants launches in host code give a kernel for alpha and beta."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.adopt.description import FIRST_ALPHA, FIRST_BETA, Description
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.domain.listing import listed

_FACTORS = ("alpha", "beta")


def given_factors(launches: Sequence[FoundLaunch], words: Sequence[str]) -> list[str]:
    """One sentence for all launches that give the same constants: "lines 9 and 14 give it alpha = 1 and beta = 0".
    `words` are what the kernel's parameters stand for.
    """
    lines: dict[str, list[str]] = {}
    for launch in launches:
        given = [
            f"{word} = {value}" for word, value in zip(words, launch.reals, strict=False) if word in _FACTORS and value
        ]
        if given:
            lines.setdefault(listed(given), []).append(str(launch.line))
    return [
        f"line{'s'[: len(of) > 1]} {listed(of)} {'give' if len(of) > 1 else 'gives'} it {given}"
        for given, of in lines.items()
    ]


def described_factors(description: Description) -> str:
    """That runs and recordings take other values for alpha and beta than host code gives: those of the description,
    with which both show in the result; "" for a kernel that takes neither.
    """
    taken = [
        f"{word} = {value:g}"
        for word, value, is_taken in (
            ("alpha", description.times * FIRST_ALPHA, description.has_alpha),
            ("beta", description.kept * FIRST_BETA, description.has_beta),
        )
        if is_taken
    ]
    if not taken:
        return ""
    shows, it = ("both show", "them") if len(taken) > 1 else ("it shows", "it")
    return (
        f"its description has {listed(taken)}, so that {shows} in the result: change {it} there or by options of "
        "run and trace"
    )
