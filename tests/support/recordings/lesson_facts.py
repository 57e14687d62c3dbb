"""What the texts of lessons state, computed from the recordings and runs that come with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from simpleeval import EvalWithCompoundTypes

from gemmviz.catalogue.lessons import Lesson
from gemmviz.domain import figures
from gemmviz.domain.kernels.resources import occupancy
from gemmviz.domain.operands import Operands, make_operands
from gemmviz.domain.recordings.access import INACTIVE, AccessKind, BlockTrace, Site, Space, result_of
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.domain.terms import Arithmetic
from gemmviz.explain.block.running_totals import RunningTotals
from gemmviz.explain.requests.what_if import NewLayout, Swizzle, effect_of, requests_on
from gemmviz.explain.runs.warp_timeline import computing_share, launch_share
from gemmviz.gui.lessons.lesson_data import LessonData, read_lesson_data
from gemmviz.gui.memory_view.block_analysis import analyse_block
from gemmviz.gui.memory_view.example import thread_for_example
from gemmviz.measure.check.reference import build_reference
from gemmviz.trace.model.site_costs import requests_of, sectors_of


@dataclass
class RecordingFacts:
    """Figures of the block that a recording keeps."""

    run: TraceRun

    @cached_property
    def block(self) -> BlockTrace:
        return self.run.blocks[0].trace(self.run.sites, self.run.arrays)

    @cached_property
    def _totals(self) -> Any:
        return RunningTotals(self.block, analyse_block(self.block).timeline).in_all

    @cached_property
    def _operands(self) -> Operands:
        return make_operands(self.run.spec.shape, self.run.spec.fill, self.run.spec.seed)

    @property
    def threads(self) -> int:
        return self.block.threads

    @property
    def loads(self) -> int:
        return int(self._totals.loads)

    @property
    def shared_loads(self) -> int:
        """Elements that all threads load from shared memory."""
        return sum(self.shared_loads_of_thread(thread) for thread in range(self.threads))

    @property
    def loads_per_a(self) -> float:
        return float(self._totals.loads_per_element)

    @property
    def distinct(self) -> int:
        """Different elements of A and B that the block loads."""
        found = set()
        for site in self._sites(Space.GLOBAL, AccessKind.LOAD):
            addresses = self.block.addresses[:, self.block.slot_site == site.index]
            found |= set(np.unique(addresses[addresses != INACTIVE]).tolist())
        return len(found)

    @property
    def example_thread(self) -> int | None:
        """The thread that pictures follow where none is chosen."""
        analysis, c = analyse_block(self.block), result_of(self.block.arrays)
        assert analysis.part is not None
        assert c is not None
        return thread_for_example(self.block, c, analysis.part)

    @property
    def races(self) -> int:
        return sum(hazard.kind is HazardKind.RACE for hazard in self.run.hazards)

    def loads_of_thread(self, thread: int) -> int:
        return self._accesses(thread, Space.GLOBAL)

    def shared_loads_of_thread(self, thread: int) -> int:
        return self._accesses(thread, Space.SHARED)

    def a(self, row: int, column: int) -> float:
        """An element of A."""
        return float(self._operands.a[row, column])

    def b(self, row: int, column: int) -> float:
        """An element of B."""
        return float(self._operands.b[row, column])

    def c(self, row: int, column: int) -> float:
        """What was left in an element of C."""
        array = next(each for each in self.run.arrays if each.name == "C")
        return float(self.run.c.reshape(array.rows, array.columns)[row, column])

    @property
    def wrong_elements(self) -> list[int]:
        """How many elements of C the block left wrong, and of how many."""
        stored = self.run.c[np.isfinite(self.run.c)]
        right = build_reference(self._operands.a, self._operands.b).r.reshape(self.run.c.shape)[np.isfinite(self.run.c)]
        return [int(np.count_nonzero(stored != right)), stored.size]

    def sectors_of(self, name: str, kind: str = "load") -> int:
        """The most sectors that one request to load or to store an array touches."""
        return max(
            int(
                sectors_of(requests_of(self.block, site, range(self.block.addresses.shape[0]), self._slots(site)))[
                    0
                ].max()
            )
            for site in self._sites(Space.GLOBAL, AccessKind(kind))
            if site.array == name
        )

    def elements_per_request(self, name: str) -> int:
        """The most different elements of an array that the lanes of one request to load it ask for."""
        return max(
            len(np.unique(lanes[lanes != INACTIVE]))
            for site in self._sites(Space.GLOBAL, AccessKind.LOAD)
            if site.array == name
            for lanes in self.block.addresses[:, self._slots(site)].reshape(-1, self.block.addresses.shape[2])
        )

    def word_of_lane(self, name: str, kind: str, lane: int) -> int:
        """Where in shared memory a lane of the first request that loads or stores an array does so, in words."""
        site = next(each for each in self._sites(Space.SHARED, AccessKind(kind)) if each.array == name)
        return int(self.block.addresses[0, self._slots(site)[0], lane]) // 4

    def wavefronts_at(self, name: str, kind: str, padding: int = 0, swizzle: str = "NONE") -> int:
        """The wavefronts of one request that loads or stores a shared array in another layout."""
        array = next(each for each in self.block.arrays if each.name == name)
        effect = effect_of(requests_on(self.block, array), NewLayout(padding, Swizzle[swizzle]))
        site = next(each for each in effect.sites if each.site.kind.value == kind)
        return site.after // site.requests

    def param(self, name: str) -> int:
        return int(dict(self.run.spec.params)[name])

    def shared_rows(self, name: str) -> int:
        """Of a shared array, as it is drawn."""
        return next(each.rows for each in self.block.arrays if each.name == name)

    def bytes_of(self, name: str) -> int:
        return next(each.nbytes for each in self.block.arrays if each.name == name)

    def _sites(self, space: Space, kind: AccessKind) -> list[Site]:
        return [site for site in self.block.sites if site.space is space and site.kind is kind]

    def _slots(self, site: Site) -> list[int]:
        return list(np.flatnonzero(self.block.slot_site == site.index).tolist())

    def _accesses(self, thread: int, space: Space) -> int:
        warp, lane = divmod(thread, 32)
        return sum(
            int(np.count_nonzero(self.block.addresses[warp, self._slots(site), lane] != INACTIVE))
            * (site.width_bytes // 4)
            for site in self._sites(space, AccessKind.LOAD)
        )


@dataclass
class SessionFacts:
    """Figures of an example session."""

    session: Session
    printed: Callable[[RunResult], float] | None = None
    """How a reader finds a run's time in ms in a chart; None: as it was measured."""

    def ms(self, kernel: str, size: str = "") -> float:
        run = self._run(kernel, size)
        return self.printed(run) if self.printed is not None else float(run.timing.kernel_ms.median)

    def relative_error(self, kernel: str) -> float:
        return float(self._run(kernel, "").accuracy.relative_frobenius)

    def error_of_short_inputs(self, kernel: str) -> float:
        """The relative error of a kernel that rounded A and B to its format and lost nothing in its sums, of a part of
        C as large as a tile.
        """
        run = self._run(kernel, "")
        spec = run.spec
        operands = make_operands(replace(spec.shape, m=64, n=64), spec.fill, spec.seed)
        lost = np.uint32({Arithmetic.TF32: 13, Arithmetic.BF16: 16}[run.arithmetic])
        half, kept = np.uint32(1) << (lost - np.uint32(1)), ~((np.uint32(1) << lost) - np.uint32(1))
        inputs = operands.a, operands.b
        a, b = (((each.view(np.uint32) + half) & kept).view(np.float32).astype(np.float64) for each in inputs)
        exact = operands.a.astype(np.float64) @ operands.b.astype(np.float64)
        return float(np.linalg.norm(a @ b - exact) / np.linalg.norm(exact))

    def size(self, kernel: str) -> str:
        return str(self._run(kernel).spec.shape)

    def elements_per_thread(self, kernel: str) -> int:
        return self.param(kernel, "TM") * self.param(kernel, "TN")

    def blocks_per_sm(self, kernel: str) -> int:
        """By its occupancy."""
        run = self._run(kernel, "")
        found = occupancy(run.resources, run.launch, run.device.gpu_facts)
        assert found is not None
        return found.blocks

    def param(self, kernel: str, name: str) -> int:
        return int(dict(self._run(kernel).spec.params)[name])

    def sectors_of(self, kernel: str, name: str) -> int:
        """Of the session's recording of a kernel."""
        return RecordingFacts(next(each for each in self.session.traces if each.spec.kernel == kernel)).sectors_of(name)

    def launched_blocks(self, kernel: str) -> int:
        """Of the kernel's run."""
        return int(self._run(kernel).launch.blocks)

    def blocks(self, kernel: str) -> int:
        """Of the kernel's schedule."""
        return next(each for each in self.session.schedules if each.spec.kernel == kernel).launch.blocks

    def warps(self, blocks: int, kernel: str = "tiled") -> int:
        """Of an SM with so many blocks on it."""
        return self._warps(blocks, kernel).rows

    def computing(self, blocks: int, rows: int = 0, span: tuple[int, int] = (0, 0), kernel: str = "tiled") -> float:
        """The part of a span, (0, 0) for all that is shown, in which a warp of an SM with so many blocks computes."""
        timeline = self._warps(blocks, kernel)
        return computing_share(timeline, span if any(span) else (0, timeline.window_cycles), rows)

    def computing_in_launch(self, blocks: int, kernel: str = "tiled") -> float:
        return launch_share(self._warps(blocks, kernel))

    def load_cycles(self, blocks: int, kernel: str = "tiled") -> float:
        """How long a warp waits for its values, of half of the tiles at most."""
        timeline = self._warps(blocks, kernel)
        return float(np.median(timeline.arrive - timeline.load))

    def phase_cycles(self, blocks: int) -> list[float]:
        """Of a tile: how long a warp waits and how long it computes, on average."""
        timeline = self._warps(blocks)
        waits = np.diff(timeline.load)[np.diff(timeline.row) == 0].mean() - (timeline.stop - timeline.start).mean()
        return [float(waits), float((timeline.stop - timeline.start).mean())]

    def plain_ms(self, blocks: int, kernel: str = "tiled") -> float:
        """Of the launches without stamps."""
        return float(np.median(self._warps(blocks, kernel).plain_ms))

    def _warps(self, blocks: int, kernel: str = "tiled") -> WarpTimeline:
        wanted = blocks, kernel
        return next(one for one in self.session.warp_timelines if (one.blocks_per_unit, one.spec.kernel) == wanted)

    @property
    def sms(self) -> int:
        return self.session.schedules[0].units

    def _run(self, kernel: str, size: str = "") -> Any:
        return [run for run in self.session.runs if run.spec.kernel == kernel and size in ("", str(run.spec.shape))][-1]


