"""The sites of instrumented PTX: one for all instructions of a place that do the same to the same variable, or one for
each of them where the source, compiled as written, tells them apart.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from gemmviz.catalogue.kernel_functions import parameter_names
from gemmviz.compiler.source import Source
from gemmviz.domain.kernels.call import MATRICES, Call, MatrixArgument
from gemmviz.domain.recordings.access import AccessKind, AccessPath, Site, SkippedAccess, Space
from gemmviz.machine.ptx.variables import variable_name
from gemmviz.trace.ptx.probing.accesses import AccessPart, What, is_strong_access
from gemmviz.trace.ptx.probing.expressions import expression_of, expressions_of
from gemmviz.trace.ptx.probing.module_arrays import ModuleArray, is_host_constant, module_arrays
from gemmviz.trace.ptx.probing.pointers import UNKNOWN, follow, names_of_constants, names_of_locals, words_of
from gemmviz.trace.ptx.probing.probes import Probe, Probed

_SPACES = (Space.SHARED, Space.GLOBAL)
_ALIGNED = (AccessPath.LOAD_STORE, AccessPath.ATOMIC, AccessPath.ASYNC_COPY)
"""Accesses whose addresses must be multiples of their bytes."""


@dataclass(frozen=True, slots=True)
class Sites:
    """`of_part`: the site of each part of each probe, -1 where it has none. `skipped` is what has none although it
    touches recorded memory, or may; `hides_shared`: some of that may be shared memory.

    An instruction whose memory only its addresses tell has a site in shared memory, and `in_global` has its other one.
    `lines` are those of the source of code compiled as written; `variables` are those of the module that are recorded.
    """

    sites: tuple[Site, ...]
    of_part: tuple[tuple[int, ...], ...]
    skipped: tuple[SkippedAccess, ...]
    hides_shared: bool
    in_global: Mapping[int, int]
    lines: tuple[str, ...] = ()
    variables: tuple[ModuleArray, ...] = ()


def pointers_of(call: Call) -> tuple[str, ...]:
    """The matrix that each parameter points to, "" where it points to none."""
    return tuple(one.name if isinstance(one, MatrixArgument) else "" for one in call.arguments)


def names_in_source(call: Call, source: Source) -> dict[str, str]:
    """What the source calls the parameter that points to each matrix; nothing where its parameters are not found."""
    written = parameter_names(source.text, source.entry)
    if len(written) != len(call.arguments):
        return {}
    return {name: word for name, word in zip(pointers_of(call), written, strict=True) if name}


def sites_of(
    made: Probed, source: str = "", pointers: Sequence[str] = MATRICES, called: Mapping[str, str] | None = None
) -> Sites:
    """The sites of a kernel's PTX, in the order of the source's lines, and what is not recorded of it. `pointers` are
    the matrices that its parameters point to, in their order; `called` is what the source calls a matrix, where that is
    another name.

    A site is called by its opcode or, where the text of a `source` compiled as written is given, by what that writes.
    """
    lines = tuple(source.splitlines())
    bases, own = follow(made.module, made.symbol), names_of_locals(made.module)
    constants = names_of_constants(made.module)
    parameters = made.module.entry(made.symbol).parameters
    names = {parameter: name for parameter, name in zip(parameters, pointers, strict=False) if name}
    of_module = module_arrays(made.module, made.symbol)
    folded = {one.symbol for one in of_module if is_host_constant(source, variable_name(one.symbol))}
    variables = tuple(one for one in of_module if one.symbol not in folded)
    names |= {one.symbol: one.name for one in variables}
    spaces = dict.fromkeys(names, Space.GLOBAL)
    for shared in made.module.shared:
        names[shared.name], spaces[shared.name] = variable_name(shared.name), Space.SHARED
    found: dict[Site, int] = {}
    parts: list[list[Site | None]] = []
    both: dict[Site, Site] = {}
    skipped = [SkippedAccess(statement.place.line, statement.opcode, why) for statement, why in made.unseen]
    reason = "it reads constant memory (`__constant__`), which the constant cache serves, and is not counted"
    beside = [
        SkippedAccess(statement.place.line, statement.opcode, reason)
        for function in (made.module.entry(made.symbol), *(one for one in made.module.functions if not one.is_entry))
        for statement in function.statements
        if statement.words[:2] == ("ld", "const")
    ]
    beside += _unseen_waits(made)
    for probe in made.probes:
        here: list[Site | None] = []
        for part in probe.found.parts:
            reached = _bases(probe, part, bases)
            known = [base for base in reached if base in names] if UNKNOWN not in reached else []
            if set(reached) & constants and probe.statement is not None:
                beside.append(SkippedAccess(probe.statement.place.line, probe.statement.opcode, reason))
                if not known:
                    here.append(None)
                    continue
            if set(reached) & folded and not known:
                here.append(None)
                continue
            site = _site(probe, part, [names[b] for b in known], {spaces[b] for b in known})
            here.append(site)
            if site is not None:
                found.setdefault(site, len(found))
            elif probe.statement is not None and not (set(reached) & own and not known):
                near, other = (_site(probe, replace(part, space=one), [], set()) for one in _SPACES)
                assert near is not None
                assert other is not None
                here[-1], both[near] = near, other
                found.setdefault(near, len(found))
                found.setdefault(other, len(found))
        parts.append(here)
    scalars = {one.name for one in variables}
    if lines:
        found = _split_by_expression(parts, found, both, lines, called or {}, scalars)
    ordered = sorted(found, key=lambda site: (site.line, site.column, found[site]))
    number = {site: index for index, site in enumerate(ordered)}
    arrays = {site.array for site in ordered}
    return Sites(
        tuple(
            _as_written(replace(site, index=index), lines, arrays, called or {}, scalars)
            for index, site in enumerate(ordered)
        ),
        tuple(tuple(-1 if site is None else number[site] for site in here) for here in parts),
        tuple(dict.fromkeys([*skipped, *beside])),
        bool(skipped),
        {number[near]: number[other] for near, other in both.items()},
        lines,
        variables,
    )


def _unseen_waits(made: Probed) -> list[SkippedAccess]:
    """A remark on barriers of cooperative_groups in shared memory that the system keeps, where there may be some."""
    functions = (made.module.entry(made.symbol), *(one for one in made.module.functions if not one.is_entry))
    every = [statement for function in functions for statement in function.statements]
    asks = next((one for one in every if "%reserved_smem_offset_1" in one.operands), None)
    if asks is None or not any(one.words[0] == "atom" and "shared" not in one.words for one in every):
        return []
    reason = (
        "if a warp belongs to groups of different sizes, such as tiled_partition<64> and <128>, gemmviz does not see "
        "which of them wait for each other, and may report races between accesses that such a wait separates"
    )
    return [SkippedAccess(asks.place.line, asks.opcode, reason)]


def _split_by_expression(
    parts: list[list[Site | None]],
    found: Mapping[Site, int],
    both: dict[Site, Site],
    lines: Sequence[str],
    called: Mapping[str, str],
    scalars: Collection[str],
) -> dict[Site, int]:
    """The sites by their order, with the words of their expressions where a line, all of which the compiler gives one
    place, has as many of them as the site has instructions: then each has a site of its own, also in `parts` and, where
    only addresses tell its memory, in `both`.
    """
    others, arrays = set(both.values()), {called.get(site.array, site.array) for site in found}
    where: dict[Site, list[tuple[int, int]]] = {}
    for probe, here in enumerate(parts):
        for part, site in enumerate(here):
            if site is not None:
                where.setdefault(site, []).append((probe, part))
    order: dict[Site, int] = {}
    for site in found:
        if site in others:
            continue
        places, other = where.get(site, []), both.get(site)
        expressions = expressions_of(replace(site, array=called.get(site.array, site.array)), lines, arrays, scalars)
        if not places or len(expressions) != len(places):
            for one in (site,) if other is None else (site, other):
                order.setdefault(one, len(order))
            continue
        both.pop(site, None)
        for (probe, part), (text, column) in zip(places, expressions, strict=True):
            parts[probe][part] = own = replace(site, text=text, column=column)
            order.setdefault(own, len(order))
            if other is not None:
                both[own] = replace(other, text=text, column=column)
                order.setdefault(both[own], len(order))
    return order


def _as_written(
    site: Site, lines: Sequence[str], arrays: Collection[str], called: Mapping[str, str], scalars: Collection[str]
) -> Site:
    """A site at the place and with the words of the source's expression, where that is known; in the helper that a line
    calls, with its words.
    """
    there = replace(site, array=called.get(site.array, site.array))
    text, column = expression_of(there, lines, [called.get(name, name) for name in arrays], scalars)
    return replace(site, text=text or site.text, column=site.column if site.header else column)


def _bases(probe: Probe, part: AccessPart, bases: dict[tuple[str, str], frozenset[str]]) -> list[str]:
    assert probe.statement is not None
    found: set[str] = set()
    for word in words_of(part.pointer):
        register = probe.statement.scope.register(word)
        found |= bases.get((probe.function, register.unique), frozenset()) if register is not None else {word}
    return sorted(found)


def _site(probe: Probe, part: AccessPart, names: Sequence[str], spaces: set[Space]) -> Site | None:
    """A site without its number; None where a generic address has no space."""
    assert probe.statement is not None
    space = part.space or (next(iter(spaces)) if len(spaces) == 1 else None)
    if space is None:
        return None
    place, opcode = probe.statement.place, probe.statement.opcode
    text = opcode if probe.found.what is not What.TENSOR_COPY else f"{opcode.partition('.shared')[0]}"
    array = names[0] if len(set(names)) == 1 else ""
    aligned = part.width_bytes if part.path in _ALIGNED else 0
    return Site(
        0,
        place.line,
        place.column,
        text,
        space,
        AccessKind(part.kind),
        part.width_bytes,
        array,
        aligned,
        path=part.path,
        header=place.header,
        is_strong=part.path is AccessPath.LOAD_STORE and is_strong_access(probe.statement),
    )
