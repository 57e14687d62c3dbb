"""The process that NVIDIA's compiler works in, since it may crash, run out of memory, or never end.

Started as a program of its own: `python nvrtc_process.py FOLDER`. FOLDER holds request.json and kernel.cu; the answer
goes there too: log.txt and, where it compiled, kernel.ptx, kernel.cubin and names.json. It imports next to nothing, so
that it starts in a tenth of a second.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

COMPILED, AT_FAULT, BROKEN = 0, 1, 3
"""Exit codes: it compiled; the source is at fault, log.txt says why; the compiler cannot be used, log.txt says why."""
OUT_OF_MEMORY = 4


def main(folder: Path) -> int:
    """Compile what lies in a folder; the exit code."""
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    limit_memory(request["memory_bytes"])
    try:
        code, log = compile_source(folder, request)
    except MemoryError:
        code, log = OUT_OF_MEMORY, ""
    except (ImportError, OSError, RuntimeError) as error:
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
    ctypes.CDLL(request["library"])  # the wheel's: cuda.bindings then looks for no other
    sys.path.insert(0, request["modules"])
    from cuda.bindings import nvrtc

    def checked(result: Any) -> Any:
        if int(result[0]) != 0:
            raise RuntimeError(nvrtc.nvrtcGetErrorString(result[0])[1].decode())
        return result[1] if len(result) == 2 else None

    def text_of(get_size: Callable[[Any], Any], get: Callable[[Any, bytes], Any]) -> bytes:
        buffer: bytes = b" " * checked(get_size(program))  # which `get` writes to
        checked(get(program, buffer))
        return buffer

    source = (folder / "kernel.cu").read_bytes()
    names = [name.encode() for name in request["headers"]]
    headers = [text.encode() for text in request["headers"].values()]
    program = checked(nvrtc.nvrtcCreateProgram(source, b"kernel.cu", len(names), headers, names))
    for name in request["names"]:
        checked(nvrtc.nvrtcAddNameExpression(program, name.encode()))
    options = [option.encode() for option in request["options"]]
    (result,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    log = text_of(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog).decode(errors="replace").replace("\0", "")
    if result == nvrtc.nvrtcResult.NVRTC_ERROR_OUT_OF_MEMORY:
        return OUT_OF_MEMORY, log
    if int(result) != 0:
        (folder / "kernel.ptx").write_bytes(text_of(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX).rstrip(b"\0"))
        return AT_FAULT, log or nvrtc.nvrtcGetErrorString(result)[1].decode()
    lowered = {name: checked(nvrtc.nvrtcGetLoweredName(program, name.encode())).decode() for name in request["names"]}
    for name, made in (
        ("kernel.ptx", text_of(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX).rstrip(b"\0")),
        ("kernel.cubin", text_of(nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN)),
        ("names.json", json.dumps(lowered).encode()),
    ):
        (folder / name).write_bytes(made)
    return COMPILED, log


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
