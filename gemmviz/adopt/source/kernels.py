"""The kernels of a file: their signatures, and how they number their threads and blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.adopt.source.arithmetic import expression_of, written
from gemmviz.adopt.source.body.flattened_index import flattened_sizes
from gemmviz.adopt.source.body.guards import guards_in
from gemmviz.adopt.source.fractions import finished, is_real
from gemmviz.adopt.source.names import Names, declared
from gemmviz.adopt.source.tree import Node, declared_name, line_of, text_of, walk
from gemmviz.catalogue.overloads import is_entry_of

MOST_KERNELS = 64
MOST_PARAMETERS = 32
"""Of a file, and of a kernel."""
LITERALS = 8, 1 << 16
"""The least and the largest whole number in the body of a kernel that may be a size."""
_INDEX = re.compile(r"\b(threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*([xyz])\b")
_OPENCL_INDEX = re.compile(r"\bget_(local_id|group_id|local_size|num_groups|global_id|global_size)\s*\(\s*([012])\s*\)")
_OPENCL_NAMES = {
    "local_id": ("threadIdx",),
    "group_id": ("blockIdx",),
    "local_size": ("blockDim",),
    "num_groups": ("gridDim",),
    "global_id": ("threadIdx", "blockIdx", "blockDim"),
    "global_size": ("blockDim", "gridDim"),
}
_OF_16_BITS = frozenset({"short", "ushort", "int16_t", "uint16_t", "short2", "ushort2"})
_CONDITIONS = ("preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else")


@dataclass(frozen=True, slots=True)
class TemplateParameter:
    """A parameter of a template; `kind` is "type", "bool" or "number", `default` what it is without an argument."""

    name: str
    kind: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class SignatureParameter:
    """A parameter of a kernel; `type` is the type's name without qualifiers, aliases followed."""

    name: str
    written: str
    type: str
    is_pointer: bool
    is_const: bool
    is_local: bool = False
    """An OpenCL parameter that the launch gives shared memory."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold so that a kernel is compiled: the text behind #if, or its opposite."""

    words: str
    holds: bool = True
    is_option: bool = False
    """Whether an option for the compiler says so, `-DTILE=16`."""


@dataclass(frozen=True, slots=True)
class FoundKernel:
    """A kernel of a file. `name` is qualified by its namespaces.

    `block_axes` and `grid_axes` are the axes ("x", "xy") by which threads and blocks are told apart. `fixed` are
    expressions over template parameters: `bound` the threads that `__launch_bounds__` names, `threads` what asserts
    compare blockDim.x with; `constants` the numbers that its body declares, in the order of the text.
    """

    name: str
    line: int
    template: tuple[TemplateParameter, ...]
    parameters: tuple[SignatureParameter, ...]
    bound: str
    threads: tuple[str, ...]
    block_axes: str
    grid_axes: str
    uses_block_size: bool
    uses_grid_size: bool
    dynamic_shared: str
    """The type of the elements of `extern __shared__`, "" without."""
    constants: tuple[tuple[str, str], ...]
    conditions: tuple[Condition, ...]
    block_edges: tuple[tuple[str, str], ...] = ()
    """What its body multiplies the index of a block by, a number or a name, with the axis in front."""
    words: frozenset[str] = frozenset()
    """The names in its body."""
    literals: tuple[tuple[int, int], ...] = ()
    """The whole numbers in its body that may be sizes, each once with the first line that it stands in."""
    last_line: int = 0
    """Where its body ends; 0 where that is not known."""
    tested: frozenset[str] = frozenset()
    """Its pointers of which its body asks whether they are null."""
    flattened: tuple[tuple[int, int], ...] = ()
    """The places of numbers that may count the elements of a matrix, and of those that may count its columns."""
    overload: str = ""
    """Its name with the types of its parameters, where another kernel of the file has the same name."""
    required_block: tuple[str, ...] = ()
    """The threads along x, y and z that its `reqd_work_group_size` asks for; () without one."""
    guards: tuple[tuple[str, int], ...] = ()
    """The numbers that its body compares with an index of a thread (`guards_in`), each with the first such line."""

    @property
    def short_name(self) -> str:
        return self.name.rpartition("::")[2]

    @property
    def entry(self) -> str:
        """What names it alone."""
        return self.overload or self.name

    @property
    def has_16_bits(self) -> bool:
        """Whether it may count in 16 bits: then an index may begin again at 0 beyond 32767 or 65535."""
        return bool(_OF_16_BITS & {*self.words, *(word for one in self.parameters for word in one.written.split())})

    def is_called(self, entry: str) -> bool:
        """Whether a person means it by an entry; of kernels of one name, all by the name."""
        return entry in (self.name, self.short_name) or is_entry_of(entry, self.entry)


