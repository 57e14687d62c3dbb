"""Writes out calls of functions that launch what they are given: a kernel, or the arguments of a parameter pack.

The launch inside such a function (`kernel<<<grid, block>>>(args...)`) says nothing without a call, so the function's
body, with the call's arguments in it, takes the place of the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gemmviz.adopt.source.changes import declared_in
from gemmviz.adopt.source.kernels import function_declarator
from gemmviz.adopt.source.launch_calls import launch_call
from gemmviz.adopt.source.tree import Node, text_of, walk

_MOST_CALLS = 64
_LONGEST_BODY = 4000
"""Characters of a function that is written out."""
_NAMES = ("identifier", "type_identifier")
_FORWARDS = re.compile(r"(?:std::)?(?:forward|move)")


@dataclass(frozen=True, slots=True)
class _Forwarder:
    """A function that launches what it is given. `parameters` are the names of its parameters but for the pack, ""
    where one has none; `template` are those of its template but for packs.
    """

    whole: Node
    body: Node
    parameters: tuple[str, ...]
    pack: str
    template: tuple[str, ...]


def with_forwarders_written_out(root: Node, source: str) -> str:
    """The text of a file, of which `root` is the tree, in which the bodies of such functions stand where they are
    called, each on the line of its call; a function of which every call is written out is blank. The text as it is
    where there are none.
    """
    text = source.encode("utf-8", "surrogateescape")
    forwarders = dict(_forwarders(root, source))
    changes: list[tuple[int, int, bytes]] = []
    calls: dict[str, list[bool]] = {name: [] for name in forwarders}
    for node in walk(root):
        name = _called_name(node)
        if name in forwarders and len(changes) < _MOST_CALLS:
            body = _body_at(node, forwarders[name])
            calls[name].append(bool(body))
            changes += [(node.start_byte, node.end_byte, body.encode("utf-8", "surrogateescape"))] if body else []
    for name, are_written in calls.items():
        one = forwarders[name].whole
        if are_written and all(are_written):
            inside = (one.start_byte, one.end_byte)
            changes = [each for each in changes if not inside[0] <= each[0] < inside[1]]
            changes.append((*inside, re.sub(rb"[^\n]", b" ", text[slice(*inside)])))
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text.decode("utf-8", "surrogateescape")


def _forwarders(root: Node, text: str) -> Iterator[tuple[str, _Forwarder]]:
    """Those of a file by their names, but for names that stand for several functions."""
    found: dict[str, _Forwarder] = {}
    seen: list[str] = []
    for node in walk(root):
        declarator = function_declarator(node) if node.type == "function_definition" else None
        given = declarator.child_by_field_name("parameters") if declarator is not None else None
        body = node.child_by_field_name("body")
        if declarator is None or given is None or body is None:
            continue
        name = text_of(declarator.child_by_field_name("declarator"))
        names, pack = [], ""
        for one in given.named_children:
            words = _declared_name(one.child_by_field_name("declarator"))
            if one.type == "variadic_parameter_declaration":
                pack = words
            elif one.type.endswith("parameter_declaration"):
                names.append(words)
        template = tuple(_template_parameters(node))
        passed = {*names, *template} - {""}
        if len(text_of(body)) <= _LONGEST_BODY and _is_open(body, passed, pack, text):
            outer = node.parent
            whole = outer if outer is not None and outer.type == "template_declaration" else node
            found[name] = _Forwarder(whole, body, tuple(names), pack, template)
        seen.append(name)
    yield from ((name, one) for name, one in found.items() if seen.count(name) == 1)


def _declared_name(declarator: Node | None) -> str:
    """The name that a parameter's declarator declares, also that of a pointer to a function: `(*kernel)(Args...)`."""
    while declarator is not None and declarator.type == "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    return _last_name(text_of(declarator))


def _last_name(words: str) -> str:
    """The last name in a text, "" where there is none."""
    found = re.findall(r"[A-Za-z_]\w*", words)
    return str(found[-1]) if found else ""


def _template_parameters(function: Node) -> Iterator[str]:
    """The names of a function's template parameters; packs have none."""
    parent = function.parent
    listed = parent.child_by_field_name("parameters") if parent is not None else None
    if parent is None or parent.type != "template_declaration" or listed is None:
        return
    for one in listed.named_children:
        if not one.type.startswith("variadic"):
            yield _last_name(text_of(one).partition("=")[0])


def _is_open(body: Node, passed: set[str], pack: str, text: str) -> bool:
    """Whether a body has a launch whose kernel or whose arguments only a call of the function tells."""
    launches = [call for node in walk(body) if node.type == "call_expression" and (call := launch_call(node, text))]
    called = [one.called if isinstance(one.called, str) else text_of(one.called) for one in launches]
    is_of_kernel = any(passed & {*re.findall(r"[A-Za-z_]\w*", one.partition("<")[0])} for one in called)
    return is_of_kernel or bool(launches and pack and any(_is_pack(one, pack) for one in walk(body)))


def _is_pack(node: Node, pack: str) -> bool:
    """Whether a node is a pack that is expanded here: `args...`."""
    is_expanded = node.type == "parameter_pack_expansion"
    return is_expanded and any(one.type == "identifier" and text_of(one) == pack for one in walk(node))


def _called_name(node: Node) -> str:
    """The name of the function that a statement calls; "" for anything else."""
    if node.type != "call_expression" or node.parent is None or node.parent.type != "expression_statement":
        return ""
    function = node.child_by_field_name("function")
    if function is not None and function.type == "template_function":
        function = function.child_by_field_name("name")
    return text_of(function).rpartition("::")[2]


def _body_at(call: Node, forwarder: _Forwarder) -> str:
    """The body with what a call gives; "" where the call does not fit the function, or names would be mixed up."""
    listed = call.child_by_field_name("arguments")
    given = [_without_comments(one) for one in listed.named_children if one.type != "comment"] if listed else []
    count = len(forwarder.parameters)
    if len(given) < count or (len(given) > count and not forwarder.pack):
        return ""
    function = call.child_by_field_name("function")
    listed = function.child_by_field_name("arguments") if function is not None else None
    types = [text_of(one) for one in listed.named_children] if listed is not None else []
    meant = dict(zip(forwarder.template, types, strict=False)) | dict(zip(forwarder.parameters, given, strict=False))
    own = {one for node in walk(forwarder.body) if node.type == "declaration" for one in declared_in(node)}
    if own & {word for text in given for word in re.findall(r"[A-Za-z_]\w*", text)}:
        return ""
    meant.pop("", None)
    words = _written(forwarder.body, meant, forwarder.pack, given[count:])
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
