"""A CUDA file that stays CUDA, with a copy of each helper for every combination of memories that its pointers name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from gemmviz.backends.dialect.addresses import loads_through_call
from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.opencl_c import Translation, translation_of, variant_name
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.symbols import declared_name
from gemmviz.backends.dialect.tree import Edits, Node, SourceTree, text_of, walk

_ALIGNED = "alignas  ("
"""What the parser reads in place of `__align__(`."""


@dataclass(slots=True)
class NativeTranslation(Translation):
    """What the dialect's translation makes of a file, less what only OpenCL C needs; the dialect's limits remain.

    `heads` are the prototypes of the copies of each helper; `prelude`, called when all functions are written, is put
    behind the file's headers.
    """

    prelude: Callable[[], str] = str
    heads: dict[str, list[str]] = field(default_factory=dict)

    def edits(self, function: Function, spaces: PointerSpaces) -> Edits:
        """The edits of one function. Raises CompileError where the dialect does."""
        Translation.edits(self, function, spaces)
        edits = Edits(self.tree.text)
        for child in function.node.children:
            if child.text == b"__host__" or (function.is_kernel and child.type == "launch_bounds"):
                edits.remove(child)
        for node in walk(function.node):
            if node.type == "call_expression":
                self._edit_native_call(node, spaces, edits)
            elif node.type == "alignas_qualifier" and text_of(node).startswith(_ALIGNED):
                edits.replace(node, text_of(node).replace(_ALIGNED, "__align__("))
        return edits

    def _edit_native_call(self, node: Node, spaces: PointerSpaces, edits: Edits) -> None:
        callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or arguments is None or callee.type != "identifier":
            return
        helper = self.functions.get(text_of(callee))
        if loads_through_call(node):  # an lvalue, whose address can be asked for
            edits.replace(callee, "(*")
            edits.append(arguments, ")")
        elif helper is not None:
            edits.replace(callee, variant_name(helper.name, self.variant_of_call(helper, arguments, spaces)))

    def _helper_text(self, function: Function, edits: Edits) -> str:
        """One copy of a helper with the qualifiers it has; its prototype is kept."""
        head = edits.render(function.node.start_byte, function.body.start_byte)
        self.heads.setdefault(function.name, []).append(f"{' '.join(head.split())};")
        return edits.render_node(function.node).lstrip()

    def _edit_file_scope(self, file: Edits) -> None:
        """Nothing but the prototypes of functions changes: they have other parameters now."""
        Translation._edit_file_scope(self, Edits(self.tree.text))
        at = self._start_of_code()
        line = self.tree.text.count(b"\n", 0, at) + 1
        file.insert(0, "struct GvRecording;\n#line 1\n")  # for prototypes in front of a header
        file.insert(at, f"\n{self.prelude()}#line {line}\n")
        for node in walk(self.tree.root):
            if node.type != "declaration" or _inside_a_function(node):
                continue
            for declarator in node.children_by_field_name("declarator"):
                name = declared_name(declarator)
                if declarator.type == "function_declarator" and name is not None and text_of(name) in self.functions:
                    lines = "\n" * text_of(node).count("\n")
                    file.replace(node, " ".join(self.heads.get(text_of(name), [])) + lines)

    def _start_of_code(self) -> int:
        """The offset behind the last #include before the first function: what is defined there reaches no header."""
        first = min(function.node.start_byte for function in self.functions.values())
        headers = (
            node.end_byte
            for node in self.tree.root.children
            if node.start_byte < first and any(inner.type == "preproc_include" for inner in walk(node))
        )
        return max((end for end in headers if end <= first), default=0)


def native_translation_of(tree: SourceTree, entry: str) -> NativeTranslation:
    """Begin with a parsed file.

    Raises:
        CompileError: the entry is missing or has other parameters, or the file is beyond the dialect.
    """
    found = translation_of(tree, entry)
    return NativeTranslation(found.tree, found.functions, found.entry, file_shared=found.file_shared)


def _inside_a_function(node: Node) -> bool:
    outer = node.parent
    while outer is not None and outer.type != "function_definition":
        outer = outer.parent
    return outer is not None
