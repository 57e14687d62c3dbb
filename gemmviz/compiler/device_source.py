"""A person's own CUDA source without what is for the host, and without includes that no compiler here finds."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

from gemmviz.compiler import prelude
from gemmviz.compiler.device_code import DeviceCode, device_code
from gemmviz.compiler.nvidia.wheels import find_nvrtc
from gemmviz.compiler.source import CompilerMissingError, Source
from gemmviz.domain.files.header_folders import header_folders
from gemmviz.domain.terms import Language


def is_cut(source: Source) -> bool:
    """Whether host code is taken out of a source before it is compiled."""
    return source.is_foreign and source.language is Language.CUDA


def device_source(source: Source) -> Source:
    """The source that is compiled: of a person's own CUDA file its device code, every line in its place."""
    return replace(source, text=code_of(source.text, source.path.parent).text) if is_cut(source) else source


_ROOT = PurePosixPath()
_OF_HOST = re.compile(r"(?:cublas|cudnn|cufft|cusolver|cusparse|nvjpeg|nvml|nvtx|npp|nccl|cuda_profiler)\w*\.h(?:pp)?")
"""Headers of NVIDIA's libraries for the host, which lie beside the compiler's own where such a library is installed."""
_STANDARD = re.compile(r"\w+|(?:sys/)?(?:time|errno|signal|unistd|types|stat|ctype|wchar|setjmp|complex|locale)\.h")
"""Headers of C and C++, which nobody puts beside a file."""
_OUTWARD = re.compile(
    r"""(?P<begin>^[ \t]*\#[ \t]*include[ \t]*)(?P<open>["<])(?P<name>(?:\.\./)+[^">\n]+)(?P<close>[">])""",
    re.MULTILINE,
)
"""An include of a file in a folder above."""
_OF_MISSING_NAME = re.compile(
    r"\bundefined\b|no member|name must be|is not a\b|\bexpected\b|no storage class|incomplete type"
)
"""Of what a compiler says where a header is missing that declares a name or defines a macro."""


def code_of(text: str, root: Path, folder: PurePosixPath = _ROOT) -> DeviceCode:
    """The device's part of a file in a folder below `root`."""
    inward = _OUTWARD.sub(lambda match: _inward(match, root, folder), text)
    return device_code(inward, lambda name: _is_beside(name, root, folder) or is_of_compiler(name))


def left_out_words(source: Source, fault: str) -> str:
    """What was left out of a source, for whoever reads the `fault` for which it does not compile; "" for nothing, and
    where no header explains it.
    """
    if not is_cut(source) or not _OF_MISSING_NAME.search(fault):
        return ""
    left_out = [
        (line, name)
        for line, name in code_of(source.text, source.path.parent).left_out
        if not _OF_HOST.fullmatch(name) and not _STANDARD.fullmatch(name)
    ]
    if not left_out:
        return ""
    some = ", ".join(f"{name} (line {line})" for line, name in left_out[:4])
    more = f" and {len(left_out) - 4} more" if len(left_out) > 4 else ""
    return f". Not found beside the file or in the compiler, and left out: {some}{more}"


def is_of_compiler(name: str) -> bool:
    """Whether the compiler of device code has a header of that name; where there is none, nobody knows."""
    if name in prelude.HEADERS or name in prelude.STD_HEADERS:
        return True
    if _OF_HOST.fullmatch(name):
        return False
    try:
        folders = find_nvrtc().headers
    except CompilerMissingError:
        return True
    parts = PurePosixPath(name).parts
    return ".." not in parts and any((folder / name).is_file() for folder in folders)


def _inward(match: re.Match[str], root: Path, folder: PurePosixPath) -> str:
    """An include of `../inc/tile.h`, as long as it was, by the name that the file has in that folder for headers; as it
    is where that name means another file.
    """
    path = Path(os.path.realpath(root / folder / match["name"]))
    headers = header_folders(root)
    inside = next((one for one in headers if path.is_relative_to(one)), None)
    if inside is None:
        return match[0]
    name = path.relative_to(inside).as_posix()
    with suppress(OSError):
        meant = next((one for one in (root / folder, root, *headers) if (one / name).is_file()), None)
        if meant == inside and len(name) < len(match["name"]):
            return f"{match['begin']}{' ' * (len(match['name']) - len(name))}{match['open']}{name}{match['close']}"
    return match[0]


def _is_beside(name: str, root: Path, folder: PurePosixPath) -> bool:
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts or "\\" in name or "\0" in name:
        return False
    with suppress(OSError):
        roots = (root, *header_folders(root))
        return any((one / place / name).is_file() for one in roots for place in (folder, PurePosixPath()))
    return False