def kernels_of(root: Node, names: Names) -> tuple[FoundKernel, ...]:
    """Every kernel with a body, in the order of the file."""
    found: list[FoundKernel] = []
    for node in walk(root):
        if node.type == "function_definition" and "__global__" in _head(node) and len(found) < MOST_KERNELS:
            kernel = _kernel(node, names)
            if kernel is not None:
                found.append(kernel)
    return tuple(found)


def _head(node: Node) -> str:
    """The text of a function up to its body."""
    body = node.child_by_field_name("body")
    end = node.end_byte if body is None else body.start_byte
    return text_of(node)[: max(0, end - node.start_byte)]


def function_declarator(node: Node) -> Node | None:
    """The part of a function that has its name and its parameters."""
    one = node.child_by_field_name("declarator")
    while one is not None and one.type != "function_declarator":
        one = one.child_by_field_name("declarator")
    return one


def _kernel(node: Node, names: Names) -> FoundKernel | None:
    declarator, body = function_declarator(node), node.child_by_field_name("body")
    if declarator is None or body is None:
        return None
    given = declarator.child_by_field_name("parameters")
    name = text_of(declarator.child_by_field_name("declarator"))
    if given is None or not re.fullmatch(r"[A-Za-z_]\w*(::\w+)*", name):
        return None
    read = (_parameter(one, names) for one in given.named_children if one.type.endswith("parameter_declaration"))
    parameters = tuple(one for one in read if one is not None)[:MOST_PARAMETERS]
    words = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text_of(body), flags=re.DOTALL)
    used = indices_in(words)
    if not any(name == "threadIdx" for name, _ in used):  # the work is done by functions that it calls
        used |= indices_in(text_of(root_of(node)))
    numbers = {one.name: place for place, one in enumerate(parameters) if one.name and not one.is_pointer}
    template = tuple(template_parameters(node))
    switches = [one.name for one in template if one.kind == "bool"]
    return FoundKernel(
        name=_qualified(node, name),
        line=line_of(declarator),
        template=template,
        parameters=parameters,
        bound=_bound(node),
        threads=tuple(_asserted(words)),
        block_axes="".join(axis for axis in "xyz" if ("threadIdx", axis) in used),
        grid_axes="".join(axis for axis in "xyz" if ("blockIdx", axis) in used),
        uses_block_size=any(name == "blockDim" for name, _ in used),
        uses_grid_size=any(name == "gridDim" for name, _ in used),
        dynamic_shared=_dynamic_shared(words),
        constants=tuple(_constants(body)),
        conditions=_conditions(node),
        block_edges=tuple(dict.fromkeys(_block_edges(words))),
        words=frozenset(re.findall(r"[A-Za-z_]\w*", words)),
        literals=_literals(body),
        last_line=body.end_point[0] + 1,
        tested=frozenset(one.name for one in parameters if one.is_pointer and _is_tested(one.name, words)),
        flattened=tuple(flattened_sizes(numbers, words).items()),
        guards=tuple(guards_in(body, numbers, switches).items()),
    )


def _is_tested(pointer: str, words: str) -> bool:
    """Whether a code asks whether a pointer is null."""
    name = rf"(?<![\w.*&\]])(?:{re.escape(pointer)})\b"
    asked = rf"{name}\s*(?:\?|&&|\|\||[!=]=\s*(?:nullptr|NULL|0)\b)"
    alone = rf"(?:!|&&|\|\||\bif\s*\()\s*{name}\s*[)&|?]"
    return bool(pointer) and re.search(rf"{asked}|{alone}", words) is not None


