"""Parameters of a template whose names stand for something else in a description: they have other names there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.parameters.parameter_search import ParameterSearch
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.catalogue.launch.call_rule import RESERVED
from gemmviz.domain.shape import Shape


def parameters_of(
    searched: SearchedKernel,
    log: SearchLog,
    made: CompiledKernel,
    description: Description,
    right_sizes: Sequence[Shape],
    launch: FoundLaunch | None,
) -> tuple[Description, tuple[str, ...], tuple[str, ...], str]:
    """What `ParameterSearch.found` gives, where a parameter of the template may be called as a matrix is."""
    renamed = renamed_of(searched.kernel)
    searched = replace(searched, kernel=with_names(searched.kernel, renamed))
    described, told, fixed, untried = ParameterSearch(searched, log, made, description, right_sizes, launch).found()
    return described, (*renamed_words(renamed, described), *told), fixed, untried


def renamed_of(kernel: FoundKernel) -> dict[str, str]:
    """The numbers of a kernel's template whose names stand for something else in a description, each with another name
    for it: B is a matrix there, and B_ is not.
    """
    known = {*kernel.words, *(one.name for one in kernel.template)}
    return {
        one.name: next(name for name in (f"{one.name}{'_' * count}" for count in range(1, 99)) if name not in known)
        for one in kernel.template
        if one.kind == "number" and one.name in RESERVED
    }


def with_names(kernel: FoundKernel, renamed: Mapping[str, str]) -> FoundKernel:
    """The kernel with other names for numbers of its template."""
    if not renamed:
        return kernel

    def text_of(text: str) -> str:
        return re.sub(r"[A-Za-z_]\w*", lambda name: renamed.get(name[0], name[0]), text)

    return replace(
        kernel,
        template=tuple(replace(one, name=text_of(one.name), default=text_of(one.default)) for one in kernel.template),
        bound=text_of(kernel.bound),
        threads=tuple(map(text_of, kernel.threads)),
        constants=tuple((name, text_of(text)) for name, text in kernel.constants),
        block_edges=tuple((axis, text_of(text)) for axis, text in kernel.block_edges),
        words=frozenset(map(text_of, kernel.words)),
    )


def renamed_words(renamed: Mapping[str, str], described: Description) -> tuple[str, ...]:
    """Which parameters of a description have other names than in the template, and why."""
    return tuple(
        f"{new} is the template's {name}, since {name} means something else in a description"
        for name, new in renamed.items()
        if new in described.defaults
    )
