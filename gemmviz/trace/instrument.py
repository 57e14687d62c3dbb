"""From a kernel's source to a source that records itself, and the table of its sites.

Every access `lvalue` becomes GV_LOAD(…, lvalue), which writes its address to the slot of its site and iteration and
then is that lvalue. The threads are loops between barriers (backends/dialect/thread_loops.py). A kernel whose control
flow does not allow that is recorded with each thread running from start to end past the barriers: its addresses are
right as long as they do not depend on what other threads store; its result is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gemmviz.backends.base import name_for_compiler
from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.opencl_c import refuse_cudas_own_calls, translation_of
from gemmviz.backends.dialect.placement import place
from gemmviz.backends.dialect.prelude import thread_loop_prelude
from gemmviz.backends.dialect.regions import BARRIER, NotLoopableError, cut, has_barrier
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.thread_loops import EntryWriter, helpers_of, refuse_what_cannot_loop
from gemmviz.backends.dialect.tree import Edits, Node, SourceTree, depth_refused, line_of, parse, text_of, walk, words
from gemmviz.compiler.written import Written
from gemmviz.domain.access import BarrierPlace, Site, SkippedAccess
from gemmviz.domain.spec import Launch
from gemmviz.trace.findings import ANY
from gemmviz.trace.free_running import write_free_running
from gemmviz.trace.function_edits import FunctionEdits, SharedArray
from gemmviz.trace.recording_text import PRELUDE
from gemmviz.trace.regions import Entry, Numbering

KERNEL = ""
"""The key of the kernel's own tree among the functions'."""


@dataclass(slots=True)
class Instrumented:
    """A source that records itself.

    `functions` are the trees of the kernel (KERNEL) and of its helpers; `site_of_offset` numbers the sites, `barriers`
    has the barrier of an offset. `past_barriers` says why the threads run past the barriers, "" if they do not: if
    so, the result of a recorded run means nothing. `unsure` are the sites that may run or not for a reason that was
    recorded wrong; `hidden` the shared arrays (ANY: all) that something not recorded may store to.
    """

    text: str
    past_barriers: str
    sites: list[Site] = field(default_factory=list)
    skipped: list[SkippedAccess] = field(default_factory=list)
    functions: dict[str, list[Entry]] = field(default_factory=dict)
    numbering: Numbering = field(default_factory=Numbering)
    site_of_offset: dict[int, int] = field(default_factory=dict)
    barriers: dict[int, BarrierPlace] = field(default_factory=dict)
    shared: tuple[SharedArray, ...] = ()
    unsure: set[int] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)

    @property
    def keeps_barriers(self) -> bool:
        return not self.past_barriers


def instrument(path: Path, text: str | Written, entry: str, launch: Launch) -> Instrumented:
    """The recording source of a CUDA C kernel for the block of `launch`.

    Raises:
        CompileError: the source is beyond the dialect.
    """
    tree = parse(path, text)
    with depth_refused(path):
        try:
            return _instrument(tree, entry, launch, past_barriers="")
        except NotLoopableError as error:
            return _instrument(tree, entry, launch, past_barriers=str(error))


def _instrument(tree: SourceTree, entry: str, launch: Launch, past_barriers: str) -> Instrumented:
    translation = translation_of(tree, entry)
    result = Instrumented("", past_barriers)

    def write(function: Function, spaces: PointerSpaces, edits: Edits) -> str:
        added = FunctionEdits(translation, function, spaces, edits, launch, result)
        hooks = added.instrument_kernel(KERNEL, result.keeps_barriers)
        helpers = helpers_of(translation, function)
        waits = any(has_barrier(f.body) for f in (function, *(translation.functions[name] for name in helpers)))
        if past_barriers or not waits:
            added.edit_barriers()
            return write_free_running(function, edits, launch.dynamic_shared_bytes, hooks)
        refuse_what_cannot_loop(translation, function, helpers_know_threads=True)
        varying = frozenset(name for name in helpers if _knows_its_thread(translation.functions[name]))
        placement = place(function, cut(function.body), varying)
        return EntryWriter(function, spaces, edits, placement, launch.dynamic_shared_bytes, hooks).text()

    def edit_helper(name: str, function: Function, spaces: PointerSpaces, edits: Edits) -> None:
        FunctionEdits(translation, function, spaces, edits, launch, result).instrument_helper(name)

    body = translation.render(write, edit_helper)
    refuse_cudas_own_calls(translation)
    unseen = in_macros(translation.tree)
    result.skipped += unseen
    if unseen:
        result.hidden.add(ANY)
    head = f"#define GV_OFFSETS {result.numbering.offsets}\n#define GV_LOOPS {result.numbering.loops}\n"
    result.text = f'{head}{thread_loop_prelude(launch.block)}{PRELUDE}#line 1 "{name_for_compiler(tree.path)}"\n{body}'
    return result


def _knows_its_thread(function: Function) -> bool:
    return any(node.type == "identifier" and text_of(node) == "threadIdx" for node in walk(function.node))


def in_macros(tree: SourceTree) -> list[SkippedAccess]:
    """What may be accessed by the macros that were not expanded and are used.

    Raises:
        CompileError: one has a barrier: nothing between barriers would be told apart.
    """
    found = []
    for node in walk(tree.root):
        if node.type not in ("preproc_function_def", "preproc_def"):
            continue
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        text = text_of(value).strip() if value is not None else ""
        tells = any(sign in text for sign in (BARRIER, "[", "->"))
        if name is None or not tells or not _is_used(text_of(name), tree, node):
            continue
        if BARRIER in text:
            raise tree.fault(node, f"a barrier inside a macro that is not plain is not seen: {_REMEDY}")
        if "[" in text or "->" in text:
            found.append(SkippedAccess(line_of(node), text, f"an access inside a macro that is not plain: {_REMEDY}"))
    return found


_REMEDY = "define it once, outside of #if and without #, or write it in the kernel"


def _is_used(name: str, tree: SourceTree, definition: Node) -> bool:
    others = (node for node in walk(tree.root) if node.type in ("identifier", "type_identifier", "preproc_arg"))
    return any(
        name in words(text_of(node))
        for node in others
        if not definition.start_byte <= node.start_byte < definition.end_byte
    )
