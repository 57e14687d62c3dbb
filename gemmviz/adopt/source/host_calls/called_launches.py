"""Writes what calls give into functions of host code that launch what they are given.

Where that is a kernel or the arguments of a parameter pack (`kernel<<<grid, block>>>(args...)`), the launch says
nothing without a call: the function's body, with the call's arguments in it, takes the place of the call. Numbers of a
template become constants at the head of the body.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gemmviz.adopt.source.arithmetic import constant_of
from gemmviz.adopt.source.changes import changed_in, declared_in
from gemmviz.adopt.source.host_calls.called_values import values_given
from gemmviz.adopt.source.kernels import (
    TemplateParameter,
    function_declarator,
    template_parameters,
    typed_parameters,
)
from gemmviz.adopt.source.launch_calls import LaunchCall, launch_call, template_arguments
from gemmviz.adopt.source.names import Names
from gemmviz.adopt.source.tree import IDENTIFIER, Node, declared_name, text_of, walk

_MOST_CALLS = 64
_LONGEST_BODY = 4000
"""Characters of a function that is written out."""
_NAMES = ("identifier", "type_identifier")
_WHOLE = ("int", "unsigned", "unsigned int", "size_t", "uint32_t", "int32_t", "long", "int64_t", "uint", "short")
UNTOLD = "value_that_no_call_says"
"""What stands in the place of a value that a call computes."""
_FORWARDS = re.compile(r"(?:std::)?(?:forward|move)")


@dataclass(frozen=True, slots=True)
class _Launcher:
    """A function that launches. `parameters` are the names of its parameters but for the pack, "" where one has none.
    `is_open`: only a call says which kernel or which arguments it launches.
    """

    whole: Node
    body: Node
    parameters: tuple[str, ...]
    pack: str
    template: tuple[TemplateParameter, ...]
    is_open: bool
    of_geometry: frozenset[str] = frozenset()
    """Whole-number parameters that blocks or grids depend on and that no kernel is given."""


def with_calls_written_in(root: Node, source: str, names: Names, number: int = 0) -> str:
    """The text of a file, of which `root` is the tree, in which the bodies of open functions stand where they are
    called, each on the line of its call, and an open function of which every call is written out is blank. Of others
    the numbers of the template are those of the first call that gives all of them; where it has numbers alone, those
    that come `number` behind these among the ones of all calls, or the last ones. The text as it is where there are
    none. `names` are those of the file.
    """
    text = source.encode("utf-8", "surrogateescape")
    launchers = dict(_launchers(root, source))
    changes: list[tuple[int, int, bytes]] = []
    calls: dict[str, list[bool]] = {name: [] for name in launchers}
    constants: dict[str, list[str]] = {name: [] for name in launchers}
    for node in walk(root):
        name = _called_name(node)
        if name not in launchers or len(changes) >= _MOST_CALLS:
            continue
        one = launchers[name]
        if one.is_open:
            statement = _statement_of(node)
            if statement is None:
                continue
            body = _body_at(node, one)
            calls[name].append(bool(body))
            place = (statement.start_byte, statement.end_byte)
            changes += [(*place, body.encode("utf-8", "surrogateescape"))] if body else []
        else:
            heads = _constants_at(node, one, names)
            constants[name] += [each for each in heads if each and each not in constants[name]]
    for name, found in constants.items():
        if found:
            start = launchers[name].body.start_byte + 1
            is_of_numbers = all(each.kind == "number" for each in launchers[name].template)
            chosen = found[min(number, len(found) - 1) if is_of_numbers else 0]
            changes.append((start, start, chosen.encode()))
    for name, are_written in calls.items():
        one = launchers[name]
        if are_written and all(are_written):
            inside = (one.whole.start_byte, one.whole.end_byte)
            changes = [each for each in changes if not inside[0] <= each[0] < inside[1]]
            changes.append((*inside, re.sub(rb"[^\n]", b" ", text[slice(*inside)])))
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text.decode("utf-8", "surrogateescape")


def _launchers(root: Node, text: str) -> Iterator[tuple[str, _Launcher]]:
    """Those of a file by their names, but for names that stand for several functions."""
    found: dict[str, _Launcher] = {}
    seen: list[str] = []
    for node in walk(root):
        declarator = function_declarator(node) if node.type == "function_definition" else None
        given = declarator.child_by_field_name("parameters") if declarator is not None else None
        body = node.child_by_field_name("body")
        if declarator is None or given is None or body is None:
            continue
        name = text_of(declarator.child_by_field_name("declarator"))
        seen.append(name)
        launched = [call for one in walk(body) if one.type == "call_expression" and (call := launch_call(one, text))]
        if not launched:
            continue
        names, pack = [], ""
        for one in given.named_children:
            words = declared_name(one.child_by_field_name("declarator"))
            if one.type == "variadic_parameter_declaration":
                pack = words
            elif one.type.endswith("parameter_declaration"):
                names.append(words)
        template = tuple(template_parameters(node))
        called = [one.called if isinstance(one.called, str) else text_of(one.called) for one in launched]
        passed = {*names, *(one.name for one in template)} - {""}
        is_of_kernel = any(passed & {*IDENTIFIER.findall(one.partition("<")[0])} for one in called)
        is_open = len(text_of(body)) <= _LONGEST_BODY and (
            is_of_kernel or bool(pack and any(_is_pack(one, pack) for one in walk(body)))
        )
        outer = node.parent
        whole = outer if outer is not None and outer.type == "template_declaration" else node
        whole_numbers = {one for one, words in typed_parameters(declarator) if words in _WHOLE}
        of_geometry = frozenset(whole_numbers & _behind_geometry(launched, body))
        found[name] = _Launcher(whole, body, tuple(names), pack, template, is_open, of_geometry)
    yield from ((name, one) for name, one in found.items() if seen.count(name) == 1)


def _behind_geometry(launched: Sequence[LaunchCall], body: Node) -> set[str]:
    """The names that blocks and grids are written with or computed from, but for those that kernels are given and those
    that the body changes.
    """
    found: set[str] = set()
    for call in launched:
        for part in call.geometry[:2]:
            nodes = part if isinstance(part, tuple) else (part,)
            found |= {
                word for one in nodes for word in IDENTIFIER.findall(one if isinstance(one, str) else text_of(one))
            }
    before: set[str] = set()
    while found != before:
        before = set(found)
        for node in walk(body):
            if node.type in ("init_declarator", "assignment_expression") and (
                {
                    *IDENTIFIER.findall(
                        text_of(node.child_by_field_name("declarator") or node.child_by_field_name("left"))
                    )
                }
                & found
            ):
                value = node.child_by_field_name("value") or node.child_by_field_name("right")
                found |= {*IDENTIFIER.findall(text_of(value))}
    given = {word for call in launched for word in IDENTIFIER.findall(text_of(call.given))}
    return found - given - {*changed_in(body, ())}


def _constants_at(call: Node, launcher: _Launcher, names: Names) -> list[str]:
    """Declarations of the numbers that a call gives a template, and those parameters that a block or a grid depends on
    and the kernel is not given, once for each combination of values that loops give them. None where the call does not
    give the template all of them, and none of what the body declares.
    """
    function = call.child_by_field_name("function")
    given = template_arguments(function) if function is not None else []
    own = _declared_within(launcher.body)
    values: dict[str, int | None] = {}
    for place, one in enumerate(launcher.template):
        value = given[place][1] if place < len(given) else None
        if one.kind == "number":
            values[one.name] = constant_of(names.resolved(value)) if value is not None else None
    if own & values.keys() or any(value is None for value in values.values()):
        values = {}
    heads = ["".join(f" const int {name} = {value};" for name, value in values.items())]
    listed = call.child_by_field_name("arguments")
    arguments = [one for one in listed.named_children if one.type != "comment"] if listed is not None else []
    for name, argument in zip(launcher.parameters, arguments, strict=False):
        if name in launcher.of_geometry and name not in own:
            found = values_given(argument, names)
            # what is called is no constant, so that the launch cannot be read
            texts = [f"{UNTOLD}()"] if found is None else [*map(str, found)]
            heads = [f"{head} const int {name} = {text};" for head in heads for text in texts]
    return heads


def _declared_within(body: Node) -> set[str]:
    return {one for node in walk(body) if node.type == "declaration" for one in declared_in(node)}


def _is_pack(node: Node, pack: str) -> bool:
    """Whether a node is a pack that is expanded here: `args...`."""
    is_expanded = node.type == "parameter_pack_expansion"
    return is_expanded and any(one.type == "identifier" and text_of(one) == pack for one in walk(node))


def _called_name(node: Node) -> str:
    """The name of the function that is called; "" for what is no call."""
    if node.type != "call_expression":
        return ""
    function = node.child_by_field_name("function")
    if function is not None and function.type == "template_function":
        function = function.child_by_field_name("name")
    return text_of(function).rpartition("::")[2]


def _statement_of(call: Node) -> Node | None:
    """The statement that a call is, or that keeps what it returns: `f(a);`, `s = f(a);`, `float s = f(a);`; None where
    it is part of another one.
    """
    node = call.parent
    if node is not None and node.type == "assignment_expression" and node.child_by_field_name("right") == call:
        node = node.parent
    elif node is not None and node.type == "init_declarator":
        node = node.parent
        if node is None or node.type != "declaration" or len(node.children_by_field_name("declarator")) != 1:
            return None
        return node if node.parent is not None and node.parent.type == "compound_statement" else None
    return node if node is not None and node.type == "expression_statement" else None


def _function_behind(argument: Node) -> str:
    """The text of an argument; of a variable that keeps the function that it is declared with, as a pointer to it, that
    function: `void (*chosen)(float *) = mm;`.
    """
    words, node = _without_comments(argument), argument
    while argument.type == "identifier" and node.parent is not None and node.type != "function_definition":
        outer = node.parent
        statements = outer.named_children if outer.type == "compound_statement" else []
        for one in reversed([each for each in statements if each.start_byte < node.start_byte]):
            values = [
                each.child_by_field_name("value")
                for each in (one.children_by_field_name("declarator") if one.type == "declaration" else ())
                if declared_name(each.child_by_field_name("declarator")) == words
            ]
            for value in values:
                behind = (each for each in statements if each.start_byte > one.start_byte)
                is_kept = not any(words in changed_in(each, ()) for each in behind)
                is_name = value is not None and value.type == "identifier"
                return text_of(value) if is_name and is_kept else words
        node = outer
    return words


def _body_at(call: Node, launcher: _Launcher) -> str:
    """The body with what a call gives; "" where the call does not fit the function, or names would be mixed up."""
    listed = call.child_by_field_name("arguments")
    given = [_function_behind(one) for one in listed.named_children if one.type != "comment"] if listed else []
    count = len(launcher.parameters)
    if len(given) < count or (len(given) > count and not launcher.pack):
        return ""
    function = call.child_by_field_name("function")
    listed = function.child_by_field_name("arguments") if function is not None else None
    types = [text_of(one) for one in listed.named_children] if listed is not None else []
    template = [one.name for one in launcher.template]
    meant = dict(zip(template, types, strict=False)) | dict(zip(launcher.parameters, given, strict=False))
    if _declared_within(launcher.body) & {word for text in given for word in IDENTIFIER.findall(text)}:
        return ""
    meant.pop("", None)
    statements = [*launcher.body.children]
    if len(statements) > 1 and statements[-2].type == "return_statement":  # what stands behind the call goes on
        del statements[-2]
    words = " ".join(_written(one, meant, launcher.pack, given[count:]) for one in statements)
    return " ".join(words.split())


def _without_comments(node: Node) -> str:
    return _written(node, {}, "", [])


def _written(node: Node, meant: Mapping[str, str], pack: str, given: list[str]) -> str:
    """The text of a node with other texts for names, and with a pack written out."""
    if node.type in _NAMES:
        return meant.get(text_of(node), text_of(node))
    if pack and _is_pack(node, pack):
        pattern = node.named_children[0]
        return ", ".join(_written(pattern, {**meant, pack: one}, pack, given) for one in given)
    listed = node.child_by_field_name("arguments") if node.type == "call_expression" else None
    called = text_of(node.child_by_field_name("function")).partition("<")[0]
    if listed is not None and listed.named_child_count == 1 and _FORWARDS.fullmatch(called):
        return _written(listed.named_children[0], meant, pack, given)
    if not node.children:
        return "" if node.type == "comment" else text_of(node)
    return " ".join(_written(one, meant, pack, given) for one in node.children)
