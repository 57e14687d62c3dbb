"""Frozen dataclasses as a tree for JSON and columns beside it, and back with every type checked.

A column becomes {"array": NAME}, an infinite or undefined float one of the strings "inf", "-inf", "nan".
Nothing is converted on the way back: where the dataclass says int, the tree must hold a whole number.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import EnumType
from functools import partial
from typing import Any, TypeVar, get_args, get_origin

import numpy as np
from cattrs import (
    BaseValidationError,
    Converter,
    IterableValidationError,
    IterableValidationNote,
    transform_error,
)

from gemmviz.domain.session_arrays import Array

T = TypeVar("T")

_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


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


def decode(tree: Any, columns: Mapping[str, Array], kind: type[T]) -> T:
    """The value of type `kind` that `encode` turned into `tree` and `columns`.

    Raises:
        CodecError: a field is missing, unknown or of another type, a value is refused by its class, or a
            column is missing or used by nobody.
    """
    unused = set(columns)
    try:
        value = _CONVERTER.structure(_from_tree(tree, columns, unused), kind)
    except BaseValidationError as error:
        raise CodecError(transform_error(error, path="session", format_exception=_describe)[0]) from error
    except RecursionError as error:
        raise CodecError("the manifest is nested too deeply") from error
    if unused:
        raise CodecError(f"nothing refers to the array {_show(min(unused))}")
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
                raise CodecError(f"the array {_show(name)} is not there")
            unused.discard(name)
            return columns[name]
        case dict():
            return {key: _from_tree(value, columns, unused) for key, value in node.items()}
        case list():
            return [_from_tree(value, columns, unused) for value in node]
    return node


def _exactly(kind: type) -> Callable[[Any, Any], Any]:
    def structure(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{_show(value)} where {kind.__name__} belongs")
        return value

    return structure


def _float(value: Any, _: Any) -> float:
    if isinstance(value, str) and value in _NOT_FINITE:
        return _NOT_FINITE[value]
    if type(value) is not float and type(value) is not int:
        raise TypeError(f"{_show(value)} where a number belongs")
    try:
        return float(value)
    except OverflowError:
        raise ValueError("a whole number beyond the range of a float") from None


def _enum(value: Any, kind: Any) -> Any:
    try:
        return kind(value)
    except (ValueError, TypeError):
        raise ValueError(f"{_show(value)} is no {kind.__name__}") from None


def _column(value: Any, kind: Any) -> Array:
    wanted = np.dtype(get_args(get_args(kind)[1])[0])
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{_show(value)} where a column of {wanted} belongs")
    if value.dtype != wanted:
        raise TypeError(f"a column of {value.dtype} where {wanted} belongs")
    return value


def _dataclass(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    structure = converter.gen_structure_attrs_fromdict(kind)
    names = {field.name for field in fields(kind)}

    def checked(value: Any, wanted: Any) -> Any:
        if type(value) is not dict:
            raise TypeError(f"{_show(value)} where {kind.__name__} belongs")
        # A field with a default must not be left out either: the program never leaves one out.
        for fault, odd in (("is missing", names - set(value)), ("is unknown", set(value) - names)):
            if odd:
                raise ValueError(f"the field {_show(min(odd))} {fault}")
        return structure(value, wanted)

    return checked


def _tuple(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    parts = get_args(kind)
    open_ended = len(parts) == 2 and parts[1] is Ellipsis

    def structure(value: Any, _: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise TypeError(f"{_show(value)} where a list belongs")
        if not open_ended and len(value) != len(parts):
            raise ValueError(f"a list of {len(value)} where {len(parts)} belong")
        items = []
        for index, item in enumerate(value):
            part = parts[0] if open_ended else parts[index]
            try:
                items.append(converter.structure(item, part))
            except (TypeError, ValueError, BaseValidationError) as error:
                error.add_note(IterableValidationNote(f"index {index}", index, part))
                raise IterableValidationError("in a list", [error], kind) from None
        return tuple(items)

    return structure


def _show(value: Any) -> str:
    return reprlib.repr(value)


def _describe(error: BaseException, _: type | None) -> str:
    return str(error)


def _is(origin: object) -> Callable[[Any], bool]:
    return lambda wanted: wanted is origin or get_origin(wanted) is origin


def _make_converter() -> Converter:
    converter = Converter(forbid_extra_keys=True)
    # By predicate throughout: a hook registered for str would take every StrEnum too.
    for kind in (str, int, bool):
        converter.register_structure_hook_func(_is(kind), _exactly(kind))
    converter.register_structure_hook_func(_is(float), _float)
    converter.register_structure_hook_func(_is(np.ndarray), _column)
    converter.register_structure_hook_func(lambda kind: isinstance(kind, EnumType), _enum)
    for is_kind, factory in ((is_dataclass, _dataclass), (_is(tuple), _tuple)):
        converter.register_structure_hook_factory(is_kind, partial(factory, converter))
    converter.register_unstructure_hook_func(_is(np.ndarray), lambda column: column)
    return converter


_CONVERTER = _make_converter()
