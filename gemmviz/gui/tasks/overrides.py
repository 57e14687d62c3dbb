"""Keeps an exception within an event handler from ending the program on Python 3.11.

PySide6 names the override in which an exception was raised, and for that reads the arguments of the exception. Up to
Python 3.11 an exception that C code raised, such as that of `int("x")`, is no object before an `except` clause has seen
it. PySide6 (6.8 to 6.11 at least) takes what is there instead for the object, and the program ends by a segmentation
fault.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from types import FunctionType
from typing import Any
from weakref import WeakSet

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QGraphicsItem, QLayoutItem

_PACKAGE = "gemmviz."
_BASES: tuple[type, ...] = (QObject, QGraphicsItem, QLayoutItem)
_IS_GUARDED = "_is_guarded_override"
_guarded_kinds: WeakSet[type] = WeakSet()
"""Classes that were seen to before: each window asks again, for those that were imported since."""
NEEDS_GUARDS = sys.version_info < (3, 12)


def guard_overrides() -> int:
    """Let what gemmviz's classes override of Qt's pass on exceptions as objects; how many functions that changed.

    Classes that are imported later need another call.
    """
    if not NEEDS_GUARDS:
        return 0
    kinds = [kind for kind in _ours() if kind not in _guarded_kinds]
    found = [(kind, name, function) for kind in kinds for name, function in _overrides(kind)]
    _guarded_kinds.update(kinds)
    for kind, name, function in found:
        setattr(kind, name, _passing_on(function))
    return len(found)


def _ours() -> Iterator[type]:
    waiting, seen = list(_BASES), set[type]()
    while waiting:
        kind = waiting.pop()
        if kind not in seen:
            seen.add(kind)
            waiting += type.__subclasses__(kind)
            if kind.__module__.startswith(_PACKAGE):
                yield kind


def _overrides(kind: type) -> Iterator[tuple[str, FunctionType]]:
    """The functions of a class that Qt may call, because a class of Qt's below it has one of that name."""
    above = [base for base in kind.__mro__[1:] if not base.__module__.startswith(_PACKAGE) and base is not object]
    for name, function in list(vars(kind).items()):
        is_function = isinstance(function, FunctionType) and not hasattr(function, _IS_GUARDED)
        if is_function and not name.startswith("__") and any(name in vars(base) for base in above):
            yield name, function


def _passing_on(function: FunctionType) -> Callable[..., Any]:
    @wraps(function)
    def guarded(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except BaseException:  # from here on it is an object
            raise

    setattr(guarded, _IS_GUARDED, True)
    return guarded
