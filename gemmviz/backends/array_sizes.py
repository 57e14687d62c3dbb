"""How much memory the arrays of a kernel take, known before it is built: more than there is would end the process.

Sizes are evaluated as the compiler does it: macros, parameters and constants of the file put in. An array whose size
cannot be told counts for nothing, so that what is refused is really too large.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from gemmviz.backends.base import CompileError, Source
from gemmviz.backends.dialect.bare_code import bare_code
from gemmviz.backends.dialect.functions import FunctionDefinition, functions_of
from gemmviz.backends.dialect.opencl_source import as_cuda
from gemmviz.backends.dialect.symbols import declared_name
from gemmviz.backends.dialect.tree import Node, SourceTree, find_all, parse, text_of, walk
from gemmviz.backends.dialect.value_types import STRUCTURES, number_or_vector, size_of
from gemmviz.backends.whole_expressions import Definition, value_of
from gemmviz.compiler.macros import macros_of
from gemmviz.compiler.written import WrittenText, as_written
from gemmviz.domain.device import Device
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language

MOST_PRIVATE_BYTES = 512 * 1024
"""Most local memory of a thread (CUDA C++ Programming Guide, technical specifications per compute capability)."""
_RESERVED_BYTES = 2**18
_USUAL_STACK_BYTES = 2**21
_CONSTANTS = {"const", "constexpr"}


@dataclass(frozen=True, slots=True)
class DeclaredArray:
    """An array of a kernel or of a function that it uses: its line, its bytes, whether it is shared."""

    name: str
    line: int
    nbytes: int
    is_shared: bool


@dataclass(frozen=True, slots=True)
class DeclaredArrays:
    """All arrays that a kernel declares with a size."""

    arrays: tuple[DeclaredArray, ...]

    @property
    def shared_bytes(self) -> int:
        return sum(array.nbytes for array in self.arrays if array.is_shared)

    @property
    def private_bytes(self) -> int:
        return sum(array.nbytes for array in self.arrays if not array.is_shared)

    def largest(self, shared: bool) -> DeclaredArray:
        return max((array for array in self.arrays if array.is_shared is shared), key=lambda array: array.nbytes)


def declared_arrays(source: Source) -> DeclaredArrays:
    """The arrays of a kernel; none of one that does not parse, whose errors others tell."""
    text = as_cuda(source.text) if source.language is Language.OPENCL else as_written(source.text)
    try:
        return _declared(source, text, parse(source.path, text))
    except CompileError:
        return DeclaredArrays(())


def _declared(source: Source, text: WrittenText, tree: SourceTree) -> DeclaredArrays:
    functions = functions_of(tree)
    if source.entry not in functions:
        return DeclaredArrays(())
    known = _definitions(tree, bare_code(text), source)
    used = _used(functions[source.entry], functions)
    found = [array for function in used for array in _arrays_of(tree, function, known)]
    return DeclaredArrays(tuple(found))


def check_arrays(source: Source, launch: Launch, device: Device) -> None:
    """See that a kernel's arrays fit PoCL, which keeps those of all threads of a block on one stack.

    Raises:
        CompileError: they do not; with the largest array, its line and the figures.
    """
    found = declared_arrays(source)
    shared = found.shared_bytes + launch.dynamic_shared_bytes
    if found.shared_bytes and shared > device.shared_bytes_per_block:
        largest = found.largest(shared=True)
        raise CompileError(
            f"{source.path}:{largest.line}: the shared arrays take {shared} bytes per block, {largest.name!r} alone "
            f"{largest.nbytes}; {device.name} allows {device.shared_bytes_per_block}: make them smaller"
        )
    private = found.private_bytes
    if not private:
        return
    largest = found.largest(shared=False)
    place = f"{source.path}:{largest.line}: the arrays of one thread take {private} bytes, {largest.name!r} alone "
    if private > MOST_PRIVATE_BYTES:
        raise CompileError(
            f"{place}{largest.nbytes}; a thread has at most {MOST_PRIVATE_BYTES} bytes of its own, on a GPU as well: "
            "make them smaller, or keep them in C"
        )
    threads = launch.threads_per_block
    room = _stack_bytes() - _RESERVED_BYTES
    if private * threads + shared > room:
        raise CompileError(
            f"{place}{largest.nbytes}, and those of the {threads} threads of a block {private * threads}; "
            f"{device.name} has {room} for a block: make the arrays or the block smaller"
        )


def _stack_bytes() -> int:
    """The stack of a thread of this process, as the C library gives it to one that does not ask."""
    if sys.platform == "win32":
        return _USUAL_STACK_BYTES
    import resource

    limit = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return _USUAL_STACK_BYTES if limit == resource.RLIM_INFINITY else limit


def _used(entry: FunctionDefinition, functions: Mapping[str, FunctionDefinition]) -> list[FunctionDefinition]:
    """The kernel, and the functions that it comes to call, each once."""
    found, todo = [entry], [entry]
    while todo:
        for name, _ in todo.pop().calls():
            function = functions.get(name)
            if function is not None and not any(function is known for known in found):
                found.append(function)
                todo.append(function)
    return found


def _arrays_of(tree: SourceTree, function: FunctionDefinition, known: Mapping[str, Definition]) -> list[DeclaredArray]:
    found = []
    for variable in function.symbols.variables:
        if variable.is_parameter or variable.is_pointer or variable.is_external:
            continue
        nbytes = _nbytes(tree, variable.declaration, variable.declarator, known, frozenset())
        is_structure = not variable.is_array and nbytes > 16
        if nbytes and (variable.is_array or variable.is_shared or is_structure):
            line, _, _ = tree.place(variable.identifier)
            found.append(DeclaredArray(variable.name, line, nbytes, variable.is_shared))
    return found


def _nbytes(
    tree: SourceTree, declaration: Node, declarator: Node, known: Mapping[str, Definition], inside: frozenset[int]
) -> int:
    """Bytes of what a declarator declares; 0 where a size cannot be told. Padding is left out."""
    nbytes = _bytes_of_type(tree, declaration.child_by_field_name("type"), known, inside)
    if declarator.type == "pointer_declarator":
        nbytes = 8
    for part in walk(declarator):
        if part.type == "array_declarator":
            size = part.child_by_field_name("size")
            count = value_of(text_of(size), known) if size is not None else None
            nbytes *= max(count or 0, 0)
    return nbytes


def _bytes_of_type(tree: SourceTree, kind: Node | None, known: Mapping[str, Definition], inside: frozenset[int]) -> int:
    if kind is None:
        return 0
    if kind.type not in STRUCTURES and kind.type != "type_identifier":
        return size_of(number_or_vector(" ".join(text_of(kind).split()))) or 4
    body = kind.child_by_field_name("body")
    tag = text_of(kind.child_by_field_name("name") or kind)
    if body is None:
        named = size_of(number_or_vector(tag))
        if named is not None:
            return named
        for node in walk(tree.root):
            is_alias = node.type == "type_definition" and any(
                text_of(name) == tag for name in node.children_by_field_name("declarator")
            )
            if is_alias and node.start_byte not in inside:
                alias = node.child_by_field_name("type")
                return _bytes_of_type(tree, alias, known, inside | {node.start_byte})
            name = node.child_by_field_name("name") if node.type in STRUCTURES else None
            if name is not None and text_of(name) == tag and node.child_by_field_name("body") is not None:
                body, kind = node.child_by_field_name("body"), node
                break
    if body is None or body.start_byte in inside:
        return 4
    sizes = [
        _nbytes(tree, member, declarator, known, inside | {body.start_byte})
        for member in body.named_children
        if member.type == "field_declaration"
        for declarator in member.children_by_field_name("declarator")
    ]
    return (max(sizes, default=0) if kind.type == "union_specifier" else sum(sizes)) or 4


def _definitions(tree: SourceTree, written: WrittenText, source: Source) -> dict[str, Definition]:
    """What the names in a size may stand for: constants and enumerators, macros, parameters of the kernel."""
    found: dict[str, Definition] = {}
    twice: set[str] = set()

    def add(name: str, definition: Definition) -> None:
        if found.setdefault(name, definition) != definition:
            twice.add(name)

    for node in find_all(tree.root, lambda node: node.type in ("declaration", "enumerator")):
        if node.type == "enumerator":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and value is not None:
                add(text_of(name), Definition(text_of(value)))
        elif any(child.type == "type_qualifier" and text_of(child) in _CONSTANTS for child in node.children):
            for declarator in node.children_by_field_name("declarator"):
                value, name = declarator.child_by_field_name("value"), declared_name(declarator)
                if name is not None and value is not None:
                    add(text_of(name), Definition(text_of(value)))
    for macro in macros_of(written.text.decode("latin-1")).values():
        parameters = None if macro.parameters is None else tuple(macro.parameters)
        found[macro.name] = Definition(re.sub(r"\s+", " ", macro.text), parameters)
        if macro.why_not:
            twice.add(macro.name)
    for ambiguous in twice:
        del found[ambiguous]
    return {**found, **{name: Definition(str(value)) for name, value in source.defines}}
