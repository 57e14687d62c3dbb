"""Reads what a header says of a launch: [launch], [tensor_maps], and the expressions in them."""

from __future__ import annotations

from collections.abc import Callable, Collection

from gemmviz.catalogue.complaints import LAUNCH_EXAMPLE, must_be, no_launch, unknown_key, value_words
from gemmviz.catalogue.expressions import ExpressionError, check_names
from gemmviz.catalogue.header import Header
from gemmviz.catalogue.launch.launch_rule import LaunchRule
from gemmviz.catalogue.launch.tensor_maps import SWIZZLES, TensorMapRule
from gemmviz.domain.kernels.call import MATRICES

WHOLE_NUMBERS = range(-(2**63), 2**63)
"""TOML's own range; tomllib reads beyond it."""


class LaunchReader:
    """Complains with the line of what is wrong; the expressions of a header may use the `names`."""

    def __init__(self, header: Header, names: Collection[str], file_name: str) -> None:
        self._header, self._names, self._file_name = header, {*names}, file_name

    def check(self, key: str, expression: str) -> None:
        """See that an expression that stands under a key names nothing else.

        Raises:
            HeaderError: it does, or it is none.
        """
        try:
            check_names(expression, self._names)
        except ExpressionError as error:
            raise self._header.fault(key, str(error), expression) from error

    def launch_rule(self, block_of_file: Callable[[], tuple[str, ...]]) -> LaunchRule:
        """What [launch] says. A block that it leaves out is that of the file, if its compiler knows one.

        Raises:
            HeaderError: something in it is wrong.
        """
        table = self._header.table("launch")
        if not table:
            is_empty = not self._header.values
            words = no_launch(self._header.what, self._file_name, is_empty=is_empty, is_beside=self._header.is_beside)
            raise self._header.fault("launch", words)
        known = {"block", "grid", "shared_bytes", "static_shared_bytes", "partial_sums", "cluster"}
        if unknown := set(table) - known:
            raise self._header.fault(f"launch.{min(unknown)}", unknown_key(min(unknown), known, "launch"))
        sizes = {
            key: self._size(key, table.get(key, default))
            for key, default in (("shared_bytes", 0), ("static_shared_bytes", 0), ("partial_sums", 1))
        }
        cluster = self._axes("launch.cluster") if "cluster" in table else ("1",)
        of_file = block_of_file() if "block" not in table else ()
        block = of_file or self._axes("launch.block")
        return LaunchRule(block, self._axes("launch.grid"), cluster=cluster, **sizes)

    def _size(self, key: str, value: object) -> str:
        expression = _as_expression(value)
        if expression is None:
            raise self._header.fault(f"launch.{key}", must_be(key, "an expression in quotes or a whole number", value))
        self.check(f"launch.{key}", expression)
        return expression

    def _axes(self, where: str) -> tuple[str, ...]:
        return self._expressions(where, self._header.table("launch").get(where.removeprefix("launch.")), (1, 3))

    def _expressions(self, where: str, value: object, count: tuple[int, int]) -> tuple[str, ...]:
        """A list of `count` expressions, from the least to the most."""
        key = where.rpartition(".")[2]
        given = [_as_expression(v) for v in value] if isinstance(value, list) else []
        found = tuple(expression for expression in given if expression is not None)
        if isinstance(value, list) and any(type(one) is int and one not in WHOLE_NUMBERS for one in value):
            raise self._header.fault(where, f"a number of '{key}' is too large: {WHOLE_NUMBERS[-1]} is the largest")
        if not count[0] <= len(given) <= count[1] or len(found) < len(given):
            how_many = "two" if count == (2, 2) else "one to three"
            kind = f"a list of {how_many} expressions in quotes or whole numbers"
            table, example = where.rpartition(".")[0], f"{key} = {LAUNCH_EXAMPLE.get(key, '[16, 16]')}"
            words = must_be(key, kind, value, f"for instance {example}")
            if value is None:
                words = f"'{key}' must be {kind}, and [{table}] has none; write for instance {example}"
            raise self._header.fault(where, words)
        for expression in found:
            self.check(where, expression)
        return found

    def tensor_maps(self) -> tuple[TensorMapRule, ...]:
        """What [tensor_maps] says.

        Raises:
            HeaderError: something in it is wrong.
        """
        return tuple(self._tensor_map(name, value) for name, value in self._header.table("tensor_maps").items())

    def _tensor_map(self, name: str, value: object) -> TensorMapRule:
        where = f"tensor_maps.{name}"
        if name not in MATRICES or not isinstance(value, dict):
            raise self._header.fault(where, f"a tensor map is a table of its matrix, [tensor_maps.A], not {name!r}")
        if unknown := set(value) - {"box", "swizzle"}:
            raise self._header.fault(f"{where}.{min(unknown)}", unknown_key(min(unknown), {"box", "swizzle"}, where))
        swizzle = value.get("swizzle", 0)
        if type(swizzle) is not int or swizzle not in SWIZZLES:
            few = ", ".join(map(str, SWIZZLES))
            words = f"'swizzle' is one of {few} bytes, not {value_words(swizzle)}"
            raise self._header.fault(f"{where}.swizzle", words)
        columns, rows = self._expressions(f"{where}.box", value.get("box"), (2, 2))
        return TensorMapRule(name, (columns, rows), swizzle)


def _as_expression(value: object) -> str | None:
    """A text as it stands, a whole number as its digits, None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool) and value in WHOLE_NUMBERS:
        return str(value)
    return value if isinstance(value, str) else None
