"""A frozen dataclass as a tree for JSON and columns beside it, and back.

A column becomes {"array": NAME}, an infinite or undefined float one of the strings "inf", "-inf", "nan".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from cattrs import BaseValidationError, transform_error

from gemmviz.domain.session_arrays import Array
from gemmviz.domain.session_types import make_converter, show

T = TypeVar("T")

_CONVERTER = make_converter()
_CONVERTER_OF_OLDER = make_converter(fills_gaps=True)


class CodecError(ValueError):
    """A tree that does not describe the wanted value; the message says where and why."""


def encode(value: object) -> tuple[Any, dict[str, Array]]:
    """A dataclass as a tree of dict, list, str, int, float, bool and None, and its columns by name.

    A column is named after the way to it: "runs.0.timing.kernel_samples_ms".

    Raises:
        CodecError: something in it is none of these.
    """
    columns: dict[str, Array] = {}
    return _to_tree(_CONVERTER.unstructure(value), "", columns), columns


def decode(tree: Any, columns: Mapping[str, Array], kind: type[T], *, is_older: bool = False) -> T:
    """The value of type `kind` that `encode` turned into `tree` and `columns`; where an older version did, a field that
    is missing has its default.

    Raises:
        CodecError: a field is missing, unknown or of another type, a value is refused by its class, or a
            column is missing or used by nobody.
    """
    unused = set(columns)
    try:
        filled = _from_tree(tree, columns, unused)
    except RecursionError as error:
        raise CodecError("the manifest is nested too deeply") from error
    try:
        value = (_CONVERTER_OF_OLDER if is_older else _CONVERTER).structure(filled, kind)
    except BaseValidationError as error:
        raise CodecError(transform_error(error, path="session", format_exception=_describe)[0]) from error
    except (TypeError, ValueError) as error:
        raise CodecError(f"{error} @ session") from error
    if unused:
        raise CodecError(f"nothing refers to the array {show(min(unused))}")
    return value


def _to_tree(node: Any, path: str, columns: dict[str, Array]) -> Any:
    match node:
        case dict():
            return {key: _to_tree(value, f"{path}.{key}", columns) for key, value in node.items()}
        case list() | tuple():
            return [_to_tree(value, f"{path}.{index}", columns) for index, value in enumerate(node)]
        case np.ndarray():
            name = path.removeprefix(".")
            columns[name] = node
            return {"array": name}
        case np.generic():
            return _to_tree(node.item(), path, columns)
        case float() if not math.isfinite(node):
            return "nan" if math.isnan(node) else "inf" if node > 0 else "-inf"
        case str() | int() | float() | None:
            return node
    raise CodecError(f"{path.removeprefix('.')} is a {type(node).__name__}, which a session cannot hold")


def _from_tree(node: Any, columns: Mapping[str, Array], unused: set[str]) -> Any:
    match node:
        case {"array": str(name), **rest} if not rest:
            if name not in columns:
                raise CodecError(f"the array {show(name)} is not there")
            unused.discard(name)
            return columns[name]
        case dict():
            return {key: _from_tree(value, columns, unused) for key, value in node.items()}
        case list():
            return [_from_tree(value, columns, unused) for value in node]
    return node


def _describe(error: BaseException, _: type | None) -> str:
    return str(error)
