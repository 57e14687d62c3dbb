"""Tables as TOML that `tomllib` reads back: what describes a kernel file, written by the program."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(values: Mapping[str, Any]) -> str:
    """TOML of texts, numbers, booleans, lists of these or of tables, and tables; what has no value first, then tables.

    Raises:
        ValueError: there is something else in it, or a number that is not finite.
    """
    return "\n".join([*_lines(values, ()), ""])


def _lines(values: Mapping[str, Any], table: tuple[str, ...]) -> list[str]:
    found = [f"{_key(key)} = {_value(value)}" for key, value in values.items() if not isinstance(value, Mapping)]
    for key, value in values.items():
        if isinstance(value, Mapping):
            inner = _lines(value, (*table, key))
            if any(not isinstance(one, Mapping) for one in value.values()) or not value:
                inner = [f"[{'.'.join(map(_key, (*table, key)))}]", *inner]
            found += inner
    return found


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return _text(value)
        case int() | float() if value - value == 0:
            return repr(value)
        case list() | tuple() if len(value) > 1 and all(isinstance(one, Mapping) for one in value):
            return "\n".join(("[", *(f"  {_value(one)}," for one in value), "]"))
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case Mapping():
            return f"{{ {', '.join(f'{_key(key)} = {_value(one)}' for key, one in value.items())} }}"
    raise ValueError(f"{value!r} cannot be written as TOML")


def _text(value: str) -> str:
    """A text in quotes: JSON escapes what TOML does, but for the character 127 and for characters beyond 65535."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
