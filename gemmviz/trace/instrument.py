"""From a kernel's source to a source that records itself, and the table of its sites.

Every access `lvalue` becomes GV_LOAD(…, lvalue), which writes its address to the slot of its site and iteration and then
is that lvalue. The threads are loops between barriers (backends/dialect/thread_loops.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.opencl_c import Translation, translation_of
from gemmviz.backends.dialect.placement import place
from gemmviz.backends.dialect.prelude import thread_loop_prelude
from gemmviz.backends.dialect.regions import cut, has_barrier, statements_of
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.symbols import Variable
from gemmviz.backends.dialect.thread_loops import EntryWriter, Hooks, refuse_what_cannot_loop
from gemmviz.backends.dialect.tree import Edits, Node, line_of, parse, text_of, walk
from gemmviz.domain.access import Site, SkippedAccess, Space
from gemmviz.domain.spec import Launch
from gemmviz.trace.accesses import Access, Accesses, array_shape
from gemmviz.trace.recording_text import MATRIX_BASE, PARAMETERS, PRELUDE, SHARED_BASE, epilogue, iteration, prologue
from gemmviz.trace.regions import Entry, LoopEntry, Numbering, TreeBuilder

MATRICES = ("A", "B", "C")


@dataclass(frozen=True, slots=True)
class SharedArray:
    """A shared array as declared; `sizes` are the texts in its brackets, none for dynamic shared memory."""

    name: str
    base: int
    element_bytes: int
    sizes: tuple[str, ...]
    is_dynamic: bool


@dataclass(slots=True)
class Instrumented:
    """A source that records itself. `entries` is the tree of the kernel; `site_of_offset` numbers its sites."""

    text: str
    sites: tuple[Site, ...]
    skipped: tuple[SkippedAccess, ...]
    entries: list[Entry]
    offsets: int
    loops: int
    site_of_offset: dict[int, int]
    shared: tuple[SharedArray, ...]


@dataclass(slots=True)
class _Found:
    """What instrumenting the entry found out."""

    entries: list[Entry] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    site_of_offset: dict[int, int] = field(default_factory=dict)
    shared: tuple[SharedArray, ...] = ()
    numbering: Numbering = field(default_factory=Numbering)


def instrument(path: Path, text: str, entry: str, launch: Launch) -> Instrumented:
    """The recording source of a CUDA C kernel for the block of `launch`.

    Raises:
        CompileError: the source is beyond the dialect.
        NotLoopableError: its control flow around barriers does not allow it to be recorded.
    """
    tree = parse(path, text)
    translation = translation_of(tree, entry)
    found = _Found()

    def write(function: Function, spaces: PointerSpaces, edits: Edits) -> str:
        refuse_what_cannot_loop(translation, function)
        hooks = _Instrumenter(function, spaces, edits, launch, found).hooks()
        placement = place(function, cut(statements_of(function.body)))
        return EntryWriter(function, spaces, edits, placement, launch.dynamic_shared_bytes, hooks).text()

    body = translation.render(write)
    skipped = _skipped(translation)
    recording = f'{thread_loop_prelude(launch.block)}{PRELUDE}#line 1 "{path.name}"\n{body}'
    return Instrumented(
        recording, tuple(found.sites), skipped, found.entries, found.numbering.offsets, found.numbering.loops,
        found.site_of_offset, found.shared,
    )  # fmt: skip


class _Instrumenter:
    """Edits one kernel so that it records itself."""

    def __init__(
        self, function: Function, spaces: PointerSpaces, edits: Edits, launch: Launch, found: _Found
    ) -> None:
        self._function = function
        self._edits = edits
        self._launch = launch
        self._found = found
        self._accesses = Accesses(function, spaces).find()
        self._shared = [v for v in function.symbols.variables if v.is_shared]
        self._pointers = [v for v in function.symbols.variables if v.is_parameter and v.is_pointer]
        self._loop_of: dict[int, LoopEntry] = {}

    def hooks(self) -> Hooks:
        by_place = {(a.node.start_byte, a.node.end_byte): a for a in self._accesses}
        builder = TreeBuilder(by_place, {}, self._found.numbering)
        self._found.entries = builder.build(self._function.body)
        self._found.shared = tuple(self._shared_array(i, v) for i, v in enumerate(self._shared))
        self._loop_of = {loop.node.start_byte: loop for loop in builder.loops}
        for access in self._accesses:
            self._wrap(access, builder)
        for loop in builder.loops:
            if not has_barrier(loop.node):
                self._count(loop)
        for node in walk(self._function.body):
            if node.type == "preproc_call" and "unroll" in text_of(node):
                self._edits.remove(node)
        self._edits.append(self._function.parameters[-1], PARAMETERS)
        loops, warps = self._found.numbering.loops, -(-self._launch.threads_per_block // 32)
        return Hooks(prologue(loops, warps), epilogue(loops), self._at_barrier, self._around_joint)

    def _shared_array(self, number: int, variable: Variable) -> SharedArray:
        kind = variable.declaration.child_by_field_name("type")
        word = text_of(kind) if kind is not None else "float"
        return SharedArray(
            variable.name,
            (16 + number) * SHARED_BASE,
            {"float4": 16, "float2": 8, "double": 8}.get(word, 4),
            tuple(text_of(size) for size in array_shape(variable)),
            variable.is_external,
        )

    def _wrap(self, access: Access, builder: TreeBuilder) -> None:
        offsets = builder.offsets_of[access.node.start_byte, access.node.end_byte]
        loops = builder.enclosing[offsets[0]]
        slots = [self._slot(offset, loops) for offset in offsets]
        name = self._site_array(access)
        for offset, kind in zip(offsets, access.kinds, strict=True):
            self._found.site_of_offset[offset] = len(self._found.sites)
            node = access.node
            self._found.sites.append(
                Site(
                    len(self._found.sites), line_of(node), node.start_point[1] + 1, text_of(node), access.space, kind,
                    access.width_bytes, name,
                )
            )  # fmt: skip
        start, nbytes, base = self._extent(access)
        nowhere = "gv_nowhere" if access.space is Space.GLOBAL else "gv_nowhere_shared"
        macro = "GV_LOAD" if len(slots) == 1 else "GV_BOTH"
        words = ", ".join([*slots, start, nbytes, base, str(access.offset_bytes), nowhere])
        self._edits.insert(access.node.start_byte, f"{macro}({words}, ")
        self._edits.append(access.node, ")")

    def _slot(self, offset: int, loops: tuple[LoopEntry, ...]) -> str:
        strides = "".join(
            f" + gv_i_{loop.index} * GV_OFFSET(GV_OFFSETS + {loop.index})" for loop in loops
        )
        return f"(GV_OFFSET({offset}){strides})"

    def _site_array(self, access: Access) -> str:
        if access.root is None:
            return ""
        if access.root in self._pointers:
            return MATRICES[self._pointers.index(access.root)]
        return access.root.name

    def _extent(self, access: Access) -> tuple[str, str, str]:
        """Start, size in bytes and virtual base of the array an access reaches, as C expressions."""
        root = access.root
        if root is not None and root in self._pointers:
            number = self._pointers.index(root)
            return f"gv_{'abc'[number]}", f"gv_told[{4 + number}]", f"{(number + 1) * MATRIX_BASE}L"
        if root is not None:
            return self._shared_extent(root)
        return ("GV_ANY_START", "GV_ANY_BYTES", "GV_ANY_BASE")

    def _shared_extent(self, root: Variable) -> tuple[str, str, str]:
        base = (16 + self._shared.index(root)) * SHARED_BASE
        if root.is_external:
            return root.name, str(self._launch.dynamic_shared_bytes), f"{base}L"
        return f"&{root.name}" if not root.is_array else root.name, f"sizeof({root.name})", f"{base}L"

    def _count(self, loop: LoopEntry) -> None:
        """Give a loop inside a region its iteration counter."""
        node, number = loop.node, loop.index
        body = node.child_by_field_name("body")
        assert body is not None
        self._edits.insert(node.start_byte, f"{{ int gv_i_{number} = -1; ")
        if body.type == "compound_statement":
            self._edits.append(body.children[0], iteration(number))
        else:
            self._edits.insert(body.start_byte, f"{{{iteration(number)}")
            self._edits.append(body, " }")
        self._edits.append(node, " }")

    def _around_joint(self, node: Node) -> tuple[str, str, str]:
        loop = self._loop_of.get(node.start_byte)
        if loop is None:
            return "", "", ""
        return f"{{ int gv_i_{loop.index} = -1; ", iteration(loop.index), " }"

    def _at_barrier(self, node: Node) -> str:
        return "\nGV_SNAPSHOT\n"


def _skipped(translation: Translation) -> tuple[SkippedAccess, ...]:
    """What touches memory and is not recorded."""
    found = []
    for name in translation.variants:
        function = translation.functions[name]
        line = line_of(function.node)
        found.append(SkippedAccess(line, name, "accesses inside helper functions are not recorded"))
    for node in walk(translation.tree.root):
        if node.type == "preproc_function_def":
            value = node.child_by_field_name("value")
            if value is not None and "[" in text_of(value):
                found.append(SkippedAccess(line_of(node), text_of(value).strip(), "an access inside a macro"))
    return tuple(found)
