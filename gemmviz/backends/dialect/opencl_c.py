"""CUDA C to OpenCL C: address spaces of pointers, C++ casts, shared memory, qualifiers; by the parse tree.

What has a plain equivalent of the same shape (barriers, built-in variables) is left to the dialect header.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from gemmviz.backends.base import name_for_compiler
from gemmviz.backends.dialect.beyond import beyond
from gemmviz.backends.dialect.constants import enumeration, file_enumerations, is_enumeration, unsigned_names
from gemmviz.backends.dialect.file_shared import file_shared, moved_into, names_of
from gemmviz.backends.dialect.functions import FunctionDefinition, entry_of, functions_of, kind_of_parameter
from gemmviz.backends.dialect.plain_form import in_plain_form
from gemmviz.backends.dialect.prelude import work_item_prelude
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.tree import Edits, Node, SourceTree, find_all, line_of, text_of, walk
from gemmviz.domain.recordings.access import Space

KEYWORD = {Space.GLOBAL: "__global", Space.SHARED: "GV_SHARED", Space.PRIVATE: "__private"}

_DROPPED_SPECIFIERS = {"__global__", "__device__", "__forceinline__", "inline", "__inline__", "__host__", "static"}
_CASTS = {"static_cast", "reinterpret_cast", "const_cast"}
_HEADERS_OF_CUDA = ("cuda_runtime", "device_launch_parameters")
_HEADERS_OF_C = {
    "assert.h",
    "cassert",
    "cmath",
    "cstdio",
    "cstdlib",
    "cuda.h",
    "math.h",
    "stdio.h",
    "stdlib.h",
}
_UNKNOWN = {
    "memcpy": "copy element by element",
    "memset": "write element by element",
    "memmove": "copy element by element",
    "malloc": "use an array of a fixed size",
    "free": "use an array of a fixed size",
    "__syncthreads_count": "use __syncthreads() and count in shared memory",
    "__syncthreads_and": "use __syncthreads() and a number in shared memory",
    "__syncthreads_or": "use __syncthreads() and a number in shared memory",
}
"""Functions that CUDA has in a kernel and OpenCL C has not, and what to do instead."""
_ONLY_CUDA = re.compile(
    "__activemask|__all|__any|__ballot|__half|__match|__reduce|__shfl|__syncwarp|__threadfence|__trap|atomic(?!_)|cp_async|wmma|nvcuda"
)
"""How the names of functions begin that OpenCL C does not have; its own atomics are spelled atomic_add."""
_THREES = re.compile("u?(char|short|int|long|longlong)3$|(float|double)3$")
_ONLY_CPP = {
    "template_declaration": "templates",
    "lambda_expression": "lambda functions",
    "reference_declarator": "references",
    "class_specifier": "classes",
    "namespace_definition": "namespaces",
    "namespace_alias_definition": "namespaces",
    "using_declaration": "using declarations",
    "alias_declaration": "type aliases",
    "new_expression": "new",
    "delete_expression": "delete",
    "throw_statement": "exceptions",
    "try_statement": "exceptions",
    "for_range_loop": "range-based for loops",
    "gnu_asm_expression": "pieces of inline assembly",
    "kernel_call_syntax": "launches from a kernel",
}

EntryWriter = Callable[[FunctionDefinition, PointerSpaces, Edits], str]


@dataclass(slots=True)
class Translation:
    """One file on its way to OpenCL C.

    `variants` are the helper functions in use, by name and spaces; `file_shared` the shared arrays that the file
    declares outside of its functions.
    """

    tree: SourceTree
    functions: dict[str, FunctionDefinition]
    entry: FunctionDefinition
    variants: dict[str, set[tuple[Space, ...]]] = field(default_factory=dict)
    file_shared: frozenset[str] = frozenset()

    def render(self, write_entry: EntryWriter) -> str:
        """The file with the entry as `write_entry` makes it and the helpers it needs, lines kept in place."""
        spaces = PointerSpaces(self.tree, self.entry, (Space.GLOBAL,) * 3)
        entry_text = write_entry(self.entry, spaces, self.edits(self.entry, spaces))
        helper_texts: dict[str, list[str]] = {}
        done: set[tuple[str, tuple[Space, ...]]] = set()
        while todo := {(name, s) for name, all_s in self.variants.items() for s in all_s} - done:
            name, variant = min(todo, key=lambda item: (item[0], [space.value for space in item[1]]))
            done.add((name, variant))
            helper_texts.setdefault(name, []).append(self._helper(self.functions[name], variant))
        file = Edits(self.tree.text)
        self._edit_file_scope(file)
        for name, function in self.functions.items():
            if function is self.entry:
                file.replace(function.node, entry_text)
            elif name in helper_texts:
                again = f"\n#line {line_of(function.node)}\n"
                file.replace(function.node, again.join(helper_texts[name]))
            else:
                file.remove(function.node)
        return file.render()

    def edits(self, function: FunctionDefinition, spaces: PointerSpaces) -> Edits:
        """The edits that make `function` OpenCL C. Raises CompileError where it uses C++ beyond the dialect."""
        edits = Edits(self.tree.text)
        for child in function.node.children:
            if text_of(child) in _DROPPED_SPECIFIERS or child.type in ("launch_bounds", "attribute_declaration"):
                edits.remove(child)
        for variable in function.symbols.variables:
            if variable.is_pointer or variable.is_array or variable.is_shared:
                self._refuse_threes(variable.declaration)
            if variable.is_pointer:
                start = variable.declaration.start_byte
                keyword = KEYWORD[spaces.of(variable)] + " "
                if edits.replacements.get((start, start), keyword) != keyword:
                    raise self.tree.fault(
                        variable.identifier, "pointers into different memories in one declaration; use two"
                    )
                if any(not other.is_pointer for other in function.symbols.declared_with(variable)):
                    raise self.tree.fault(
                        variable.identifier, "a pointer and a value in one declaration; declare them apart"
                    )
                edits.replacements[start, start] = keyword
        enumerations = [node for node in walk(function.body) if is_enumeration(node, function.symbols)]
        unsigned = {name for node in file_enumerations(self.tree) for name in unsigned_names(node)}
        for node in enumerations:
            for variable in function.symbols.variables:
                if variable.declaration.start_byte == node.start_byte and unsigned_names(node):
                    for use in variable.uses:
                        edits.replace(use, f"((unsigned){variable.name})")
        for node in walk(function.node):
            if node.type == "identifier" and text_of(node) in unsigned and function.symbols.of(node) is None:
                edits.replace(node, f"((unsigned){text_of(node)})")
            self._edit_expression(node, spaces, edits)
        for node in enumerations:
            edits.replace_whole(node, enumeration(node))
        return edits

    def _helper(self, function: FunctionDefinition, variant: tuple[Space, ...]) -> str:
        """One copy of a helper, to stand in its place in the file."""
        self._refuse_file_shared(function)
        spaces = PointerSpaces(self.tree, function, variant)
        edits = self.edits(function, spaces)
        name = find_all(function.node, lambda node: node.type == "identifier" and text_of(node) == function.name)
        edits.replace(name[0], variant_name(function.name, variant))
        return "static " + edits.render_node(function.node).lstrip()

    def _refuse_file_shared(self, helper: FunctionDefinition) -> None:
        for node in walk(helper.body):
            name = text_of(node) if node.type == "identifier" else ""
            if name in self.file_shared and helper.symbols.of(node) is None:
                raise self.tree.fault(
                    node,
                    f"the helper {helper.name} uses the shared array {name!r} of the file; pass it as an argument",
                )

    def _edit_expression(self, node: Node, spaces: PointerSpaces, edits: Edits) -> None:
        if node.type in _ONLY_CPP:
            raise beyond(self.tree, node, _ONLY_CPP[node.type], are=True)
        if node.text == b"__shared__":
            edits.replace(node, "GV_SHARED_ARRAY")
        elif node.type == "cast_expression":
            self._edit_cast(node.child_by_field_name("type"), node.child_by_field_name("value"), spaces, edits)
        elif node.type == "call_expression":
            self._edit_call(node, spaces, edits)
        elif node.type == "placeholder_type_specifier":
            edits.replace(node, "__auto_type")
        elif node.type == "alignas_qualifier":
            edits.replace(node, f"__attribute__((aligned{text_of(node).removeprefix('alignas')}))")

    def _edit_cast(self, kind: Node | None, value: Node | None, spaces: PointerSpaces, edits: Edits) -> None:
        if kind is None or value is None:
            return
        if any(node.type == "abstract_pointer_declarator" for node in walk(kind)):
            self._refuse_threes(kind)
            space = spaces.of_expression(value)
            if space is None:
                raise beyond(self.tree, kind, "a cast to a pointer whose address space is not known")
            edits.insert(kind.start_byte, KEYWORD[space] + " ")

    def _refuse_threes(self, declared: Node) -> None:
        kind = declared.child_by_field_name("type")
        if kind is not None and _THREES.match(text_of(kind)):
            raise self.tree.fault(kind, f"{text_of(kind)} takes more room in OpenCL C than in CUDA; use single numbers")

    def _edit_call(self, node: Node, spaces: PointerSpaces, edits: Edits) -> None:
        callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or arguments is None:
            return
        if callee.type == "template_function":
            self._edit_named_cast(callee, arguments, spaces, edits)
        elif callee.type == "identifier" and text_of(callee) in self.functions:
            variant = self.variant_of_call(self.functions[text_of(callee)], arguments, spaces)
            self.variants.setdefault(text_of(callee), set()).add(variant)
            edits.replace(callee, variant_name(text_of(callee), variant))

    def variant_of_call(self, helper: FunctionDefinition, arguments: Node, spaces: PointerSpaces) -> tuple[Space, ...]:
        """The space of each pointer that a call hands to a helper."""
        given = [node for node in arguments.named_children if node.type != "comment"]
        if len(given) != len(helper.parameters):
            raise self.tree.fault(
                arguments, f"{helper.name} takes {len(helper.parameters)} arguments; here are {len(given)}"
            )
        variant = []
        for parameter, argument in zip(helper.parameters, given, strict=True):
            if kind_of_parameter(parameter) == "pointer":
                space = spaces.of_expression(argument)
                if space is None:
                    raise beyond(self.tree, argument, "a pointer whose address space is not known")
                variant.append(space)
        return tuple(variant)

    def _edit_named_cast(self, callee: Node, arguments: Node, spaces: PointerSpaces, edits: Edits) -> None:
        name = callee.child_by_field_name("name")
        kinds = find_all(callee, lambda node: node.type == "type_descriptor")
        if name is None or text_of(name) not in _CASTS or not kinds or not arguments.named_children:
            raise beyond(self.tree, callee, "templates", are=True)
        self._edit_cast(kinds[0], arguments.named_children[0], spaces, edits)
        edits.replace(callee, f"(({edits.render_node(kinds[0])})")
        edits.append(arguments, ")")

    def _edit_file_scope(self, file: Edits) -> None:
        for node in self.tree.root.children:
            if node.type in _ONLY_CPP:
                raise beyond(self.tree, node, _ONLY_CPP[node.type], are=True)
            if node.type == "preproc_include" and _is_left_out(node):
                file.remove(node)
            elif node.type == "linkage_specification":
                for child in node.children:
                    if child.type == "declaration_list":
                        file.remove(child.children[0])
                        file.remove(child.children[-1])
                    elif child.type != "function_definition":
                        file.remove(child)
            elif node.type == "declaration":
                self._edit_file_constant(node, file)

    def _edit_file_constant(self, node: Node, file: Edits) -> None:
        """File-scope constants: whole numbers become enum constants, so that they can size an array."""
        declarators = node.children_by_field_name("declarator")
        if declarators and declarators[0].type == "function_declarator":
            file.remove(node)
            return
        words = {text_of(child) for child in node.children}
        if words & {"__device__", "__managed__"} and not words & {"const", "constexpr", "__constant__"}:
            raise self.tree.fault(
                node,
                "a variable of the file that kernels write is not possible in OpenCL C: keep it in C or "
                "in shared "
                "memory, or make it const",
            )
        if is_enumeration(node):
            file.replace(node, enumeration(node))
        elif declarators and all(d.type == "init_declarator" for d in declarators):
            dropped = ("type_qualifier", "storage_class_specifier")
            plain = [text_of(c) for c in node.children if c.type not in dropped and c.text != b"__device__"]
            file.replace(node, " ".join(["__constant", *plain]))


def _is_left_out(include: Node) -> bool:
    """Whether a header brings nothing that a translated kernel lacks: its names are in the dialect header."""
    path = include.child_by_field_name("path")
    name = text_of(path).strip('<>"') if path is not None else ""
    return name in _HEADERS_OF_C or any(part in name for part in _HEADERS_OF_CUDA)


def variant_name(name: str, variant: tuple[Space, ...]) -> str:
    """What a helper is called in the translation, for the spaces of its pointers."""
    return "_".join([name, *(space.value for space in variant)])


def translation_of(tree: SourceTree, entry: str) -> Translation:
    """Begin the translation of a parsed file.

    Raises:
        CompileError: the entry is missing or has other parameters.
    """
    tree = in_plain_form(tree)
    functions = functions_of(tree)
    shared = file_shared(tree)
    names = names_of(shared)
    if shared:
        tree = moved_into(tree, shared, entry_of(tree, functions, entry))
        functions = functions_of(tree)
    translation = Translation(tree, functions, entry_of(tree, functions, entry), file_shared=names)
    _refuse_recursion(translation)
    return translation


def _refuse_recursion(translation: Translation) -> None:
    """Refuse functions that come to call themselves: OpenCL C has none, and their stack may be too small."""

    def visit(name: str, above: tuple[str, ...]) -> None:
        for callee, node in translation.functions[name].calls():
            if any(child.type == "kernel_call_syntax" for child in node.children):
                continue
            if callee in (*above, name):
                raise translation.tree.fault(
                    node, f"{callee} calls itself here; OpenCL C has no recursion: write it as a loop"
                )
            if callee in translation.functions and callee not in done:
                visit(callee, (*above, name))
        done.add(name)

    done: set[str] = set()
    visit(translation.entry.name, ())


def refuse_cudas_own_calls(translation: Translation) -> None:
    """Refuse calls of CUDA's functions in what was rendered, unless the file itself defines the name.

    Raises:
        CompileError: there is one; the message has its line.
    """
    tree = translation.tree
    macros = [node for node in walk(tree.root) if node.type in ("preproc_def", "preproc_function_def")]
    defined = {text_of(word) for node in macros if (word := node.child_by_field_name("name")) is not None}
    used = [translation.entry, *(translation.functions[name] for name in translation.variants)]
    for node in (node for function in used for node in walk(function.body) if node.type == "call_expression"):
        callee = node.child_by_field_name("function")
        name = text_of(callee) if callee is not None else ""
        if callee is not None and name in _UNKNOWN.keys() - translation.functions.keys() - defined:
            raise beyond(tree, callee, name, _UNKNOWN[name])
        if callee is not None and _ONLY_CUDA.match(name) and name not in defined | translation.functions.keys():
            raise beyond(tree, callee, name)


def to_work_items(tree: SourceTree, entry: str) -> str:
    """OpenCL C in which every CUDA thread is a work-item; dynamic shared memory is a last parameter.

    Raises:
        CompileError: the file uses C++ beyond the dialect; the message has the line.
    """
    translation = translation_of(tree, entry)
    text = translation.render(_write_work_item_entry)
    refuse_cudas_own_calls(translation)
    return f'{work_item_prelude()}#line 1 "{name_for_compiler(tree.path)}"\n{text}'


def _write_work_item_entry(function: FunctionDefinition, _: PointerSpaces, edits: Edits) -> str:
    for variable in function.symbols.variables:
        if variable.is_shared and variable.is_external:
            kind = variable.declaration.child_by_field_name("type")
            assert kind is not None
            edits.replace_whole(variable.declaration, "\n" * text_of(variable.declaration).count("\n"))
            last = function.parameters[-1]
            edits.insert(last.end_byte, f", __local {text_of(kind)} *{variable.name}")
    return "__kernel " + edits.render_node(function.node).lstrip()
