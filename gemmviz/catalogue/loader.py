"""From a folder of kernel files to the catalogue, and from one file to a kernel."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from gemmviz.catalogue.header import (
    SUFFIXES,
    Header,
    HeaderError,
    MissingHeaderError,
    beside_file,
    has_header,
    read_description,
    read_header,
)
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.kernel_reader import read_kernel, read_own_kernel
from gemmviz.catalogue.languages.ptx import source_file
from gemmviz.catalogue.languages.row import Listing
from gemmviz.catalogue.languages.table import is_found_out_by_running
from gemmviz.catalogue.toml_text import toml_text
from gemmviz.domain.files.bounded_read import ReadError, read_text
from gemmviz.domain.terms import Language
from gemmviz.domain.visible_text import has_control_characters
from gemmviz.resources import resource_folder

KERNEL_SUFFIXES = (".cu", ".cuh", ".cl", ".ptx", ".py")
"""Of the files a person may bring."""
WHAT_KERNEL_FILES_END_IN = (
    ".cu or .cuh (CUDA C), .cl (OpenCL C), .ptx (PTX) or .py (Triton, Numba-CUDA, CuPy's RawKernel)"
)

MOST_BYTES = 2**21
"""Of a kernel file; generated ones are long."""
_MOST_DESCRIPTION_BYTES = 2**20
_NAME = re.compile(r"[A-Za-z_]\w*")


class UnknownKernelError(LookupError):
    """A kernel id that is not in the catalogue; the message suggests the nearest."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Kernels in lesson order."""

    kernels: tuple[Kernel, ...]

    def get(self, kernel_id: str) -> Kernel:
        """The kernel of that id.

        Raises:
            UnknownKernelError: there is none.
        """
        for kernel in self.kernels:
            if kernel.id == kernel_id:
                return kernel
        near = get_close_matches(kernel_id, [kernel.id for kernel in self.kernels], 1, 0.55)
        hint = f"did you mean {near[0]!r}?" if near else "`gemmviz kernels` lists them"
        raise UnknownKernelError(f"there is no kernel {kernel_id!r}; {hint}")

    def with_kernel(self, kernel: Kernel) -> Catalogue:
        """This catalogue and one more kernel, which takes the place of one with the same id."""
        others = [known for known in self.kernels if known.id != kernel.id]
        return Catalogue(tuple(sorted([*others, kernel], key=lambda k: (k.order, k.id))))


def load_catalogue(folder: Path | None = None) -> Catalogue:
    """Every kernel below `folder`, by default the kernels that gemmviz brings.

    They are read anew only when a file of the folder has changed.

    Raises:
        HeaderError: a file's header is wrong, or two files have the same id.
    """
    root = folder if folder is not None else resource_folder("kernels")
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    return _catalogue_of(tuple((path, (facts := path.stat()).st_mtime_ns, facts.st_size) for path in files))


@lru_cache(maxsize=2)
def _catalogue_of(files: tuple[tuple[Path, int, int], ...]) -> Catalogue:
    """The kernels among files, each with the time in nanoseconds at which it changed last and its size in bytes."""
    paths = [path for path, _, _ in files if path.suffix in SUFFIXES]
    kernels = [load_kernel(path) for path in paths]
    seen: dict[str, Path] = {}
    for kernel in kernels:
        if kernel.id in seen:
            raise HeaderError(kernel.path, 1, f"the id {kernel.id!r} is taken by {seen[kernel.id]}")
        seen[kernel.id] = kernel.path
    return Catalogue(tuple(sorted(kernels, key=lambda k: (k.order, k.id))))


def is_shipped(kernel: Kernel) -> bool:
    """Whether a kernel is one that gemmviz brings; any other is a person's own, and runs apart."""
    path = kernel.path
    place = path.resolve() if path.is_symlink() else _resolved(path.parent)
    return place.is_relative_to(_resolved(resource_folder("kernels")))


@lru_cache(maxsize=64)
def _resolved(folder: Path) -> Path:
    return folder.resolve()


def load_user_kernel(
    path: Path, options: Mapping[str, Any] | None = None, params: Mapping[str, tuple[int, ...]] | None = None
) -> Kernel:
    """A person's own kernel file. `options` are keys of a description that take the place of those in its header or in
    the file beside it, or stand alone; with them `params` may be further parameters with their choices. Constraints are
    those of the described kernel, and do not apply to another one that `options` name as the entry.

    Raises:
        HeaderError: a folder, another suffix, unreadable, or a wrong description.
    """
    if has_control_characters(path.name):
        plain = path.with_name(path.name.encode("unicode_escape").decode())
        raise HeaderError(plain, 0, "the file's name has a line break or another control character; rename the file")
    if path.suffix not in KERNEL_SUFFIXES and not path.is_dir():
        described = path.with_suffix("") if path.suffix == ".toml" else path
        instead = f"; it describes {described.name}: give that file" if described.suffix in KERNEL_SUFFIXES else ""
        raise HeaderError(path, 0, f"a kernel file ends in {WHAT_KERNEL_FILES_END_IN}{instead}")
    text = read_source(path)
    if not options:
        return _with_listing(read_own_kernel(_description(path, text), path, text))
    known = _known(path, text)
    if _entry_replaced(known, options):
        known.pop("constraints", None)
    known |= _with_given_template(known, options.get("template"))
    known_params = known.get("params", {})
    new = {name: {"choices": list(values)} for name, values in (params or {}).items() if name not in known_params}
    given = joined(options, {"params": new} if new else {})
    try:
        return described_kernel(path, text, toml_text(joined(known, given)))
    except HeaderError as error:
        raise _placed(error, path, text, given) from error


