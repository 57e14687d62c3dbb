"""PTX of a Triton kernel, by Triton's own compiler; no GPU is needed."""

from __future__ import annotations

import inspect
import re
from types import ModuleType
from typing import Any

from gemmviz.catalogue.languages.triton import DIVISOR, MULTIPLE, NUM_STAGES
from gemmviz.compiler.python.kernel_error import KernelError

_CONSTANT = "constexpr"
_RAISED = re.compile(r"\w+Error\((?P<quote>['\"])(?P<words>.*)(?P=quote)\)")
"""How Python writes an error with one sentence."""
_WARP = 32


def compile_triton(module: ModuleType, request: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The PTX of the kernel that a request names, and what Triton says of it.

    Raises:
        KernelError: the kernel is at fault; with its line.
    """
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.errors import CompilationError

    kernel = getattr(module, request["entry"])
    types = dict(zip(kernel.arg_names, request["types"], strict=True))
    constants = {name: _value(kind) for name, kind in types.items() if kind.startswith("=")}
    signature = {name: _CONSTANT if _is_constant(kind) else kind.partition(":")[0] for name, kind in types.items()}
    places = {name: (place,) for place, name in enumerate(kernel.arg_names)}
    multiples = {
        places[name]: [["tt.divisibility", DIVISOR]] for name, kind in types.items() if kind.endswith(MULTIPLE)
    }
    source = ASTSource(kernel, signature, {places[name]: value for name, value in constants.items()}, multiples)
    warps, rest = divmod(request["threads"], _WARP)
    if rest or warps.bit_count() != 1:
        raise KernelError(f"a block of {request['threads']} threads: Triton takes 1, 2, 4, … warps of {_WARP} threads")
    options = {"num_warps": warps}
    if NUM_STAGES in request["values"]:
        options["num_stages"] = request["values"][NUM_STAGES]
    try:
        made = triton.compile(source, target=GPUTarget("cuda", request["capability"], _WARP), options=options)
    except CompilationError as error:
        words, line = _fault(error, inspect.getsource(module))
        raise KernelError(words, line) from error
    facts = made.metadata._asdict()
    scratch = facts.get("global_scratch_size") or 0
    if scratch:
        raise KernelError(f"the kernel needs {scratch} bytes of global scratch memory, which gemmviz does not give it")
    if (facts.get("num_ctas") or 1) > 1:
        raise KernelError("the kernel runs in clusters of blocks (num_ctas), which gemmviz does not launch")
    return made.asm["ptx"], {
        "maker": "Triton",
        "release": triton.__version__,
        "symbol": facts["name"],
        "shared_bytes": facts["shared"],
    }


def _is_constant(kind: str) -> bool:
    return not kind or kind.startswith("=")


def _value(kind: str) -> int | None:
    return None if kind == "=None" else int(kind[1:])


def _fault(error: Any, text: str) -> tuple[str, int]:
    """What Triton says, without the source that it repeats, and the line of the file with this text."""
    innermost: Any = error
    while isinstance(innermost.__cause__, type(error)):
        innermost = innermost.__cause__
    begin = text.find(innermost.src.strip()) if innermost.src else -1
    line = text.count("\n", 0, begin) + innermost.node.lineno if begin >= 0 and innermost.node is not None else 0
    said = innermost.error_message or (str(innermost.__cause__) if innermost.__cause__ else "") or str(innermost)
    return plain_words(said), line


def plain_words(said: str) -> str:
    """A sentence of Triton's in one line, without the name of an error of Python around it."""
    words = " ".join(said.split())
    inner = _RAISED.fullmatch(words)
    return inner["words"] if inner is not None else words
