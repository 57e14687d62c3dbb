"""What every chart says about a run: its name among the others, its circumstances, its times. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain import figures
from gemmviz.domain.device import DeviceKind
from gemmviz.domain.input_words import input_words
from gemmviz.domain.places import PLACE_COLUMNS, place_cells
from gemmviz.domain.runs.baselines import is_cpu_run
from gemmviz.domain.runs.doubts import DOUBTS, NOISY, NOT_GPU_TIMES, THROTTLED, doubt_of_device, doubts_of, marks_of
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.tables import Row as TableRow
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.spec import Params, RunSpec
from gemmviz.explain.figures.device_names import device_names
from gemmviz.explain.figures.distinctions import BETWEEN, distinctions
from gemmviz.explain.figures.figure import Look, Row, Tone
from gemmviz.explain.figures.param_words import are_values_alone, names_together, varied_params, varied_words
from gemmviz.explain.figures.spread import Spread, spread_of
from gemmviz.explain.runs.provenance import measured_on

NO_RUNS = "Nothing has run yet. Choose a kernel and a size, then press Run."

WRONG, WRONG_RESULT = "WRONG", "wrong result"
"""Beside a row's figure, and in a legend."""
WRONG_NOTE = "WRONG: the result did not pass the check; its time is not that of a correct kernel and is not ranked"

_MOST_NAMED = 4
"""As many runs are named in a note about noise or a throttled clock; of more their number."""

RUN_COLUMNS = (
    "row",
    "run",
    "kernel",
    "params",
    "m",
    "n",
    "k",
    "fill",
    "seed",
    "mode",
    "device",
    "passed",
    *PLACE_COLUMNS,
)
"""The columns that say which run a row of a table belongs to; `row` is its number among the runs, from 1."""


@dataclass(frozen=True, slots=True, eq=False)
class RunFacts:
    """A run as a row: `name` with what tells it from equal ones; `size`, `device` and `mode`, each where the runs
    differ in it; `detail`, the latter two and the parameters.

    `device_ms` are the device's clock, `waited_ms` the host's around the same launches.
    """

    run: RunResult
    number: int
    name: str
    size: str
    device: str
    mode: str
    is_cpu: bool
    device_ms: Spread
    waited_ms: Spread

    @property
    def detail(self) -> str:
        """What tells a run from the others; the parameters come last, as a long line is cut off at its end."""
        return BETWEEN.join(filter(None, (self.device, self.mode, format_params(self.run.spec.params))))

    @property
    def doubts(self) -> tuple[str, ...]:
        """What makes the time doubtful."""
        timing = self.run.timing
        return doubts_of(self.device_ms.summary, timing.stopped_by, timing.gauges)

    @property
    def marks(self) -> str:
        """What follows a figure: "~" noisy, "*" stopped by the time limit, "!" measured with a throttled clock."""
        return marks_of(self.doubts)

    @property
    def throttled_samples(self) -> int | str:
        """How many samples were taken while the clock was throttled, for a table; "" where nobody can tell."""
        gauges = self.run.timing.gauges
        return int(gauges.throttled.sum()) if gauges.count else ""

    @property
    def throttled_line(self) -> str:
        """A line of a tooltip about a clock that was throttled; "" where it was not."""
        words = self.run.timing.gauges.throttled_words
        return f"\n{words}" if words else ""

    @property
    def is_wrong(self) -> bool:
        """Whether the result did not pass the check: whatever its time, the run is no fast one."""
        return not self.run.accuracy.passed

    @property
    def look(self) -> Look:
        """The role of its marks."""
        return Look.WRONG if self.is_wrong else Look.CPU if self.is_cpu else Look.GPU

    def marked(self, row: Row) -> Row:
        """Its row of a chart; one with a wrong result says so beside the figure, in the colour of faults."""
        if not self.is_wrong:
            return replace(row, run=self.run)
        return replace(
            row,
            run=self.run,
            tone=Tone.WRONG,
            note=" · ".join(filter(None, (WRONG, row.note))),
            flag=f"{WRONG} {row.flag}".rstrip(),
            tooltip=f"{row.tooltip}\n{WRONG_NOTE}",
        )

    @property
    def title(self) -> str:
        """The kernel's title, "" where it is not known."""
        return kernel_name(self.run.spec.kernel).title

    @property
    def identity(self) -> TableRow:
        """The run in RUN_COLUMNS."""
        spec, device = self.run.spec, self.run.device
        values = (
            self.number + 1,
            self.name,
            spec.kernel,
            format_params(spec.params),
            spec.shape.m,
            spec.shape.n,
            spec.shape.k,
            spec.fill.value,
            spec.seed,
            spec.mode.value,
            device.id,
            "false" if self.is_wrong else "true",
            *place_cells(device, self.run.finished),
        )
        return dict(zip(RUN_COLUMNS, values, strict=True))

    @property
    def heading(self) -> str:
        """The first lines of a tooltip."""
        spec, run = self.run.spec, self.run
        params = f"   {format_params(spec.params)}" if spec.params else ""
        title = f" · {self.title}" if self.title else ""
        return (
            f"{self.name}{title}{params}\n"
            f"{spec.shape.words}, {input_words(spec.fill, spec.seed)}, {spec.mode.value} caches\n"
            f"{run.device.place_name}, {run.build}"
        )


