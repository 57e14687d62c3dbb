"""How strictly the types of a session are taken when its tree becomes dataclasses again.

Nothing is converted: where a dataclass says int, the tree must hold a whole number.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum, EnumType
from functools import partial
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
from cattrs import BaseValidationError, Converter, IterableValidationError, IterableValidationNote, override
from cattrs.gen import make_dict_structure_fn

from gemmviz.domain.session.arrays import Array
from gemmviz.domain.session.field_ranges import LONGEST_TEXT, Limit

NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
"""JSON has no word for these floats, so a tree holds a string."""


class SharedTree(dict[str, Any]):
    """A part of a tree that stands in it more than once; what was `made` of it is made once."""

    made: Any = None


def make_converter(fills_gaps: bool = False) -> Converter:
    """A converter that takes no value of another type, no missing field and no unknown one. With `fills_gaps` a field
    that has a default may be missing.

    It structures dataclasses, tuples, enums, str, int, bool, float (NOT_FINITE included) and columns, which
    it leaves as they are. Its errors are TypeError and ValueError within cattrs' groups.
    """
    converter = Converter(forbid_extra_keys=True)
    # By class: cattrs looks there before it asks predicates, and has lenient hooks of its own for these.
    for kind in (str, int, bool):
        converter.register_structure_hook(kind, _word)
    converter.register_structure_hook(float, _float)
    converter.register_structure_hook(Enum, _enum)
    converter.register_structure_hook_func(_is(np.ndarray), _column)
    of_a_dataclass = partial(_dataclass, fills_gaps)
    for is_kind, factory in ((is_dataclass, of_a_dataclass), (_is(tuple), _tuple), (_is_annotated, _within_limits)):
        converter.register_structure_hook_factory(is_kind, partial(factory, converter))
    converter.register_unstructure_hook_func(_is(np.ndarray), lambda column: column)
    return converter


def _word(value: Any, kind: Any) -> Any:
    if isinstance(kind, EnumType):  # a StrEnum comes here as a subclass of str
        return _enum(value, kind)
    if type(value) is not kind:
        raise TypeError(f"{show(value)} where {kind.__name__} belongs")
    if kind is str:
        _refuse(LONGEST_TEXT, value)
    return value


def _within_limits(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    """A value with a limit of its own (`field_ranges`)."""
    base, *marks = get_args(kind)
    limits = [mark for mark in marks if isinstance(mark, Limit)]

    # Asking the converter for each value would take longer than all else.
    hooks = {float: _float, int: _word, str: _text}
    take = hooks[base] if base in hooks else converter.get_structure_hook(base)

    def structure(value: Any, _: Any) -> Any:
        made = take(value, base)
        for limit in limits:
            _refuse(limit, made)
        return made

    return structure


def _text(value: Any, _: Any) -> str:
    if type(value) is not str:
        raise TypeError(f"{show(value)} where str belongs")
    return value


def _refuse(limit: Limit, value: Any) -> None:
    if fault := limit.fault(value):
        raise ValueError(fault)


def _is_annotated(wanted: Any) -> bool:
    return get_origin(wanted) is Annotated


def _float(value: Any, _: Any) -> float:
    if isinstance(value, str) and value in NOT_FINITE:
        return NOT_FINITE[value]
    if type(value) is not float and type(value) is not int:
        raise TypeError(f"{show(value)} where a number belongs")
    try:
        return float(value)
    except OverflowError:
        raise ValueError("a whole number beyond the range of a float") from None


def _enum(value: Any, kind: Any) -> Any:
    try:
        return kind(value)
    except (ValueError, TypeError):
        raise ValueError(f"{show(value)} is not a {kind.__name__}") from None


def _column(value: Any, kind: Any) -> Array:
    wanted = np.dtype(get_args(get_args(kind)[1])[0])
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{show(value)} where a column of {wanted} belongs")
    if value.dtype != wanted:
        raise TypeError(f"a column of {value.dtype} where {wanted} belongs")
    return value


def _dataclass(fills_gaps: bool, converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    structure = make_dict_structure_fn(kind, converter, **_with_limits(converter, kind))
    names = {field.name for field in fields(kind)}
    may_lack = {field.name for field in fields(kind) if fills_gaps and _has_default(field)}

    def checked(value: Any, wanted: Any) -> Any:
        if isinstance(value, SharedTree):
            if type(value.made) is not kind:
                value.made = checked(dict(value), wanted)
            return value.made
        if type(value) is not dict:
            raise TypeError(f"{show(value)} where {kind.__name__} belongs")
        # A field with a default must not be left out either: the program never leaves one out.
        for fault, odd in (("is missing", names - may_lack - set(value)), ("is unknown", set(value) - names)):
            if odd:
                raise ValueError(f"the field {show(min(odd))} {fault}")
        return structure(value, wanted)

    return checked


def _with_limits(converter: Converter, kind: Any) -> dict[str, Any]:
    """How the fields with limits are taken: cattrs takes their types without what stands beside them."""
    bare, full = get_type_hints(kind), get_type_hints(kind, include_extras=True)
    limited = {name: hint for name, hint in full.items() if hint != bare[name]}
    return {name: override(struct_hook=converter.get_structure_hook(hint)) for name, hint in limited.items()}


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _tuple(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    parts = get_args(kind)
    open_ended = len(parts) == 2 and parts[1] is Ellipsis
    hooks = [converter.get_structure_hook(part) for part in parts if part is not Ellipsis]

    def structure(value: Any, _: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise TypeError(f"{show(value)} where a list belongs")
        if not open_ended and len(value) != len(parts):
            raise ValueError(f"a list of {len(value)} where {len(parts)} belong")
        items = []
        for index, item in enumerate(value):
            part, hook = (parts[0], hooks[0]) if open_ended else (parts[index], hooks[index])
            try:
                items.append(hook(item, part))
            except (TypeError, ValueError, BaseValidationError) as error:
                error.add_note(IterableValidationNote(f"index {index}", index, part))
                raise IterableValidationError("in a list", [error], kind) from None
        return tuple(items)

    return structure


def show(value: object) -> str:
    """`value` for a message: cut short, and with nothing in it that could break a line."""
    return reprlib.repr(value)


def _is(origin: object) -> Callable[[Any], bool]:
    return lambda wanted: wanted is origin or get_origin(wanted) is origin