def root_of(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node


def indices_in(words: str) -> set[tuple[str, str]]:
    """The built-in indices and sizes that a code uses, such as ("threadIdx", "x")."""
    used = {(found[1], found[2]) for found in _INDEX.finditer(words)}
    for match in _OPENCL_INDEX.finditer(words):
        used |= {(one, "xyz"[int(match[2])]) for one in _OPENCL_NAMES[match[1]]}
    return used


def _qualified(node: Node, name: str) -> str:
    parent = node.parent
    while parent is not None:
        if parent.type == "namespace_definition":
            space = text_of(parent.child_by_field_name("name"))
            name = f"{space}::{name}" if space else name
        parent = parent.parent
    return name


def _parameter(node: Node, names: Names) -> SignatureParameter | None:
    declarator, kind = node.child_by_field_name("declarator"), node.child_by_field_name("type")
    if kind is None or text_of(node).strip() == "void":
        return None
    is_pointer = declarator is not None and any(
        one.type.endswith(("pointer_declarator", "array_declarator")) for one in walk(declarator)
    )
    words, name = " ".join(text_of(node).split()), declared_name(declarator)
    behind = node.next_sibling
    if names.is_qualifier(name) and behind is not None and behind.type == "ERROR":
        # a macro of `__restrict__`, which the grammar takes for the name
        name = (re.findall(r"[A-Za-z_]\w*", text_of(behind)) or [name])[0]
    plain = names.plain_type(text_of(kind))
    if plain.endswith("*"):  # what is written in front of it is said of the pointer itself
        is_pointer, plain, is_const = True, plain.rstrip("*"), names.is_pointer_to_const(text_of(kind))
    else:
        is_const = bool(re.search(r"\bconst\b", text_of(node)[: kind.end_byte - node.start_byte + 8]))
    return SignatureParameter(name, words, plain, is_pointer, is_const, bool(re.search(r"\b__shared__\b", words)))


def template_parameters(node: Node) -> Iterator[TemplateParameter]:
    """The parameters of the template that a function definition is; none for one that is no template."""
    parent = node.parent
    if parent is None or parent.type != "template_declaration":
        return
    given = parent.child_by_field_name("parameters")
    for one in given.named_children if given is not None else ():
        words = text_of(one)
        name, _, default = (part.strip() for part in words.partition("="))
        is_of_types = re.match(r"template\s*<", words) is not None
        if is_of_types or one.type.startswith(("type_parameter", "optional_type", "variadic_type")):
            yield TemplateParameter(name.split()[-1] if len(name.split()) > 1 else "", "type", default)
        elif one.type.endswith("parameter_declaration"):
            kind = "bool" if re.search(r"\bbool\b", words) else "number"
            yield TemplateParameter(re.split(r"\W+", name)[-1], kind, default)


def typed_parameters(declarator: Node | None) -> Iterator[tuple[str, str]]:
    """The names of a function's parameters, which hide those of the file, and their types without `const`."""
    given = declarator.child_by_field_name("parameters") if declarator is not None else None
    for one in given.named_children if given is not None else ():
        if name := declared_name(one.child_by_field_name("declarator")):
            yield name, text_of(one.child_by_field_name("type"))


def _bound(node: Node) -> str:
    for one in node.children:
        if one.type == "launch_bounds" and one.named_child_count:
            value = expression_of(one.named_children[0])
            return "" if value is None else written(value)
    return ""


def _asserted(words: str) -> Iterator[str]:
    """What asserts say that blockDim.x is equal to."""
    for match in re.finditer(r"\bassert\s*\(([^;]{1,200}?)\)\s*;", words):
        sides = [one.strip() for one in match[1].split("==")]
        if len(sides) == 2 and any(re.fullmatch(r"blockDim\s*\.\s*x", one) for one in sides):
            yield next(one for one in sides if not one.startswith("blockDim"))


def _block_edges(words: str) -> Iterator[tuple[str, str]]:
    """What the index of a block, or a variable that is nothing but this index, is multiplied by."""
    names = [(rf"blockIdx\s*\.\s*{axis}", axis) for axis in "xyz"]
    names += [
        (copy[1], copy[2])
        for copy in re.finditer(r"(?<![\w.])([A-Za-z_]\w*)\s*=\s*blockIdx\s*\.\s*([xyz])\s*[;,]", words)
        if len(re.findall(rf"(?<![\w.]){copy[1]}\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)", words)) == 1
    ]
    for name, axis in names:
        for found in re.finditer(rf"(?<![\w.]){name}\s*\*\s*(\w+)\b(?!\s*\.)", words):
            yield axis, found[1]
        for found in re.finditer(rf"(?<![\w.])(\w+)\s*\*\s*{name}\b", words):
            yield axis, found[1]


def _dynamic_shared(words: str) -> str:
    found = re.search(
        r"\bextern\s+__shared__\s+(?:__align__\s*\(\s*\d+\s*\)\s*)?([\w:]+(?:\s+\w+)*?)\s+\w+\s*\[", words
    )
    return found[1] if found else ""


def _constants(body: Node) -> Iterator[tuple[str, str]]:
    """The numbers that a kernel's body declares, which may depend on its template's parameters."""
    for node in walk(body):
        if node.type == "declaration":
            for name, value in declared(node):
                if not is_real(value):
                    yield name, written(finished(value))


def _literals(body: Node) -> tuple[tuple[int, int], ...]:
    found: dict[int, int] = {}
    for node in walk(body):
        if node.type == "number_literal" and (number := re.fullmatch(r"(\d{1,6})[uUlL]*", text_of(node))):
            found.setdefault(int(number[1]), line_of(node))
    return tuple((value, line) for value, line in found.items() if LITERALS[0] <= value <= LITERALS[1])


def _conditions(node: Node) -> tuple[Condition, ...]:
    found: list[Condition] = []
    child, parent = node, node.parent
    while parent is not None:
        if parent.type in _CONDITIONS and child != parent.child_by_field_name("condition"):
            is_alternative = child == parent.child_by_field_name("alternative")
            words = text_of(parent.child_by_field_name("condition") or parent.child_by_field_name("name"))
            if parent.type in ("preproc_ifdef", "preproc_elifdef"):
                is_negated = text_of(parent).lstrip("# \t").startswith(("ifndef", "elifndef"))
                words = f"!defined({words})" if is_negated else f"defined({words})"
            if parent.type != "preproc_else":
                found.append(Condition(words, not is_alternative))
        child, parent = parent, parent.parent
    return tuple(reversed(found))
