"""What is said of a description that is wrong: what is there, what is possible instead, and which name is nearest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from gemmviz.catalogue.toml_text import toml_text
from gemmviz.domain.listing import either

LAUNCH_EXAMPLE = {"block": "[16, 16]", "grid": '["ceil_div(N, 16)", "ceil_div(M, 16)"]', "cluster": "[2]"}
"""Of a kernel whose threads compute one element each."""
_LONGEST_VALUE = 60
_TABLES = {
    "[launch]": ("block", "grid", "shared_bytes", "static_shared_bytes", "partial_sums", "cluster"),
    "[params.NAME]": ("choices", "default", "label"),
    "[operands.A], [operands.B] or [operands.C]": ("layout", "type"),
    "[operands.C]": ("start",),
    "[tensor_maps.A]": ("box", "swizzle"),
    "[host]": ("threads", "reference"),
}
"""Where the keys belong that stand in tables."""
_MEANT = {
    "col": "column",
    "column-major": "column",
    "col-major": "column",
    "row-major": "row",
    "float": "float32",
    "fp32": "float32",
    "float16": "half",
    "fp16": "half",
    "float64": "double",
    "fp64": "double",
    "zeros": "zero",
    "nan": "undefined",
    "dtype": "type",
    "name": "entry",
    "kernel": "entry",
    "values": "choices",
    "threads": "block",
    "blocks": "grid",
    "shared": "shared_bytes",
    "div-up": "ceil_div",
    "cdiv": "ceil_div",
    "ceildiv": "ceil_div",
}
"""What other programs call the words of a description."""
_NOT_TOML = (
    ("{", 'It looks like JSON: write a line such as entry = "NAME" for each key, and tables as [launch]'),
    ("/*", "In a file beside the kernel, TOML stands without /*--- and ---*/"),
    ("//", "A comment begins with #"),
    ("<", "It looks like XML or HTML: check that it is the right file"),
)


def value_words(value: object) -> str:
    """A value as TOML has it, cut short where it is long."""
    try:
        text = toml_text({"x": [value]}).strip().removeprefix("x = [").removesuffix("]")
    except ValueError:
        text = f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]} …"


def must_be(key: str, kind: str, value: object, example: str = "", *, of: str = "") -> str:
    """A key whose value is of another type: "'title' must be a text, not 7"; `of` says whose."""
    where = f" of {of}" if of else ""
    return f"'{key}'{where} must be {kind}, not {value_words(value)}" + (f"; write {example}" if example else "")


def nearest(word: str, known: Collection[str], likeness: float = 0.5) -> str:
    """The known word that is meant most likely; "" for none. Capitals do not count. `likeness` is from 0 to 1."""
    folded = {one.casefold(): one for one in known}
    plain = word.strip().casefold()
    meant = _MEANT.get(plain.replace("_", "-"), _MEANT.get(plain, ""))
    if meant in known:
        return meant
    near = get_close_matches(plain, folded, 1, likeness)
    return folded[near[0]] if near else ""


def did_you_mean(word: str, known: Collection[str], likeness: float = 0.5) -> str:
    """A question behind a word that is unknown: "; did you mean fp32?", "" where nothing is near."""
    near = nearest(word, known, likeness)
    return f"; did you mean {near}?" if near else ""


def unknown_word(what: str, word: object, known: Iterable[str]) -> str:
    """A word that is none of those that are possible: "unknown type 'int8': one of float32, half"."""
    words = list(known)
    hint = did_you_mean(word, words) if isinstance(word, str) else ""
    shown = repr(word) if isinstance(word, str) else value_words(word)
    return f"unknown {what} {shown}: one of {', '.join(words)}{hint}"


def not_one_of(key: str, word: object, known: Iterable[str]) -> str:
    """A value that is none of those that are possible: "'layout' is one of row, column, not 'col'"."""
    words = list(known)
    hint = did_you_mean(word, words) if isinstance(word, str) else ""
    shown = repr(word) if isinstance(word, str) else value_words(word)
    return f"'{key}' is one of {', '.join(words)}, not {shown}{hint}"


def home_of(key: str) -> str:
    """The table that a key belongs in, "" for one that stands in none."""
    return next((name for name, keys in _TABLES.items() if key in keys), "")


def unknown_key(key: str, known: Collection[str], table: str = "") -> str:
    """A key that a description or one of its tables does not have: what is near, where it belongs, or what there is."""
    where = f" in [{table}]" if table else ""
    home = home_of(key)
    if home and home.strip("[]") != table:
        return f"unknown key {key!r}{where}; it belongs in {home}"
    hint = did_you_mean(key, known) or f"; there are {', '.join(sorted(known))}"
    return f"unknown key {key!r}{where}{hint}"


def describes_nothing(keys: Iterable[str], kernel_name: str) -> str:
    """A file beside a kernel none of whose keys describes one."""
    named = list(keys)
    first = named[0]
    few = either(named[:3])
    return (
        f"unknown key {first!r}: it seems to be another file's, since {few} "
        f"{'describes' if len(named) == 1 else 'describe'} no kernel. Write the description of {kernel_name} here, "
        f"with a table [launch], or delete the file and let `gemmviz adopt {kernel_name} --write` write one"
    )


def no_launch(what: str, kernel_name: str, *, is_empty: bool, is_beside: bool) -> str:
    """A description without [launch], with one to copy, or with the command that writes it."""
    both = " and ".join(f"{key} = {LAUNCH_EXAMPLE[key]}" for key in ("block", "grid"))
    begins = f"the {what} is empty, so it has" if is_empty else f"the {what} has"
    words = f"{begins} no [launch] with block and grid: add it, for instance with {both}"
    return f"{words}; or delete the file and run `gemmviz adopt {kernel_name} --write`" if is_beside else words


def not_toml(line: str, fault: str) -> str:
    """What to do about a line that is no TOML, as a sentence; `fault` is what the parser said of it."""
    plain = line.strip()
    if "overwrite" in fault or "twice" in fault:
        return "A key or a table stands there twice: keep one of them"
    for begin, words in _NOT_TOML:
        if plain.startswith(begin):
            return words
    name, equals, value = (part.strip() for part in plain.partition("="))
    if equals and value and not value.startswith(("[", "{", '"', "'")) and value[0].isalpha():
        return f'Texts stand in quotes: {name} = "{value[:_LONGEST_VALUE]}"'
    name, colon, value = (part.strip() for part in plain.partition(":"))
    if colon and not equals and name.isidentifier() and value:
        return f"Write {name} = {value[:_LONGEST_VALUE]}, with texts in quotes"
    return "Correct this line, or a bracket or a quote that is open before it"


def not_required(word: str, known: Mapping[str, Any]) -> str:
    """A word of 'requires' that no device can have."""
    plain = word.strip().casefold()
    digits = "".join(sign for sign in plain if sign.isdigit())
    hint = did_you_mean(word, list(known))
    if plain == f"sm_{digits}":
        hint = f"; no NVIDIA GPU has compute capability {digits[:-1]}.{digits[-1:]}"
    elif plain.startswith(("sm", "compute", "cc")) and digits:
        hint = f"; did you mean sm_{digits}?"
    elif any(part in plain for part in ("rocm", "hip", "amd", "gfx")):
        hint = "; ROCm and HIP are not supported: leave it out, and the kernel runs by OpenCL on AMD's GPUs"
    return f"'requires' does not know {word!r}: it takes {either(list(known.values()))}{hint}"
