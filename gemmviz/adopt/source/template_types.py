"""The types that host code gives the templates of its kernels: at the launch, or at the calls of a function or class
that is itself a template (`launch<double>(…)`, `launch(a, b, c)`, `Gemm<double> gemm;`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gemmviz.adopt.source.active_code import LAUNCH
from gemmviz.adopt.source.kernels import (
    FoundKernel,
    SignatureParameter,
    TemplateParameter,
    function_declarator,
    template_parameters,
)
from gemmviz.adopt.source.launch_calls import LaunchCall, template_arguments
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.names import Names
from gemmviz.adopt.source.tree import IDENTIFIER, Node, function_around, line_of, text_of, walk
from gemmviz.adopt.source.written_types import WrittenTypes

_MOST_SETTINGS = 8
"""Ways in which one function is called."""
_DEEPEST = 4
"""Function templates that call each other up to a launch."""
_UNKNOWN = "?"
_CLASSES = ("struct_specifier", "class_specifier")


@dataclass(frozen=True, slots=True)
class _Setting:
    """What the types of templates around some code are, by name, "" for what could not be read; `line` is that of the
    call which says so, 0 without templates. `numbers` are the other arguments of that call.
    """

    types: Mapping[str, str]
    line: int = 0
    called: str = ""
    numbers: tuple[str, ...] = ()


_PLAIN = _Setting({})


class TemplateTypes:
    """The templates of a file and their uses. `root` is its tree, `kernels` are those that it may launch."""

    def __init__(self, root: Node, names: Names, kernels: Sequence[FoundKernel]) -> None:
        self._names = names
        self._written = WrittenTypes(root, names)
        self._kernels = {one.short_name: one for one in kernels if any(each.kind == "type" for each in one.template)}
        self._uses: dict[str, list[Node]] = {}
        self._macros: dict[str, tuple[int, str]] = {}
        for node in walk(root) if self._kernels else ():
            if node.type == "preproc_function_def":
                macro = (line_of(node), text_of(node.child_by_field_name("name")))
                words = IDENTIFIER.findall(text_of(node.child_by_field_name("value")))
                self._macros |= {word: macro for word in words if word not in self._macros}
            if node.type in ("call_expression", "template_type", "template_instantiation") and (name := _used(node)):
                self._uses.setdefault(name, []).append(node)

    def typed(self, launch: FoundLaunch, call: LaunchCall) -> list[FoundLaunch]:
        """A launch with the types that it gives the kernel's template, once for each way in which it is called with
        other types; as it is where the kernel takes none. Types that nothing in the file says stay open.
        """
        kernel = self._kernels.get(launch.kernel.rpartition("::")[2])
        if kernel is None:
            return [launch]
        function = function_around(call.node)
        own = _own_types(function)
        settings = self._settings(function, _DEEPEST)
        hidden = [self._macros[name] for name, *_ in _templates_around(function) if name in self._macros]
        if not settings and hidden:
            line, macro = hidden[0]
            unread = (
                f"line {line}: the macro {macro} uses {launch.function}, and with which type could not be read: write"
            )
            return [replace(launch, unread_types=f"{unread} one use without the macro, and look again")]
        is_open = not settings
        settings = settings or [_Setting({name: name for name in own})]
        given = [one for one in call.given.named_children if one.type != "comment"][call.first_argument :]
        found: dict[tuple[str, ...], FoundLaunch] = {}
        for setting in settings:
            template, unread = self._template(kernel, launch, given, function, own, setting)
            said = f"line {setting.line} calls {setting.called} so" if setting.line else ""
            open_types = frozenset(own) & {*template} if is_open else frozenset[str]()
            one = replace(launch, template=template, unread_types=unread, types_because=said, open_types=open_types)
            found.setdefault(template, one)
        return list(found.values())

    def _template(
        self,
        kernel: FoundKernel,
        launch: FoundLaunch,
        arguments: Sequence[Node],
        function: Node | None,
        own: Sequence[str],
        setting: _Setting,
    ) -> tuple[tuple[str, ...], str]:
        """The arguments of a kernel's template in a launch, and why a type could not be read; "" for nothing."""
        found, given = list[str](), launch.template
        for place, one in enumerate(kernel.template):
            deduced = None
            if place < len(given):
                text = given[place]
                deduced = setting.types.get(text, "") if text in own else None
            elif one.kind == "type":
                values = [
                    value for kind, value in zip(kernel.parameters, arguments, strict=False) if _is_of(kind, one.name)
                ]
                if values:
                    known = (self._written.of(value, function, setting.types) for value in values)
                    deduced = next(filter(None, known), "")
                text = one.default
            else:
                text = one.default
            if deduced == "":
                return (*found, _UNKNOWN), _unread_words(launch, setting, one.name if text not in own else text)
            if deduced is None and not text:
                break
            found.append(deduced or text)
        return tuple(found), ""

    def _settings(self, function: Node | None, depth: int) -> list[_Setting]:
        """What the templates around a function's body are given where the file uses them; [] where it never does."""
        found = [_PLAIN]
        for name, node, template in _templates_around(function):
            if not any(one.kind == "type" for one in template):
                continue
            uses = [one for one in self._uses.get(name, []) if not _is_within(one, node)] if depth else []
            here = [each for one in uses for each in self._given(one, name, node, template, depth - 1)]
            here = [one for one in here if one.numbers == here[0].numbers]  # the body has the numbers of the first one
            found = [replace(one, types={**before.types, **one.types}) for before in found for one in here][
                :_MOST_SETTINGS
            ]
        return found

    def _given(
        self, use: Node, name: str, node: Node, template: Sequence[TemplateParameter], depth: int
    ) -> Iterator[_Setting]:
        """What one use of a template gives it, once for each way in which the function around the use is called."""
        around = function_around(use)
        explicit = [words for words, _ in template_arguments(_named(use))]
        declarator = function_declarator(node) if node.type == "function_definition" else None
        takes = declarator.child_by_field_name("parameters") if declarator is not None else None
        listed = use.child_by_field_name("arguments") or _instantiated(use)
        gives = [one for one in listed.named_children if one.type != "comment"] if listed is not None else []
        kinds = [one for one in takes.named_children if one.type.endswith("declaration")] if takes is not None else []
        for outer in self._settings(around, depth):
            types = dict[str, str]()
            for place, one in enumerate(template):
                if one.kind != "type":
                    continue
                if place < len(explicit):
                    types[one.name] = self._written.plain(explicit[place], outer.types, _own_types(around))
                    continue
                values = [
                    value
                    for kind, value in zip(kinds, gives, strict=False)
                    if self._written.plain(text_of(kind.child_by_field_name("type")), {}) == one.name
                ]
                known = (self._written.of(value, around, outer.types) for value in values)
                default = self._written.plain(one.default, types) if one.default and not values else ""
                types[one.name] = next(filter(None, known), default)
            numbers = tuple(
                explicit[place] for place, one in enumerate(template) if one.kind != "type" and place < len(explicit)
            )
            yield _Setting(types, line_of(use), name, numbers)


