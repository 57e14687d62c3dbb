"""What a kernel may be compiled with: arguments of its template, and macros that its file leaves to others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gemmviz.adopt.propose.roles import factor_of
from gemmviz.adopt.reasons import Reason
from gemmviz.adopt.source.arithmetic import constant_of, expression_in
from gemmviz.adopt.source.kernels import Condition, FoundKernel, TemplateParameter
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.names import Names
from gemmviz.domain.listing import listed

MOST_INSTANCES = 8
_OPEN_TYPE = re.compile(r"[A-Z]\w?|scalar_t")
"""What a type is called that is a parameter of a template, or one of several that a macro launches a kernel with."""
_SUFFIX = re.compile(r"(?<=\d)(?<![A-Za-z_]\d)(?:[uU][lL]{0,2}|[lL]{1,2}[uU]?)\b")
"""Of the type of a number."""


@dataclass(frozen=True, slots=True)
class Instance:
    """Template arguments and macros, and where they come from. `launch` is the launch that has them, None for none."""

    template: tuple[str, ...]
    defines: tuple[tuple[str, int], ...]
    because: str
    launch: FoundLaunch | None = None
    nulls: frozenset[int] = frozenset()
    """The places of pointers that are tried with null although the launch does not give it."""
    assumed: str = ""
    """Which types of the template are assumed, and why: "T = float is assumed: …"; "" where the file says all."""


_SIZES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (word, re.compile(pattern, re.IGNORECASE))
    for word, pattern in (
        ("threads", r".*(?:num_?)?threads?(?:_?(?:num|count|per_?block))?"),
        ("BM", r"(?:.*_)?(?:b(?:lock)?_?(?:size)?_?m|tile_?(?:size_?)?m|m_?(?:tile|block)|tsm|mtile|bsm)"),
        ("BN", r"(?:.*_)?(?:b(?:lock)?_?(?:size)?_?n|tile_?(?:size_?)?n|n_?(?:tile|block)|tsn|ntile|bsn)"),
        ("BK", r"(?:.*_)?(?:b(?:lock)?_?(?:size)?_?k|tile_?(?:size_?)?k|k_?(?:tile|block)|tsk|ktile|bsk)"),
        ("WM", r"(?:.*_)?w(?:arp)?_?(?:size|tile)?_?m"),
        ("WN", r"(?:.*_)?w(?:arp)?_?(?:size|tile)?_?n"),
        ("WNITER", r"(?:.*_)?w_?[mn]_?iter"),
        ("TM", r"(?:.*_)?(?:t(?:hread)?_?(?:size|tile)?_?[my]|wptm|rm)"),
        ("TN", r"(?:.*_)?(?:t(?:hread)?_?(?:size|tile)?_?[nx]|wptn|rn)"),
        ("RTS", r"rts"),
        ("WPT", r"wpt|(?:.*_)?(?:coarse(?:_?factor)?|work_?per_?thread|factor)"),
        ("T", r"ts|.*(?:tile|block|bs|size|width|dim|edge).*|n|b|t"),
    )
)
"""What a size is called, in the order in which names are tried."""

_USUAL: tuple[Mapping[str, int], ...] = (
    {"BM": 128, "BN": 128, "BK": 8, "TM": 8, "TN": 8, "T": 32, "WPT": 8, "threads": 256},
    {"BM": 64, "BN": 64, "BK": 8, "TM": 8, "TN": 8, "T": 16, "WPT": 4, "threads": 64},
    {"BM": 64, "BN": 64, "BK": 16, "TM": 4, "TN": 4, "T": 8, "WPT": 2, "threads": 256},
    {"BM": 64, "BN": 64, "BK": 8, "TM": 4, "TN": 4, "T": 64, "WPT": 4, "threads": 256},
    {"BM": 32, "BN": 32, "BK": 32, "TM": 4, "TN": 4, "T": 4, "WPT": 4, "threads": 64},
)
_ONE_DIMENSIONAL: tuple[Mapping[str, int], ...] = (
    {"BM": 64, "BN": 64, "BK": 8, "TM": 8, "TN": 8, "threads": 512, "T": 32},
    {"BM": 32, "BN": 32, "BK": 8, "TM": 4, "TN": 4, "threads": 256, "T": 16},
)
_OF_WARPS: tuple[Mapping[str, int], ...] = (
    {"BM": 128, "BN": 128, "BK": 16, "WM": 64, "WN": 64, "WNITER": 4, "TM": 8, "TN": 4, "threads": 128, "T": 32},
    {"BM": 64, "BN": 64, "BK": 16, "WM": 32, "WN": 32, "WNITER": 2, "TM": 4, "TN": 4, "threads": 128, "T": 32},
)


def instances_of(
    kernel: FoundKernel,
    launches: Sequence[FoundLaunch],
    named: Sequence[tuple[str, ...]],
    names: Names,
    missing: Sequence[str] = (),
) -> list[Instance]:
    """What to compile a kernel with, best first. `named` are the arguments that the file instantiates it with,
    `missing` names that the compiler did not know.
    """
    fixed = dict(_from_conditions(kernel.conditions))
    found: dict[tuple[object, ...], Instance] = {}
    for one in _instances(kernel, launches, named, names, missing):
        defines = tuple({**fixed, **dict(one.defines)}.items())
        found.setdefault((one.template, defines), replace(one, defines=defines))
    return list(found.values())[:MOST_INSTANCES]


def _instances(
    kernel: FoundKernel,
    launches: Sequence[FoundLaunch],
    named: Sequence[tuple[str, ...]],
    names: Names,
    missing: Sequence[str],
) -> Iterator[Instance]:
    sets = [dict(one) for one in _usual_for([*(one.name for one in kernel.template), *missing])]
    for macros in (_named(missing, one) for one in sets):
        if not kernel.template:
            launch = launches[0] if launches else None
            yield Instance((), macros, "usual sizes" if macros else "", launch)
            continue
        for launch in launches:
            given = None if launch.unread_types else _given(launch.template, kernel, names, launch.open_types)
            if given is not None:
                yield Instance(given, macros, _because(launch, given), launch, assumed=_assumed(kernel, launch, given))
        for arguments in named:
            given = _given(arguments, kernel, names)
            if given is not None:
                yield Instance(given, macros, "its file instantiates it so")
        if all(one.default for one in kernel.template):
            defaults = _over_earlier([one.default for one in kernel.template], kernel.template)
            yield Instance(defaults, macros, "its template's defaults")
    types = _known_types(kernel, launches, named, names)
    open_types = [one.name for one in kernel.template if one.kind == "type" and not one.default]
    for usual in sets if kernel.template else ():
        numbers = _named([one.name for one in kernel.template if one.kind == "number"], usual)
        chosen = {name: str(value) for name, value in numbers}
        chosen |= {one.name: "false" for one in kernel.template if one.kind == "bool"}
        chosen |= {
            one.name: types.get(one.name) or _usual_type(kernel, one.name)
            for one in kernel.template
            if one.kind == "type"
        }
        template = tuple(one.default or chosen[one.name] for one in kernel.template)
        template, why = _over_earlier(template, kernel.template), f"no host code of the file launches {kernel.name}"
        assumed = "" if types else _assumed_words(kernel, template, open_types, why)
        yield Instance(template, _named(missing, usual), "usual sizes of such templates", assumed=assumed)


def _because(launch: FoundLaunch, given: Sequence[str]) -> str:
    """Where the arguments of a template come from that a launch gives."""
    taken = [(one, type_) for one, type_ in zip(launch.template, given, strict=False) if _OPEN_TYPE.fullmatch(one)]
    taken = [(one, type_) for one, type_ in taken if one != type_ and one not in launch.open_types]
    if taken:
        names, types = (listed([*dict.fromkeys(each)]) for each in zip(*taken, strict=True))
        return f"line {launch.line} launches it with {names}, and {types} is one such type"
    return launch.types_because or f"line {launch.line} launches it so"


def _assumed(kernel: FoundKernel, launch: FoundLaunch, given: Sequence[str]) -> str:
    """Which types of a launch are assumed, and why; "" where nothing is."""
    pairs = zip(kernel.template, launch.template, strict=False)
    names = [one.name for one, text in pairs if text in launch.open_types]
    return _assumed_words(kernel, given, names, f"nothing in the file calls {launch.function}")


def _assumed_words(kernel: FoundKernel, template: Sequence[str], names: Sequence[str], why: str) -> str:
    types = [
        f"{one.name} = {type_}" for one, type_ in zip(kernel.template, template, strict=False) if one.name in names
    ]
    return f"{listed(types)} {'is' if len(types) == 1 else 'are'} assumed: {why}" if types else ""


def _usual_type(kernel: FoundKernel, name: str) -> str:
    """What a parameter of a kernel's template is given whose type nothing in the file says: int where it is the type of
    sizes alone, else float.
    """
    of_type = [one for one in kernel.parameters if one.type == name]
    return "int" if of_type and not any(one.is_pointer or factor_of(one) for one in of_type) else "float"


def _known_types(
    kernel: FoundKernel, launches: Sequence[FoundLaunch], named: Sequence[tuple[str, ...]], names: Names
) -> dict[str, str]:
    """The types of a kernel's template in its first launch whose template is known, else in the first one that the file
    instantiates, by their names; {} where there is none. A kernel in double alone is no product in float.
    """
    launched = [_given(one.template, kernel, names, one.open_types) for one in launches if not one.unread_types]
    known = [*launched, *(_given(one, kernel, names) for one in named)]
    first = next((one for one in known if one is not None), ())
    pairs = zip(kernel.template, first, strict=False)
    return {one.name: given for one, given in pairs if one.kind == "type"}


def _over_earlier(arguments: Sequence[str], template: Sequence[TemplateParameter]) -> tuple[str, ...]:
    """The arguments of a template with those of earlier parameters in their place, `int BN = BM`, and with numbers as
    Python writes them: 16 for 16u.
    """
    found: dict[str, str] = {}
    for one, text in zip(template, arguments, strict=False):
        text = _SUFFIX.sub("", text)
        found[one.name or str(len(found))] = re.sub(r"[A-Za-z_]\w*", lambda name: found.get(name[0], name[0]), text)
    return tuple(found.values())


def _usual_for(names: Sequence[str]) -> tuple[Mapping[str, int], ...]:
    words = {_size_word(name) for name in names}
    if words & {"WM", "WN", "WNITER"}:
        return (*_OF_WARPS, *_USUAL)
    if "TM" in words and "TN" not in words:
        return (*_ONE_DIMENSIONAL, *_USUAL)
    return _USUAL


def _size_word(name: str) -> str:
    return next((word for word, pattern in _SIZES if pattern.fullmatch(name)), "T")


def _named(names: Sequence[str], usual: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """A value for each name, from the sizes of one usual set."""
    values = {"RTS": usual.get("T", 32) // usual.get("WPT", 8), **usual}
    return tuple((name, values.get(_size_word(name), usual.get("T", 32))) for name in names)


def _given(
    arguments: Sequence[str], kernel: FoundKernel, names: Names, open_types: Collection[str] = ()
) -> tuple[str, ...] | None:
    """The template arguments of a launch or an instantiation, None where they cannot be told. A type that is itself the
    parameter of a template, as `open_types` are, is a usual one.
    """
    found: list[str] = []
    rest = [one.default for one in kernel.template[len(arguments) :]]
    for parameter, text in zip(kernel.template, _over_earlier((*arguments, *rest), kernel.template), strict=False):
        if parameter.kind == "type":
            text = names.plain_type(text)
            is_open = not text or text in open_types or _OPEN_TYPE.fullmatch(text)
            found.append(_usual_type(kernel, parameter.name) if is_open else text)
        elif text in ("True", "False", "true", "false"):
            found.append(text.lower())
        else:
            value = constant_of(expression_in(text))
            if value is None:
                return None
            found.append(str(value))
    return tuple(found)


def unread_types_of(launches: Sequence[FoundLaunch]) -> Reason | None:
    """Why no type of a template is known although the file launches the kernel: a guess would describe a kernel that
    nobody launches. None where one is known, or where the file launches none.
    """
    unread = [one.unread_types for one in launches]
    if not unread or not all(unread):
        return None
    line, _, words = unread[0].removeprefix("line ").partition(": ")
    return Reason(words, line=int(line))


def _from_conditions(conditions: Sequence[Condition]) -> Iterator[tuple[str, int]]:
    """Macros with which a kernel's #if holds."""
    for one in conditions:
        compared = re.fullmatch(r"\(?\s*(\w+)\s*==\s*(\d+)\s*\)?", one.words)
        if compared is not None and one.holds:
            yield compared[1], int(compared[2])
        asked = re.fullmatch(r"(!?)\s*defined\s*\(?\s*(\w+)\s*\)?", one.words)
        if asked is not None and (not asked[1]) == one.holds:
            yield asked[2], 1
        if re.fullmatch(r"[A-Za-z_]\w*", one.words) and one.holds:
            yield one.words, 1
