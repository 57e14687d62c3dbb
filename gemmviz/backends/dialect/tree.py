"""Parse trees of kernel files as the translation reads them, and text edits on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gemmviz.backends.base import CompileError
from gemmviz.backends.dialect.bare_code import bare_code
from gemmviz.compiler.cuda_tree import MOST_LEVELS, Node, line_of, parser, text_of, walk
from gemmviz.compiler.expanded_size import check_expanded_size
from gemmviz.compiler.macros import MacroError, expanded
from gemmviz.compiler.written import Piece, WrittenText, apart, as_written

__all__ = ["MOST_LEVELS", "Edits", "Node", "SourceTree", "line_of", "parse", "text_of", "walk", "words"]


@dataclass(frozen=True, slots=True)
class SourceTree:
    """A parsed file; `text` are the bytes the node offsets refer to, `written` has what they were made from."""

    path: Path
    text: bytes
    root: Node
    written: WrittenText

    def fault(self, node: Node, reason: str) -> CompileError:
        """An error that names the file, the line and the column of `node`."""
        line, column, _ = self.place(node)
        return CompileError(f"{self.path}:{line}:{column}: {reason}")

    def place(self, node: Node) -> tuple[int, int, str]:
        """Line, column and text of `node` as a person wrote it: before macros were expanded."""
        return self.written.place(node.start_byte, node.end_byte)


def words(text: str) -> list[str]:
    """The names and numbers in a text that is not parsed, such as a macro's."""
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()


def parse(path: Path, text: str | WrittenText) -> SourceTree:
    """Parse CUDA C without its comments, its macros expanded (`macros`); with macros as they are, if it parses only so.

    Raises:
        CompileError: the text does not parse; the message has the first place that makes no sense. Or its macros are
            too much to expand, or its tree is deeper than MOST_LEVELS.
    """
    written = bare_code(as_written(text) if isinstance(text, str) else text)
    try:
        check_expanded_size(written)
        tree = _tree(path, expanded(written))
    except MacroError as error:
        line, column, _ = written.place(error.offset, error.offset + 1)
        raise CompileError(f"{path}:{line}:{column}: {error}") from error
    return reparse(path, written) if tree.root.has_error else tree


def _tree(path: Path, written: WrittenText) -> SourceTree:
    data = written.text.replace(b"__align__", b"alignas  ")  # the grammar knows only the C++ spelling
    tree = SourceTree(path, data, parser().parse(data).root_node, written)
    _check_depth(tree)
    return tree


def _check_depth(tree: SourceTree) -> None:
    """Compilers, and what walks through a tree here, follow it level by level, each with its own limit."""
    level = [tree.root]
    for _ in range(MOST_LEVELS):
        level = [child for node in level for child in node.children]
        if not level:
            return
    raise tree.fault(level[0], f"the code is nested more than {MOST_LEVELS} levels deep: split it into parts")


@contextmanager
def depth_refused(path: Path) -> Iterator[None]:
    """Where a walk over a tree needs more levels than Python has, a CompileError instead."""
    try:
        yield
    except RecursionError as error:
        raise CompileError(f"{path}: the code is nested too deeply: split it into parts") from error


def reparse(path: Path, written: WrittenText) -> SourceTree:
    """Parse a text as it is.

    Raises:
        CompileError: as `parse`.
    """
    tree = _tree(path, written)
    if tree.root.has_error:
        wrong = [node for node in walk(tree.root) if node.has_error]
        bad = next((node for node in walk(tree.root) if node.is_error or node.is_missing), wrong[-1])
        if bad.is_missing:
            raise tree.fault(bad, f"a {bad.type!r} is missing here")
        seen = text_of(bad).strip().split("\n")[0][:40]
        raise tree.fault(bad, f"this does not parse as CUDA C: {seen!r}")
    return tree


@dataclass(slots=True)
class Edits:
    """Replacements on a text, by byte range. An inner edit is lost inside an outer one."""

    text: bytes
    replacements: dict[tuple[int, int], str] = field(default_factory=dict)

    def replace(self, node: Node, new: str) -> None:
        self.replacements[node.start_byte, node.end_byte] = new

    def rename(self, node: Node, new: str) -> None:
        """Replace a token, and keep what was appended to it."""
        place = (node.start_byte, node.end_byte)
        appended = self.replacements.get(place, text_of(node)).removeprefix(text_of(node))
        self.replacements[place] = new + appended

    def replace_whole(self, node: Node, new: str) -> None:
        """Replace `node` and forget every edit inside it."""
        inside = [p for p in self.replacements if node.start_byte <= p[0] < node.end_byte and p[1] <= node.end_byte]
        for place in inside:
            del self.replacements[place]
        self.replace(node, new)

    def insert(self, offset: int, new: str) -> None:
        """Put `new` before the byte at `offset`, after what was inserted there earlier."""
        self.replacements[offset, offset] = self.replacements.get((offset, offset), "") + new

    def append(self, node: Node, new: str) -> None:
        """Put `new` behind the last token of `node`, inside it: it stays where the node alone is rendered."""
        last = node
        while last.children:
            last = last.children[-1]
        place = (last.start_byte, last.end_byte)
        self.replacements[place] = self.replacements.get(place, text_of(last)) + new

    def remove(self, node: Node) -> None:
        """Take the node out but keep its line breaks, so that later lines keep their numbers."""
        self.replace(node, "\n" * text_of(node).count("\n"))

    def render(self, start: int = 0, end: int | None = None) -> str:
        """The edited text of [start, end)."""
        return b"".join(text for text, _, _ in self.pieces(start, end)).decode()

    def pieces(self, start: int = 0, end: int | None = None) -> list[Piece]:
        """The edited text of [start, end), piece by piece, each with the part of the text that it stands for.

        No edit makes one token of two: a blank stands where it would.
        """
        return list(apart(self.text, self._pieces(start, end)))

    def _pieces(self, start: int, end: int | None) -> list[Piece]:
        stop = len(self.text) if end is None else end
        pieces: list[Piece] = []
        position = start
        for (first, last), new in sorted(self.replacements.items()):
            if first < position or last > stop or first > stop:
                continue
            if first == stop and first == last and stop != len(self.text):
                continue
            pieces.append((self.text[position:first], position, first))
            pieces.append((new.encode(), first, last))
            position = last
        pieces.append((self.text[position:stop], position, stop))
        return pieces

    def render_node(self, node: Node) -> str:
        return self.render(node.start_byte, node.end_byte)


def find_all(node: Node, wanted: Callable[[Node], bool]) -> list[Node]:
    """Every node at or below `node` that is wanted."""
    return [found for found in walk(node) if wanted(found)]
