"""The edit of a kernel's source by which each of its blocks notes where it ran, from when to when.

An object at the head of the kernel's body stamps the begin when it is made and the end when it goes, whichever way a
thread leaves. Nothing is kept in registers between the two. The signature stays: where the stamps lie is told by a
variable of the module.
"""

from __future__ import annotations

import re
from pathlib import Path

from gemmviz.backends.base import CompileError

POINTER = "gemmviz_stamps"
"""The module's variable that holds the address of the stamps."""

WORDS = 3
"""Unsigned 64-bit words of each block, blocks in linear order, x fastest: its first stamp, its last, its SM."""

NO_STAMP = 2**64 - 1
"""What the host puts into the words of a block's first stamp and of its SM; into that of its last stamp, 0."""

# Of the lanes that come by together one writes, so that a warp whose lanes leave one after the other counts too, and
# atomics over all warps find the first and the last. Everything is read anew at the end, volatile, so that the compiler
# keeps nothing of it alive through the kernel; the clobbers keep loads and stores between the two stamps.
_PRELUDE = f"""
extern "C" {{ __device__ unsigned long long *{POINTER}; }}
struct gemmviz_stamp {{
    static __device__ __forceinline__ bool leads() {{
        unsigned active, below;
        asm volatile("activemask.b32 %0;" : "=r"(active));
        asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
        return (active & below) == 0u;
    }}
    static __device__ __forceinline__ unsigned long long *place() {{
        unsigned x, y, z, nx, ny;
        asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(x));
        asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(y));
        asm volatile("mov.u32 %0, %%ctaid.z;" : "=r"(z));
        asm volatile("mov.u32 %0, %%nctaid.x;" : "=r"(nx));
        asm volatile("mov.u32 %0, %%nctaid.y;" : "=r"(ny));
        return *(unsigned long long *volatile *)&{POINTER} + {WORDS} * (x + (unsigned long long)nx * (y + ny * z));
    }}
    static __device__ __forceinline__ unsigned long long now() {{
        unsigned long long ns;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns) :: "memory");
        return ns;
    }}
    __device__ __forceinline__ gemmviz_stamp() {{
        if (leads()) {{
            unsigned unit;
            unsigned long long *to = place();
            asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
            to[2] = unit;
            atomicMin(to, now());
        }}
        asm volatile("" ::: "memory");
    }}
    __device__ __forceinline__ ~gemmviz_stamp() {{
        asm volatile("" ::: "memory");
        if (leads()) {{
            atomicMax(place() + 1, now());
        }}
    }}
}};
"""
_OBJECT = " gemmviz_stamp gemmviz_stamp_of_this_block;"

_SILENT = re.compile(
    r"""//(?:[^\n\\]|\\.)*|/\*.*?\*/|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""",
    re.DOTALL,
)
"""Comments and literals: whatever stands in them is no code. A backslash continues a line of either."""
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)
_CONTINUED = re.compile(r"\\\r?\n")


def stamped_source(path: Path, text: str, entry: str) -> str:
    """The source with the edit in each definition of the kernel `entry`; messages of the compiler keep their lines.

    Raises:
        CompileError: the file has no body of such a kernel in plain sight.
    """
    bodies = _bodies(_only_code(text), entry)
    if not bodies:
        raise CompileError(
            f"{path}: the body of the kernel {entry!r} is not found in the file, so its blocks cannot be recorded; "
            "write `__global__ void` and the name in the file itself, not in a macro"
        )
    edited = text
    for place in reversed(bodies):
        edited = edited[:place] + _OBJECT + edited[place:]
    return f"{_PRELUDE}#line 1\n{edited}"


def _only_code(text: str) -> str:
    """The text with comments, literals, directives and ends of continued lines blanked out; every character stays."""
    return _CONTINUED.sub(_blank, _DIRECTIVE.sub(_blank, _SILENT.sub(_blank, text)))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _bodies(code: str, entry: str) -> list[int]:
    """The places right behind the opening brace of each definition of a kernel of that name."""
    found = []
    for match in re.finditer(rf"\b{re.escape(entry)}\s*(?=\()", code):
        head = re.split(r"[;{}]", code[: match.start()])[-1]
        opening = re.compile(r"\s*\{").match(code, _behind_parentheses(code, match.end()))
        if opening is not None and re.search(r"\b__global__\b", head):
            found.append(opening.end())
    return found


def _behind_parentheses(code: str, start: int) -> int:
    """The place behind the parenthesis that closes the one at `start`; the end of the text if none does."""
    depth = 0
    for match in re.compile(r"[()]").finditer(code, start):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.end()
    return len(code)
