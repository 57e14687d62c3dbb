"""The function of a warp: every basic block of a kernel, and the way from one to the next."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.domain.access import LANES
from gemmviz.machine import layout
from gemmviz.machine.emitter import WIDE_VECTORS, Emitter, Value, i32
from gemmviz.machine.flow import EXIT, meets_lanes
from gemmviz.machine.lane_waits import depart, pass_on, release_lanes, wait_for_lanes
from gemmviz.machine.layout import Fault, Status
from gemmviz.machine.log import SLOT_BYTES, LogPlan
from gemmviz.machine.lowering.barriers import is_barrier_of_block, take_result
from gemmviz.machine.lowering.context import I32, Lowering, RegisterFile, Symbols
from gemmviz.machine.lowering.logging import write_log
from gemmviz.machine.lowering.registry import LOWERED_BY
from gemmviz.machine.lowering.watching import write_changes
from gemmviz.machine.placement import Frame, Placed, PlacedBlock
from gemmviz.machine.ptx.parse import Statement
from gemmviz.machine.scheduling import WARP
from gemmviz.machine.splits import diverge, finish, pick, split_at
from gemmviz.machine.watched import WatchPlan

_FLOW = frozenset({"bra", "ret", "exit", "call", "trap"})


class KernelCode:
    """Emits the function `i32 warp(state, block)`, which runs a warp until it waits, ends or gives way.

    `sites` are the statements that can fault, by their numbers; `registers` has the size of a warp's state. With
    `is_counted` each warp counts from `counters` of its state on how often it runs each block. `watched` are values
    that are written down before a statement where they have changed. `on_block` is called before each block is written.
    """

    def __init__(
        self,
        placed: Placed,
        symbols: Symbols,
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
        self.emit = emit = Emitter(
            f"internal i32 @{WARP}", "ptr noalias %state, ptr noalias %block",
            WIDE_VECTORS,
        )  # fmt: skip
        self._state, self._block = Value("ptr", "%state"), Value("ptr", "%block")
        emit.label("entry")
        self._scratch = emit.stack(f"<{LANES} x i128>")
        self._number = emit.stack("i32", 4)
        with emit.when(self._has_waiting(), likely=False):
            release_lanes(emit, self._state)
        emit.store(pick(emit, self._state), self._number)
        none = emit.compare("icmp slt", emit.load("i32", self._number), i32(0))
        emit.branch(none, "idle", "resume", likely=False)
        emit.label("idle")
        emit.do(f"ret i32 {int(Status.IDLE)}")
        self._kinds: dict[str, int] = {}
        self._continuations: list[tuple[int, PlacedBlock]] = []
        for number, block in enumerate(placed.blocks):
            on_block(number)
            self._block_of_code(number, block)
        for number, (case, block) in enumerate(self._continuations):
            self._continuation(len(placed.blocks) + number, case, block)
        self._dispatch()

    # The way from block to block

    def _dispatch(self) -> None:
        emit, state = self.emit, self._state
        emit.label("resume")
        split = split_at(emit, state, emit.load("i32", self._number))
        pc = emit.load("i32", emit.at(split, layout.PC))
        emit.branch(emit.compare("icmp eq", pc, emit.load("i32", emit.at(split, layout.MEETS))), "finish", "goes")
        emit.label("goes")
        count = len(self._placed.blocks) + len(self._continuations)
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
            emit.branch(emit.compare("icmp ne", depart(emit, state), i32(0)), "waits", "nobody_at_all")
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
            self._give_way_at_times(target, split)
        meets = emit.load("i32", emit.at(split, layout.MEETS))
        emit.branch(emit.compare("icmp eq", meets, i32(target)), "finish", f"block{target}")

    def _give_way_at_times(self, target: int, split: Value) -> None:
        emit = self.emit
        place = emit.at(self._state, layout.BUDGET)
        left = emit.binary("sub", emit.load("i32", place), i32(1))
        emit.store(left, place)
        with emit.when(emit.compare("icmp slt", left, i32(0)), likely=False):
            emit.store(i32(target), emit.at(split, layout.PC))
            emit.do(f"ret i32 {int(Status.GAVE_WAY)}")
            emit.label(emit.fresh("never"))

    def _end_lanes(self, lanes: Value) -> Value:
        """Take lanes out of the warp and the block; those that are left of the warp."""
        emit = self.emit
        place = emit.at(self._state, layout.ALIVE)
        alive = emit.load("i32", place)
        ending = emit.binary("and", alive, lanes)
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
        low = Lowering(
            emit, self._state, self._block, split, self.registers, self._symbols, block.frame, self.sites,
            emit.mask(mask), self._scratch, block.live_out, redirects=bool(self._log),
            left_out=frozenset(start for start, logged in self._log.items() if not logged.values),
        )  # fmt: skip
        return low, split, mask

    def _block_of_code(self, number: int, block: PlacedBlock) -> None:
        low, split, mask = self._begin(number, block)
        if not block.statements:
            self._return(low, split)
            return
        self._room_for_log(number, block, low, split)
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
        elif word == "call":
            self._call(number, block, low, split, last)
        elif is_barrier_of_block(last):
            self._wait(block, low, split, last)
        else:
            self._lower_bare(low, last)
            if logged is not None and logged.after:
                write_log(low, last, logged)
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

    def _room_for_log(self, number: int, block: PlacedBlock, low: Lowering, split: Value) -> None:
        """Ask the host for more room where the warp's log has too little for what this block writes down."""
        emit = self.emit
        logged = (self._log.get(statement.start) for statement in block.statements)
        slots = sum(len(one.values) for one in logged if one is not None)
        slots += sum(len(self._watched.get(statement.start, ())) for statement in block.statements)
        if not slots:
            return
        begin = emit.cast("ptrtoint", emit.load("ptr", emit.at(self._state, layout.LOG_NEXT)), "i64")
        end = emit.cast("ptrtoint", emit.load("ptr", emit.at(self._state, layout.LOG_END)), "i64")
        room = emit.binary("sub", end, begin)
        with emit.when(emit.compare("icmp ult", room, Value("i64", str(slots * SLOT_BYTES))), likely=False):
            emit.store(i32(number), emit.at(split, layout.PC))
            emit.store(i32(slots), emit.at(self._state, layout.LOG_SLOTS))
            low.fault(Fault.LOG_FULL, emit.bits(low.active), block.statements[0])
            emit.label(emit.fresh("never"))

    def _lower(self, low: Lowering, statement: Statement) -> None:
        write_changes(low, statement, self._watched.get(statement.start, ()))
        logged = self._log.get(statement.start)
        if logged is not None and not logged.after:
            write_log(low, statement, logged)
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
        lower(low, statement)

    def _count(self, number: int, statements: int, mask: Value) -> None:
        self._add(layout.INSTRUCTIONS, Value("i64", str(statements)))
        if self.counters is not None:
            place = self.counters + layout.COUNTER_BYTES * number
            self._add(place, Value("i64", "1"))
            self._add(place + 8, self.emit.cast("zext", self.emit.call("i32", "llvm.ctpop.i32", mask), "i64"))

    def _add(self, offset: int, count: Value) -> None:
        place = self.emit.at(self._state, offset)
        self.emit.store(self.emit.binary("add", self.emit.load("i64", place), count), place)

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
        following = diverge(emit, self._state, i32(then), taken, i32(otherwise), left, i32(block.meets_at))
        emit.store(following, self._number)
        full = emit.compare("icmp slt", following, i32(0))
        with emit.when(full, likely=False):
            low.fault(Fault.TOO_MANY_SPLITS, mask, last)
            emit.label(emit.fresh("never"))
        if min(then, otherwise) <= number:
            place = emit.at(self._state, layout.BUDGET)
            emit.store(emit.binary("sub", emit.load("i32", place), i32(1)), place)
            with emit.when(emit.compare("icmp slt", emit.load("i32", place), i32(0)), likely=False):
                emit.do(f"ret i32 {int(Status.GAVE_WAY)}")
                emit.label(emit.fresh("never"))
        emit.jump("resume")

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
            self._continuations.append((target, block))
            target = len(self._placed.blocks) + len(self._continuations) - 1
        self.barriers_before.setdefault(target, []).append(last)
        emit.store(i32(target), emit.at(split, layout.PC))
        emit.jump("waits")

    def _continuation(self, number: int, target: int, block: PlacedBlock) -> None:
        """What a `bar.red` still has to do once all have arrived."""
        low, split, _mask = self._begin(number, block)
        take_result(low, block.statements[-1])
        low.flush()
        self._go_to(target, split, number)

    def _call(self, number: int, block: PlacedBlock, low: Lowering, split: Value, last: Statement) -> None:
        emit = self.emit
        low.flush()
        if block.calls is not None:
            frame, target = block.calls
            following = emit.constant(I32, block.successors[0])
            place = emit.at(self._state, self._return_place(frame))
            emit.store(emit.select(low.active, following, emit.load(I32, place, 64)), place, 64)
            self._go_to(target, split, number)
            return
        emit.store(i32(block.successors[0]), emit.at(split, layout.PC))
        low.fault(Fault.HOST_CALL, emit.bits(low.lanes(last)), last)  # the host answers, and lets the warp go on
        emit.label(emit.fresh("never"))
        emit.do("unreachable")

    def _return_place(self, frame: Frame) -> int:
        """Where the lanes keep the block at which they go on behind a function."""
        return self.registers.place(f"{frame.prefix}return", 32)

    def _return(self, low: Lowering, split: Value) -> None:
        """Go back to where the function was called: all lanes of a split came from one call."""
        emit = self.emit
        targets = emit.load(I32, emit.at(self._state, self._return_place(low.frame)), 64)
        first = emit.call("i32", "llvm.cttz.i32", emit.bits(low.active), Value("i1", "false"))
        target = emit.extract(targets, emit.binary("and", first, i32(31)))
        emit.store(target, emit.at(split, layout.PC))
        emit.jump("resume")
