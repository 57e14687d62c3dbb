"""The instructions of a PTX text, counted by kind."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

_BODY = r"\.entry\s+{symbol}\s*\([^)]*\)[^{{;]*\{{"
_INSTRUCTION = re.compile(r"^\s*(?:\$?\w+:\s*)?(?:@!?%p\d+\s+)?(?P<opcode>[a-z][\w.:]*)(?:\s.*)?;")

_KINDS = (
    ("asynchronous copies", r"cp\.(?:async|reduce)|cp\.async\..*"),
    ("tensor core instructions", r"w?g?mma\b|wmma|ldmatrix|stmatrix|tcgen05"),
    ("barriers and fences", r"bar\b|barrier|mbarrier|fence|membar"),
    ("parameter loads", r"ld\.param"),
    ("global loads", r"ld(?:\.\w+)*?\.global|ldu"),
    ("global stores", r"st(?:\.\w+)*?\.global"),
    ("shared loads", r"ld(?:\.\w+)*?\.shared"),
    ("shared stores", r"st(?:\.\w+)*?\.shared"),
    ("local loads and stores", r"(?:ld|st)(?:\.\w+)*?\.local"),
    ("constant loads", r"ld(?:\.\w+)*?\.const"),
    ("generic loads", r"ld\b"),
    ("generic stores", r"st\b"),
    ("atomics", r"atom\b|red\b"),
    ("prefetches", r"prefetchu?|applypriority|discard"),
    ("warp exchanges", r"shfl|vote|match|redux|activemask|elect"),
    ("fused multiply-adds", r"fma\b"),
    ("other floating point", r"(?:add|sub|mul|div|abs|neg|min|max|rcp|sqrt|rsqrt|sin|cos|lg2|ex2|tanh|mad|copysign)\b"
     r"(?:\.\w+)*\.(?:b?f16x?2?|bf16x2|f32|f64|tf32)"),
    ("conversions", r"cvta?\b"),
    ("comparisons and selections", r"setp?\b|selp|slct"),
    ("branches and calls", r"bra\b|brx|call|ret\b|exit|trap|brkpt"),
    ("moves", r"mov\b"),
)  # fmt: skip
_REST = "integer, logic and address arithmetic"
_KIND = re.compile("|".join(f"(?P<k{place}>(?:{pattern}))" for place, (_, pattern) in enumerate(_KINDS)))


def count_instructions(ptx: str, symbol: str) -> dict[str, int]:
    """The instructions of a kernel by kind ("global loads"), most frequent first; {} where it is not in the text."""
    counts = Counter(map(kind_of, opcodes_of(ptx, symbol)))
    return dict(counts.most_common())


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
    """The kind of an instruction in words: "global loads"."""
    match = _KIND.match(opcode)
    return _KINDS[int(match.lastgroup[1:])][0] if match is not None and match.lastgroup else _REST
