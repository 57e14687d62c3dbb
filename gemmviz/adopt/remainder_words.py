"""Sizes that go wrong by what they leave when they are divided, in words and as rules."""

from __future__ import annotations

from gemmviz.adopt.description import SizeRule
from gemmviz.domain.listing import either


def remainder_words(rule: SizeRule) -> str:
    """Where a kernel is wrong: "wrong where K leaves 2 or 3 when divided by 4"."""
    left = either([*map(str, rule.remainders)])
    return f"wrong where {rule.dimension} leaves {left} when divided by {rule.multiple}"


def remainder_rule(rule: SizeRule) -> str:
    """The rule that leaves these sizes out, as a header has it: "K % 4 != 2 and K % 4 != 3"."""
    return " and ".join(f"{rule.dimension} % {rule.multiple} != {one}" for one in rule.remainders)


def doubt_words(rule: SizeRule, multiple: str) -> str:
    """Which sizes that a kernel is meant for go wrong: "wrong at 65x64x64, though line 3 guards M as for sizes that are
    no multiples of 64", or "wrong where K leaves 2 when divided by 4, as at 64x64x66, though right with 1". `multiple`
    is that of the rule in words.
    """
    if rule.remainders:
        right = [str(one) for one in range(1, rule.multiple) if one not in rule.remainders]
        example = f", as at {rule.example}," if rule.example else ","
        return f"{remainder_words(rule)}{example} though right where it leaves {either(right)}"
    guards = f"line {rule.guarded} guards {rule.dimension}"
    return f"wrong at {rule.example}, though {guards} as for sizes that are no multiples of {multiple}"
