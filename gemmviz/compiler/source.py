"""What a compiler is given, and how it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gemmviz.domain.terms import Language

SOURCE_NAME = "kernel.cu"
"""What every source is called while it is compiled: a name that no shell on the way misreads."""
COMPILE_LIMIT_S = 600.0
"""The time limit of a compiler where nobody gave one."""


class BackendError(Exception):
    """A device or a compiler cannot do what was asked; the message is for the person who asked."""


class CompileError(BackendError):
    """A kernel source does not compile; the message carries file and line of the original source. `errors` are all that
    the compiler named, each as `path:line: message`; () where it named none. So are `warnings`. `lacks_file`: the
    message says which included files were not found.
    """

    def __init__(
        self, message: str, errors: Sequence[str] = (), warnings: Sequence[str] = (), *, lacks_file: bool = False
    ) -> None:
        super().__init__(message)
        self.errors, self.warnings, self.lacks_file = tuple(errors), tuple(warnings), lacks_file


class EntryError(CompileError):
    """A description names a kernel that the file does not have, or arguments that do not fit its template."""


class WrittenFormError(CompileError):
    """A source that compiles, but not as written (`-G`)."""


class CompileTimeoutError(BackendError):
    """A compiler did not end within its time limit, and was ended."""


class CompilerMissingError(BackendError):
    """There is no compiler, or it does not run; the message says how to get one."""


@dataclass(frozen=True, slots=True)
class Source:
    """A kernel's text and what the compiler is told besides: `defines` become `#define NAME value`.

    `requires` is what its header asks of a device; an architecture with a suffix ("sm_90a") is what to compile for.
    `limit_s` is the longest time that each step of compiling it may take. `is_foreign`: it is a person's own, so that
    the types of its parameters are looked at before it is launched. `listing` is the name of the file that the lines of
    PTX are those of, "" for the PTX' own; `types` are those of the source's arguments and `threads` is the size of a
    block, for the compilers of languages that need them.
    """

    path: Path
    text: str
    entry: str
    language: Language
    defines: tuple[tuple[str, int], ...] = ()
    requires: tuple[str, ...] = ()
    limit_s: float = COMPILE_LIMIT_S
    is_foreign: bool = False
    listing: str = ""
    types: tuple[str, ...] = ()
    threads: int = 0


def full_reason(error: Exception) -> str:
    """The message of an error. For a source that does not compile, further lines have the other errors and
    the warnings.
    """
    if not isinstance(error, CompileError):
        return str(error)
    return "\n".join([str(error), *error.errors[1:], *error.warnings])


def compile_limit_words(limit_s: float) -> str:
    """What is said about a compiler that did not end."""
    return (
        f"compiling did not end within {limit_s:g} s: allow more time (--time-limit); macros, templates and unrolled "
        "loops that generate much code take long, and so does a busy computer"
    )
