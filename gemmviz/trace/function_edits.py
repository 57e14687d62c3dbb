"""The edits that make one function record itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from gemmviz.backends.dialect.addresses import LOADS, root_of, vector_call
from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.opencl_c import Translation, variant_name
from gemmviz.backends.dialect.regions import has_barrier
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.symbols import Variable, dimensions
from gemmviz.backends.dialect.thread_loops import Hooks, helpers_of
from gemmviz.backends.dialect.tree import Edits, Node, text_of, walk
from gemmviz.domain.access import LANES, AccessKind, BarrierPlace, Site, SkippedAccess, Space
from gemmviz.domain.spec import Launch
from gemmviz.trace import recording_text as texts
from gemmviz.trace.accesses import Access, Accesses
from gemmviz.trace.findings import ANY
from gemmviz.trace.jumps_back import refuse_jumps_back
from gemmviz.trace.regions import BarrierEntry, CallEntry, Entry, LoopEntry, Numbering, TreeBuilder
from gemmviz.trace.uncertain import Doubt, Flow

MATRICES = ("A", "B", "C")
_BUILT_IN = {
    "min", "max", "abs", "fma", "fmaf", "fabsf", "sqrtf", "expf", "fminf", "fmaxf", "make_float4", "make_float2",
    "make_int4", "make_int2", "__syncthreads", "__fmaf_rn", "sizeof", "assert",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SharedArray:
    """A shared array; its shape is told by the device when the kernel is counted."""

    name: str
    base: int


class Recorded(Protocol):
    """What the functions of a file are collected in."""

    sites: list[Site]
    skipped: list[SkippedAccess]
    functions: dict[str, list[Entry]]
    numbering: Numbering
    site_of_offset: dict[int, int]
    barriers: dict[int, BarrierPlace]
    shared: tuple[SharedArray, ...]
    unsure: set[int]
    hidden: set[str]
    past_barriers: str


class FunctionEdits:
    """Edits one function and adds its sites and its tree to what is recorded."""

    def __init__(
        self, translation: Translation, function: Function, spaces: PointerSpaces, edits: Edits, launch: Launch,
        into: Recorded, words: texts.Words = texts.OPENCL,
    ) -> None:  # fmt: skip
        self._texts = words
        self._translation = translation
        self._function = function
        self._spaces = spaces
        self._edits = edits
        self._launch = launch
        self._into = into
        self._is_kernel = function.is_kernel
        self._shared = [v for v in function.symbols.variables if v.is_shared]
        self._pointers = [v for v in function.symbols.variables if v.is_parameter and v.is_pointer]
        accesses = Accesses(translation.tree, function, spaces)
        self._accesses = [a for a in accesses.find() if self._can_be_recorded(a)]
        for node, reason in accesses.unseen:
            self._skip(node, reason, may_store=True)
        self._builder = TreeBuilder(
            {(a.node.start_byte, a.node.end_byte): a for a in self._accesses}, self._helper_calls(), into.numbering
        )
        self._loop_of: dict[int, LoopEntry] = {}
        self._barriers: list[BarrierEntry] = []
        self._doubt = Doubt()

    def instrument_kernel(self, name: str, keeps_barriers: bool) -> Hooks:
        """Edit the kernel; what its writer adds at the beginning, the end, barriers and joint loops."""
        self._into.shared = tuple(self._shared_array(i, v) for i, v in enumerate(self._shared))
        self._instrument(name, joint_loops_too=not keeps_barriers)
        self._edits.append(self._function.parameters[-1], texts.PARAMETERS)
        warps = -(-self._launch.threads_per_block // LANES)
        arrays = self._copied() if keeps_barriers else []
        shapes = [self._shape(variable) for variable in self._shared]
        last = texts.epilogue(texts.snapshot(arrays), shapes)
        return Hooks(
            texts.prologue(warps), last, self._at_barrier, self._declared, self._around_joint, self._by_each_thread
        )

    def instrument_helper(self, name: str) -> None:
        """Edit a helper function, which is called `name` in the translation."""
        self._instrument(name, joint_loops_too=True)
        self.edit_barriers()
        unsigned, signed = self._texts.unsigned, self._texts.signed
        extents = "".join(
            f", {unsigned} gv_start_{v.name}, {unsigned} gv_bytes_{v.name}, {signed} gv_virtual_{v.name}"
            for v in self._pointers
        )
        taken = next(node for node in walk(self._function.node) if node.type == "parameter_list")
        added = self._texts.helper_parameters + extents
        self._edits.insert(taken.end_byte - 1, added if self._function.parameters else added.removeprefix(", "))

    def edit_barriers(self) -> None:
        """Let a thread that comes to a barrier only say so, and run past it."""
        for entry in self._barriers:
            self._edits.replace(entry.node, f"({{ GV_EVENT({self._slot(entry.index)}, 0); }})")

    def _instrument(self, name: str, joint_loops_too: bool) -> None:
        refuse_jumps_back(self._translation.tree, self._function)
        if self._into.past_barriers:
            self._look_for_doubt()
        self._into.functions[name] = self._builder.build(self._function.body)
        self._barriers = [e for e in self._flat(self._into.functions[name]) if isinstance(e, BarrierEntry)]
        for barrier in self._barriers:
            line, _, text = self._translation.tree.place(barrier.node)
            self._into.barriers[barrier.index] = BarrierPlace(line, text)
        self._loop_of = {loop.node.start_byte: loop for loop in self._builder.loops}
        for loop in self._builder.loops:  # before the accesses: a loop's body may begin with one
            if joint_loops_too or not has_barrier(loop.node):
                self.count(loop)
        for access in self._accesses:
            self._wrap(access)
        for entry in self._flat(self._into.functions[name]):
            if isinstance(entry, CallEntry):
                self._hand_over(entry)
        for node in walk(self._function.body):
            steers = node.child_by_field_name("condition") if not joint_loops_too and has_barrier(node) else None
            if steers is not None and not self._is_repeatable(steers):
                self._skip(steers, "it controls a statement with barriers, so it is recorded for one thread only")
            if node.type == "preproc_call" and "unroll" in text_of(node):
                self._edits.remove(node)
            elif node.type == "call_expression":
                self._look_at_call(node)

    def _look_for_doubt(self) -> None:
        """Find and name what depends on memory that the other threads have not written yet."""
        calls = [(name, node) for name, node in self._function.calls() if node.start_byte in self._builder.recorded]
        touching = [node for _, node in calls if self._is_given_address(node)]
        waiting = [node for name, node in calls if self._waits(name)]
        self._doubt = Flow(self._translation.tree, self._function, self._accesses, touching, waiting).doubt()
        for condition in self._doubt.conditions:
            self._skip(
                condition,
                "this depends on memory that other threads write, so what follows from it may be recorded wrongly",
            )
        stores = (a for a in self._accesses if AccessKind.STORE in a.kinds and self._doubt.covers(a.whole))
        self._into.hidden |= {a.root.name if a.root is not None else ANY for a in stores if a.space is Space.SHARED}

    def _is_given_address(self, call: Node) -> bool:
        arguments = call.child_by_field_name("arguments")
        return arguments is not None and any(self._spaces.is_address(node) for node in arguments.named_children)

    def _waits(self, helper: str) -> bool:
        functions = self._translation.functions
        names = {helper, *helpers_of(self._translation, functions[helper])}
        return any(has_barrier(functions[name].body) for name in names)

    def _flat(self, entries: list[Entry]) -> list[Entry]:
        found: list[Entry] = []
        for entry in entries:
            found.append(entry)
            if isinstance(entry, LoopEntry):
                found += self._flat(entry.condition) + self._flat(entry.body)
        return found

    def _helper_calls(self) -> dict[int, str]:
        """The place of each call of a helper of the file, with the helper's name in the translation."""
        found = {}
        for name, node in self._function.calls():
            helper, arguments = self._translation.functions.get(name), node.child_by_field_name("arguments")
            if helper is not None and arguments is not None:
                variant = self._translation.variant_of_call(helper, arguments, self._spaces)
                found[node.start_byte] = variant_name(name, variant)
        return found

    def _shared_array(self, number: int, variable: Variable) -> SharedArray:
        return SharedArray(variable.name, (16 + number) * texts.SHARED_BASE)

    def _shape(self, variable: Variable) -> tuple[str, str, str]:
        """Elements, columns and bytes of an element of a shared array, as C expressions."""
        depth = dimensions(variable.declarator)
        size = f"sizeof({variable.name}{'[0]' * depth})"
        if variable.is_external or depth == 0:
            elements = f"{self._launch.dynamic_shared_bytes} / {size}" if variable.is_external else "1"
            return elements, elements, size
        row = variable.name + "[0]" * (depth - 1)
        return f"sizeof({variable.name}) / {size}", f"sizeof({row}) / {size}", size

    def _words(self, variable: Variable) -> str:
        return str(self._launch.dynamic_shared_bytes // 4) if variable.is_external else f"sizeof({variable.name}) / 4"

    def _can_be_recorded(self, access: Access) -> bool:
        """Whether there is an array the access can be measured against; names it where there is none."""
        reachable = self._pointers if access.space is Space.GLOBAL else self._shared
        if access.root is None and not any(self._spaces.of(v) is access.space for v in reachable):
            self._skip(access.node, "this memory is neither an argument of the kernel nor a shared array")
            return False
        return True

    def _wrap(self, access: Access) -> None:
        node = access.node
        offsets = self._builder.offsets_of[node.start_byte, node.end_byte]
        array = self._site_array(access.root)
        line, column, text = self._translation.tree.place(access.whole)
        for offset, kind in zip(offsets, access.kinds, strict=True):
            number = len(self._into.sites)
            self._into.site_of_offset[offset] = number
            if self._doubt.covers(access.whole):
                self._into.unsure.add(number)
            self._into.sites.append(
                Site(number, line, column, text, access.space, kind, access.width_bytes, array, access.aligned_bytes,
                     access.offset_bytes)
            )  # fmt: skip
        start, nbytes, base = self._extent(access.root, access.space)
        nowhere = "gv_nowhere" if access.space is Space.GLOBAL else "gv_nowhere_shared"
        slots = [self._slot(offset) for offset in offsets]
        if access.numbers:
            callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            assert callee is not None
            assert arguments is not None
            self._edits.replace(callee, "GV_VSTORE" if AccessKind.STORE in access.kinds else "GV_VLOAD")
            words = ", ".join([str(access.numbers), *slots, start, nbytes, base, nowhere])
            self._edits.insert(arguments.children[0].end_byte, f"{words}, ")
            return
        macro = "GV_LOAD" if len(offsets) == 1 else "GV_BOTH"
        words = ", ".join([*slots, start, nbytes, base, str(access.offset_bytes), nowhere])
        self._edits.insert(node.start_byte, f"{macro}({words}, ")
        self._edits.append(node, ")")

    def _slot(self, offset: int) -> str:
        loops = self._builder.enclosing[offset]
        turns = [f"gv_i_{loop.index}" for loop in loops]
        if offset in self._builder.in_conditions:  # evaluated before the turn it opens is counted
            turns[-1] = f"({turns[-1]} + 1)"
        pairs = zip(turns, loops, strict=True)
        strides = "".join(f" + {turn} * GV_STRIDE({loop.index})" for turn, loop in pairs)
        return f"(gv_base + GV_OFFSET({offset}){strides})"

    def _site_array(self, root: Variable | None) -> str:
        if root is None or (root.is_parameter and not self._is_kernel):
            return ""
        return MATRICES[self._pointers.index(root)] if root in self._pointers else root.name

    def _extent(self, root: Variable | None, space: Space) -> tuple[str, str, str]:
        """Start, size in bytes and virtual base of the array an address should lie in, as C expressions."""
        if root is not None and root in self._pointers and not self._is_kernel:
            return f"gv_start_{root.name}", f"gv_bytes_{root.name}", f"gv_virtual_{root.name}"
        if root is not None and root in self._pointers:
            number = self._pointers.index(root)
            return f"gv_{'abc'[number]}", f"gv_told[{texts.A_BYTES + number}]", f"{(number + 1) * texts.MATRIX_BASE}L"
        if root is not None:
            nbytes = str(self._launch.dynamic_shared_bytes) if root.is_external else f"sizeof({root.name})"
            base = (16 + self._shared.index(root)) * texts.SHARED_BASE
            return (root.name if root.is_array else f"&{root.name}"), nbytes, f"{base}L"
        return self._any_extent(space)

    def _any_extent(self, space: Space, pointer: str = "gv_p") -> tuple[str, str, str]:
        """The array of a space in which a pointer lies, where it may point into several; else the first."""
        candidates = self._pointers if space is Space.GLOBAL else self._shared
        candidates = [v for v in candidates if self._spaces.of(v) is space]
        extents = [self._extent(v, space) for v in candidates]
        word, parts = self._texts.unsigned, []
        for which in range(3):
            text = f"({word})({extents[0][which]})" if which != 2 else f"({extents[0][which]})"
            for start, nbytes, base in reversed(extents):
                value = (f"({word})({start})", f"({word})({nbytes})", f"({base})")[which]
                text = f"(({word}){pointer} - ({word})({start}) < ({word})({nbytes}) ? {value} : {text})"
            parts.append(text)
        return parts[0], parts[1], parts[2]

    def count(self, loop: LoopEntry) -> None:
        """Give a loop its iteration counter."""
        node, number = loop.node, loop.index
        body = node.child_by_field_name("body")
        assert body is not None
        self._edits.insert(node.start_byte, f"{{ int gv_i_{number} = -1; {self._texts.before_loop}")
        if body.type == "compound_statement":
            self._edits.append(body.children[0], texts.iteration(number))
        else:
            self._edits.insert(body.start_byte, f"{{{texts.iteration(number)}")
            self._edits.append(body, " }")
        self._edits.append(node, " }")

    def _hand_over(self, entry: CallEntry) -> None:
        """Tell a helper where its events go and which arrays its pointers lie in."""
        arguments = entry.node.child_by_field_name("arguments")
        assert arguments is not None
        given = [node for node in arguments.named_children if node.type != "comment"]
        unsigned = self._texts.unsigned
        text = self._texts.helper_arguments.format(slot=self._slot(entry.index))
        for argument in given:
            space = self._spaces.of_expression(argument)
            if space is not None and self._spaces.is_address(argument):
                root = root_of(argument, self._function.symbols)
                if space is Space.PRIVATE:
                    text += ", 0, 0, 0"
                    continue
                pointer = f"({self._edits.render_node(argument)})"
                start, nbytes, base = self._any_extent(space, pointer) if root is None else self._extent(root, space)
                text += f", ({unsigned})({start}), ({unsigned})({nbytes}), {base}"
        self._edits.insert(arguments.end_byte - 1, text if given else text.removeprefix(", "))

    def _look_at_call(self, node: Node) -> None:
        """Name the calls that may touch memory unseen."""
        callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is None or arguments is None or callee.type != "identifier":
            return
        name = text_of(callee)
        if name in _BUILT_IN | LOADS or name in self._translation.functions or vector_call(node) is not None:
            return
        if self._is_given_address(node):
            self._skip(node, f"{name} is given an address, and what it does there is not seen", may_store=True)

    def _skip(self, node: Node, reason: str, may_store: bool = False) -> None:
        """Name what is not recorded; where it may store to shared memory, nobody looks for what was never written."""
        line, _, text = self._translation.tree.place(node)
        self._into.skipped.append(SkippedAccess(line, text, reason))
        for name in walk(node) if may_store else ():
            variable = self._function.symbols.of(name) if name.type == "identifier" else None
            if variable is None or not (variable.is_shared or variable.is_pointer):
                continue
            if self._spaces.of(variable) is Space.SHARED:
                root = root_of(name, self._function.symbols)
                self._into.hidden.add(root.name if root is not None and root.is_shared else ANY)
                told = f"{reason}; uninitialised reads are not searched for there"
                self._into.skipped[-1] = SkippedAccess(line, text, told)

    def _around_joint(self, node: Node) -> tuple[str, str, str]:
        loop = self._loop_of.get(node.start_byte)
        if loop is None:
            return "", "", ""
        return f"{{ int gv_i_{loop.index} = -1; ", texts.iteration(loop.index), " }"

    def _by_each_thread(self, condition: Node, text: str) -> str:
        """The condition of a joint statement, evaluated by every thread if what it reads is recorded."""
        if not self._is_recorded(condition) or not self._is_repeatable(condition):
            return text
        return f"(({{ int gv_holds = 0; GV_FOR_EACH_THREAD {{ gv_holds = ({text}) != 0; }} gv_holds; }}))"

    def _is_recorded(self, node: Node) -> bool:
        places = [access.node.start_byte for access in self._accesses] + list(self._builder.recorded)
        return any(node.start_byte <= place < node.end_byte for place in places)

    def _is_repeatable(self, condition: Node) -> bool:
        """Whether nothing changes when a recorded condition is evaluated once more."""
        changes = any(n.type in ("assignment_expression", "update_expression") for n in walk(condition))
        return not (changes and self._is_recorded(condition))

    def _at_barrier(self, statement: Node) -> str:
        call = statement.named_children[0]
        offset = self._builder.offsets_of[call.start_byte, call.end_byte][0]
        return f"GV_FOR_EACH_THREAD {{ GV_EVENT({self._slot(offset)}, 0); }}\n{texts.snapshot(self._copied())}"

    def _copied(self) -> list[tuple[str, str]]:
        """The shared arrays of a snapshot: where each begins, and its size in words."""
        return [(("" if v.is_array else "&") + v.name, self._words(v)) for v in self._shared]

    def _declared(self, statement: Node) -> str:
        declared = [v for v in self._shared if v.declaration.start_byte == statement.start_byte]
        return "".join(f"GV_FILL({'' if v.is_array else '&'}{v.name}, {self._words(v)})\n" for v in declared)
