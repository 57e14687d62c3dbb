"""Writes what calls give into functions of host code that launch what they are given.

Where that is a kernel or the arguments of a parameter pack (`kernel<<<grid, block>>>(args...)`), the launch says
nothing without a call: the function's body, with the call's arguments in it, takes the place of the call. Numbers of a
template become constants at the head of the body.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gemmviz.adopt.source.arithmetic import constant_of
from gemmviz.adopt.source.changes import declared_in
from gemmviz.adopt.source.kernels import TemplateParameter, function_declarator, template_parameters
from gemmviz.adopt.source.launch_calls import launch_call, template_arguments
from gemmviz.adopt.source.names import Names
from gemmviz.adopt.source.tree import IDENTIFIER, Node, declared_name, text_of, walk

_MOST_CALLS = 64
_LONGEST_BODY = 4000
"""Characters of a function that is written out."""
_NAMES = ("identifier", "type_identifier")
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


def with_calls_written_in(root: Node, source: str, names: Names) -> str:
    """The text of a file, of which `root` is the tree, in which the bodies of open functions stand where they are
    called, each on the line of its call, and an open function of which every call is written out is blank. Of others
    the numbers of the template are those of the first call that gives all of them. The text as it is where there are
    none. `names` are those of the file.
    """
    text = source.encode("utf-8", "surrogateescape")
    launchers = dict(_launchers(root, source))
    changes: list[tuple[int, int, bytes]] = []
    calls: dict[str, list[bool]] = {name: [] for name in launchers}
    for node in walk(root):
        name = _called_name(node)
        if name not in launchers or len(changes) >= _MOST_CALLS:
            continue
        one = launchers[name]
        if one.is_open:
            if node.parent is None or node.parent.type != "expression_statement":
                continue
            body = _body_at(node, one)
            calls[name].append(bool(body))
            changes += [(node.start_byte, node.end_byte, body.encode("utf-8", "surrogateescape"))] if body else []
        elif not calls[name] and (constants := _constants_at(node, one, names)):
            calls[name].append(False)
            changes.append((one.body.start_byte + 1, one.body.start_byte + 1, constants.encode()))
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
        found[name] = _Launcher(whole, body, tuple(names), pack, template, is_open)
    yield from ((name, one) for name, one in found.items() if seen.count(name) == 1)


def _constants_at(call: Node, launcher: _Launcher, names: Names) -> str:
    """Declarations of the numbers that a call gives a template; "" where it does not give all, or the body has them."""
    function = call.child_by_field_name("function")
    given = template_arguments(function) if function is not None else []
    own = _declared_within(launcher.body)
    values: dict[str, int | None] = {}
    for place, one in enumerate(launcher.template):
        value = given[place][1] if place < len(given) else None
        if one.kind == "number":
            values[one.name] = constant_of(names.resolved(value)) if value is not None else None
    if own & values.keys() or any(value is None for value in values.values()):
        return ""
    return "".join(f" const int {name} = {value};" for name, value in values.items())


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


def _body_at(call: Node, launcher: _Launcher) -> str:
    """The body with what a call gives; "" where the call does not fit the function, or names would be mixed up."""
    listed = call.child_by_field_name("arguments")
    given = [_without_comments(one) for one in listed.named_children if one.type != "comment"] if listed else []
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
    words = _written(launcher.body, meant, launcher.pack, given[count:])
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
