"""From a description's tables to a kernel; what is wrong in them is named with its line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from gemmviz.catalogue.call_reader import CALL_KEYS, read_call
from gemmviz.catalogue.complaints import (
    describes_nothing,
    home_of,
    must_be,
    nearest,
    not_one_of,
    not_required,
    unknown_key,
    unknown_word,
    value_words,
)
from gemmviz.catalogue.expressions import DIMENSIONS, LIMITS, is_condition
from gemmviz.catalogue.header import Header, HeaderError
from gemmviz.catalogue.kernel import CONSTRAINT_KEYS, PLACED_KEYS, Constraint, Kernel, Parameter, rule_key
from gemmviz.catalogue.kernel_functions import kernel_functions, why_no_kernel
from gemmviz.catalogue.languages.file_constants import FileConstant, replaced_constants
from gemmviz.catalogue.languages.row import Code, LanguageError, LanguageRow, Listing
from gemmviz.catalogue.languages.table import WHAT_PYTHON_MAY_HOLD, row_of_file
from gemmviz.catalogue.launch.call_rule import CallRule
from gemmviz.catalogue.launch.launch_reader import WHOLE_NUMBERS, LaunchReader
from gemmviz.catalogue.launch.launch_rule import LaunchRule
from gemmviz.catalogue.overloads import OverloadError, name_of, only_overload
from gemmviz.catalogue.tensor_core_code import has_tensor_core_code
from gemmviz.catalogue.values.proven_settings import KEY as PROVEN_SETTINGS
from gemmviz.catalogue.values.proven_settings import read_proven_settings
from gemmviz.catalogue.values.values_left_out import KEY, read_left_out
from gemmviz.domain.device import CUDA, OPENCL
from gemmviz.domain.kernels.capability import capability_of
from gemmviz.domain.terms import Arithmetic, Language

_LANGUAGES = {".cu": Language.CUDA, ".cuh": Language.CUDA, ".cl": Language.OPENCL, ".py": Language.PYTHON}
"""By the suffix, where the file is not of another language."""
_KNOWN = {
    "title",
    "order",
    "entry",
    "teaches",
    "origin",
    "requires",
    "arithmetic",
    "constraints",
    "params",
    "defines",
    "replaces",
    KEY,
    PROVEN_SETTINGS,
    "launch",
    "tensor_maps",
    "host",
    "library",
    *CALL_KEYS,
}
MACRO_NAME = re.compile(r"[A-Z][A-Z0-9_]*")
"""What a header may define, or make a parameter."""
MOST_PARAMETERS = 16
MOST_CHOICES = 64
"""Of a kernel, and of each parameter."""
_HIGHEST_ORDER = 1_000_000
_REQUIRED = {CUDA: f'"{CUDA}"', OPENCL: f'"{OPENCL}"', "sm_80": 'an architecture, as "sm_80" or "sm_90a"'}
"""Words of 'requires', and how messages name them; other architectures are known as well."""
_LAST_CAPABILITY = (19, 9)
"""Beyond what any compiler knows."""


def read_kernel(header: Header, path: Path, text: str) -> Kernel:
    """The kernel in the file at `path` with this text, as its header or the description beside it says.

    Raises:
        HeaderError: something in it is wrong.
    """
    return _Reader(header, path).kernel(text)


def read_own_kernel(header: Header, path: Path, text: str) -> Kernel:
    """The kernel in a person's own file; Python that holds no GPU kernel is none.

    Raises:
        HeaderError: something in it is wrong.
    """
    reader = _Reader(header, path)
    if path.suffix == ".py" and reader.row_of(text) is None:
        raise HeaderError(path, 0, f"there is no GPU kernel in it: gemmviz looks for {WHAT_PYTHON_MAY_HOLD}")
    kernel = reader.kernel(text)
    if kernel.language in (Language.CUDA, Language.OPENCL) and (why := why_no_kernel(kernel.text, kernel.entry)):
        raise header.fault("entry", why)
    keys = [(key, header.place_of(key)) for key in PLACED_KEYS]
    rules = [(rule_key(one.rule), header.place_of("constraints", one.rule)) for one in kernel.constraints]
    return replace(kernel, places=(*keys, *rules))


def _is_meant(key: str) -> bool:
    """Whether a key is one of a description, or nearly."""
    return key in _KNOWN or bool(home_of(key) or nearest(key, _KNOWN))


class _Reader:
    """Turns a header's tables into a Kernel, complaining with the line of what is wrong."""

    def __init__(self, header: Header, path: Path) -> None:
        self._header, self._path = header, path
        self._values = header.values

    def kernel(self, text: str) -> Kernel:
        path = self._path
        for key in self._values:
            if key not in _KNOWN:
                is_other = self._header.is_beside and not any(map(_is_meant, self._values))
                words = describes_nothing(self._values, path.name) if is_other else unknown_key(key, _KNOWN)
                raise self._header.fault(key, words)
        row = self.row_of(text)
        written, language = self._entry(text, row), self._language(row)
        entry = name_of(written)
        code = self._code(row, text, entry)
        if language is Language.CUDA:
            code = self._of_one_overload(code, written)
        replaced = self._replaces(code.text)
        parameters = self._parameters(replaced)
        self._check_constants(code, parameters)
        names = {*DIMENSIONS, *LIMITS, *(parameter.name for parameter in parameters)}
        expressions = LaunchReader(self._header, names, path.name)
        call = read_call(self._header, names, {parameter.name for parameter in parameters})
        is_coarse = "arithmetic" in self._values and self._arithmetic(call).is_of_tensor_cores
        kernel = Kernel(
            id=path.stem,
            path=path,
            text=code.text,
            language=language,
            title=self._text("title", path.stem if self._header.is_beside else None),
            order=self._order(),
            entry=entry,
            teaches=self._text("teaches", ""),
            origin=self._text("origin", ""),
            requires=self._requires(),
            arithmetic=self._arithmetic(call),
            names_tensor_core_arithmetic=is_coarse,
            uses_tensor_cores=is_coarse and has_tensor_core_code(code.text, entry),
            constraints=self._constraints(expressions),
            parameters=parameters,
            defines=(
                *self._defines(names, expressions),
                *(one for one in code.defines if one[0] not in {*names, *self._header.table("defines")}),
            ),
            rule=expressions.launch_rule(lambda: row.block(text, entry) if row is not None else ())
            if language.runs_on_devices
            else LaunchRule(("1",), ("1",)),
            threads=self._threads() if language is Language.PYTHON else "",
            is_reference=self._is_reference(),
            call=call,
            description=self._header.text if self._header.is_beside else "",
            tensor_maps=expressions.tensor_maps(),
            library=self._library() if language is Language.LIBRARY else "",
            listing=code.listing,
            replaces=frozenset(replaced),
            values_left_out=read_left_out(self._header),
            proven_settings=read_proven_settings(self._header),
            read_text="" if code.text == text else text,
            only_block=tuple(map(int, row.block(text, entry))) if row and row.needs_block(text, entry) else (),
        )
        self._check_needs_cuda(kernel)
        self._check_language(kernel)
        use = ""
        if language is Language.CUDA and kernel.call.beyond_opencl:
            use = kernel.call.beyond_opencl
        if row is not None and not language.has_written_form:
            use = f"it is {row.what}"
        if language.runs_on_devices and use and not kernel.needs_cuda:
            return replace(kernel, requires=(CUDA, *kernel.requires), cuda_use=use)
        return kernel

    def _check_language(self, kernel: Kernel) -> None:
        """OpenCL C has no templates, CUDA C no parameters that are given local memory, and no GPU runs on the host."""
        if "host" in self._values and not kernel.runs_on_host:
            raise self._header.fault("host", "[host] is for CPU kernels in Python: leave it out")
        if kernel.language is Language.OPENCL and kernel.call.template:
            raise self._header.fault("template", "OpenCL C has no templates: leave 'template' out")
        if kernel.language is Language.CUDA and kernel.call.gives_local_memory:
            raise self._header.fault(
                "args",
                "local(BYTES) is for `__local` parameters of OpenCL C; dynamic shared memory of a CUDA kernel is "
                "'shared_bytes' in [launch]",
            )

    def _check_constants(self, code: Code, parameters: tuple[Parameter, ...]) -> None:
        """A parameter cannot take the place of a value that the source was put together with."""
        fixed = next((one.name for one in parameters if one.name in code.constants), None)
        if fixed is not None:
            raise self._header.fault(
                f"params.{fixed}",
                f"{fixed} is a constant of {self._path.name}, whose value the kernel's source has in it: use a macro "
                f"there and give the option -D{fixed}=…, or leave the parameter out",
            )

    def row_of(self, text: str) -> LanguageRow | None:
        """The language of a file that is neither CUDA C nor OpenCL C; None for any other.

        Raises:
            HeaderError: it is Python that does not parse.
        """
        entry = self._values.get("entry")
        try:
            return row_of_file(self._path, text, name_of(entry) if isinstance(entry, str) else "")
        except LanguageError as error:
            raise HeaderError(self._path, error.line, error.reason) from error

    def _language(self, row: LanguageRow | None) -> Language:
        if "library" in self._values:
            return Language.LIBRARY
        return row.language if row is not None else _LANGUAGES[self._path.suffix]

    def _code(self, row: LanguageRow | None, text: str, entry: str) -> Code:
        try:
            return row.code(text, entry, self._path) if row is not None else Code(text)
        except LanguageError as error:
            raise HeaderError(self._path, error.line, error.reason) from error

    def _of_one_overload(self, code: Code, entry: str) -> Code:
        """The code without other kernels of the same name; the file as it is stays what a person reads."""
        try:
            text = only_overload(code.text, entry)
        except OverloadError as error:
            raise self._header.fault("entry", str(error)) from error
        if text == code.text:
            return code
        return replace(code, text=text, listing=code.listing or Listing(self._path.name, code.text))

    def _entry(self, text: str, row: LanguageRow | None) -> str:
        """The name of the kernel: that of a description beside the file may be missing where the file has one only."""
        if "entry" in self._values or not self._header.is_beside:
            return self._text("entry")
        found = row.kernels(text, self._path) if row is not None else kernel_functions(text)
        if len(found) == 1:
            return found[0]
        there = f"{self._path.name} defines {', '.join(found[:20])}" if found else "the file defines no kernel"
        raise self._header.fault("entry", f"which kernel is meant? {there}: name one as 'entry'")

    def _check_needs_cuda(self, kernel: Kernel) -> None:
        """What only CUDA has may be asked for only by a kernel that says it needs CUDA."""
        asked = {
            "tensor_maps": bool(kernel.tensor_maps),
            "launch.cluster": kernel.rule.cluster != ("1",),
            "library": bool(kernel.library),
        }
        for key, is_asked in asked.items():
            if is_asked and CUDA not in kernel.requires:
                raise self._header.fault(key, f'{key!r} is for NVIDIA GPUs only: say requires = ["{CUDA}"]')

    def _text(self, key: str, default: str | None = None, table: str = "") -> str:
        full = f"{table}.{key}" if table else key
        values = self._header.table(table) if table else self._values
        if key not in values:
            if default is None:
                raise self._header.fault(full, f"the {self._header.what} has no {full!r}")
            return default
        value = values[key]
        if not isinstance(value, str) or (default is None and not value.strip()):
            example = f'{key} = "{value}"' if type(value) is int else ""
            raise self._header.fault(full, must_be(full, "a text", value, example))
        return value

    def _order(self) -> float:
        value = self._values.get("order", 10_000)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _HIGHEST_ORDER:
            raise self._header.fault("order", must_be("order", f"a number up to {_HIGHEST_ORDER}", value))
        return float(value)

    def _words(self, key: str) -> tuple[str, ...]:
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            example = f"{key} = [{value_words(value)}]" if isinstance(value, str) else ""
            raise self._header.fault(key, must_be(key, "a list of texts", value, example))
        return tuple(value)

    def _requires(self) -> tuple[str, ...]:
        words = self._words("requires")
        for word in words:
            known = capability_of(word)
            if word not in _REQUIRED and (known is None or known[0] > _LAST_CAPABILITY):
                raise self._header.fault("requires", not_required(word, _REQUIRED), word)
        return words

    def _arithmetic(self, call: CallRule) -> Arithmetic:
        word = self._text("arithmetic", call.usual_arithmetic)
        try:
            return Arithmetic(word)
        except ValueError as error:
            raise self._header.fault("arithmetic", unknown_word("arithmetic", word, list(Arithmetic))) from error

    def _replaces(self, text: str) -> dict[str, FileConstant]:
        takers = self._header.table("params") | self._header.table("defines")
        try:
            return replaced_constants(self._words("replaces"), text, takers)
        except LanguageError as error:
            raise self._header.fault("replaces", error.reason) from error

    def _parameters(self, in_file: dict[str, FileConstant]) -> tuple[Parameter, ...]:
        table = self._header.table("params")
        if len(table) > MOST_PARAMETERS:
            raise self._header.fault("params", f"{len(table)} parameters: a kernel has at most {MOST_PARAMETERS}")
        return tuple(self._parameter(name, value, in_file.get(name)) for name, value in table.items())

    def _parameter(self, name: str, value: object, in_file: FileConstant | None) -> Parameter:
        where = f"params.{name}"
        if not isinstance(value, dict):
            choices = value if isinstance(value, list) else [value]
            words = f"a parameter is a table: write [{where}] and, below it, choices = {value_words(choices)}"
            raise self._header.fault(where, words)
        if not MACRO_NAME.fullmatch(name) or name in DIMENSIONS:
            upper = name.upper()
            instead = f"; write [params.{upper}]" if MACRO_NAME.fullmatch(upper) and upper not in DIMENSIONS else ""
            words = f"{name!r} cannot be a #define: capitals, digits and _, and not M, N or K{instead}"
            raise self._header.fault(where, words)
        known = {"label", "choices", "default"}
        if unknown := set(value) - known:
            raise self._header.fault(f"{where}.{min(unknown)}", unknown_key(min(unknown), known, where))
        label = value.get("label", name)
        choices = self._choices(name, value, in_file)
        default = value.get("default", choices[0] if in_file is None else in_file.value)
        if type(default) is not int or default not in choices:
            offered = ", ".join(map(str, choices))
            words = f"the default {value_words(default)} of {name} is not among its choices: choose from {offered}"
            raise self._header.fault(f"{where}.default", words)
        if not isinstance(label, str):
            raise self._header.fault(f"{where}.label", must_be("label", "a text", label, of=name))
        return Parameter(name, label, tuple(choices), default)

    def _choices(self, name: str, table: dict[str, Any], in_file: FileConstant | None) -> list[int]:
        """What a parameter offers, each once."""
        where, choices = f"params.{name}.choices", table.get("choices")
        if not isinstance(choices, list) or not choices or not all(type(choice) is int for choice in choices):
            given = "choices" in table
            there = f", not {value_words(choices)}" if given and choices != [] else ""
            there = "; the list is empty" if choices == [] else there or f"; [params.{name}] has none"
            example = in_file.value if in_file is not None else 16
            words = f"'choices' of {name} must be a list of whole numbers{there}: write choices = [{example}]"
            raise self._header.fault(where, words)
        if len(choices) > MOST_CHOICES:
            raise self._header.fault(where, f"{name} has {len(choices)} choices: at most {MOST_CHOICES}")
        if any(choice not in WHOLE_NUMBERS for choice in choices):
            raise self._header.fault(where, f"a choice of {name} has more than 64 bits")
        if twice := [choice for choice in choices if choices.count(choice) > 1]:
            raise self._header.fault(where, f"{twice[0]} stands twice among the choices of {name}: leave one out")
        return choices

    def _constraints(self, expressions: LaunchReader) -> tuple[Constraint, ...]:
        value = self._values.get("constraints", [])
        if not isinstance(value, list):
            example = f"constraints = [{value_words(value)}]" if isinstance(value, str) else ""
            raise self._header.fault("constraints", must_be("constraints", "a list", value, example))
        return tuple(self._constraint(item, expressions) for item in value)

    def _constraint(self, item: object, expressions: LaunchReader) -> Constraint:
        entry = {"rule": item} if isinstance(item, str) else item
        if not isinstance(entry, dict) or not set(entry) <= CONSTRAINT_KEYS or "rule" not in entry:
            words = f'a constraint is a text or {{rule, because}}, not {value_words(item)}; write "M % 16 == 0"'
            raise self._header.fault("constraints", words)
        if not all(isinstance(part, str) for part in entry.values()):
            raise self._header.fault("constraints", f"all of it must be texts in {value_words(item)}")
        expressions.check("constraints", entry["rule"])
        if not is_condition(entry["rule"]):
            words = f"{entry['rule']!r} is a number, and no condition: compare it, as in {entry['rule']} == 0"
            raise self._header.fault("constraints", words, entry["rule"])
        return Constraint(**entry)

    def _defines(self, names: set[str], expressions: LaunchReader) -> tuple[tuple[str, str], ...]:
        for name in self._header.table("defines"):
            if not MACRO_NAME.fullmatch(name) or name in names:
                raise self._header.fault(f"defines.{name}", self._no_define(name, names))
            expressions.check(f"defines.{name}", self._text(name, None, "defines"))
        return tuple((name, value) for name, value in self._header.table("defines").items())

    def _no_define(self, name: str, names: set[str]) -> str:
        why = "it is the name of something else" if name in names else "capitals, digits and _"
        return f"{name!r} cannot be a #define here: {why}; choose another name"

    def _library(self) -> str:
        if self._path.suffix != ".py":
            raise self._header.fault("library", "a library is called from Python: only a .py file has [library]")
        return self._text("name", None, "library")

    def _threads(self) -> str:
        word = self._text("threads", "one", "host")
        if word not in ("one", "all"):
            raise self._header.fault("host.threads", not_one_of("threads", word, ("one", "all")))
        return word

    def _is_reference(self) -> bool:
        value = self._header.table("host").get("reference", False)
        if not isinstance(value, bool):
            raise self._header.fault("host.reference", f"'reference' is true or false, not {value_words(value)}")
        return value
