"""For each multiple that a rule for sizes asks for the smallest size that it leaves out and that went wrong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gemmviz.adopt.description import SizeRule
from gemmviz.adopt.prove.sizes.shapes import products_of
from gemmviz.domain.shape import Shape


def with_examples(rules: Sequence[SizeRule], wrong: Collection[Shape]) -> tuple[SizeRule, ...]:
    """The rules, those of multiples with the smallest size that went wrong and that no other rule leaves out."""
    found = []
    for rule in rules:
        others = [one for one in rules if one is not rule]
        own = [one for one in wrong if not rule.allows(one) and all(other.allows(one) for other in others)]
        example = min(own, key=products_of, default=None)
        found.append(replace(rule, example=str(example)) if example is not None and rule.multiple > 1 else rule)
    return tuple(found)
