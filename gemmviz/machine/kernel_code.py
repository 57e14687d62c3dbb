"""The function of a warp: every basic block of a kernel, and the way from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from gemmviz.domain.recordings.warp import LANES
from gemmviz.machine import calls, layout
from gemmviz.machine.emitter import WIDE_VECTORS, Emitter, Value, i32, i64
from gemmviz.machine.flow import EXIT, meets_lanes
from gemmviz.machine.lane_waits import depart, give_way, pass_on, release_lanes, wait_for_lanes
from gemmviz.machine.layout import Fault, Status
from gemmviz.machine.log import Logged, LogPlan
from gemmviz.machine.lowering.barriers import is_barrier_of_block, take_result
from gemmviz.machine.lowering.context import Lowering, ModuleSymbols, RegisterFile
from gemmviz.machine.lowering.logging import need_room, write_log
from gemmviz.machine.lowering.memory import keep_local_bases
from gemmviz.machine.lowering.registry import LOWERED_BY
from gemmviz.machine.lowering.sequencing import sequenced
from gemmviz.machine.lowering.special_registers import special
from gemmviz.machine.lowering.stack import clear_stack, keep_stack, release_stack
from gemmviz.machine.lowering.waiting_rounds import define_rounds
from gemmviz.machine.lowering.watching import write_changes
from gemmviz.machine.placement import Placed, PlacedBlock, Target
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.scheduling import COUNT, WARP
from gemmviz.machine.splits import diverge, finish, pick, split_at
from gemmviz.machine.watched import WatchPlan

_FLOW = frozenset({"bra", "ret", "exit", "call", "trap"})


class KernelCode:
    """Emits the function `i32 warp(state, block)`, which runs a warp until it waits, ends or gives way.

    `sites` are the statements that can fault, by their numbers; `registers` has the size of a warp's state. With
    `is_counted` each warp counts from `counters` of its state on how often it runs each block. `watched` are values
    that are written down before a statement where they have changed. `on_block` is called before each block is written.
    `left_out` is as `Program` has it.
    """

    def __init__(
        self,
        placed: Placed,
        symbols: ModuleSymbols,
        log: LogPlan,
        watched: WatchPlan,
        *,
        is_counted: bool,
        on_block: Callable[[int], None],
    ) -> None:
        self.sites: list[Statement] = []
        self.registers = RegisterFile()
        self.barriers_before: dict[int, list[Statement]] = {}
        """By the number of a block: the barriers behind which lanes go on there."""
        self.counters = self.registers.room(layout.COUNTER_BYTES * len(placed.blocks)) if is_counted else None
        self._placed, self._symbols, self._log, self._watched = placed, symbols, log, watched
        self.emit = emit = Emitter(f"internal i32 @{WARP}", "ptr noalias %state, ptr noalias %block", WIDE_VECTORS)
        self.left_out = define_rounds(emit, self.registers, log)
        self._state, self._block = Value("ptr", "%state"), Value("ptr", "%block")
        emit.label("entry")
        self._scratch = emit.stack(f"<{LANES} x i128>")
        self._local_bases = keep_local_bases(emit, self._state, self._block)
        self._number = emit.stack("i32", 4)
        with emit.when(self._has_waiting(), likely=False):
            release_lanes(emit, self._state)
        emit.store(pick(emit, self._state), self._number)
        none = emit.compare("icmp slt", emit.load("i32", self._number), i32(0))
        emit.branch(none, "idle", "resume", likely=False)
        emit.label("idle")
        emit.do(f"ret i32 {int(Status.IDLE)}")
        self._kinds: dict[str, int] = {}
        self._later: list[tuple[PlacedBlock, Callable[[int, Lowering, Value, Value], None]]] = []
        """Blocks behind those of the text, and what writes each, given its number, split and mask."""
        for number, block in enumerate(placed.blocks):
            on_block(number)
            self._block_of_code(number, block)
        for number, (block, write) in enumerate(self._later, len(placed.blocks)):
            write(number, *self._begin(number, block))
        self._dispatch()

    # The way from block to block

    def _dispatch(self) -> None:
        emit, state = self.emit, self._state
        emit.label("resume")
        split = split_at(emit, state, emit.load("i32", self._number))
        pc = emit.load("i32", emit.at(split, layout.PC))
        emit.branch(emit.compare("icmp eq", pc, emit.load("i32", emit.at(split, layout.MEETS))), "finish", "goes")
        emit.label("goes")
        count = len(self._placed.blocks) + len(self._later)
        cases = " ".join(f"i32 {number}, label %block{number}" for number in range(count))
        emit.do(f"switch {pc}, label %nowhere [ {cases} ]")
        emit.label("nowhere")
        emit.do("unreachable")
        emit.label("finish")
        emit.store(finish(emit, state), self._number)
        none = emit.compare("icmp slt", emit.load("i32", self._number), i32(0))
        emit.branch(none, "nobody", "resume")
        emit.label("waits")
        emit.store(pick(emit, state), self._number)
        emit.branch(emit.compare("icmp slt", emit.load("i32", self._number), i32(0)), "nobody", "resume")
        emit.label("nobody")
        with emit.when(self._has_waiting(), likely=False):  # lanes that ended are waited for no more
            emit.branch(emit.compare("icmp ne", release_lanes(emit, state), i32(0)), "waits", "lacks_lanes")
            emit.label("lacks_lanes")
            emit.branch(emit.compare("icmp ne", depart(emit, state, i32(0)), i32(0)), "waits", "nobody_at_all")
            emit.label(emit.fresh("never"))
        emit.jump("nobody_at_all")
        emit.label("nobody_at_all")
        alive = emit.load("i32", emit.at(state, layout.ALIVE))
        ended = emit.compare("icmp eq", alive, i32(0))
        emit.do(f"ret {emit.select(ended, i32(Status.ENDED), i32(Status.WAITS))}")

    def _has_waiting(self) -> Value:
        """Whether splits of the warp wait for lanes."""
        return self.emit.compare("icmp ne", self.emit.load("i32", self.emit.at(self._state, layout.WAITING)), i32(0))

    def _go_to(self, target: int, split: Value, origin: int) -> None:
        """Leave a block for another one, or end the split where it meets the others."""
        emit = self.emit
        if target == EXIT:
            self._end_lanes(emit.load("i32", emit.at(split, layout.MASK)))
            emit.jump("finish")
            return
        if target <= origin:
            self._give_way_at_times(target, origin, split)
        meets = emit.load("i32", emit.at(split, layout.MEETS))
        emit.branch(emit.compare("icmp eq", meets, i32(target)), "finish", f"block{target}")

    def _give_way_at_times(self, target: int, origin: int, split: Value) -> None:
        emit = self.emit
        place = emit.at(self._state, layout.BUDGET)
        left = emit.binary("sub", emit.load("i32", place), i32(1))
        emit.store(left, place)
        with emit.when(emit.compare("icmp slt", left, i32(0)), likely=False):
            emit.store(i32(target), emit.at(split, layout.PC))
            give_way(emit, self._state, self._placed.blocks[target : origin + 1])

    def _end_lanes(self, lanes: Value) -> Value:
        """Take lanes out of the warp and the block; those that are left of the warp."""
        emit = self.emit
        place = emit.at(self._state, layout.ALIVE)
        alive = emit.load("i32", place)
        ending = emit.binary("and", alive, lanes)
        if self._placed.stack is not None:
            clear_stack(emit, self._state, self.registers, ending)
        left = emit.binary("and", alive, emit.binary("xor", lanes, i32(-1)))
        emit.store(left, place)
        threads = emit.at(self._block, layout.ALIVE_THREADS)
        count = emit.call("i32", "llvm.ctpop.i32", ending)
        emit.store(emit.binary("sub", emit.load("i32", threads), count), threads)
        return left

    # Blocks

    def _begin(self, number: int, block: PlacedBlock) -> tuple[Lowering, Value, Value]:
        emit = self.emit
        emit.label(f"block{number}")
        split = split_at(emit, self._state, emit.load("i32", self._number))
        mask = emit.binary(
            "and", emit.load("i32", emit.at(split, layout.MASK)), emit.load("i32", emit.at(self._state, layout.ALIVE))
        )
        places = self._state, self._block, split, self.registers, self._symbols, block.frame, self.sites
        lanes = emit.mask(mask), self._scratch, self._local_bases, special, block.live_out
        left_out = frozenset(start for start, logged in self._log.items() if logged.is_left_out)
        low = Lowering(emit, *places, *lanes, redirects=bool(self._log), left_out=left_out)
        return low, split, mask

    def _block_of_code(self, number: int, block: PlacedBlock) -> None:
        low, split, mask = self._begin(number, block)
        for frame in () if number else self._placed.guarded:  # lanes of the block before may have ended in it
            calls.leave(low, frame, mask)
        if not block.statements:
            self._return(number, low, split, mask)
            return
        self._room_for_log(number, block, low)
        if meets_lanes(block.statements[0]):
            self._meet(number, block, low, split, mask)
            return
        self._count(number, len(block.statements), mask)
        *body, last = block.statements
        for statement in body:
            self._lower(low, statement)
        write_changes(low, last, self._watched.get(last.start, ()))
        logged = self._log.get(last.start)
        if logged is not None and not logged.after:
            write_log(low, last, logged)
        word = last.words[0]
        if word == "bra" or (word == "ret" and block.successors[0] != EXIT):
            self._branch(number, block, low, split, mask, last)
        elif word in {"ret", "exit"}:
            self._exit(number, block, low, split, mask, last)
        elif word == "trap":
            lanes = low.lanes(last)
            low.fault_if(lanes, Fault.TRAP, last)
            low.flush()
            self._go_to(block.successors[-1], split, number)
        elif word == "call" and block.targets is not None:
            calls.keep_pointers(low, last)
            low.flush()
            self._go_to(self._add_block(block, partial(self._call_by_pointer, block, block.targets)), split, number)
        elif word == "call":
            self._call(number, block, low, split, mask, last)
        elif is_barrier_of_block(last):
            self._wait(block, low, split, last)
        else:
            self._lower_logged(low, last, logged)
            low.flush()
            self._go_to(block.successors[0], split, number)

    def _meet(self, number: int, block: PlacedBlock, low: Lowering, split: Value, mask: Value) -> None:
        """A `*.sync` instruction, once all lanes that it names are there."""
        (statement,) = block.statements
        kind = self._kinds.setdefault(statement.opcode, len(self._kinds))
        low.released = wait_for_lanes(low, number, kind, statement)
        self._count(number, 1, mask)
        self._lower(low, statement)
        low.flush()
        pass_on(low, low.released, block.successors[0])
        self._go_to(block.successors[0], split, number)

    def _room_for_log(self, number: int, block: PlacedBlock, low: Lowering) -> None:
        """Ask the host for more room where the warp's log has too little for what this block writes down."""
        logged = (self._log.get(statement.start) for statement in block.statements)
        slots = sum(one.slots for one in logged if one is not None)
        slots += sum(len(self._watched.get(statement.start, ())) for statement in block.statements)
        if slots:
            need_room(low, number, slots, block.statements[0])

    def _lower(self, low: Lowering, statement: Statement) -> None:
        write_changes(low, statement, self._watched.get(statement.start, ()))
        logged = self._log.get(statement.start)
        if logged is not None and not logged.after:
            write_log(low, statement, logged)
        self._lower_logged(low, statement, logged)

    def _lower_logged(self, low: Lowering, statement: Statement, logged: Logged | None) -> None:
        """A statement with what is written down of it while and after it runs."""
        with sequenced(low, statement, logged):
            self._lower_bare(low, statement)
        if logged is not None and logged.after:
            write_log(low, statement, logged)

    def _lower_bare(self, low: Lowering, statement: Statement) -> None:
        word = statement.words[0]
        if word in _FLOW:  # a branch to what follows anyway
            return
        lower = LOWERED_BY.get(word)
        if lower is None:
            low.refuse(statement)
        try:
            lower(low, statement)
        except (IndexError, KeyError, ValueError):
            low.refuse(statement, "its operands cannot be read")

    def _count(self, number: int, statements: int, mask: Value) -> None:
        place = 0 if self.counters is None else self.counters + layout.COUNTER_BYTES * number
        self.emit.call("i32", COUNT, self._state, i64(place), i64(statements), mask)

    def _branch(
        self, number: int, block: PlacedBlock, low: Lowering, split: Value, mask: Value, last: Statement
    ) -> None:
        emit = self.emit
        if not last.guard:
            low.flush()
            self._go_to(block.successors[0], split, number)
            return
        then, otherwise = block.successors
        taken = emit.bits(low.lanes(last))
        left = emit.binary("and", mask, emit.binary("xor", taken, i32(-1)))
        low.flush()
        labels = [emit.fresh(stem) for stem in ("all", "some", "none", "both")]
        emit.branch(emit.compare("icmp eq", left, i32(0)), labels[0], labels[1])
        emit.label(labels[0])
        self._go_to(then, split, number)
        emit.label(labels[1])
        emit.branch(emit.compare("icmp eq", taken, i32(0)), labels[2], labels[3])
        emit.label(labels[2])
        self._go_to(otherwise, split, number)
        emit.label(labels[3])
        self._divide(low, mask, last, i32(then), taken, i32(otherwise), left, i32(block.meets_at))
        if min(then, otherwise) <= number:
            place = emit.at(self._state, layout.BUDGET)
            emit.store(emit.binary("sub", emit.load("i32", place), i32(1)), place)
            with emit.when(emit.compare("icmp slt", emit.load("i32", place), i32(0)), likely=False):
                give_way(emit, self._state, self._placed.blocks[min(then, otherwise) : number + 1])
        emit.jump("resume")

    def _divide(self, low: Lowering, mask: Value, statement: Statement, *parts: Value) -> None:
        """Let a split's lanes go different ways; `parts` as `diverge` takes them."""
        following = diverge(self.emit, self._state, *parts)
        self.emit.store(following, self._number)
        with self.emit.when(self.emit.compare("icmp slt", following, i32(0)), likely=False):
            low.fault(Fault.TOO_MANY_SPLITS, mask, statement)
            self.emit.label(self.emit.fresh("never"))

    def _exit(self, number: int, block: PlacedBlock, low: Lowering, split: Value, mask: Value, last: Statement) -> None:
        emit = self.emit
        lanes = emit.bits(low.lanes(last))
        low.flush()
        self._end_lanes(lanes)
        if not last.guard:
            emit.jump("finish")
            return
        left = emit.binary("and", mask, emit.binary("xor", lanes, i32(-1)))
        goes_on = emit.fresh("left")
        emit.branch(emit.compare("icmp eq", left, i32(0)), "finish", goes_on)
        emit.label(goes_on)
        self._go_to(block.successors[1], split, number)

    def _wait(self, block: PlacedBlock, low: Lowering, split: Value, last: Statement) -> None:
        emit = self.emit
        self._lower_bare(low, last)
        low.flush()
        target = block.successors[0]
        if "red" in last.words:
            target = self._add_block(block, partial(self._behind_barrier, target, last))
        self.barriers_before.setdefault(target, []).append(last)
        emit.store(i32(target), emit.at(split, layout.PC))
        emit.jump("waits")

    def _add_block(self, block: PlacedBlock, write: Callable[[int, Lowering, Value, Value], None]) -> int:
        """The number of a block behind all others, which has the registers and memory of `block`."""
        self._later.append((block, write))
        return len(self._placed.blocks) + len(self._later) - 1

    def _behind_barrier(
        self, target: int, barrier: Statement, number: int, low: Lowering, split: Value, mask: Value
    ) -> None:
        """What a `bar.red` still has to do once all have arrived."""
        del mask
        take_result(low, barrier)
        low.flush()
        self._go_to(target, split, number)

    # Calls

    def _call(self, number: int, block: PlacedBlock, low: Lowering, split: Value, mask: Value, last: Statement) -> None:
        emit = self.emit
        low.flush()
        if block.calls is not None:
            frame, target = block.calls
            if self._placed.guarded:
                calls.enter(low, frame, mask, last)
            keep_stack(low, frame, mask)
            calls.set_return(low, frame, mask, block.successors[0])
            self._go_to(target, split, number)
            return
        emit.store(i32(block.successors[0]), emit.at(split, layout.PC))
        low.fault(Fault.HOST_CALL, emit.bits(low.lanes(last)), last)  # the host answers, and lets the warp go on
        emit.label(emit.fresh("never"))
        emit.do("unreachable")

    def _call_by_pointer(
        self, block: PlacedBlock, targets: Sequence[Target], number: int, low: Lowering, split: Value, mask: Value
    ) -> None:
        """Call the function that the first lane points to with all lanes that do; the others come here again."""
        emit, call, following = self.emit, block.statements[-1], block.successors[0]
        for target, lanes in calls.targets_of(low, mask, call, targets):
            calls.enter(low, target.frame, lanes, call)
            calls.copy_values(low, lanes, target.given)
            landing = self._add_block(block, partial(self._behind_pointer, following, target))
            keep_stack(low, target.frame, lanes)
            calls.set_return(low, target.frame, lanes, landing)
            others = emit.binary("and", mask, emit.binary("xor", lanes, i32(-1)))
            alone, apart = emit.fresh("alone"), emit.fresh("apart")
            emit.branch(emit.compare("icmp eq", others, i32(0)), alone, apart)
            emit.label(alone)
            self._go_to(target.first, split, number)
            emit.label(apart)
            self._divide(low, mask, call, i32(target.first), lanes, i32(number), others, i32(following))
            emit.jump("resume")

    def _behind_pointer(
        self, following: int, target: Target, number: int, low: Lowering, split: Value, mask: Value
    ) -> None:
        """Take what a function that a pointer pointed to returns."""
        calls.copy_values(low, mask, target.returned)
        self._go_to(following, split, number)

    def _return(self, number: int, low: Lowering, split: Value, mask: Value) -> None:
        """Go back to where the function was called; lanes of several calls may have become one split in it."""
        emit = self.emit
        if self._placed.guarded:
            calls.leave(low, low.frame, mask)
        release_stack(low, mask)
        target, lanes = calls.first_of(low, calls.return_blocks(low), mask)
        others = emit.binary("and", mask, emit.binary("xor", lanes, i32(-1)))
        alone, apart = emit.fresh("alone"), emit.fresh("apart")
        emit.branch(emit.compare("icmp eq", others, i32(0)), alone, apart, likely=True)
        emit.label(alone)
        emit.store(target, emit.at(split, layout.PC))
        emit.jump("resume")
        emit.label(apart)
        meets = emit.load("i32", emit.at(split, layout.MEETS))
        self._divide(low, mask, low.frame.function.statements[-1], target, lanes, i32(number), others, meets)
        emit.jump("resume")
