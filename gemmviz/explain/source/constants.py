"""Constants that a text gives a value itself: what a description later makes a parameter of the kernel."""

from __future__ import annotations

import re

from gemmviz.domain.spec import Params

_DEFINED = r"^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+\(?(\d+)\)?[ \t]*(?://.*|/\*.*)?$"
_DECLARED = r"\bconst(?:expr)?\s+(?:\w+\s+)+{name}\s*=\s*(\d+)\s*;"


def constant_in(text: str, name: str) -> int | None:
    """The value of `#define T 16` or `constexpr int T = 16;`; None where the text has none of them, or several."""
    patterns = (pattern.format(name=re.escape(name)) for pattern in (_DEFINED, _DECLARED))
    values = [value for pattern in patterns for value in re.findall(pattern, text, re.MULTILINE)]
    return int(values[0]) if len(values) == 1 else None


def params_beside(text: str, params: Params, others: Params) -> Params:
    """The parameters of a text, with those of the `others` that are constants of the text."""
    own = dict(params)
    found = {name: constant_in(text, name) for name, _ in others if name not in own}
    return tuple(sorted({**own, **{name: value for name, value in found.items() if value is not None}}.items()))
