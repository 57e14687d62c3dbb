"""Reads how a kernel is called from its description, and complains at the line of what is wrong."""

from __future__ import annotations

from typing import Any

from gemmviz.catalogue.complaints import must_be, not_one_of, unknown_key, unknown_word, value_words
from gemmviz.catalogue.expressions import ExpressionError
from gemmviz.catalogue.header import Header
from gemmviz.catalogue.launch.call_rule import (
    MOST_ARGUMENTS,
    RESERVED,
    CallRule,
    check_argument,
    check_template_argument,
)
from gemmviz.domain.kernels.call import OPERANDS, TYPE_WORDS, USUAL_ARGUMENTS, Factor, Storage
from gemmviz.domain.terms import Element, InitialC, Layout

CALL_KEYS = frozenset({"args", "template", "alpha", "beta", "operands", "c_begins"})
_LARGEST_FACTOR = 1e6
_ELEMENTS = {**{word: element for element, word in TYPE_WORDS.items()}, **{one.value: one for one in Element}}


def read_call(header: Header, names: set[str], parameters: set[str]) -> CallRule:
    """How the kernel of a description is called; `names` are what expressions may use, `parameters` among them.

    Raises:
        HeaderError: something in it is wrong.
    """
    return _CallReader(header, names, parameters).rule()


class _CallReader:
    def __init__(self, header: Header, names: set[str], parameters: set[str]) -> None:
        self._header, self._values = header, header.values
        self._names, self._parameters = names, parameters

    def rule(self) -> CallRule:
        arguments = self._arguments()
        storages, begins = self._operands(arguments)
        rule = CallRule(
            arguments=arguments,
            template=self._texts("template", check_template_argument),
            storages=storages,
            alpha=self._factor(Factor.ALPHA),
            beta=self._factor(Factor.BETA),
            c_begins=begins,
        )
        if rule.reads_c and rule.start is InitialC.UNDEFINED and begins is not None:
            raise self._header.fault("operands.C.start", 'C is read, so it begins as "zero" or "random"')
        if rule.beta and "C" not in arguments:
            raise self._header.fault("beta", "beta scales C, but 'args' gives C to no parameter")
        return rule

    def _arguments(self) -> tuple[str, ...]:
        if "args" not in self._values:
            return USUAL_ARGUMENTS
        if clash := sorted(self._parameters & RESERVED):
            raise self._header.fault(
                f"params.{clash[0]}", f"a parameter cannot be called {clash[0]}: in 'args' that means something else"
            )
        found = self._texts("args", check_argument)
        for name in ("A", "B"):
            if name not in found:
                raise self._header.fault("args", f"'args' gives {name} to no parameter: add \"{name}\" in its place")
        if not {"C", "D"} & set(found):
            raise self._header.fault("args", "'args' gives the result, C or D, to no parameter")
        return found

    def _texts(self, key: str, check: Any) -> tuple[str, ...]:
        value = self._values.get(key, [])
        words = [_as_text(one) for one in value] if isinstance(value, list) else [None]
        texts = tuple(word for word in words if word is not None)
        if len(texts) < len(words):
            raise self._header.fault(key, must_be(key, "a list of texts or numbers", value))
        if len(texts) > MOST_ARGUMENTS:
            raise self._header.fault(key, f"{key!r} has {len(texts)} parts: at most {MOST_ARGUMENTS} are read")
        for text in texts:
            try:
                check(text, self._names)
            except ExpressionError as error:
                raise self._header.fault(key, str(error), text) from error
        return texts

    def _factor(self, factor: Factor) -> float | None:
        value = self._values.get(factor)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not abs(value) <= _LARGEST_FACTOR:  # neither a NaN nor a number of 1000 digits is
            raise self._header.fault(factor, must_be(factor, f"a number up to {_LARGEST_FACTOR:g}", value))
        return float(value)

    def _operands(
        self, arguments: tuple[str, ...]
    ) -> tuple[tuple[Storage, Storage, Storage, Storage], InitialC | None]:
        """The storages of A, B, C and D, and what C begins as if that is said."""
        value = self._values.get("operands", {})
        begins = self._begins()
        if isinstance(value, str):
            element = self._element("operands", value)
            if element not in (Element.FLOAT32, Element.BFLOAT16):
                raise self._header.fault("operands", f'write [operands.A] and [operands.B] with type = "{value}"')
            return (Storage(element), Storage(element), Storage(), Storage()), begins
        if not isinstance(value, dict):
            words = f"'operands' is a table of matrices, not {value_words(value)}: write [operands.A]"
            raise self._header.fault("operands", words)
        for name, table in value.items():
            where = f"operands.{name}"
            if name not in OPERANDS or not isinstance(table, dict):
                words = f"a matrix is a table, [operands.A] to [operands.D], not {name!r}"
                is_word = name in OPERANDS and isinstance(table, str)
                instead = f": write [{where}] and, below it, type = {value_words(table)}" if is_word else ""
                raise self._header.fault(where, f"{words}{instead}")
            known = {"layout", "type", "start"} if name == "C" else {"layout", "type"}
            if unknown := set(table) - known:
                raise self._header.fault(f"{where}.{min(unknown)}", unknown_key(min(unknown), known, where))
            if name == "D" and "D" not in arguments:
                raise self._header.fault(
                    where, "'args' gives D to no parameter: add \"D\" there, or leave this table out"
                )
        start = value.get("C", {}).get("start")
        if start is not None:
            if begins is not None:
                raise self._header.fault("c_begins", "'c_begins' and 'start' in [operands.C] say the same; keep one")
            begins = self._word(InitialC, "operands.C.start", start)
        c = self._storage("C", value.get("C", {}), Storage())
        return (
            self._storage("A", value.get("A", {}), Storage()),
            self._storage("B", value.get("B", {}), Storage()),
            c,
            self._storage("D", value.get("D", {}), c),
        ), begins

    def _storage(self, name: str, table: dict[str, Any], usual: Storage) -> Storage:
        where = f"operands.{name}"
        element = self._element(f"{where}.type", table["type"]) if "type" in table else usual.element
        layout = self._word(Layout, f"{where}.layout", table["layout"]) if "layout" in table else usual.layout
        return Storage(element, layout)

    def _begins(self) -> InitialC | None:
        return self._word(InitialC, "c_begins", self._values["c_begins"]) if "c_begins" in self._values else None

    def _element(self, key: str, word: object) -> Element:
        if not isinstance(word, str) or word not in _ELEMENTS:
            raise self._header.fault(key, unknown_word("type", word, TYPE_WORDS.values()))
        return _ELEMENTS[word]

    def _word(self, kind: type[Any], key: str, word: object) -> Any:
        known = [one.value for one in kind]
        if word not in known:
            raise self._header.fault(key, not_one_of(key, word, known))
        return kind(word)


def _as_text(value: object) -> str | None:
    """An argument as text: a number as it is written."""
    if isinstance(value, str):
        return value.strip()
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**63
    return str(value) if is_number else None
