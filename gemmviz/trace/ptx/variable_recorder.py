"""Records what the variables of a block's threads hold, where a kernel was compiled as written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.variables import VariableValues
from gemmviz.machine.debug_info.sections import DebugInfoError
from gemmviz.machine.log import BlockRecord, LogPlan
from gemmviz.machine.watched import WatchedValue, WatchPlan
from gemmviz.trace.ptx.decoding.cluster import BlockLogs
from gemmviz.trace.ptx.decoding.decode import Arrays, laid_out
from gemmviz.trace.ptx.decoding.expand import Expander
from gemmviz.trace.ptx.decoding.log import Words
from gemmviz.trace.ptx.decoding.variable_values import Changes, ValueMaker, split_log, steps_of
from gemmviz.trace.ptx.probing.accesses import What
from gemmviz.trace.ptx.probing.probes import Probed
from gemmviz.trace.ptx.probing.variable_plan import VariablePlan, plan_variables

MOST_LOG_BYTES = 3 << 28
"""What a block may write down while its variables are watched."""
_FEWER = 4
"""By how much the number of watched warps is divided where they write down too much."""
TOO_LARGE = "The values of variables are not recorded, because those of a single warp take too much memory."
FEWER_PLACES = (
    "Values are recorded at barriers and at the end only, because those at all accesses take too much memory."
)
Run = Callable[[WatchPlan, int], BlockRecord | None]
"""Runs the block with what is watched in so many warps; None where it writes down too much."""


@dataclass(slots=True)
class VariableRecorder:
    """Plans once what is watched in a kernel; `log` is what it writes down besides."""

    probed: Probed
    log: LogPlan
    expander: Expander
    _plans: list[VariablePlan] | None = field(init=False, default=None)
    _why_not: str = field(init=False, default="")

    def record(
        self, run: Run, block: tuple[int, int, int], threads: int, warps: int, arrays: Callable[[], Arrays]
    ) -> tuple[BlockTrace | None, VariableValues]:
        """The trace of a block and the values of its variables; no trace, and a note that says why, without values."""
        for plan in self._all_plans():
            watched = self._numbered(plan)
            count = warps
            while count and (record := run(watched, count)) is None:
                count //= _FEWER
            if not count or record is None:
                continue
            found = self._read(plan, record, block, threads, count, arrays())
            if found is not None:
                return found
        return None, VariableValues(note=self._why_not or TOO_LARGE)

    def _all_plans(self) -> list[VariablePlan]:
        """Plans to try: at all accesses, and at barriers alone."""
        if self._plans is None:
            self._plans = []
            accesses, barriers = self._places(What.ACCESS), self._places(What.BARRIER)
            try:
                found = [plan_variables(self.probed.module, self.probed.symbol, accesses, barriers)]
                if not found[0].note:
                    found.append(plan_variables(self.probed.module, self.probed.symbol, (), barriers))
                    found[1].note = FEWER_PLACES
            except DebugInfoError as error:
                self._why_not = f"The values of variables are not recorded: {error}."
                return self._plans
            if any(one.count for one in found[0].variables):
                self._plans = found
            else:
                self._why_not = "The compiler names no variables of this kernel."
        return self._plans

    def _places(self, what: What) -> Iterable[int]:
        found = (probe.statement for probe in self.probed.probes if probe.found.what is what)
        return [one.start for one in found if one is not None and one.start in self.log]

    @property
    def _first(self) -> int:
        """The number of the first watched value: behind all that the log has."""
        return max((probe.first + len(probe.found.values) for probe in self.probed.probes), default=0)

    def _numbered(self, plan: VariablePlan) -> WatchPlan:
        return {
            at: tuple(WatchedValue(self._first + one.number, one.operand, one.nbytes) for one in each)
            for at, each in plan.watched.items()
        }

    def _read(
        self,
        plan: VariablePlan,
        record: BlockRecord,
        block: tuple[int, int, int],
        threads: int,
        warps: int,
        arrays: Arrays,
    ) -> tuple[BlockTrace, VariableValues] | None:
        logs: list[Words] = []
        changes: list[Changes] = []
        for words in record.logs:
            own, changed = split_log(words, self._first)
            logs.append(own)
            changes.append(changed)
        maker = ValueMaker(plan, self.probed.probes, arrays, record.shared_address)
        if not maker.fits(changes):
            return None
        trace, slots_of = laid_out(self.expander, BlockLogs(logs), arrays, block, threads)
        of_number = self.expander.probe_of_number
        steps = [steps_of(words, slots, of_number) for words, slots in zip(logs, slots_of, strict=True)]
        return trace, maker.values(trace, steps, changes, warps, plan.note)
