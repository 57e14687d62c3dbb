"""Options that describe a kernel file without a description of its own, or replace some of what it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from gemmviz.cli.faults import BadInputError
from gemmviz.cli.options.option_numbers import number, shown

Entry = Annotated[
    str | None, typer.Option("--entry", metavar="NAME", help="Your own file: name of the kernel, or of its template.")
]
Template = Annotated[
    str | None,
    typer.Option("--template", metavar="X,Y,…", help="Your own file: arguments of the template: numbers or types."),
]
Arguments = Annotated[
    str | None,
    typer.Option(
        "--args",
        metavar="X,Y,…",
        help="Your own file: what its parameters are given, in their order, for instance M,N,K,alpha,A,B,beta,C.",
    ),
]
LaunchBlock = Annotated[
    str | None,
    typer.Option("--launch-block", metavar="X,Y,Z", help="Your own file: threads of a block, for instance 16,16."),
]
Grid = Annotated[
    str | None,
    typer.Option(
        "--grid", metavar="X,Y,Z", help="Your own file: blocks, for instance 'ceil_div(N, 16),ceil_div(M, 16)'."
    ),
]
SharedBytes = Annotated[
    str | None,
    typer.Option("--shared-bytes", metavar="BYTES", help="Your own file: dynamic shared memory of a block."),
]
Layout = Annotated[
    str | None,
    typer.Option("--layout", metavar="A=column,…", help="Your own file: matrices that are stored column by column."),
]
ElementType = Annotated[
    str | None,
    typer.Option("--type", metavar="A=half,…", help="Your own file: types of matrices: float32, half, bf16 or double."),
]
Alpha = Annotated[
    str | None,
    typer.Option("--alpha", metavar="NUMBER", help="Your own file: alpha of alpha·A·B + beta·C (default 1)."),
]
Beta = Annotated[
    str | None, typer.Option("--beta", metavar="NUMBER", help="Your own file: beta of alpha·A·B + beta·C (default 0).")
]
StartOfC = Annotated[
    str | None, typer.Option("--start", metavar="zero|random", help="Your own file: what C holds before a launch.")
]

_LONGEST = 4000
_OPTIONS = frozenset(
    ("entry", "template", "args", "launch-block", "grid", "shared-bytes", "layout", "type", "alpha", "beta", "start")
)


def description_of(
    entry: str | None,
    template: str | None,
    args: str | None,
    block: str | None,
    grid: str | None,
    shared_bytes: str | None,
    layout: str | None,
    element_type: str | None,
    alpha: str | None,
    beta: str | None,
    start: str | None,
) -> dict[str, Any]:
    """What the options say, as the tables of a description; {} for none of them.

    Raises:
        BadInputError: an option that has no such form.
    """
    plain = {
        "entry": entry,
        "template": _list("--template", template),
        "args": _list("--args", args),
        "alpha": number("--alpha", alpha) if alpha is not None else None,
        "beta": number("--beta", beta) if beta is not None else None,
    }
    launch = {
        "block": _list("--launch-block", block),
        "grid": _list("--grid", grid),
        "shared_bytes": shared_bytes,
    }
    operands: dict[str, dict[str, str]] = {}
    for option, key, text in (("--layout", "layout", layout), ("--type", "type", element_type)):
        for name, word in _pairs(option, text):
            operands.setdefault(name, {})[key] = word
    if start is not None:
        operands.setdefault("C", {})["start"] = start
    found: dict[str, Any] = {key: value for key, value in plain.items() if value is not None}
    tables = {"launch": {key: value for key, value in launch.items() if value is not None}, "operands": operands}
    return {**found, **{key: table for key, table in tables.items() if table}}


def first_option(description: Mapping[str, Any]) -> str:
    """The first option that was given, of those whose keys are in a description: "--launch-block"."""
    key = next(iter(description))
    within = description[key]
    if key == "launch":
        key = next(iter(within))
        return "--launch-block" if key == "block" else f"--{key.replace('_', '-')}"
    return f"--{next(iter(next(iter(within.values()))))}" if key == "operands" else f"--{key}"


def option_of(key: str, description: Mapping[str, Any]) -> str:
    """The option that gives a key of a description: "--launch-block" for "launch.block"; "" where there is none."""
    table, *rest = key.split(".")
    if table == "params":
        return "--param"
    if table == "operands" and len(rest) == 1:  # a matrix of that name is unknown
        rest = [rest[0], *list(description.get("operands", {}).get(rest[0], ["layout"]))[:1]]
    word = [table, *rest][-1]
    option = {"block": "launch-block", "launch": "launch-block"}.get(word, word.replace("_", "-"))
    return f"--{option}" if option in _OPTIONS else ""


def _list(option: str, text: str | None) -> list[str] | None:
    """The parts of a list with commas between them, except those within brackets."""
    if text is None:
        return None
    if len(text) > _LONGEST:
        raise BadInputError(f"{option} {shown(text)}: at most {_LONGEST} characters are read")
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([<") - (sign in ")]>")
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    found = [part.strip() for part in parts]
    if not all(found):
        raise BadInputError(f"{option} {shown(text)}: a part between two commas is empty")
    return found


def _pairs(option: str, text: str | None) -> list[tuple[str, str]]:
    found = []
    for part in _list(option, text) or []:
        name, equals, word = (piece.strip() for piece in part.partition("="))
        if not equals or not name or not word:
            raise BadInputError(f"{option} {shown(text or '')}: write MATRIX=WORD, for instance A=column,B=column")
        found.append((name, word))
    return found