class WalkFacts:
    """Figures of the CPU loops."""

    def __init__(self, data: LessonData) -> None:
        self._walks = data.walks

    def line_changes(self, kernel: str, name: str) -> int:
        return self._walks[kernel].line_changes(name)


class PairFacts:
    """Figures of the pairs that docs/GPU.md names."""

    def __init__(self) -> None:
        self._page = (Path(__file__).parents[3] / "docs" / "GPU.md").read_text(encoding="utf-8")

    def times(self, kernel: str) -> float:
        """How many times as fast as cuBLAS at 4096: the third of the sizes."""
        cells = next(row for row in self._page.splitlines() if row.startswith("|") and f"`{kernel}`" in row).split("|")
        return float(cells[5])


def printed_time(run: RunResult) -> float:
    """A run's time in ms as a chart prints it."""
    return _printed(figures.milliseconds(run.timing.kernel_ms.median), {"s": 1e3, "ms": 1.0, "µs": 1e-3})


def time_of_printed_rate(run: RunResult) -> float:
    """A run's time in ms by the rate that a chart prints."""
    flop = run.spec.shape.flop
    rate = figures.flops(flop / (run.timing.kernel_ms.median * 1e6))
    return flop / (_printed(rate, {"TFLOP/s": 1e12, "GFLOP/s": 1e9, "MFLOP/s": 1e6}) / 1e3)


