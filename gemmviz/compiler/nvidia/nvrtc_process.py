"""The process that NVIDIA's compiler works in, since it may crash, run out of memory, or never end.

Started as a program of its own: `python nvrtc_process.py FOLDER`. FOLDER holds request.json and kernel.cu; the answer
goes there too: log.txt and, where it compiled, kernel.ptx, kernel.cubin and names.json. It imports next to nothing, so
that it starts soon.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

COMPILED, AT_FAULT, BROKEN = 0, 1, 3
"""Exit codes: it compiled; the source is at fault, log.txt says why; the compiler cannot be used, log.txt says why."""
OUT_OF_MEMORY = 4
_SUCCESS, _RESULT_OUT_OF_MEMORY = 0, 1
"""NVRTC_SUCCESS and NVRTC_ERROR_OUT_OF_MEMORY of nvrtc.h."""


def main(folder: Path) -> int:
    """Compile what lies in a folder; the exit code."""
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    limit_memory(request["memory_bytes"])
    try:
        code, log = compile_source(folder, request)
    except MemoryError:
        code, log = OUT_OF_MEMORY, ""
    except (AttributeError, OSError, RuntimeError) as error:
        code, log = BROKEN, f"{type(error).__name__}: {error}"
    (folder / "log.txt").write_text(log, encoding="utf-8")
    return code


def limit_memory(memory_bytes: int) -> None:
    """Bound the address space, and leave no core file behind; not on Windows."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def compile_source(folder: Path, request: dict[str, Any]) -> tuple[int, str]:
    """Compile kernel.cu: the exit code, and what the compiler said."""
    if sys.platform == "win32":
        os.add_dll_directory(str(Path(request["library"]).parent))
    library = ctypes.CDLL(request["library"])
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    program = ctypes.c_void_p()

    def message(result: int) -> str:
        words: bytes = library.nvrtcGetErrorString(result)
        return words.decode()

    def check(result: int) -> None:
        if result != _SUCCESS:
            raise RuntimeError(message(result))

    def made(what: str) -> bytes:
        size = ctypes.c_size_t()
        check(getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
        buffer = ctypes.create_string_buffer(size.value)
        check(getattr(library, f"nvrtcGet{what}")(program, buffer))
        return buffer.raw

    def lowered(name: str) -> str:
        found = ctypes.c_char_p()
        check(library.nvrtcGetLoweredName(program, name.encode(), ctypes.byref(found)))
        return (found.value or b"").decode()

    source = (folder / "kernel.cu").read_bytes()
    headers = request["headers"]
    texts, names = _strings(headers.values()), _strings(headers)
    check(library.nvrtcCreateProgram(ctypes.byref(program), source, b"kernel.cu", len(headers), texts, names))
    for name in request["names"]:
        check(library.nvrtcAddNameExpression(program, name.encode()))
    options = request["options"]
    result = library.nvrtcCompileProgram(program, len(options), _strings(options))
    log = made("ProgramLog").decode(errors="replace").replace("\0", "")
    if result == _RESULT_OUT_OF_MEMORY:
        return OUT_OF_MEMORY, log
    if result != _SUCCESS:
        (folder / "kernel.ptx").write_bytes(made("PTX").rstrip(b"\0"))
        return AT_FAULT, log or message(result)
    for file, content in (
        ("kernel.ptx", made("PTX").rstrip(b"\0")),
        ("kernel.cubin", made("CUBIN")),
        ("names.json", json.dumps({name: lowered(name) for name in request["names"]}).encode()),
    ):
        (folder / file).write_bytes(content)
    return COMPILED, log


def _strings(words: Collection[str]) -> ctypes.Array[ctypes.c_char_p]:
    """An array of C strings."""
    return (ctypes.c_char_p * len(words))(*(word.encode() for word in words))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