def _unread_words(launch: FoundLaunch, setting: _Setting, name: str) -> str:
    """That a type could not be read, where, and what to do."""
    if setting.line:
        called = f"{setting.called}<float>"
        where = f"line {setting.line}: calls {setting.called}"
    else:
        called = f"{launch.kernel}<float>"
        where = f"line {launch.line}: launches {launch.kernel}"
    return f"{where}, and which type {name} is there could not be read: write it, as in {called}, and look again"


def _is_of(parameter: SignatureParameter, name: str) -> bool:
    """Whether a kernel's parameter is a pointer to what a parameter of its template says."""
    return parameter.is_pointer and parameter.type == name


def _templates_around(function: Node | None) -> Iterator[tuple[str, Node, tuple[TemplateParameter, ...]]]:
    """The templates that a function, and the classes around it, are: their names, definitions and parameters."""
    node = function
    while node is not None:
        template = tuple(template_parameters(node)) if node.type in ("function_definition", *_CLASSES) else ()
        if template:
            declarator = function_declarator(node) if node.type == "function_definition" else node
            field = "declarator" if node.type == "function_definition" else "name"
            name = text_of(declarator.child_by_field_name(field)) if declarator is not None else ""
            yield name.rpartition("::")[2], node, template
        node = node.parent


def _own_types(function: Node | None) -> list[str]:
    """The types that are parameters of the templates around a function's body."""
    return [one.name for *_, template in _templates_around(function) for one in template if one.kind == "type"]


def _used(node: Node) -> str:
    """The name of the function or class that a node calls or names with arguments of a template; "" for none."""
    named = _named(node)
    return text_of(named).partition("<")[0].rpartition("::")[2].strip() if named is not None else ""


def _named(node: Node) -> Node:
    """The part of a use that names the template."""
    if node.type == "call_expression":
        if any(one.type == "kernel_call_syntax" for one in node.children):
            return node.children[0]
        function = node.child_by_field_name("function") or node
        return function.child_by_field_name("field") or function if function.type == "field_expression" else function
    if node.type == "template_instantiation":
        declarator = node.child_by_field_name("declarator")
        return (declarator.child_by_field_name("declarator") if declarator is not None else None) or node
    return node


def _instantiated(node: Node) -> Node | None:
    """The types of the parameters of a function that is instantiated."""
    declarator = node.child_by_field_name("declarator") if node.type == "template_instantiation" else None
    return declarator.child_by_field_name("parameters") if declarator is not None else None


def _is_within(node: Node, outer: Node) -> bool:
    return outer.start_byte <= node.start_byte < outer.end_byte


def launching_templates(root: Node) -> set[str]:
    """The names of the functions with types as parameters of their templates that launch a kernel, or that use such a
    function.
    """
    words: dict[str, str] = {}
    for node in walk(root):
        if node.type == "function_definition" and any(one.kind == "type" for one in template_parameters(node)):
            declarator, body = function_declarator(node), text_of(node.child_by_field_name("body"))
            if declarator is not None and body:
                words[text_of(declarator.child_by_field_name("declarator"))] = body
    found = {name for name, body in words.items() if LAUNCH.search(body)}
    for _ in range(_DEEPEST):
        found |= {name for name, body in words.items() if not found.isdisjoint(IDENTIFIER.findall(body))}
    return found
