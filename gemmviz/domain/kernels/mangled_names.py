"""Names of C++ functions in the symbols that compilers give them (Itanium C++ ABI, section 5.1, "External Names")."""

from __future__ import annotations

import re


def plain_name(symbol: str) -> str:
    """The name in front of a C++ symbol's types: "_Z5otherPf" is other, and so is "_ZN4mine5otherEPf"."""
    match = re.match(r"_Z(?P<nested>N)?[VK]*L?(?P<rest>\d+\w+)", symbol)
    if match is None:
        return symbol
    rest, name = match["rest"], symbol
    while (digits := re.match(r"\d+", rest)) is not None:
        start, length = digits.end(), int(digits[0])
        name, rest = rest[start : start + length], rest[start + length :]
        if match["nested"] is None:
            break
    return name
