"""CUDA C to OpenCL C with one work-item per block: the block's threads become loops between the barriers.

A CPU's compiler vectorises such loops; PoCL's own ways of running many work-items rarely get that far
(docs/RECORD.md has the ratios).
"""

from __future__ import annotations

import re

from gemmviz.backends.base import name_for_compiler
from gemmviz.backends.dialect.constants import is_enumeration
from gemmviz.backends.dialect.functions import FunctionDefinition
from gemmviz.backends.dialect.opencl_c import KEYWORD, Translation, refuse_cudas_own_calls, translation_of
from gemmviz.backends.dialect.placement import TYPES, Placement, StoragePlace, heads, place
from gemmviz.backends.dialect.prelude import thread_loop_prelude
from gemmviz.backends.dialect.regions import (
    BARRIER,
    Barrier,
    Item,
    Joint,
    Jump,
    NotLoopableError,
    Region,
    Together,
    cut,
)
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.symbols import DeclaredVariable, element_of, uses_only_elements
from gemmviz.backends.dialect.tree import Edits, Node, SourceTree, find_all, line_of, text_of, walk, words
from gemmviz.domain.spec import Launch


def to_thread_loops(tree: SourceTree, entry: str, launch: Launch) -> str:
    """OpenCL C for the block of `launch`; to be launched with one work-item per block.

    Raises:
        NotLoopableError: the kernel's control flow around its barriers does not allow it.
        CompileError: the file uses C++ beyond the dialect.
    """
    translation = translation_of(tree, entry)

    def write(function: FunctionDefinition, spaces: PointerSpaces, edits: Edits) -> str:
        refuse_what_cannot_loop(translation, function)
        placement = place(function, cut(function.body))
        return EntryWriter(function, spaces, edits, placement, launch.dynamic_shared_bytes).text()

    text = translation.render(write)
    refuse_cudas_own_calls(translation)
    return f'{thread_loop_prelude(launch.block)}#line 1 "{name_for_compiler(tree.path)}"\n{text}'


def refuse_what_cannot_loop(translation: Translation, function: FunctionDefinition) -> None:
    """Refuse what the threads cannot do one after the other between two barriers.

    Raises:
        NotLoopableError: there is such a thing.
    """
    for name in sorted(helpers_of(translation, function)):
        other = translation.functions[name]
        used = {text_of(node) for node in walk(other.node) if node.type == "identifier"}
        if BARRIER in used:
            raise NotLoopableError(f"line {line_of(other.node)} begins a helper with a barrier, {name}")
        if "threadIdx" in used:
            raise NotLoopableError(f"line {line_of(other.node)} begins a helper that uses the thread's index, {name}")
    local = {variable.name for variable in function.symbols.variables}
    for node in walk(translation.tree.root):
        if node.type in ("preproc_def", "preproc_function_def"):
            value = node.child_by_field_name("value")
            text = text_of(value) if value is not None else ""
            parameters = node.child_by_field_name("parameters")
            own = set(words(text_of(parameters))) if parameters is not None else set()
            if (set(words(text)) - own) & (local | {BARRIER, "threadIdx"}):
                raise NotLoopableError(
                    f"line {line_of(node)} defines a macro that uses a variable, a barrier or the thread's index"
                )
            if node.type == "preproc_function_def" and _MAY_WRITE.search(text):
                raise NotLoopableError(f"line {line_of(node)} defines a macro that may write to what it is given")
    for node in walk(function.body):
        if node.type in ("goto_statement", "labeled_statement"):
            raise NotLoopableError(f"line {line_of(node)} jumps with goto")


def helpers_of(translation: Translation, function: FunctionDefinition) -> set[str]:
    """The helpers that a function calls, and those that they call."""
    found: set[str] = set()
    todo = [function]
    while todo:
        for name, _ in todo.pop().calls():
            if name in translation.functions and name not in found:
                found.add(name)
                todo.append(translation.functions[name])
    return found


_MAY_WRITE = re.compile(r"(?<![=<>!])=(?!=)|<<=|>>=|\+\+|--|(?<!&)&(?!&)")


def _jumps(items: list[Item]) -> list[Node]:
    """The jumps that all threads take together."""
    found = [item.statement for item in items if isinstance(item, Jump)]
    joint = [body for item in items if isinstance(item, Joint) for body in item.bodies]
    return [*found, *(node for body in joint for node in _jumps(body))]


def _may_interleave(variable: DeclaredVariable) -> bool:
    return variable.is_array and not variable.address_taken and uses_only_elements(variable)


