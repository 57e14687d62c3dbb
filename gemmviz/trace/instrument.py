"""From a kernel's source to a source that records itself, and the table of its sites.

Every access `lvalue` becomes GV_LOAD(…, lvalue), which writes its address to the slot of its site and iteration and
then is that lvalue. The threads are loops between barriers (backends/dialect/thread_loops.py). A kernel whose control
flow does not allow that is recorded with each thread running from start to end past the barriers: its addresses are
right as long as they do not depend on what other threads store; its result is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gemmviz.backends.dialect.functions import Function
from gemmviz.backends.dialect.opencl_c import Translation, translation_of
from gemmviz.backends.dialect.placement import place
from gemmviz.backends.dialect.prelude import thread_loop_prelude
from gemmviz.backends.dialect.regions import NotLoopableError, cut, has_barrier, statements_of
from gemmviz.backends.dialect.spaces import PointerSpaces
from gemmviz.backends.dialect.thread_loops import EntryWriter, refuse_what_cannot_loop
from gemmviz.backends.dialect.tree import Edits, SourceTree, line_of, parse, text_of, walk
from gemmviz.domain.access import Site, SkippedAccess
from gemmviz.domain.spec import Launch
from gemmviz.trace.free_running import write_free_running
from gemmviz.trace.function_edits import FunctionEdits, SharedArray
from gemmviz.trace.recording_text import PRELUDE
from gemmviz.trace.regions import Entry, Numbering

KERNEL = ""
"""The key of the kernel's own tree among the functions'."""


@dataclass(slots=True)
class Instrumented:
    """A source that records itself.

    `functions` are the trees of the kernel (KERNEL) and of its helpers; `site_of_offset` numbers the sites. With
    `keeps_barriers` False the result of a recorded run means nothing.
    """

    text: str
    keeps_barriers: bool
    sites: list[Site] = field(default_factory=list)
    skipped: list[SkippedAccess] = field(default_factory=list)
    functions: dict[str, list[Entry]] = field(default_factory=dict)
    numbering: Numbering = field(default_factory=Numbering)
    site_of_offset: dict[int, int] = field(default_factory=dict)
    shared: tuple[SharedArray, ...] = ()


def instrument(path: Path, text: str, entry: str, launch: Launch) -> Instrumented:
    """The recording source of a CUDA C kernel for the block of `launch`.

    Raises:
        CompileError: the source is beyond the dialect.
    """
    tree = parse(path, text)
    try:
        return _instrument(tree, entry, launch, keeps_barriers=True)
    except NotLoopableError:
        return _instrument(tree, entry, launch, keeps_barriers=False)


def _instrument(tree: SourceTree, entry: str, launch: Launch, keeps_barriers: bool) -> Instrumented:
    translation = translation_of(tree, entry)
    result = Instrumented("", keeps_barriers)

    def write(function: Function, spaces: PointerSpaces, edits: Edits) -> str:
        added = FunctionEdits(translation, function, spaces, edits, launch, result)
        hooks = added.instrument_kernel(KERNEL, keeps_barriers)
        shares = any(variable.is_shared for variable in function.symbols.variables)
        if not keeps_barriers or (shares and not has_barrier(function.body)):
            return write_free_running(function, edits, launch.dynamic_shared_bytes, hooks, added.barriers())
        refuse_what_cannot_loop(translation, function)
        placement = place(function, cut(statements_of(function.body)))
        return EntryWriter(function, spaces, edits, placement, launch.dynamic_shared_bytes, hooks).text()

    def edit_helper(name: str, function: Function, spaces: PointerSpaces, edits: Edits) -> None:
        FunctionEdits(translation, function, spaces, edits, launch, result).instrument_helper(name)

    body = translation.render(write, edit_helper)
    result.skipped += _in_macros(translation)
    head = f"#define GV_OFFSETS {result.numbering.offsets}\n#define GV_LOOPS {result.numbering.loops}\n"
    result.text = f'{head}{thread_loop_prelude(launch.block)}{PRELUDE}#line 1 "{tree.path.name}"\n{body}'
    return result


def _in_macros(translation: Translation) -> list[SkippedAccess]:
    found = []
    for node in walk(translation.tree.root):
        if node.type in ("preproc_function_def", "preproc_def"):
            value = node.child_by_field_name("value")
            if value is not None and "[" in text_of(value):
                text = text_of(value).strip()
                found.append(SkippedAccess(line_of(node), text, "an access inside a macro; write it in the kernel"))
    return found
