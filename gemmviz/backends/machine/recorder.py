"""Recordings on the PTX machine: only the blocks that are asked for run, and write down what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import prod
from threading import Lock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import CompilerStuckError, LaunchError, Source
from gemmviz.backends.launch_arguments import fitted_call
from gemmviz.backends.machine.device import RECORD_ALL, MachineCompiled, MachineDevice
from gemmviz.backends.optimising import is_worth_optimising
from gemmviz.backends.ptx_recorder import PtxRecorder
from gemmviz.catalogue.kernel import Plan
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.operands import Operands
from gemmviz.domain.recordings.access import BlockTrace, MappedArray, SharedSnapshot, Space
from gemmviz.domain.recordings.executed import Executed
from gemmviz.domain.recordings.repeated_waits import RepeatedWait
from gemmviz.domain.recordings.variables import AS_WRITTEN_ONLY, VariableValues
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Element, Language
from gemmviz.machine.faults import LaunchCancelledError, WaitsForBlocksError
from gemmviz.machine.launch import FollowSlots
from gemmviz.machine.log import BlockRecord, LogPlan, LogTooLongError
from gemmviz.machine.ptx.parse import parse
from gemmviz.machine.watched import WatchPlan
from gemmviz.machine.work import MOST_PRINTED, Look
from gemmviz.trace.ptx.decoding.cluster import BlockLogs
from gemmviz.trace.ptx.decoding.executed import executed_of
from gemmviz.trace.ptx.decoding.repeats import Repeats
from gemmviz.trace.ptx.probing.accesses import What
from gemmviz.trace.ptx.probing.log_plan import log_plan
from gemmviz.trace.ptx.probing.probes import find_probes
from gemmviz.trace.ptx.probing.split_vectors import vector_accesses
from gemmviz.trace.ptx.probing.strong_accesses import repeated_waits_of
from gemmviz.trace.ptx.store_watcher import StoreWatcher
from gemmviz.trace.ptx.variable_recorder import MOST_LOG_BYTES, VariableRecorder
from gemmviz.trace.recorder import BlocksSeen, Follow, Indices, See
from gemmviz.trace.refusal import MAX_BYTES, too_long_words
from gemmviz.trace.repeats import Recorded, RepeatedBlock
from gemmviz.trace.shared_copies import snapshots_of
from gemmviz.trace.stored_values import StoredValues
from gemmviz.trace.tags import UNWRITTEN_BITS, decode, tagged

BATCH_BYTES = 2**27
"""Traces of so many bytes, and of so many blocks, are made between two looks at them."""
_MOST_BLOCKS = 128
_ALONE_S = 5.0
"""How long the first block of several may take by itself if it may wait for others."""
_AT_ONCE = 16
"""Blocks that run at once, if there are as many, where blocks wait for later ones."""
_NEVER_WRITTEN = np.uint32(0xFFFFFFFF)
"""What the machine's shared memory holds when a block begins."""
_APART = frozenset({What.NAMED_BARRIER, What.WAIT, What.ARRIVE})
"""What lets the threads of a block pass each other between two barriers of the block."""
_Run = Callable[[list[int], Look, float, int], None]
"""Records blocks, which `look` sees, within so many seconds; so many run at once at least."""
T = TypeVar("T")


