"""Numba's CUDA kernels: functions decorated with `numba.cuda.jit`, which take arrays as structures."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

from gemmviz.catalogue.languages.python_functions import (
    full_name,
    full_names,
    function_called,
    functions_of,
    syntax_tree,
)
from gemmviz.catalogue.languages.row import LanguageError, LanguageRow, PreparedCall, Values
from gemmviz.domain.kernels.call import Call, CallArgument, MatrixArgument, NullArgument, NumberArgument, size_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Language, Layout

_DECORATORS = ("numba.cuda.jit", "numba.cuda.decorators.jit")
_TYPES = {Element.FLOAT32: "float32", Element.HALF: "float16", Element.DOUBLE: "float64"}
_ORDER = {Layout.ROW: "C", Layout.COLUMN: "F"}


def kernels_of(text: str, path: Path | None = None) -> tuple[str, ...]:
    """The functions that `cuda.jit` decorates, but for those that only kernels call."""
    del path
    found = [(one.name, one.options_of(_DECORATORS)) for one in functions_of(text)]
    return tuple(name for name, options in found if options is not None and not _is_true(options.get("device")))


def prepare(text: str, entry: str, call: Call, shape: Shape, values: Values) -> PreparedCall:
    """The call as Numba launches it: an array is seven parameters, and two more for each further dimension.

    Raises:
        LanguageError: there are other parameters than arguments, or a type is none that Numba has.
    """
    del values
    function = function_called(text, entry)
    if len(function.parameters) != len(call.arguments):
        names = ", ".join(one.name for one in function.parameters)
        raise LanguageError(
            f"{entry} takes {len(function.parameters)} arguments ({names}), but 'args' gives it "
            f"{len(call.arguments)}: write one for each, in their order"
        )
    written = (function.options_of(_DECORATORS) or {}).get("")
    if written is not None:
        raise LanguageError(
            f"the decorator of {entry} is given a signature, {ast.unparse(written)}: leave it out, so that the kernel "
            "is compiled for the described arguments",
            written.lineno,
        )
    types, arguments = [], []
    for argument in call.arguments:
        kind, passed = _passed(argument, call, shape)
        types.append(kind)
        arguments += passed
    return PreparedCall(replace(call, arguments=tuple(arguments)), tuple(types))


def shared_arrays(text: str, entry: str) -> tuple[str, ...]:
    """What a kernel calls its arrays in shared memory, in their order."""
    tree = syntax_tree(text)
    names = full_names(tree)
    kernel = next((one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == entry), None)
    return tuple(
        node.targets[0].id
        for node in ast.walk(kernel or ast.Module([], []))
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
        and full_name(node.value.func, names) == "numba.cuda.shared.array"
    )


def _passed(argument: CallArgument, call: Call, shape: Shape) -> tuple[str, list[CallArgument]]:
    """The type of an argument in Numba's words, and what the kernel's parameters for it are given."""
    match argument:
        case MatrixArgument(name):
            storage, (rows, columns) = call.storage(name), size_of(name, shape)
            if storage.element not in _TYPES:
                raise LanguageError(f"{name} is stored in a type that Numba's arrays do not have: {storage.element}")
            nbytes = storage.element.nbytes
            strides = (columns, 1) if storage.layout is Layout.ROW else (1, rows)
            numbers = (rows * columns, nbytes)
            behind = (rows, columns, *(nbytes * stride for stride in strides))
            kind = f"array({_TYPES[storage.element]}, {_ORDER[storage.layout]})"
            return kind, [NullArgument(), NullArgument(), *map(_number, numbers), argument, *map(_number, behind)]
        case NumberArgument(value=int(), factor=None):
            return "int64", [argument]
        case NumberArgument():
            return "float64", [argument]
    raise LanguageError("a Numba kernel takes arrays and numbers, and neither null nor local memory")


def _number(value: int) -> NumberArgument:
    return NumberArgument(value, str(value))


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value)


NUMBA_CUDA = LanguageRow(Language.NUMBA_CUDA, "a Numba kernel", kernels_of, prepare=prepare)
