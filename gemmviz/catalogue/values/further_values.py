"""Further values of a kernel's parameters: typed by a person, tried, and written to the file that describes it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gemmviz.catalogue.header import MOST_CHARACTERS, beside_file
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.launch.launch_reader import WHOLE_NUMBERS
from gemmviz.catalogue.toml_text import toml_text
from gemmviz.catalogue.values.proven_settings import KEY as PROVEN_SETTINGS
from gemmviz.catalogue.values.proven_settings import MOST_SETTINGS
from gemmviz.catalogue.values.values_left_out import KEY, ValueLeftOut, left_out_table
from gemmviz.domain.files.atomic import write_atomically
from gemmviz.domain.files.bounded_read import read_text
from gemmviz.domain.spec import Params

MOST_TYPED = 64
_APART = re.compile(r"[\s,;]+")
_PROVEN = re.compile(rf"(?m)^[ \t]*{PROVEN_SETTINGS}[ \t]*=[ \t]*\[[^\]]*\]")
_TABLE = re.compile(r"(?m)^[ \t]*\[")


class ValuesError(ValueError):
    """Values that cannot be tried or written; one sentence that says why."""


def values_in(text: str) -> tuple[int, ...]:
    """The whole numbers of a text, "32, 48 64", each once, in its order.

    Raises:
        ValuesError: there are none, too many, or something else is between them.
    """
    words = [word for word in _APART.split(text) if word]
    for word in words:
        if not re.fullmatch(r"-?\d{1,19}", word, re.ASCII) or int(word) not in WHOLE_NUMBERS:
            raise ValuesError(f"{word!r} is no whole number: type values such as 32, 48, 64")
    if not words:
        raise ValuesError("type at least one value, such as 32, 48, 64")
    if len(words) > MOST_TYPED:
        raise ValuesError(f"{len(words)} values: at most {MOST_TYPED} are tried")
    return tuple(dict.fromkeys(map(int, words)))


def with_values(kernel: Kernel, values: Mapping[str, Sequence[int]]) -> Kernel:
    """A kernel that also offers these values of its parameters, though nothing proves them."""
    return replace(
        kernel,
        parameters=tuple(
            replace(one, choices=tuple(dict.fromkeys((*one.choices, *values.get(one.name, ())))))
            for one in kernel.parameters
        ),
    )


def is_further(kernel: Kernel, params: Mapping[str, int]) -> bool:
    """Whether a setting has a value that the kernel's description does not offer."""
    return any(params[one.name] not in one.choices for one in kernel.parameters if one.name in params)


def write_values(
    path: Path,
    offered: Mapping[str, Sequence[int]],
    left_out: Sequence[ValueLeftOut],
    proven: Sequence[Params] = (),
) -> Path:
    """Write to the description beside a kernel file that these values are offered, others left out and these settings
    proven, each with the values that are no defaults; its path.

    Raises:
        ValuesError: the description has no place for them.
        ReadError, WriteError: it cannot be read or written.
    """
    beside = beside_file(path)
    try:
        text = with_outcomes(read_text(beside, 4 * MOST_CHARACTERS, "utf-8-sig"), offered, left_out, proven)
    except (ValuesError, tomllib.TOMLDecodeError, LookupError) as error:
        raise ValuesError(f"{beside.name} was not changed: {error}. Add the values to its choices by hand") from error
    write_atomically(beside, lambda file: file.write(text.encode()))
    return beside


def with_outcomes(
    text: str,
    offered: Mapping[str, Sequence[int]],
    left_out: Sequence[ValueLeftOut],
    proven: Sequence[Params] = (),
) -> str:
    """The text of a description that offers these values, too, and says why others are left out; all else, comments as
    well, stays as it is. Where it lists proven settings, it lists these, too; where it lists none, all are proven.

    Raises:
        ValuesError: it does not write its parameters as `[params.NAME]` with `choices = [...]` below.
    """
    known = tomllib.loads(text)
    settings = _with_proven(known.get(PROVEN_SETTINGS, []), proven)
    if settings != known.get(PROVEN_SETTINGS, []):
        text = _PROVEN.sub(lambda _found: toml_text({PROVEN_SETTINGS: settings}).rstrip(), text, count=1)
    wanted = {name: [*known["params"][name]["choices"]] for name in known.get("params", {})}
    for name, values in offered.items():
        wanted[name] = sorted({*wanted[name], *values})
        text = _with_choices(text, name, wanted[name])
    before = {name: dict(table) for name, table in known.get(KEY, {}).items()}
    for name, values in offered.items():
        for value in values:
            before.get(name, {}).pop(str(value), None)
    for name, reasons in left_out_table(left_out).items():
        before[name] = before.get(name, {}) | reasons
    after = {name: table for name, table in before.items() if table}
    if after != known.get(KEY, {}):
        text = _without_table(text, KEY)
        text = f"{text.rstrip()}\n{toml_text({KEY: after}) if after else ''}"
    made = tomllib.loads(text)
    if made.get(PROVEN_SETTINGS, []) != settings:
        raise ValuesError(f"it writes {PROVEN_SETTINGS} in another way than as a list")
    if {name: one["choices"] for name, one in made.get("params", {}).items()} != wanted or made.get(KEY, {}) != after:
        raise ValuesError("its parameters are written in another way than [params.NAME] and choices = [...]")
    return text


def _with_proven(known: Sequence[Mapping[str, int]], proven: Sequence[Params]) -> list[Mapping[str, int]]:
    """The proven settings that a description lists, and these behind them, as many as it may list."""
    new = [dict(one) for one in proven if known and dict(one) not in known]
    return [*known, *new][:MOST_SETTINGS]


def _with_choices(text: str, name: str, choices: Sequence[int]) -> str:
    head = re.search(rf"(?m)^[ \t]*\[params\.{re.escape(name)}\][^\n]*\n", text)
    start = head.end() if head else len(text)
    end = next((found.start() for found in [_TABLE.search(text, start)] if found), len(text))
    found = re.compile(r"(?m)^([ \t]*choices[ \t]*=[ \t]*)\[[^\]]*\]").search(text, start, end)
    if found is None:
        raise ValuesError(f"it has no [params.{name}] with choices = [...] in a line below")
    return f"{text[: found.start()]}{found[1]}[{', '.join(map(str, choices))}]{text[found.end() :]}"


def _without_table(text: str, key: str) -> str:
    """The text without a table of that name and the tables in it."""
    return re.sub(rf"(?m)^[ \t]*\[{key}(\.[^\]\n]*)?\][^\n]*\n(?:(?![ \t]*\[)[^\n]*(?:\n|\Z))*", "", text)
