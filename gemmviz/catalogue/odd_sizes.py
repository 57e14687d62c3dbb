"""Sizes at which a kernel has edges to guard, as far as its description takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gemmviz.catalogue.expressions import ExpressionError, evaluate
from gemmviz.catalogue.header import Header, HeaderError, read_description, read_header
from gemmviz.catalogue.kernel import rule_names
from gemmviz.catalogue.rule_words import needs_of_sizes
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape

_Rules = Sequence[Mapping[str, Any]]
_WRONG_AT = "wrong at "
"""Begins the reason of a rule that sizes which went wrong gave."""


def odd_size_of(run: TraceRun) -> Shape | None:
    """The size of a recording with M, N and K made odd, each where the description of the kernel takes that; None where
    it takes no such size.
    """
    shape, rules = run.spec.shape, _constraints(run)
    odd = {"m": shape.m | 1, "n": shape.n | 1, "k": shape.k | 1}
    taken = {name: size for name, size in odd.items() if not _broken(rules, run, replace(shape, **{name: size}))}
    found = (replace(shape, **odd), replace(shape, **taken))
    return next((each for each in found if each != shape and not _broken(rules, run, each)), None)


def why_no_odd_size(run: TraceRun) -> str:
    """Why the description of a recording's kernel takes no odd size: "M, N and K to be multiples of TILE (there are no
    bounds checks)"; "" where it takes one.
    """
    if odd_size_of(run) is not None:
        return ""
    shape = run.spec.shape
    odd = Shape(shape.m | 1, shape.n | 1, shape.k | 1)
    broken = _broken(_constraints(run), run, odd)
    reasons = [*dict.fromkeys(str(rule["because"]) for rule in broken if rule.get("because"))]
    if len(reasons) > 1 and all(one.startswith(_WRONG_AT) for one in reasons):
        reasons = [f"{_WRONG_AT}{listed([one.removeprefix(_WRONG_AT) for one in reasons])}"]
    why = f" ({'; '.join(reasons)})" if reasons else ""
    return needs_of_sizes([str(rule["rule"]) for rule in broken], rule_names(odd, run.spec.params, run.device)) + why


def _constraints(run: TraceRun) -> _Rules:
    """The constraints of the recorded kernel; none where nobody kept its description."""
    try:
        found = _header(run).values.get("constraints", [])
    except (HeaderError, KeyError):
        return []
    return [rule for rule in found if isinstance(rule, Mapping) and "rule" in rule]


def _header(run: TraceRun) -> Header:
    path = Path(run.source_name)
    if run.spec.description:
        return read_description(path, run.spec.description, is_file=False)
    return read_header(path, run.source_text)


def _broken(rules: _Rules, run: TraceRun, shape: Shape) -> _Rules:
    """The rules that forbid a size; one that cannot be evaluated forbids none."""
    names = rule_names(shape, run.spec.params, run.device)
    return [rule for rule in rules if not _holds(str(rule["rule"]), names)]


def _holds(rule: str, names: Mapping[str, int]) -> bool:
    try:
        return bool(evaluate(rule, names))
    except ExpressionError:
        return True