def _placed(error: HeaderError, path: Path, text: str, options: Mapping[str, Any]) -> HeaderError:
    """An error of a description that options and a file make together: of the options where they gave the key, else at
    its line in the file.
    """
    if not error.key:
        return error
    value: Any = options
    for part in error.key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if value is not None:
        return HeaderError(path, 0, error.reason, key=error.key, is_of_options=True)
    is_described = has_header(path, text) or _is_there(beside_file(path))
    return _description(path, text).fault(error.key, error.reason, error.part) if is_described else error


def entry_without_its_constraints(path: Path, options: Mapping[str, Any]) -> str:
    """The described kernel of a file whose constraints do not apply, because `options` name another; "" for none.

    Raises:
        HeaderError: the file cannot be read, or its description is wrong.
    """
    known = _known(path, read_source(path))
    return _entry_replaced(known, options) if known.get("constraints") else ""


def _known(path: Path, text: str) -> dict[str, Any]:
    """The tables that describe a kernel file; {} where nothing does."""
    is_described = has_header(path, text) or _is_there(beside_file(path))
    return dict(_description(path, text).values) if is_described else {}


def _entry_replaced(known: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """The entry that a description names and options replace by another one; "" for none."""
    entry = known.get("entry", "")
    return str(entry) if "entry" in options and entry not in ("", options["entry"]) else ""


def _with_given_template(known: Mapping[str, Any], template: Sequence[str] | None) -> dict[str, Any]:
    """The parameters of a description where options give its template numbers in their place: each has that number
    alone, in its launch and its rules, too; {} where there are none.
    """
    params, given = dict(known.get("params", {})), {word for text in template or () for word in _NAME.findall(text)}
    pairs = zip(known.get("template", ()), template or (), strict=False)
    fixed = {name: int(text) for name, text in pairs if name in params and name not in given and text.isdigit()}
    for name, value in fixed.items():
        params[name] = {**params[name], "choices": [value], "default": value}
    return {"params": params} if fixed else {}


def joined(known: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a description with other values in the place of some; tables within tables are joined as well."""
    found = dict(known)
    for key, value in options.items():
        before = found.get(key)
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        found[key] = joined(before, value) if both else value  # type: ignore[arg-type]
    return found


def described_kernel(path: Path, text: str, toml: str) -> Kernel:
    """The kernel of a file with this text, described by a TOML text that lies in no file.

    Raises:
        HeaderError: the description is wrong.
    """
    return _with_listing(read_own_kernel(read_description(path, toml, is_file=False), path, text))


def with_earlier_text(kernel: Kernel, text: str) -> Kernel:
    """The kernel of an earlier text of a person's own file. No file is read: a description that is not in the text is
    that of `kernel`.

    Raises:
        HeaderError: the description is wrong for that text.
    """
    if kernel.description:
        return described_kernel(kernel.path, text, kernel.description)
    return _with_listing(read_own_kernel(read_header(kernel.path, text), kernel.path, text))


def load_kernel(path: Path) -> Kernel:
    """The kernel in a file, described by its header or by the file beside it; its id is the file's name.

    Raises:
        HeaderError: the file cannot be read, or its description is wrong; with file, line and reason.
    """
    text = read_source(path)
    return read_kernel(_description(path, text), path, text)


def _with_listing(kernel: Kernel) -> Kernel:
    """A PTX kernel with the source that it was compiled from, where that lies beside the file under its name."""
    if kernel.language is not Language.PTX:
        return kernel
    name = source_file(kernel.text, kernel.entry)
    if name in ("", ".", "..") or not _is_there(kernel.path.with_name(name)):
        return kernel
    return replace(kernel, listing=Listing(name, read_source(kernel.path.with_name(name))))


def read_source(path: Path) -> str:
    """The text of a kernel file.

    Raises:
        HeaderError: it cannot be read.
    """
    try:
        return read_text(path, MOST_BYTES, "utf-8-sig")
    except ReadError as error:
        raise HeaderError(path, error.line, error.reason) from error


def _description(path: Path, text: str) -> Header:
    """The header of a kernel file, or the description in the file beside it."""
    beside = beside_file(path)
    if path.suffix not in KERNEL_SUFFIXES or not _is_there(beside):
        try:
            return read_header(path, text)
        except MissingHeaderError as error:
            is_adoptable = is_found_out_by_running(path, text)
            raise HeaderError(path, error.line, error.reason, is_adoptable=is_adoptable) from error
    if has_header(path, text):
        raise HeaderError(beside, 0, f"{path.name} has a header, too: keep one of them")
    try:
        return read_description(beside, read_text(beside, _MOST_DESCRIPTION_BYTES, "utf-8-sig"))
    except ReadError as error:
        raise HeaderError(beside, error.line, error.reason) from error


def _is_there(path: Path) -> bool:
    with suppress(OSError):
        return path.exists() or path.is_symlink()
    return False
