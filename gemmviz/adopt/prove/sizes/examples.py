"""What goes wrong at the sizes that a rule leaves out, and whether the kernel seems to be meant for them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.prove.sizes.limits import IsRight
from gemmviz.adopt.prove.sizes.shapes import products_of
from gemmviz.domain.shape import Shape

_MOST_REMAINDERS = 16
"""Of a multiple whose remainders are tried one by one."""
_WIDEST_ACCESS = 16
"""Bytes that one thread can read at once: what K has to be a multiple of, up to that, no guard does away with."""


def with_examples(rules: Sequence[SizeRule], wrong: Mapping[Shape, str]) -> tuple[SizeRule, ...]:
    """The rules, those of multiples with the smallest size that went wrong and that no other rule leaves out, and with
    what went wrong there.
    """
    found = []
    for rule in rules:
        others = [one for one in rules if one is not rule]
        own = [one for one in wrong if not _is_multiple(rule, one) and all(other.allows(one) for other in others)]
        example = min(own, key=products_of, default=None)
        is_told = example is not None and rule.multiple > 1
        found.append(replace(rule, example=str(example), fault=wrong[example]) if is_told and example else rule)
    return tuple(found)


def with_remainders(
    rules: Sequence[SizeRule], base: Shape, known: Collection[Shape], is_right: IsRight
) -> tuple[SizeRule, ...]:
    """The rules, those of multiples with the remainders that go wrong where some others are right. They are looked for
    where the size behind that of the base is `known` to be right, and have to be the same behind the next multiple.
    """

    def told(rule: SizeRule) -> SizeRule:
        if not 1 < rule.multiple <= _MOST_REMAINDERS or rule.tile or _longer(base, rule.dimension, 1) not in known:
            return rule
        wrong = [
            tuple(
                one for one in range(1, rule.multiple) if is_right(_longer(base, rule.dimension, begin + one)) is False
            )
            for begin in (0, rule.multiple)
        ]
        return replace(rule, remainders=wrong[0]) if wrong[0] == wrong[1] else rule

    return tuple(told(rule) if rule.dimension in "MNK" else rule for rule in rules)


def _longer(base: Shape, dimension: str, more: int) -> Shape:
    sizes = {"M": base.m, "N": base.n, "K": base.k}
    sizes[dimension] += more
    return Shape(sizes["M"], sizes["N"], sizes["K"])


def _is_multiple(rule: SizeRule, shape: Shape) -> bool:
    """Whether a rule allows a size as far as multiples go."""
    return replace(rule, least=1, most=0, is_power=False).allows(shape)


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