def facts_of(runs: Sequence[RunResult]) -> tuple[RunFacts, ...]:
    """One for each run, in their order. The names of runs that differ neither in kernel, parameters and size nor in
    device and caches say which inputs they had, else when they ran.
    """
    shapes = {run.spec.shape for run in runs}
    devices = device_names(run.device for run in runs if not is_cpu_run(run))
    modes = {run.spec.mode for run in runs}
    apart = distinctions(
        [(run.spec.kernel, run.spec.params, run.spec.shape, run.spec.mode, run.device.id) for run in runs],
        [(input_words(run.spec.fill, run.spec.seed),) for run in runs],
        [run.finished for run in runs],
        "run",
    )
    found = []
    for number, (run, which) in enumerate(zip(runs, apart, strict=True)):
        spec, is_cpu = run.spec, is_cpu_run(run)
        found.append(
            RunFacts(
                run=run,
                number=number,
                name=BETWEEN.join(filter(None, (spec.kernel, which))),
                size=spec.shape.words if len(shapes) > 1 else "",
                device="CPU" if is_cpu else devices.get(run.device.id, ""),
                mode=spec.mode.value if len(modes) > 1 else "",
                is_cpu=is_cpu,
                device_ms=spread_of(run.timing.kernel_samples_ms),
                waited_ms=spread_of(run.timing.host_samples_ms),
            )
        )
    return tuple(found)


def distinct_names(facts: Sequence[RunFacts], *, with_device: bool = True) -> tuple[str, ...]:
    """The names of runs where nothing stands beside them: with the size, the parameters, the caches and, unless the
    device stands elsewhere, the device in which runs of one kernel differ.
    """
    varied = _varied_by_kernel(facts)
    sizes = _counts((fact.run.spec.kernel, fact.run.spec.shape) for fact in facts)
    modes = _counts((fact.run.spec.kernel, fact.mode) for fact in facts)
    devices = _counts((fact.run.spec.kernel, fact.device) for fact in facts)
    names = []
    for fact in facts:
        spec = fact.run.spec
        size = spec.shape.words if sizes[spec.kernel] > 1 else ""
        name = " ".join(filter(None, (fact.name, size, varied_words(spec.params, varied[spec.kernel]))))
        mode = fact.mode if modes[spec.kernel] > 1 else ""
        device = fact.device if with_device and devices[spec.kernel] > 1 else ""
        names.append(BETWEEN.join(filter(None, (name, device, mode))))
    return tuple(names)


def _counts(pairs: Iterable[tuple[str, Hashable]]) -> Counter[str]:
    """How many different things there are of each kernel."""
    return Counter(kernel for kernel, _ in set(pairs))


def params_note(facts: Sequence[RunFacts]) -> tuple[str, ...]:
    """What the values are that stand alone in `distinct_names`, a sentence for all kernels; none where names do."""
    varied = _varied_by_kernel(facts)
    told = [f"{names_together(names)} of {kernel}" for kernel, names in varied.items() if are_values_alone(names)]
    return (f"values in names are {', '.join(told)}",) if told else ()


def _varied_by_kernel(facts: Sequence[RunFacts]) -> dict[str, tuple[str, ...]]:
    several: dict[str, list[Params]] = {}
    for fact in facts:
        several.setdefault(fact.run.spec.kernel, []).append(fact.run.spec.params)
    return {kernel: varied_params(params) for kernel, params in several.items()}


def kernel_words(facts: Sequence[RunFacts]) -> str:
    """What kernels besides those of the CPU are called in a legend: on a CPU where all of them ran there."""
    kinds = {fact.run.device.kind for fact in facts if not fact.is_cpu}
    return "GPU kernel on a CPU" if kinds == {DeviceKind.CPU} else "GPU kernel"


def notes_of(facts: Sequence[RunFacts]) -> tuple[str, ...]:
    """What has to be said about the times of these runs: where they were measured, and what makes them doubtful."""
    found = {doubt for fact in facts for doubt in fact.doubts}
    found |= {doubt_of_device(fact.run.device) for fact in facts}
    doubts = (_doubt_note(doubt, facts) for doubt in (NOT_GPU_TIMES, *DOUBTS) if doubt in found)
    wrong = (WRONG_NOTE,) if any(fact.is_wrong for fact in facts) else ()
    return (*wrong, *measured_on(fact.run for fact in facts), *doubts)


def is_doubt_of_samples(note: str) -> bool:
    """Whether a note of `notes_of` is about samples of the kernel alone."""
    return note.startswith(DOUBTS)


def _doubt_note(doubt: str, facts: Sequence[RunFacts]) -> str:
    """A doubt; a noisy time with the runs that it is about, a throttled clock also with the number of their samples."""
    if doubt not in (NOISY, THROTTLED):
        return doubt
    about = [
        (name, fact.run.timing.gauges.throttled)
        for name, fact in zip(distinct_names(facts), facts, strict=True)
        if doubt in fact.doubts
    ]
    if doubt == NOISY:
        named, unit = [name for name, _ in about], ""
    else:
        named, unit = [f"{name} in {int(throttled.sum())} of {throttled.size}" for name, throttled in about], " samples"
    more = len(named) - _MOST_NAMED
    return f"{doubt} ({', '.join(named[:_MOST_NAMED])}{unit}{f', and {more} more' if more > 0 else ''})"


def unwritten_words(unwritten: int) -> str:
    """How many elements of C were never written; "" for none."""
    if unwritten == 1:
        return "1 element was never written"
    return f"{figures.count(unwritten)} elements were never written" if unwritten else ""


def name_among(fact: RunFacts, facts: Sequence[RunFacts]) -> str:
    """The name of a run in a sentence about some, with its parameters where another one has the same name."""
    return describe(fact.run.spec) if sum(one.name == fact.name for one in facts) > 1 else fact.name


def describe(spec: RunSpec) -> str:
    """A kernel with its parameters, in one line."""
    return f"{spec.kernel} {format_params(spec.params)}".rstrip()
