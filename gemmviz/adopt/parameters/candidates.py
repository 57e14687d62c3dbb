"""What of a kernel may be a parameter: numbers of its template, macros and constants of its file."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.propose.constants import guarded_constants, replaceable_constants
from gemmviz.adopt.prove.launcher import TryError
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.catalogue.languages.file_constants import FileConstant
from gemmviz.catalogue.launch.call_rule import RESERVED
from gemmviz.domain.terms import Language

NAME = re.compile(r"[A-Z][A-Z0-9_]*")
"""What a parameter may be called."""


def candidates_of(searched: SearchedKernel, made: CompiledKernel) -> tuple[dict[str, int], dict[str, FileConstant]]:
    """What may be a parameter, with its value: numbers of the template, macros that others may define, constants of the
    file; and of these the ones that another value has to take the place of before the file is compiled.
    """
    template = zip(searched.kernel.template, made.build.template, strict=False)
    found = {one.name: text for one, text in template if one.kind == "number"}
    found |= {name: str(value) for name, value in made.build.defines}
    names = searched.source.names
    for name in guarded_constants(searched.kernel, names, searched.text):
        found.setdefault(name, str(names.value_of(name)))
    constants = replaceable_constants(searched.kernel, searched.text, found)
    replaceable = {name: one for name, one in constants.items() if name not in RESERVED}
    found |= {name: str(one.value) for name, one in replaceable.items()}
    numbers = {
        name: int(text)
        for name, text in found.items()
        if text.isdigit() and int(text) and NAME.fullmatch(name) and name not in {"M", "N", "K", *RESERVED}
    }
    return numbers, replaceable


def matters(
    searched: SearchedKernel, made: CompiledKernel, replaceable: Collection[str], name: str, value: int
) -> bool:
    """Whether a macro that the file leaves to others is this kernel's own, not another's or the choice of one, and
    whether a constant of the file comes into its code or its launch: conditions (#if) may leave out what it is for.
    """
    if name in replaceable:
        launches = (one.named for one in searched.source.launches_of(searched.kernel))
        if any(name in names for one in launches for names in (*one.block, *one.grid, one.shared_bytes, *one.template)):
            return True
        build = replace(made.build, replaced=(*made.build.replaced, (name, 2 * value)))
    elif name not in dict(made.build.defines):
        return True
    elif any(name in re.findall(r"\w+", one.words) for one in searched.kernel.conditions):
        return False
    else:
        build = replace(made.build, defines=tuple({**dict(made.build.defines), name: 2 * value}.items()))
    try:
        return made.compile(build).ptx != made.ptx
    except TryError:
        return True


def is_fixed(searched: SearchedKernel, described: Description) -> bool:
    """Whether a kernel is described for its proven values alone."""
    return (
        searched.language not in (Language.CUDA, Language.OPENCL)
        or searched.path.suffix == ".py"
        or bool(searched.local)
        or bool(described.fixed or not all(map(str.isdigit, described.block)))
        or any(one.is_narrow for one in described.rules)
    )
