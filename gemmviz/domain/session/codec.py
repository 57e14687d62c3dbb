"""A frozen dataclass as a tree for JSON and columns beside it, and back.

A column becomes {"array": NAME}, an infinite or undefined float one of the strings "inf", "-inf", "nan". A large
session is packed: a column is then {"array": [TYPE, BEGIN, LENGTH]}, a part of one column for each type of number, and
a device that many runs name is {"shared": NUMBER}, a place in a list.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from cattrs import BaseValidationError, transform_error

from gemmviz.domain.session.arrays import Array
from gemmviz.domain.session.pack import PACKED, SHARED, Columns, Pack
from gemmviz.domain.session.types import SharedTree, make_converter, show

T = TypeVar("T")

_CONVERTER = make_converter()
_CONVERTER_OF_OLDER = make_converter(fills_gaps=True)


class CodecError(ValueError):
    """A tree that does not describe the wanted value; the message says where and why."""


def encode(value: object, *, packed: bool = False) -> tuple[Any, dict[str, Array]]:
    """A dataclass as a tree of dict, list, str, int, float, bool and None, and its columns by name.

    A column is named after the way to it: "runs.0.timing.kernel_samples_ms"; packed after its type: "packed.f8".

    Raises:
        CodecError: something in it is none of these.
    """
    if packed:
        pack = Pack()
        tree = _to_tree(_CONVERTER.unstructure(value), "", pack)
        return {SHARED: pack.shared, **tree}, pack.columns()
    columns = Columns()
    return _to_tree(_CONVERTER.unstructure(value), "", columns), columns.found


def decode(tree: Any, columns: Mapping[str, Array], kind: type[T], *, is_older: bool = False) -> T:
    """The value of type `kind` that `encode` turned into `tree` and `columns`; where an older version did, a field that
    is missing has its default.

    Raises:
        CodecError: a field is missing, unknown or of another type, a value is refused by its class, or a
            column is missing or used by nobody.
    """
    unused, shared = set(columns), []
    try:
        if isinstance(tree, dict) and isinstance(tree.get(SHARED), list):
            shared = [SharedTree(_from_tree(one, columns, unused, [])) for one in tree[SHARED] if isinstance(one, dict)]
            tree = {name: value for name, value in tree.items() if name != SHARED}
        filled = _from_tree(tree, columns, unused, shared)
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


def _to_tree(node: Any, path: str, columns: Columns | Pack) -> Any:
    match node:
        case dict():
            return {
                key: columns.share(_to_tree(value, f"{path}.{key}", columns))
                if key == "device" and isinstance(value, dict)
                else _to_tree(value, f"{path}.{key}", columns)
                for key, value in node.items()
            }
        case list() | tuple():
            return [_to_tree(value, f"{path}.{index}", columns) for index, value in enumerate(node)]
        case np.ndarray():
            return {"array": columns.add(path.removeprefix("."), node)}
        case np.generic():
            return _to_tree(node.item(), path, columns)
        case float() if not math.isfinite(node):
            return "nan" if math.isnan(node) else "inf" if node > 0 else "-inf"
        case str() | int() | float() | None:
            return node
    raise CodecError(f"{path.removeprefix('.')} is a {type(node).__name__}, which a session cannot hold")


def _from_tree(node: Any, columns: Mapping[str, Array], unused: set[str], shared: list[SharedTree]) -> Any:
    match node:
        case {"array": str(name), **rest} if not rest:
            return _column(name, columns, unused)
        case {"array": [str(kind), int(begin), int(length)], **rest} if not rest:
            whole = _column(f"{PACKED}{kind}", columns, unused)
            if not 0 <= begin <= begin + length <= whole.size:
                raise CodecError(f"elements {show(begin)} to {show(begin + length)} of {show(kind)} are not there")
            return whole[begin : begin + length]
        case {"shared": int(place), **rest} if not rest:
            if not 0 <= place < len(shared):
                raise CodecError(f"the shared part {show(place)} is not there")
            return shared[place]
        case dict():
            return {key: _from_tree(value, columns, unused, shared) for key, value in node.items()}
        case list():
            return [_from_tree(value, columns, unused, shared) for value in node]
    return node


def _column(name: str, columns: Mapping[str, Array], unused: set[str]) -> Array:
    if name not in columns:
        raise CodecError(f"the array {show(name)} is not there")
    unused.discard(name)
    return columns[name]


def _describe(error: BaseException, _: type | None) -> str:
    return str(error)
