"""A recorded kernel whose threads run from start to end, each on its own, past the barriers."""

from __future__ import annotations

from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.symbols import Variable
from gemmviz.backends.dialect.thread_loops import Hooks
from gemmviz.backends.dialect.tree import Edits, find_all, line_of, text_of


def write_free_running(
    function: Function,
    edits: Edits,
    dynamic_shared_bytes: int,
    hooks: Hooks,
) -> str:
    """The kernel as a loop over its threads; shared arrays stand outside it."""
    shared = [variable for variable in function.symbols.variables if variable.is_shared]
    for variable in shared:
        edits.replace_whole(variable.declaration, "")
    written = [v for v in function.symbols.variables if v.is_parameter and v.writes]
    for node in find_all(function.body, lambda node: node.type == "return_statement"):
        edits.replace(node.children[0], "goto gv_next")  # what a loop added around it stays
    for variable in written:
        edits.replace(variable.identifier, f"{variable.name}_given")
    head = edits.render(function.node.start_byte, function.body.start_byte).lstrip()
    parts = ["__kernel __attribute__((reqd_work_group_size(1, 1, 1))) ", head, "{\n", hooks.prologue]
    parts += [_shared_declaration(variable, dynamic_shared_bytes) for variable in shared]
    parts += [hooks.declared(node) for node in {v.declaration.start_byte: v.declaration for v in shared}.values()]
    own = "".join(f"__auto_type {v.name} = {v.name}_given;\n" for v in written)
    body = edits.render_node(function.body)
    line, end = line_of(function.body), function.node.end_point[0] + 1
    parts += [f"GV_FOR_EACH_THREAD {{\n{own}\n#line {line}\n{body}\ngv_next:;\n}}\n", hooks.epilogue]
    parts += [f"\n#line {end}\n}}"]
    return "".join(parts)


def _shared_declaration(variable: Variable, dynamic_shared_bytes: int) -> str:
    kind = variable.declaration.child_by_field_name("type")
    word = text_of(kind) if kind is not None else "float"
    if variable.is_external:
        return f"GV_SHARED_ARRAY {word} {variable.name}[{max(dynamic_shared_bytes, 16)} / sizeof({word})];\n"
    return f"GV_SHARED_ARRAY {word} {text_of(variable.declarator)};\n"
