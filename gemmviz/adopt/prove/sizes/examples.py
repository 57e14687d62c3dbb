"""What goes wrong at the sizes that a rule leaves out, and whether the kernel seems to be meant for them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.prove.sizes.shapes import products_of
from gemmviz.domain.shape import Shape

_WIDEST_ACCESS = 16
"""Bytes that one thread can read at once: what K has to be a multiple of, up to that, no guard does away with."""


def with_examples(rules: Sequence[SizeRule], wrong: Mapping[Shape, str]) -> tuple[SizeRule, ...]:
    """The rules, those of multiples with the smallest size that went wrong and that no other rule leaves out, and with
    what went wrong there.
    """
    found = []
    for rule in rules:
        others = [one for one in rules if one is not rule]
        own = [one for one in wrong if not rule.allows(one) and all(other.allows(one) for other in others)]
        example = min(own, key=products_of, default=None)
        is_told = example is not None and rule.multiple > 1
        found.append(replace(rule, example=str(example), fault=wrong[example]) if is_told and example else rule)
    return tuple(found)


def with_guards(
    rules: Sequence[SizeRule], description: Description, names: Sequence[str], guards: Mapping[str, int]
) -> tuple[SizeRule, ...]:
    """The rules, those with the line of a guard whose example is of a size that the kernel guards for nothing: at each
    size that the rule allows, whole blocks cover C, or whole tiles K. `names` are those of the parameters, `guards`
    those of them that it guards, with their lines.
    """
    lines = {text: guards[name] for name, text in zip(names, description.arguments, strict=False) if name in guards}

    def guarded(rule: SizeRule) -> SizeRule:
        same = {rule.dimension, *(name for pair in description.equal if rule.dimension in pair for name in pair)}
        line = next((lines[name] for name in sorted(same) if name in lines), 0)
        return replace(rule, guarded=line) if line and rule.example and _is_of_whole_tiles(rule, description) else rule

    return tuple(map(guarded, rules))


def _is_of_whole_tiles(rule: SizeRule, description: Description) -> bool:
    """Whether every size that a rule allows fills whole blocks along its dimension, or whole tiles."""
    if rule.dimension == "K":
        nbytes = max(description.storage(name).element.nbytes for name in ("A", "B"))
        return rule.multiple * nbytes > _WIDEST_ACCESS
    steps = re.findall(rf"\bceil_div\({rule.dimension}, (\d+)\)", " ".join(description.grid))
    return bool(steps) and all(rule.multiple % int(step) == 0 for step in steps)