class MachineRecorder(PtxRecorder):
    """Records on the PTX machine."""

    def __init__(
        self,
        device: MachineDevice,
        source: Source,
        plan: Plan,
        shape: Shape,
        operands: Operands,
        limit_s: float,
        form: CodeForm,
    ) -> None:
        compiled = device.compile_as(source, form, plan.launch)
        call = fitted_call(plan.call, compiled, source)
        vectors = None
        if form is CodeForm.AS_WRITTEN:
            optimised = device.compile_as(source, CodeForm.AS_COMPILED, plan.launch)
            is_opencl = source.language is Language.OPENCL
            vectors = vector_accesses(parse(optimised.ptx, SOURCE_NAME), source.text, is_opencl=is_opencl)
        module = parse(compiled.ptx, SOURCE_NAME)
        probed = find_probes(module, compiled.symbol, tells_symbols=False, vectors=vectors)
        self._counts, self._left_out = np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
        self._printed: list[str] = []
        written = source.text if form is CodeForm.AS_WRITTEN else ""
        super().__init__(
            device, source, plan, shape, operands, probed, compiled.code, limit_s, call, written, follows_order=True
        )
        self._form, self._bare = form, compiled
        self._watching: dict[frozenset[int], MachineCompiled] = {}
        self._may_wait = any(one.reads_global for one in self._expander.strong)
        self._waits, self._recorded = False, np.zeros(0, np.int32)
        """Whether the first block waited for another one when it was recorded by itself, and all blocks of then."""
        self._waiting: set[int] = set()  # blocks that waited for others when they were to be recorded again
        self._log = log_plan(probed, self._sites, self._expander.strong)
        self._machine, self._compiled = device, device.logging(compiled, self._log)
        self._variables = VariableRecorder(probed, self._log, self._expander)
        self._stores = StoreWatcher(probed, self._log, self._expander)

    @property
    def executed(self) -> tuple[Executed, ...]:
        return executed_of(self._compiled.ready().pieces, self._counts) if self._counts.size else ()

    @property
    def repeated_waits(self) -> tuple[RepeatedWait, ...]:
        return repeated_waits_of(self._expander.strong, self._left_out)

    @property
    def printed(self) -> str:
        return "".join(self._printed)[:MOST_PRINTED]

    def snapshots(self, block: int) -> tuple[SharedSnapshot, ...]:
        """What each shared array of a block holds at each barrier and at the end: two more runs, on tagged inputs.

        None where threads wait for each other at other barriers than those of the whole block.

        Raises:
            TagRefusal: the matrices have more elements than there are tags.
        """
        arrays = [one for one in self.arrays if one.space is Space.SHARED and one.nbytes >= 4]
        apart = any(probe.found.what in _APART for probe in self._probed.probes)
        are_words = all(self.call.storage(name).element is Element.FLOAT32 for name in "AB")
        if not arrays or apart or not are_words:
            return ()
        runs = [self._tagged_run(block, backwards) for backwards in (False, True)]
        origins, matrices = decode(runs[0], runs[1], self._shape)
        return snapshots_of(origins, matrices, [(one, self._words_of(one)) for one in arrays])

    def with_variables(self, block: int) -> tuple[BlockTrace, VariableValues]:
        """The trace of a block, given by linear index, and what the variables of its threads held.

        Raises:
            RecordingRefusal, KernelTimeoutError, LaunchError: as `batches`.
        """
        threads = self._launch.threads_per_block
        trace, values = None, VariableValues(note=AS_WRITTEN_ONLY)
        if self._form is CodeForm.AS_WRITTEN:
            trace, values = self._variables.record(
                lambda plan, warps: self._run_watched(block, plan, warps),
                self.block_of(block),
                threads,
                -(-threads // LANES),
                self._arrays,
            )
        return trace if trace is not None else next(self.blocks(np.array([block], np.int32))), values

    def stored_values(self, indices: Indices, sites: frozenset[int], follow: Follow) -> StoredValues | None:
        if self._may_wait or prod(self._launch.cluster) > 1:
            return None
        threads, blocks = self._launch.threads_per_block, indices.tolist()

        def run(log: LogPlan, plan: WatchPlan, look: Look) -> None:
            watching = self._machine.logging(self._bare, log, plan)
            watching.module = self._compiled.module
            self._begin_memory()
            given = self._launch, self._arguments(), blocks, look, MAX_BYTES, self._limit_s, False, -(-threads // LANES)
            self._machine.record(watching, *given, follow=lambda seen, slots: follow(BlocksSeen(seen, slots)))

        try:
            return self._stores.record(sites, run, blocks, self.block_of, threads, self._arrays())
        except LogTooLongError:
            return None

    def _run_watched(self, block: int, plan: WatchPlan, warps: int) -> BlockRecord | None:
        key = frozenset(plan)
        if key not in self._watching:
            self._watching[key] = self._machine.logging(self._bare, self._log, plan)
        self._watching[key].module = self._compiled.module
        found: list[BlockRecord] = []

        def keep(record: BlockRecord) -> None:
            found.append(replace(record, grown=[words.copy() for words in record.logs]))

        def run(blocks: list[int], look: Look, limit_s: float, at_once: int) -> None:
            compiled, most = self._watching[key], MOST_LOG_BYTES
            given = self._launch, self._arguments(), blocks, look, most, limit_s, False, warps
            self._machine.record(compiled, *given, at_once=at_once)

        try:
            self._again(block, keep, run)
        except LogTooLongError:
            return None
        return found[0]

    def _again(self, block: int, look: Look, run: _Run) -> None:
        """Let `run` record a block from the beginning: by itself or, where it waits for others, with all of before.
        `look` sees it alone.
        """

        def own(record: BlockRecord) -> None:
            if record.number == block:
                look(record)

        has_others = self._may_wait and self._recorded.size > 1 and block in self._recorded
        if not (has_others and (self._waits or block in self._waiting)):
            self._begin_memory()
            try:
                run([block], own, min(self._limit_s, _ALONE_S) if has_others else self._limit_s, 0)
                return
            except LaunchError as error:
                if not has_others or not isinstance(error.__cause__, WaitsForBlocksError | LaunchCancelledError):
                    raise
                self._waiting.add(block)
        self._begin_memory()
        run(self._recorded.tolist(), own, self._limit_s, _AT_ONCE)

    def _words_of(self, array: MappedArray) -> slice:
        """Which words of a block's shared memory an array is."""
        arrays = self._arrays()
        first = arrays.real[arrays.mapped.index(array)] // 4
        return slice(first, first + array.nbytes // 4)

    def _tagged_run(self, block: int, backwards: bool) -> NDArray[np.uint32]:
        """The words of shared memory at each barrier and at the end, shape (barriers + 1, words)."""
        kept = self._buffers
        self._buffers = self._uploaded(tagged(self._shape, backwards))
        copies: list[NDArray[np.uint8]] = []
        try:
            self._again(block, lambda record: copies.extend(record.shared), partial(self._record, copies_shared=True))
        finally:
            for buffer in self._buffers.values():
                buffer.release()
            self._buffers = kept
        words = np.stack([copy[: copy.size // 4 * 4].view(np.uint32) for copy in copies])
        return np.where(words == _NEVER_WRITTEN, np.uint32(UNWRITTEN_BITS), words)

    def batches(self, indices: Indices) -> Iterator[list[Recorded]]:
        arrays = self._arrays()
        repeats = Repeats(self._expander, self._launch.threads_per_block, indices.size)

        def decoded(record: BlockRecord) -> tuple[Recorded, int]:
            made = repeats.trace_of_record(self.block_of(record.number), record, arrays)
            return made, (made.rest if isinstance(made, RepeatedBlock) else made).addresses.nbytes

        for _, found in self._seen(indices, decoded):
            yield found
        self._bring_result()

    def for_each(self, indices: Indices, see: See, follow: Follow) -> None:
        """As `PtxRecorder.for_each`. The thread that ran a block sees it, since its caches have what it wrote down."""
        arrays, lock, first = self._arrays(), Lock(), Lock()
        repeats = Repeats(self._expander, self._launch.threads_per_block, indices.size)
        places = {int(number): place for place, number in enumerate(indices)}
        before, most_words, has_seen = 0, 0, False
        self._waits, self._recorded = False, indices
        self._begin()

        def look(record: BlockRecord) -> None:
            nonlocal most_words, has_seen
            made = repeats.trace_of_record(self.block_of(record.number), record, arrays)
            with first:
                is_first, has_seen = not has_seen, True
                if is_first:
                    see(places[record.number], made)
            if not is_first:
                see(places[record.number], made)
            with lock:
                most_words = max(most_words, int(record.sizes.sum()))
                self._counts += record.counts
                self._left_out += record.left_out

        def tell(seen: int, slots: int) -> None:
            follow(BlocksSeen(before + seen, slots))

        if indices.size > 1 and self._records_alone(int(indices[0]), look, tell):
            before = 1
            tell(0, 0)
            self._optimise_for(most_words * (indices.size - before))
        self._record(indices[before:].tolist(), look, follow=tell, before=before, at_once=_AT_ONCE * self._waits)
        before = indices.size
        tell(0, 0)
        self._bring_result()

    def _records_alone(self, block: int, look: Look, tell: FollowSlots) -> bool:
        """Record the first block by itself; False, with everything as before, if it waits for other blocks."""
        limit_s = min(self._limit_s, _ALONE_S) if self._may_wait else self._limit_s
        try:
            self._record([block], look, follow=tell, limit_s=limit_s)
        except LaunchError as error:
            if not self._may_wait or not isinstance(error.__cause__, WaitsForBlocksError | LaunchCancelledError):
                raise
            self._begin()
            self._waits = True
            return False
        return True

    def _optimise_for(self, words: int) -> None:
        """Let LLVM optimise the kernel where it still writes down so many words that the time for it is won back."""
        instructions = sum(len(piece) for piece in self._compiled.ready().pieces)
        if is_worth_optimising(instructions, words) and self._compiled.level == 0:
            optimised = self._machine.optimised(self._compiled)
            with suppress(CompilerStuckError):
                optimised.ready()
                self._compiled = optimised

    def _logs(self, indices: Indices) -> Iterator[tuple[Indices, Sequence[BlockLogs]]]:
        def logged(record: BlockRecord) -> tuple[BlockLogs, int]:
            return BlockLogs([words.copy() for words in record.logs]), 8 * int(record.sizes.sum())

        return self._seen(indices, logged)

    def _seen(
        self, indices: Indices, look: Callable[[BlockRecord], tuple[T, int]]
    ) -> Iterator[tuple[Indices, list[T]]]:
        """What becomes of the records of some blocks at a time; `look` makes it, and says how many bytes it has."""
        self._begin()
        at, count = 0, 1
        while at < indices.size:
            chosen = indices[at : at + count]
            made: dict[int, tuple[T, int]] = {}
            counts: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []

            def keep(
                record: BlockRecord,
                into: dict[int, tuple[T, int]] = made,
                counted: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = counts,
            ) -> None:
                into[record.number] = look(record)
                counted.append((record.counts, record.left_out))

            if indices.size == 1:
                self._again(int(indices[0]), keep, self._record)
            else:
                self._record(chosen.tolist(), keep)
            for executed, left_out in counts:
                self._counts += executed
                self._left_out += left_out
            yield chosen, [made[number][0] for number in chosen.tolist()]
            at += chosen.size
            count = max(1, min(4 * count, BATCH_BYTES // max(1, *(size for _, size in made.values())), _MOST_BLOCKS))

    def _begin(self) -> None:
        """Make memory and the counts what they are before the first block."""
        self._begin_memory()
        self._printed = []
        self._counts = np.zeros((len(self._compiled.ready().pieces), 2), np.int64)
        self._left_out = np.zeros(len(self._expander.strong), np.int64)

    def _begin_memory(self) -> None:
        """Make C and the module's variables what they are before a launch."""
        self._begin_c()
        self._machine.begin_variables(self._compiled)

    def _record(
        self,
        blocks: list[int],
        look: Look,
        limit_s: float | None = None,
        at_once: int = 0,
        *,
        copies_shared: bool = False,
        follow: FollowSlots | None = None,
        before: int = 0,
    ) -> None:
        try:
            printed = self._machine.record(
                self._compiled,
                self._launch,
                self._arguments(),
                blocks,
                look,
                MAX_BYTES,
                self._limit_s if limit_s is None else limit_s,
                copies_shared,
                follow=follow,
                before=before,
                at_once=at_once,
            )
        except LogTooLongError as error:
            raise LaunchError(too_long_words(error.whereabouts)) from error
        except LaunchError as error:
            cause = error.__cause__
            if (
                isinstance(cause, LaunchCancelledError)
                and self._may_wait
                and before + len(blocks) < self._launch.blocks
            ):
                raise LaunchError(
                    f"{error}, or in which one waits for a block that is not recorded. {RECORD_ALL}"
                ) from cause
            raise
        if not copies_shared:
            self._printed.append(printed)

    def _shared_places(self) -> dict[str, int]:
        return self._compiled.ready().shared_places

    def _variable_places(self) -> dict[str, int]:
        places = self._compiled.ready().module_places
        assert self._compiled.module is not None
        return {name: self._compiled.module.address + begin for name, (begin, _nbytes) in places.items()}
