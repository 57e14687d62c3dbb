"""PTX of Triton as a plain kernel: without the pointers that Triton's launcher adds, and with its shared memory."""

from __future__ import annotations

import re

from gemmviz.compiler.source import CompileError, Source

_EXTERN_SHARED = re.compile(r"\.extern\s+(\.shared\s+(?:\.align\s+\d+\s+)?\.b8\s+[\w$]+)\[\s*\]")


def with_shared_bytes(ptx: str, nbytes: int) -> str:
    """The text with an array of so many bytes in the place of the one whose size a launch gives."""
    return _EXTERN_SHARED.sub(rf"\1[{nbytes}]", ptx) if nbytes else ptx


def without_scratch(ptx: str, symbol: str, source: Source) -> str:
    """The text without the parameters of a kernel behind those of its source, none of which it uses.

    Raises:
        CompileError: it uses one of them.
    """
    head = re.search(rf"(\.entry\s+{re.escape(symbol)}\s*\()([^)]*)(\))", ptx)
    if head is None:
        return ptx
    parameters = [one.strip() for one in head[2].split(",") if one.strip()]
    added = parameters[sum(1 for kind in source.types if kind and not kind.startswith("=")) :]
    for one in added:
        name = one.split()[-1]
        if re.search(rf"\b{re.escape(name)}\b", ptx[head.end() :]):
            raise CompileError(
                f"{source.path}: {source.entry} uses memory that Triton's launcher gives it ({name}), which gemmviz "
                "does not"
            )
    kept = ",\n\t".join(parameters[: len(parameters) - len(added)])
    return f"{ptx[: head.end(1)]}\n\t{kept}\n{ptx[head.start(3) :]}"