class EntryWriter:
    """Writes the entry function of one translation."""

    def __init__(
        self,
        function: FunctionDefinition,
        spaces: PointerSpaces,
        edits: Edits,
        placement: Placement,
        dynamic_shared_bytes: int,
    ) -> None:
        self._function = function
        self._spaces = spaces
        self._edits = edits
        self._placement = placement
        self._dynamic_shared_bytes = dynamic_shared_bytes
        self._symbols = function.symbols
        self._per_thread = [v for v in self._symbols.variables if placement.of(v) is StoragePlace.PER_THREAD]
        self._interleaved = [v for v in self._per_thread if _may_interleave(v)]

    def text(self) -> str:
        for variable in self._per_thread:
            for use in variable.uses:
                self._edit_use(variable, use)
            if variable.is_parameter:
                self._edits.replace(variable.identifier, f"{variable.name}_given")
        together = {node.start_byte for node in _jumps(self._placement.items)}
        returns = find_all(self._function.body, lambda node: node.type == "return_statement")
        for node in returns:
            self._edits.replace(node, "goto gv_done;" if node.start_byte in together else "goto gv_next;")
        head = self._edits.render(self._function.node.start_byte, self._function.body.start_byte).lstrip()
        parts = ["__kernel __attribute__((reqd_work_group_size(1, 1, 1))) ", head, "{\n"]
        parts += [f"{self._edits.render_node(node)};\n" for node in self._enumerations()]
        parts += [self._hoisted(variable) for variable in self._per_thread]
        parts += [
            f"GV_FOR_EACH_THREAD {self._place_name(v)}[GV_THREAD] = {v.name}_given;\n"
            for v in self._per_thread
            if v.is_parameter
        ]
        parts += [self._item(item) for item in self._placement.items]
        if any(node.start_byte in together for node in returns):
            parts += ["gv_done:;\n"]
        return "".join([*parts, f"\n#line {self._function.node.end_point[0] + 1}\n}}"])

    def _enumerations(self) -> list[Node]:
        """Constants and types of the function's outermost block; they stand first, where what is kept sees them."""
        found = [item.statement for item in self._placement.items if isinstance(item, Together)]
        return [node for node in found if node.type in TYPES or is_enumeration(node, self._symbols)]

    def _edit_use(self, variable: DeclaredVariable, use: Node) -> None:
        if variable in self._interleaved:
            self._edits.rename(use, self._place_name(variable))
            self._edits.append(element_of(use), "[GV_THREAD]")
        else:
            self._edits.rename(use, f"{self._place_name(variable)}[GV_THREAD]")

    def _place_name(self, variable: DeclaredVariable) -> str:
        return f"{variable.name}_{variable.identifier.start_byte}"

    def _specifiers(self, variable: DeclaredVariable) -> str:
        """The type in front of the declarators, with its address space and without const."""
        first = variable.declaration.children_by_field_name("declarator")[0]
        is_pointer = variable.is_pointer
        kept = [
            self._edits.render_node(child)
            for child in variable.declaration.children
            if child.end_byte <= first.start_byte
            and (is_pointer or text_of(child) != "const")
            and child.type != "storage_class_specifier"
        ]
        space = [KEYWORD[self._spaces.of(variable)]] if is_pointer else []
        return " ".join([*space, *kept])

    def _hoisted(self, variable: DeclaredVariable) -> str:
        """`float acc[TM];` kept across regions: `float acc_123[TM][GV_THREADS];`, neighbours side by side, so that
        a loop over the threads reads memory in order; `[GV_THREADS][TM]` where a whole row is needed as an array.
        """
        kind = variable.declaration.child_by_field_name("type")
        if kind is not None and kind.type == "placeholder_type_specifier":
            raise NotLoopableError(f"{variable.name!r} is kept between barriers and its type is auto")
        if any(
            n.type == "array_declarator" and n.child_by_field_name("size") is None for n in walk(variable.declarator)
        ):
            raise NotLoopableError(f"{variable.name!r} is kept between barriers and has no written size")
        start, end = variable.declarator.start_byte, variable.declarator.end_byte
        name = variable.identifier
        text = self._edits.text
        before, after = text[start : name.start_byte].decode(), text[name.end_byte : end].decode()
        if variable.is_pointer:
            before = "*"
        place = f"{after}[GV_THREADS]" if variable in self._interleaved else f"[GV_THREADS]{after}"
        return f"{self._specifiers(variable)} {before}{self._place_name(variable)}{place};\n"

    def _item(self, item: Item) -> str:
        if isinstance(item, Region):
            return self._region(item)
        if isinstance(item, Jump):
            return f"\n#line {line_of(item.statement)}\n{self._edits.render_node(item.statement)}\n"
        if isinstance(item, Barrier) or (isinstance(item, Together) and item.statement in self._enumerations()):
            return ""
        if isinstance(item, Together):
            return f"\n#line {line_of(item.statement)}\n{self._together(item.statement)}\n"
        bodies = ["{\n" + "".join(self._item(inner) for inner in body) + "}\n" for body in item.bodies]
        return f"\n#line {line_of(item.node)}\n{self._joint(item, bodies)}"

    def _joint(self, item: Joint, bodies: list[str]) -> str:
        node = item.node
        if node.type == "compound_statement":
            return bodies[0]
        if node.type == "for_statement":
            parts = [self._edits.render_node(n) if n is not None else "" for n in self._for_parts(node)]
            initial = parts[0] if parts[0].endswith(";") else parts[0] + ";"
            return f"for ({initial} {parts[1]}; {parts[2]}) {bodies[0]}"
        head = heads(node)[0]
        if node.type == "do_statement":
            return f"do {bodies[0]} while {self._edits.render_node(head)};\n"
        condition = self._edits.render_node(head)
        keyword = "while" if node.type == "while_statement" else "if"
        return f"{keyword} {condition} {bodies[0]}" + "".join(f"else {body}" for body in bodies[1:])

    def _for_parts(self, node: Node) -> tuple[Node | None, Node | None, Node | None]:
        return (
            node.child_by_field_name("initializer"),
            node.child_by_field_name("condition"),
            node.child_by_field_name("update"),
        )

    def _together(self, statement: Node) -> str:
        shared = [v for v in self._symbols.variables if v.declaration.start_byte == statement.start_byte]
        if shared and shared[0].is_shared and shared[0].is_external:
            kind = statement.child_by_field_name("type")
            assert kind is not None
            size = f"{max(self._dynamic_shared_bytes, 16)} / sizeof({text_of(kind)})"
            return f"GV_SHARED_ARRAY {text_of(kind)} {shared[0].name}[{size}];"
        return self._edits.render_node(statement)

    def _region(self, region: Region) -> str:
        again = "".join(self._declared_again(variable) for variable in self._needed_again(region))
        body = "".join(self._statement(statement) for statement in region.statements)
        jumps = any(find_all(s, lambda n: n.type == "return_statement") for s in region.statements)
        label = "gv_next:;\n" if jumps else ""
        return f"GV_FOR_EACH_THREAD {{\n{again}{body}{label}}}\n"

    def _needed_again(self, region: Region) -> list[DeclaredVariable]:
        """What is computed again at the start of a region, in the order of declaration."""
        declared_here = {s.start_byte for s in region.statements}
        needed: set[int] = set()
        todo = list(region.statements)
        while todo:
            for node in walk(todo.pop()):
                variable = self._symbols.of(node) if node.type == "identifier" else None
                if variable is None or self._placement.of(variable) is not StoragePlace.AGAIN:
                    continue
                key = variable.identifier.start_byte
                if key in needed or variable.declaration.start_byte in declared_here:
                    continue
                needed.add(key)
                if variable.initialiser is not None:
                    todo.append(variable.initialiser)
        return [v for v in self._symbols.variables if v.identifier.start_byte in needed]

    def _declared_again(self, variable: DeclaredVariable) -> str:
        assert variable.initialiser is not None
        value = self._edits.render_node(variable.initialiser)
        star = "*" if variable.is_pointer else ""
        return f"{self._specifiers(variable)} {star}{variable.name} = {value};\n"

    def _statement(self, statement: Node) -> str:
        if statement.type.startswith("preproc"):
            return f"\n{self._edits.render_node(statement).rstrip()}\n"
        line = f"\n#line {line_of(statement)}\n"
        declared = [v for v in self._symbols.variables if v.declaration.start_byte == statement.start_byte]
        if statement.type != "declaration" or not any(v in self._per_thread for v in declared):
            return f"{line}{self._edits.render_node(statement)}\n"
        return line + "".join(self._declaration(variable) for variable in declared)

    def _declaration(self, variable: DeclaredVariable) -> str:
        if variable not in self._per_thread:
            start, end = variable.declarator.start_byte, variable.declarator.end_byte
            value = f" = {self._edits.render_node(variable.initialiser)}" if variable.initialiser else ""
            return f"{self._specifiers(variable)} {self._edits.render(start, end)}{value};\n"
        if variable.initialiser is None:
            return ""
        value = self._edits.render_node(variable.initialiser)
        name, kind = self._place_name(variable), self._specifiers(variable)
        if not variable.is_array:
            return f"{name}[GV_THREAD] = {value};\n"
        sizes = self._edits.text[variable.identifier.end_byte : variable.declarator.end_byte].decode()
        given = f"{kind} gv_given{sizes} = {value};"
        if variable not in self._interleaved:
            return f"{{ {given} __builtin_memcpy({name}[GV_THREAD], gv_given, sizeof(gv_given)); }}\n"
        each = f"for (int gv_i = 0; gv_i < (int)(sizeof(gv_given) / sizeof({kind})); ++gv_i)"
        copy = f"(({kind} *){name})[gv_i * GV_THREADS + GV_THREAD] = (({kind} *)gv_given)[gv_i];"
        return f"{{ {given} {each} {copy} }}\n"
