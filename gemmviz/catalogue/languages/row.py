"""What is known of a language that kernel files are written in, and is compiled to PTX by somebody else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gemmviz.domain.kernels.call import Call
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language


class LanguageError(ValueError):
    """A kernel file of a language is wrong, or a description does not fit it; the `reason` names thing and remedy.
    `line` is the line of the file, 0 for none.
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.reason = reason
        self.line = line

    def at(self, path: Path) -> str:
        """The reason with the file and its line before it: "mine.py:3: …"."""
        return f"{path}:{self.line}: {self.reason}" if self.line else f"{path}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Listing:
    """The text that a kernel's lines are those of, where it is not what is compiled: name of the file, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """What is compiled of a file. `listing` is None where the file itself is shown, and its lines are told.
    `defines` are macros that the file asks for, `constants` are names of the file whose values the text has in it.
    """

    text: str
    listing: Listing | None = None
    defines: tuple[tuple[str, str], ...] = ()
    constants: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call as the compiled kernel takes it, and the types of its arguments in the words of the language's compiler:
    one for each parameter that the source has, in their order.
    """

    call: Call
    types: tuple[str, ...] = ()


Values = Mapping[str, int]
"""Parameters and `defines` of a description, by their names."""


def _as_described(text: str, entry: str, call: Call, shape: Shape, values: Values) -> PreparedCall:
    del text, entry, shape, values
    return PreparedCall(call)


def _no_block(text: str, entry: str) -> tuple[str, ...]:
    del text, entry
    return ()


def _takes_any_block(text: str, entry: str) -> bool:
    del text, entry
    return False


def _whole(text: str, entry: str, path: Path) -> Code:
    del entry, path
    return Code(text)


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """One language: `what` a file of it is called in a sentence ("PTX", "a Triton kernel").

    `kernels` are the names of the kernels in the text of a file at a path; with none a `.py` file is of another
    language. `block` is the block that the file asks for, () for none, and `needs_block` whether it takes no other.
    `prepare` turns a call into one that the compiled kernel takes. `code` is what is compiled. Each may raise a
    LanguageError.
    """

    language: Language
    what: str
    kernels: Callable[[str, Path], tuple[str, ...]]
    block: Callable[[str, str], tuple[str, ...]] = _no_block
    needs_block: Callable[[str, str], bool] = _takes_any_block
    prepare: Callable[[str, str, Call, Shape, Values], PreparedCall] = _as_described
    code: Callable[[str, str, Path], Code] = _whole
