"""The accesses to memory of each source line, by their width, in a kernel's PTX and in its machine code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gemmviz.compiler.nvidia.code_lines import CodeLine, places_of_ptx, places_of_sass
from gemmviz.compiler.nvidia.tools import disassemble
from gemmviz.domain.recordings.machine_accesses import AccessSort, LineAccesses, MachineAccesses, WidthCount

_PTX_ACCESS = re.compile(
    r"^\s*(?:@!?%p\d+\s+)?(?P<op>ldu?|st)(?P<modifiers>(?:\.[\w:]+)*?)\.(?P<space>shared|global|local)"
    r"(?P<rest>(?:[.:][\w:]+)*)\s"
)
_PTX_COPY = re.compile(r"^\s*(?:@!?%p\d+\s+)?cp\.async\.c[ag]\.shared\S*\s+\[[^\]]*\],\s*\[[^\]]*\],\s*(?P<nbytes>\d+)")
_VECTOR, _TYPE = re.compile(r"\.v(\d)"), re.compile(r"\.[subf](8|16|32|64|128)\b")
_BODY = re.compile(r"\.entry\s+(?P<symbol>[\w$.]+)|\.func\b")
_SECTION = re.compile(r"^\s*\.section\s+(?P<name>[^\s,]+)")
_SASS_ACCESS = re.compile(
    r"^\s*/\*[0-9a-f]{4,}\*/\s+(?P<guard>@!?U?P\w+\s+)?(?P<op>LDGSTS|LDG|STG|LDS|STS|LDL|STL|LD|ST)"
    r"(?P<modifiers>(?:\.\w+)*)\s"
)
_SASS_BITS = re.compile(r"\.[US]?(8|16|32|64|128|256)\b")
_NEVER = "@!PT"
"""Guards loads that the assembler adds around asynchronous copies and that no lane executes."""
_UNKNOWN_SPACE = re.compile(
    r"^\s*(?:@!?%p\d+\s+)?(?:ld|st)(?!\S*\.(?:shared|global|local|param|const))\.", re.MULTILINE
)
_PTX_SORTS = {
    ("shared", "ld"): AccessSort.SHARED_LOADS,
    ("shared", "st"): AccessSort.SHARED_STORES,
    ("global", "ld"): AccessSort.GLOBAL_LOADS,
    ("global", "st"): AccessSort.GLOBAL_STORES,
    ("local", "ld"): AccessSort.LOCAL_LOADS,
    ("local", "st"): AccessSort.LOCAL_STORES,
}
_SASS_SORTS = {
    "LDS": AccessSort.SHARED_LOADS,
    "STS": AccessSort.SHARED_STORES,
    "LDG": AccessSort.GLOBAL_LOADS,
    "STG": AccessSort.GLOBAL_STORES,
    "LDL": AccessSort.LOCAL_LOADS,
    "STL": AccessSort.LOCAL_STORES,
    "LDGSTS": AccessSort.ASYNC_COPIES,
}
_Widths = dict[tuple[int, AccessSort], Counter[int]]
"""For a line and a sort: how many instructions of each width in bytes."""


@dataclass(frozen=True, slots=True)
class AssembledCode:
    """What was compiled to be recorded: `text` is what runs, `ptx` what the compiler made, of which `cubin` is the
    machine code for `target`; b"" where there is none, or where it is not of the code as optimised for a run.
    """

    text: str
    ptx: str = ""
    symbol: str = ""
    cubin: bytes = b""
    target: str = ""
    maker: str = ""

    def accesses(self) -> MachineAccesses | None:
        """What each line accesses in PTX and in machine code; None where that is not known."""
        sass = disassemble(self.cubin) if self.cubin else None
        lines = compare_accesses(self.ptx, sass, self.symbol) if sass is not None else None
        return None if lines is None else MachineAccesses(self.target, self.maker, lines)


def compare_accesses(ptx: str, sass: str, symbol: str) -> tuple[LineAccesses, ...] | None:
    """The accesses of each line and sort of a kernel in both, lines ascending.

    Sorts of which some access comes from no line of the source are left out, since what a line has is then not known.
    None where they cannot be compared: a text has no lines of the source or not this kernel, the kernel calls
    functions that are not inlined, or its PTX leaves open which memory an access is to.
    """
    body = _ptx_body(ptx, symbol)
    if body is None or _UNKNOWN_SPACE.search("\n".join(line for line, _ in body)):
        return None
    machine = list(_sass_body(sass, ptx, symbol))
    if not any(place.line for _, place in body) or not any(place.line for _, place in machine):
        return None
    in_ptx, in_sass = _widths(_ptx_accesses(body)), _widths(_sass_accesses(machine))
    keys = in_ptx.keys() | in_sass.keys()
    placeless = {sort for line, sort in keys if not line}  # as cuobjdump leaves all code
    lines: list[LineAccesses] = []
    for sort in (sort for sort in AccessSort if sort not in placeless):
        ungrouped = {line for line, of_sort in keys if of_sort is sort}
        for group in [*_indistinct_lines(body, sort), *((line,) for line in sorted(ungrouped))]:
            if ungrouped.issuperset(group):
                lines += _of_group(
                    [(line, in_ptx.get((line, sort)), in_sass.get((line, sort))) for line in group], sort
                )
                ungrouped -= set(group)
    order = list(AccessSort)
    return tuple(sorted(lines, key=lambda one: (one.line, order.index(one.sort))))


def _of_group(
    found: Sequence[tuple[int, Counter[int] | None, Counter[int] | None]], sort: AccessSort
) -> list[LineAccesses]:
    """The accesses of lines of which SASS does not say which instructions belong to which: line by line where it has as
    many of each width as the PTX, or a multiple, as where a loop is unrolled; else all together.
    """
    ptx, sass = Counter[int](), Counter[int]()
    for _, in_ptx, in_sass in found:
        ptx.update(in_ptx or {})
        sass.update(in_sass or {})
    times = sass.total() // max(ptx.total(), 1)
    lines = [one[0] for one in found]
    if len(found) > 1 and times and all(sass[width] == times * ptx[width] for width in ptx | sass):
        return [
            LineAccesses(line, sort, _counts(here), _counts(Counter({w: times * n for w, n in here.items()})))
            for line, here, _ in found
            if here
        ]
    return [LineAccesses(lines[0], sort, _counts(ptx), _counts(sass), tuple(lines[1:]))]


def _indistinct_lines(body: list[tuple[str, CodeLine]], sort: AccessSort) -> list[tuple[int, ...]]:
    """Groups of lines of a kernel, ascending, that have accesses of the same inlined code: SASS does not say which of
    them an instruction belongs to, since its table of lines goes on where the inlined line stays the same.
    """
    callers: dict[str, set[int]] = {}
    for text, place in body:
        if place.inlined and place.line and any(one is sort for _, one, _ in _ptx_accesses([(text, place)])):
            callers.setdefault(place.inlined, set()).add(place.line)
    groups: list[set[int]] = []
    for lines in callers.values():
        joined = [one for one in groups if one & lines]
        groups = [one for one in groups if one not in joined] + [lines.union(*joined)]
    return [tuple(sorted(one)) for one in groups if len(one) > 1]


def _ptx_body(ptx: str, symbol: str) -> list[tuple[str, CodeLine]] | None:
    """The lines of a kernel's PTX, each with where it is shown; None without the kernel, or where another body
    than those of kernels has instructions.
    """
    found: list[tuple[str, CodeLine]] = []
    now, depth, has_body = "", 0, False
    for text, line in zip(ptx.splitlines(), places_of_ptx(ptx), strict=True):
        head = _BODY.search(text) if not depth else None
        if head is not None:
            now = head["symbol"] or ""
        depth += text.count("{") - text.count("}")
        if depth and not now:
            return None
        if depth and now == symbol:
            has_body = True
            found.append((text, line))
    return found if has_body else None


def _sass_body(sass: str, ptx: str, symbol: str) -> Iterator[tuple[str, CodeLine]]:
    """The lines of a kernel's machine code, each with where it is shown."""
    inside = False
    for text, line in zip(sass.splitlines(), places_of_sass(sass, ptx), strict=True):
        section = _SECTION.match(text)
        if section is not None:
            inside = section["name"] == f".text.{symbol}"
        elif inside:
            yield text, line


