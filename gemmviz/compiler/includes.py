"""Which files a kernel's source may bring in: those of its own folder and below, of the folders for headers beside it,
and the compiler's own headers.

A kernel file may come from anywhere, and a compiler quotes what it cannot read. So every way to a file is looked at
before a compiler is: includes are followed here, the compiler gets copies of what may be included, and whatever hides a
file's name (macros, trigraphs, computed strings) is refused.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath

from gemmviz.compiler.device_source import code_of, is_cut
from gemmviz.compiler.source import CompileError, Source
from gemmviz.domain.files.bounded_read import ReadError, read_bytes
from gemmviz.domain.files.header_folders import header_folders
from gemmviz.domain.terms import Language

MOST_FILES = 200
MOST_BYTES = 2**20
"""Of one file."""

_SPLICE = re.compile(r"\\[ \t]*\r?\n")
_SILENT = re.compile(
    r"""(?P<comment>/\*.*?(?:\*/|\Z)|//[^\n]*) | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    | (?P<open>["'][^\n]*) | (?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)""",
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t\v\f\r]*(?:\#|%:|\?\?=)[ \t\v\f]*(?P<word>\w+)(?P<rest>[^\n]*)", re.MULTILINE)
_QUOTED = re.compile(r'"(?P<name>[^"\n]*)"\s*$')
_ANGLED = re.compile(r"<(?P<name>[^>\n]*)>\s*$")
_READS = {"include", "include_next", "import", "embed", "using"}
_LOOKS = re.compile(r"\b(__has_(?:include(?:_next)?|embed))\b\s*(?P<asks>\(\s*(?:\"([^\"]*)\"|<([^>]*)>)?)?")
_JOINED = re.compile(r'"\s*(?:u8|[uUL])?"')
_IN_ASSEMBLY = re.compile(r"\bincbin\b|\.\s*include\b", re.IGNORECASE)
_PRAGMA_FILE = re.compile(r"\b(?:dependency|include_alias|include_instead|pch_preprocess|hdrstop)\b")
_ASSEMBLY = re.compile(r"\b(?:asm|__asm|__asm__)\b")
_INCLUDE_LINE = re.compile(r"^([ \t]*(?:#|%:)[ \t]*include[ \t]*)[\"<]([^\">\n]+)[\">]", re.MULTILINE)


@dataclass(slots=True)
class _Found:
    """What is included from the kernel's folder or a folder for headers: texts by their place below it."""

    source: Source
    root: Path
    headers: tuple[Path, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)

    def follow(self, text: str, folder: PurePosixPath, path: Path) -> None:
        """Look at all directives of a text that lies in a folder below the root, and at the files that it includes."""
        plain = text.replace("\r\n", "\n")
        if "??=" in plain or "??/" in plain:
            at = min(place for sign in ("??=", "??/") if (place := plain.find(sign)) >= 0)
            raise _refused(path, plain, at, "a trigraph; write # or \\ itself")
        spliced, lines = _spliced(plain)
        code = _without_comments(spliced)
        for match in _DIRECTIVE.finditer(code):
            line = lines[code.count("\n", 0, match.start("word")) % len(lines)]
            self._directive(match["word"], match["rest"].strip(), folder, path, line)
        seam = _JOINED.sub("", code)
        if (found := _IN_ASSEMBLY.search(seam)) is not None:
            raise CompileError(f"{path}: {found[0]!r} reads a file while it is assembled; {_RULE}")
        if self.source.language is Language.OPENCL and (found := _ASSEMBLY.search(code)) is not None:
            raise CompileError(f"{path}: {found[0]!r} is inline assembly, which gemmviz does not accept in OpenCL C")

    def _directive(self, word: str, rest: str, folder: PurePosixPath, path: Path, line: int) -> None:
        place = f"{path}:{line}"
        if word == "pragma" and _PRAGMA_FILE.search(rest):
            raise CompileError(f"{place}: #pragma {rest.split()[0]} names another file; leave it out")
        for look in _LOOKS.finditer(rest):
            name = look[3] or look[4] or ""
            asks = look["asks"] is not None or word == "define"
            if asks and (fault := _fault_of_name(name)):
                raise CompileError(f"{place}: {look[1]}({name}): {fault}; {_RULE}")
        if word not in _READS:
            return
        if word != "include":
            raise CompileError(f"{place}: #{word} is not supported; use #include with a file beside the kernel")
        match = _QUOTED.match(rest) or _ANGLED.match(rest)
        if match is None:
            raise CompileError(f"{place}: #include {rest[:60]}: this does not name a file; write its name in quotes")
        if fault := _fault_of_name(match["name"]):
            raise CompileError(f'{place}: #include "{match["name"]}": {fault}; {_RULE}')
        self._include(match["name"], folder, place)

    def _include(self, name: str, folder: PurePosixPath, place: str) -> None:
        """Follow a file by its name; one that is not there may be a header of the compiler."""
        places = dict.fromkeys((folder / name, PurePosixPath(name)))
        for root, relative in ((one, place) for one in (self.root, *self.headers) for place in places):
            path = root / relative
            with suppress(OSError):
                if not path.exists() and not path.is_symlink():
                    continue
            key = relative.as_posix()
            if key in self.texts:
                return
            if len(self.texts) >= MOST_FILES:
                raise CompileError(f"{place}: more than {MOST_FILES} files are included")
            text = _read(path, root, f'{place}: #include "{name}"')
            self.texts[key] = code_of(text, self.root, relative.parent).text if is_cut(self.source) else text
            self.follow(self.texts[key], relative.parent, path)
            return


_RULE = (
    "a kernel may only include files of its own folder and below, or of a folder include, inc or common in it or in "
    "the two folders above, and headers of the compiler"
)


def included_files(source: Source) -> dict[str, str]:
    """The texts of the files that a source includes from its own folder or a folder for headers, and of those that they
    include, by the place below that folder. Files that are not there are left to the compiler. Those of a person's own
    have no host code.

    Raises:
        CompileError: it asks for another file, or hides which it asks for; with the line, and the file's name.
    """
    root = source.path.parent
    with suppress(OSError):
        root = root.resolve()
    found = _Found(source, root, header_folders(root))
    found.follow(source.text, PurePosixPath(), source.path)
    return found.texts


def write_copies(texts: Mapping[str, str], folder: Path) -> None:
    """Put the included files into a folder, each in its place. Raises OSError."""
    for place, text in texts.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")


def copies_of(texts: Mapping[str, str], parent: Path | None) -> Path:
    """A folder with the included files, below `parent`, or a temporary one; the same for the same files.

    Raises OSError.
    """
    name = hashlib.sha256(repr(sorted(texts.items())).encode("utf-8", "surrogateescape")).hexdigest()[:20]
    folder = Path(tempfile.mkdtemp(prefix="gemmviz-headers-")) if parent is None else parent / "headers" / name
    write_copies(texts, folder)
    return folder


def with_copies(text: str, texts: Mapping[str, str], folder: Path) -> str:
    """A source that includes the copies in `folder`, wherever the compiler would look first."""

    def by_path(match: re.Match[str]) -> str:
        place = PurePosixPath(match[2]).as_posix()
        return f'{match[1]}"{(folder / place).as_posix()}"' if place in texts else match[0]

    return _INCLUDE_LINE.sub(by_path, text)


def _fault_of_name(name: str) -> str:
    """Why a file's name may not be included; "" if it may."""
    windows = PureWindowsPath(name)
    if name.startswith(("/", "\\", "~")) or windows.is_absolute() or windows.drive or "\0" in name:
        return "an absolute path"
    if ".." in windows.parts or ".." in PurePosixPath(name).parts:
        return "a path that leaves the folder"
    return "" if name.strip() else "no name"


def _read(path: Path, root: Path, place: str) -> str:
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(root):
            raise CompileError(f"{place}: a link that leads to {real}; {_RULE}")
        if not real.is_file():
            raise CompileError(f"{place}: not an ordinary file; {_RULE}")
        data = read_bytes(real, MOST_BYTES)
    except ReadError as error:
        raise CompileError(f"{place}: {error.fault}; {_RULE}") from error
    except (OSError, RuntimeError) as error:
        raise CompileError(f"{place}: cannot read the file: {getattr(error, 'strerror', None) or error}") from error
    return data.decode("utf-8", "surrogateescape")


def _spliced(text: str) -> tuple[str, list[int]]:
    """The text with continued lines joined, and for each of its lines the number in the file, from 1."""
    spliced, lines, number = [], [1], 1
    for part in re.split(r"(\\[ \t]*\n|\n)", text):
        if part == "\n":
            number += 1
            lines.append(number)
        elif _SPLICE.fullmatch(part):
            number += 1
            continue
        spliced.append(part)
    return "".join(spliced), lines


@lru_cache(maxsize=8)  # a kernel under examination is compiled a hundred times
def _without_comments(text: str) -> str:
    """The text with a blank for each comment, its line breaks kept. An open quote ends with its line, or hides nothing:
    compilers differ, so what stands behind it is looked at both ways."""
    is_open = any(match["open"] is not None and not _in_directive(text, match) for match in _SILENT.finditer(text))

    def plain(match: re.Match[str]) -> str:
        if match["comment"] is None:
            return match[0]
        return " " + "\n" * match[0].count("\n")

    bare = _SILENT.sub(plain, text)
    return f"{bare}\n{text}" if is_open else bare


def _in_directive(text: str, match: re.Match[str]) -> bool:
    """Whether a quote stands behind #error or #warning, whose words are no code."""
    line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    return re.match(r"\s*#\s*(?:error|warning)\b", line) is not None


def _refused(path: Path, text: str, at: int, reason: str) -> CompileError:
    return CompileError(f"{path}:{text.count(chr(10), 0, at) + 1}: {reason}")
