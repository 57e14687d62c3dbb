"""The instructions of a PTX text and of machine code (SASS), counted by the same kinds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

_BODY = r"\.entry\s+{symbol}\s*\([^)]*\)[^{{;]*\{{"
_INSTRUCTION = re.compile(r"^\s*(?:\$?\w+:\s*)?(?:@!?%p\d+\s+)?(?P<opcode>[a-z][\w.:]*)(?:\s.*)?;")

_SASS_BODY = r"^\s*(?:\.text\.{symbol}:|Function : {symbol}\s*$)"
_SASS_END = re.compile(r"^\s*\.section\s|^\s*Function : ", re.MULTILINE)
_SASS_INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?(?P<opcode>[A-Z][\w.]*)")
_PADDING = "NOP"

GLOBAL_STORES, FUSED = "global stores", "fused multiply-adds"

_KINDS = (
    ("asynchronous copies", r"cp\.(?:async|reduce)|cp\.async\..*", r"LDGSTS|UTMA|UBLK"),
    ("tensor core instructions", r"w?g?mma\b|wmma|ldmatrix|stmatrix|tcgen05", r"[A-Z]*MMA\b|LDSM|STSM|LDT|STT|UTC"),
    (
        "barriers and fences",
        r"bar\b|barrier|mbarrier|fence|membar",
        r"BAR\b|U?CGA|B2R|R2B|\w*DEPBAR|MEMBAR|FENCE|ERRBAR|SYNCS|WARPSYNC|WARPGROUP|ARRIVES",
    ),
    ("parameter and constant loads", r"ld(?:\.\w+)*?\.(?:param|const)", r"U?LDC"),
    ("arguments and results of calls", r"st(?:\.\w+)*?\.param", r"(?!)"),
    ("global loads", r"ld(?:\.\w+)*?\.global|ldu", r"LDG\b"),
    (GLOBAL_STORES, r"st(?:\.\w+)*?\.global", r"STG\b"),
    ("shared loads", r"ld(?:\.\w+)*?\.shared", r"LDS\b"),
    ("shared stores", r"st(?:\.\w+)*?\.shared", r"STS\b"),
    ("local loads and stores", r"(?:ld|st)(?:\.\w+)*?\.local", r"(?:LD|ST)L\b"),
    ("generic loads", r"ld\b", r"LD\b"),
    ("generic stores", r"st\b", r"ST\b"),
    ("atomics", r"atom\b|red\b", r"ATOM|RED[GS]?\b|UREDG"),
    ("prefetches", r"prefetchu?|applypriority|discard", r"CCTL"),
    ("warp exchanges", r"shfl|vote|match|redux|activemask|elect", r"SHFL|U?VOTE|MATCH|U?REDUX|C?ELECT"),
    (FUSED, r"fma\b", r"[FD]FMA|HFMA2(?!\.MMA)"),
    (
        "other floating point",
        r"(?:add|sub|mul|div|abs|neg|min|max|rcp|r?sqrt|sin|cos|lg2|ex2|tanh|mad|copysign)\b"
        r"(?:\.\w+)*\.(?:b?f16x?2?|bf16x2|f32|f64|tf32)",
        r"[FDH](?:ADD|MUL|MNMX|CHK|SWZADD|FMA)|MUFU",
    ),
    ("conversions", r"cvta?\b", r"[FI]P?2[FI]P?\b|FRND"),
    ("comparisons and selections", r"setp?\b|selp|slct", r"U?[FIDHP]SETP|U?PLOP3|[UF]?SEL\b|[FH]SET"),
    (
        "branches and calls",
        r"bra\b|brx|call|ret\b|exit|trap|brkpt",
        r"BRA|BRX|JMP|JMX|CALL|RET\b|EXIT|BSSY|BSYNC|BREAK|BMOV|BPT|KILL|YIELD",
    ),
    ("moves", r"mov\b", r"U?MOV|IMAD\.MOV|CS2|S2U?R|R2UR|R2P|U?P2U?R"),
    ("other", r"setmaxnreg|nanosleep|griddepcontrol", r"USETMAXREG|NANOSLEEP|ACQBULK|PREEXIT"),
)
"""Name, opcodes of PTX, opcodes of SASS; the first that fits counts. Machine code gives arguments to a function in
registers.
"""
_REST = "integer, logic and address arithmetic"


def count_instructions(ptx: str, symbol: str) -> dict[str, int]:
    """The PTX instructions of a kernel by kind ("global loads"), most frequent first; {} where it is not there."""
    return _counted(opcodes_of(ptx, symbol), _PTX_KIND)


def count_machine_instructions(sass: str, symbol: str) -> dict[str, int]:
    """The same of disassembled machine code, without the instructions that pad its end."""
    return _counted(machine_opcodes_of(sass, symbol), _SASS_KIND)


def machine_opcodes_of(sass: str, symbol: str) -> list[str]:
    """The opcodes of a kernel in SASS ("LDG.E.128") in the order of the text; those that pad its end are left out."""
    start = re.search(_SASS_BODY.format(symbol=re.escape(symbol)), sass, re.MULTILINE)
    if start is None:
        return []
    end = _SASS_END.search(sass, start.end())
    code = sass[start.end() : end.start() if end is not None else len(sass)]
    found = (match["opcode"] for match in _SASS_INSTRUCTION.finditer(code))
    return [opcode for opcode in found if opcode != _PADDING]


def opcodes_of(ptx: str, symbol: str) -> list[str]:
    """The opcodes of a kernel ("ld.global.nc.f32") in the order of the text."""
    start = re.search(_BODY.format(symbol=re.escape(symbol)), ptx)
    if start is None:
        return []
    found, depth = [], 1
    for line in ptx[start.end() :].splitlines():
        match = _INSTRUCTION.match(line)
        if match is not None:
            found.append(match["opcode"])
        depth += line.count("{") - line.count("}")
        if depth <= 0:
            break
    return found


@cache
def kind_of(opcode: str) -> str:
    """The kind of a PTX instruction in words: "global loads"."""
    return _named(opcode, _PTX_KIND)


def _kind_of(column: int) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<k{place}>(?:{kind[column]}))" for place, kind in enumerate(_KINDS)))


_PTX_KIND, _SASS_KIND = _kind_of(1), _kind_of(2)


def _counted(opcodes: Iterable[str], kinds: re.Pattern[str]) -> dict[str, int]:
    return dict(Counter(_named(opcode, kinds) for opcode in opcodes).most_common())


def _named(opcode: str, kinds: re.Pattern[str]) -> str:
    match = kinds.match(opcode)
    return _KINDS[int(match.lastgroup[1:])][0] if match is not None and match.lastgroup else _REST