def _ptx_accesses(body: list[tuple[str, CodeLine]]) -> Iterator[tuple[int, AccessSort, int]]:
    for text, (line, _) in body:
        copy = _PTX_COPY.match(text)
        if copy is not None:
            yield line, AccessSort.ASYNC_COPIES, int(copy["nbytes"])
        access = _PTX_ACCESS.match(text)
        if access is not None:
            modifiers = access["rest"]
            vector, kind = _VECTOR.search(modifiers), _TYPE.findall(modifiers)
            nbytes = int(kind[-1]) // 8 * (int(vector[1]) if vector is not None else 1) if kind else 0
            yield line, _PTX_SORTS[access["space"], access["op"][:2]], nbytes


def _sass_accesses(body: list[tuple[str, CodeLine]]) -> Iterator[tuple[int, AccessSort, int]]:
    for text, (line, _) in body:
        access = _SASS_ACCESS.match(text)
        if access is None or access["op"] not in _SASS_SORTS or (access["guard"] or "").strip() == _NEVER:
            continue
        bits = _SASS_BITS.findall(access["modifiers"])
        yield line, _SASS_SORTS[access["op"]], int(bits[-1]) // 8 if bits else 4


def _widths(accesses: Iterator[tuple[int, AccessSort, int]]) -> _Widths:
    found: _Widths = {}
    for line, sort, nbytes in accesses:
        found.setdefault((line, sort), Counter())[nbytes] += 1
    return found


def _counts(widths: Counter[int] | None) -> tuple[WidthCount, ...]:
    return tuple(WidthCount(nbytes, count) for nbytes, count in sorted((widths or {}).items()))