def _printed(words: str, units: Mapping[str, float]) -> float:
    number, unit = words.replace("\u202f", "").split()
    return float(number) * units[unit]


def names_in(lesson: Lesson, printed: Callable[[RunResult], float] | None = None) -> Mapping[str, object]:
    """What a lesson's facts may speak of; `printed`: how times are read from charts, None as they were measured."""
    data = read_lesson_data(lesson)
    names: dict[str, object] = {name: RecordingFacts(run) for name, run in data.traces.items()}
    names |= {name.replace("-", "_"): SessionFacts(session, printed) for name, session in data.sessions.items()}
    arrays = {array.name for run in data.traces.values() for array in run.arrays}
    return names | {name: name for name in arrays} | {"loops": WalkFacts(data), "pairs": PairFacts()}


def holds(fact: str, names: Mapping[str, object]) -> bool:
    """Whether a fact is one."""
    return EvalWithCompoundTypes(names=dict(names), functions={"round": round}).eval(fact) is True


def numbers_in(text: str) -> set[str]:
    """The numbers of two and more digits, or with decimals, that a text states, but for those in names such as H200."""
    joined = re.sub(r"\b(\d{1,3})[ \u00a0\u202f](?=\d{3}\b)", r"\1", text)
    return set(re.findall(r"(?<![\w.])(?:\d+\.\d+|\d{2,})(?![\w.]*[A-Za-z_])", joined.replace("×", " × ")))
