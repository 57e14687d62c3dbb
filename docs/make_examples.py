"""Make the example sessions of assets/examples with the program itself: `python docs/make_examples.py --on gpu`.

What each holds stands in assets/examples/examples.toml. They stay small because a series ends at 200 samples and says
so, error maps get larger cells, and recordings are made of one block at a small size: addresses of a whole 4096 would
take gigabytes. Which device, driver and day they come from goes into made.json beside them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from gpu_record.compiled_ahead import compile_ahead
from gpu_record.pairs import fastest
from gpu_record.plan import can_run, choices_for
from gpu_record.recipes import Part, Recipe, at_size, read_recipes
from gpu_record.small import MOST_BYTES, MOST_SAMPLES, with_small_maps, without_large_c
from gpu_record.which_gpu import the_gpu
from record_warps import ProbeError, run_probe, timelines_of

from gemmviz import __version__
from gemmviz.backends.base import BackendError, DeviceLostError
from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.examples import FACTS, examples_folder
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.runs.roof import Roofs
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.domain.session.session import save_session
from gemmviz.domain.session.shown import Shown, ShownFrame
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import Fill, Language, Mode
from gemmviz.engine.jobs import choose_devices
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.engine.roofs import roofs_of_device
from gemmviz.measure.bench import Bench, Inputs, Patience, Watch, make_inputs
from gemmviz.measure.sampling import MeasurementError
from gemmviz.measure.schedule import record_schedule
from gemmviz.measure.stopping import StoppingRule
from gemmviz.measure.sweep import sweep
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.refusal import RecordingRefusal
from gemmviz.trace.tags import TagRefusal

LAUNCH_LIMIT_S = 60.0
CANNOT = (Refusal, MemoryRefusal, BackendError, MeasurementError, RecordingRefusal, TagRefusal)


@dataclass(frozen=True, slots=True)
class Kitchen:
    """On which device, by its id, and how long each kernel may be sampled. Roofs are measured once for each device."""

    bench: Bench
    device: str
    budget_s: float
    roofs: dict[str, Roofs] = field(default_factory=dict)

    def device_of(self, kernel: Kernel) -> Device:
        """Where a kernel runs: on the device that was asked for, where it can."""
        found = choose_devices([kernel], self.device).get(kernel.language)
        if found is None:
            raise Refusal(f"{kernel.id}: no device runs it")
        return found

    def roofs_of(self, device: Device) -> Roofs:
        """What a device can do at most."""
        if device.id not in self.roofs:
            self.roofs[device.id] = roofs_of_device(device.id, LAUNCH_LIMIT_S, Watch())
        return self.roofs[device.id]

    @property
    def patience(self) -> Patience:
        return Patience(StoppingRule(limit_seconds=self.budget_s, max_samples=MOST_SAMPLES))


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def runs_of(part: Part, kitchen: Kitchen) -> Iterator[RunResult]:
    """Each kernel of a part that can run there; the others are named."""
    inputs = make_inputs(part.shape, part.fill, 0)
    for kernel, params in part.jobs:
        try:
            device = kitchen.device_of(kernel)
            choices = choices_for(kernel, part.shape, device) if part.tuned else ()
            chosen = fastest(kitchen.bench, kernel, choices, device, inputs, kitchen.budget_s) if choices else params
            result, _ = kitchen.bench.run(kernel, chosen, device, inputs, Mode.COLD, kitchen.patience, Watch())
        except DeviceLostError:
            raise
        except CANNOT as error:
            say(f"  left out: {error}")
            continue
        say(f"  {kernel.id} {part.shape}: {result.timing.kernel_ms.median:.4g} ms, passed: {result.accuracy.passed}")
        yield replace(result, finished=timestamp())


def swept(kernel: Kernel, inputs: Inputs, number: int, kitchen: Kitchen) -> Iterator[RunResult]:
    """A kernel with every choice of its parameters, samples in turn."""
    device = kitchen.device_of(kernel)
    choices = every_choice(kernel, inputs.shape, device)
    for params, result, reason in sweep(
        kitchen.bench, kernel, choices, device, inputs, Mode.COLD, kitchen.patience, Watch()
    ):
        if result is None:
            say(f"  left out: {kernel.id} {params}: {reason}")
        else:
            yield replace(result, sweep=number, finished=timestamp())
    say(f"  {kernel.id} {inputs.shape}: swept over {len(choices)} choices")


def every_choice(kernel: Kernel, shape: Shape, device: Device) -> list[Params]:
    """All parameters that can be launched."""
    values = [[(one.name, choice) for choice in one.choices] for one in kernel.parameters]
    return [params for params in product(*values) if can_run(kernel, shape, params, device)]


def is_recorded(kernel: Kernel, recipe: Recipe) -> bool:
    """Whether a recipe asks for a recording of a kernel: by name, else of what runs anywhere."""
    if recipe.recorded:
        return kernel.id in recipe.recorded
    return kernel.has_accesses and not kernel.needs_cuda


def recordings(recipe: Recipe, on: Device) -> Iterator[TraceRun]:
    """One block of each kernel in the middle of its grid, or all blocks of a small one, on the device where it runs."""
    shape = recipe.recorded_at
    if shape is None:
        return
    fills = {part.fill for part in recipe.parts}
    for kernel, params in dict.fromkeys(job for part in recipe.parts for job in part.jobs):
        if not is_recorded(kernel, recipe):
            continue
        try:
            device = device_for_recording(kernel, on.id, or_another=True)
            x, y, z = kernel.plan(shape, params, device).launch.grid
            blocks = [(x // 2, y // 2, z // 2)]
            if recipe.whole:
                blocks = [(i, j, k) for k, j, i in product(range(z), range(y), range(x))]
            fill = fills.pop() if len(fills) == 1 else Fill.UNIFORM
            fills = {fill}
            yield without_large_c(record(Job(kernel, params), Conditions(shape, fill), device, blocks, Watch()))
        except CANNOT as error:
            say(f"  not recorded: {error}")
            continue
        say(f"  {kernel.id} {shape}: recorded")


def schedules(recipe: Recipe, kitchen: Kitchen) -> Iterator[BlockSchedule]:
    """Where and when the blocks of the kernels ran that a recipe names."""
    for part in recipe.parts:
        inputs = make_inputs(part.shape, part.fill, 0)
        for kernel, params in part.jobs:
            if kernel.id not in recipe.scheduled:
                continue
            device = kitchen.device_of(kernel)
            try:
                found = record_schedule(
                    kitchen.bench, kernel, params, device, inputs, Mode.COLD, LAUNCH_LIMIT_S, Watch()
                )
                yield replace(found, finished=timestamp())
            except DeviceLostError:
                raise
            except CANNOT as error:
                say(f"  no schedule: {error}")
                continue
            say(f"  {kernel.id} {part.shape}: schedule recorded")


def warp_timelines(kernels: Sequence[str], device: Device) -> tuple[WarpTimeline, ...]:
    """What the warps of an SM do in kernels; none where a probe cannot run."""
    try:
        return tuple(one for name in kernels for one in timelines_of(name, run_probe(name), device, timestamp()))
    except ProbeError as error:
        say(f"  no warps: {error}")
        return ()


def cook(recipe: Recipe, kitchen: Kitchen) -> Session:
    """The session of a recipe.

    Raises:
        DeviceLostError: a kernel did not end, or broke the device's context.
    """
    device = choose_devices([], kitchen.device)[Language.CUDA]
    kernels = [
        (kernel, part.shape, params)
        for part in recipe.parts
        for kernel, own in part.jobs
        for params in (choices_for(kernel, part.shape, device) if part.tuned else (own,))
    ]
    if recipe.swept_at is not None:
        kernels += [
            (kernel, recipe.swept_at, params)
            for kernel in recipe.swept
            for params in every_choice(kernel, recipe.swept_at, device)
        ]
    compile_ahead(kernels, device)
    runs = [run for part in recipe.parts for run in runs_of(part, kitchen)]
    if recipe.swept and recipe.swept_at is not None:
        inputs = make_inputs(recipe.swept_at, Fill.UNIFORM, 0)
        for number, kernel in enumerate(recipe.swept, 1):
            runs += swept(kernel, inputs, number, kitchen)
    traces = tuple(recordings(recipe, device))
    roofs = (kitchen.roofs_of(device),) if recipe.roofs else ()
    return Session(
        created=timestamp(),
        program_version=__version__,
        device=device,
        init_ms=0.0,
        runs=with_small_maps(runs),
        traces=traces,
        shown=first_shown(traces, recipe.plays),
        roofs=roofs,
        schedules=tuple(schedules(recipe, kitchen))[::-1],  # the page opens with the last
        warp_timelines=warp_timelines(recipe.warps, device),
    )


def first_shown(traces: Sequence[TraceRun], kernel: str) -> Shown | None:
    """The first frame of the first recording of a kernel; None where there is none."""
    found = [number for number, trace in enumerate(traces) if trace.spec.kernel == kernel]
    return Shown(ShownFrame(found[0], 0, FrameMode.PHASE.value, 0)) if found else None


def keep(session: Session, recipe: Recipe, folder: Path) -> int:
    """Write a session and what made.json says of it; how many bytes the file has.

    Raises:
        SessionError: it cannot be written.
    """
    path = folder / recipe.file
    save_session(session, path)
    facts_path = folder / FACTS
    facts = json.loads(facts_path.read_text(encoding="utf-8")) if facts_path.is_file() else {}
    facts[recipe.file] = {"device": session.device.name, "driver": session.device.driver, "date": session.created}
    text = json.dumps(dict(sorted(facts.items())), indent=1)
    facts_path.write_text(text + "\n", encoding="utf-8")
    return path.stat().st_size


def read_words(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--on", choices=("gpu", "cpu"), default="gpu", help="whose examples are made")
    parser.add_argument("--only", default="", help="ids of examples with commas between")
    parser.add_argument("--device", default="", help="id or part of the name; without it a GPU, or PoCL")
    parser.add_argument("--size", default="", help="another size, to try it: MxNxK")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds of samples for each kernel")
    parser.add_argument("--out", type=Path, help="the folder; without it assets/examples")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Make the examples that were asked for; 1 where one is wrong, too large or could not be made."""
    options, catalogue, code = read_words(words), load_catalogue(), 0
    folder = options.out if options.out is not None else examples_folder()
    folder.mkdir(parents=True, exist_ok=True)
    device = options.device or ("pocl" if options.on == "cpu" else "")
    if options.on == "gpu":
        try:
            device = the_gpu(device).id
        except NoDeviceError as error:
            say(f"nothing was made: {error}")
            return 1
    only = set(filter(None, options.only.split(",")))
    wanted = [one for one in read_recipes(examples_folder(), catalogue) if one.on == options.on]
    with Bench() as bench:
        kitchen = Kitchen(bench, device, options.budget)
        for recipe in wanted:
            if only and recipe.id not in only:
                continue
            say(f"{recipe.id}:")
            chosen = at_size(recipe, Shape.parse(options.size)) if options.size else recipe
            try:
                session = cook(chosen, kitchen)
            except DeviceLostError as error:
                say(f"the device is lost: {error}")
                bench.abandon()
                return 1
            nbytes = keep(session, recipe, folder)
            wrong = [run.spec.kernel for run in session.runs if not run.accuracy.passed]
            say(f"  {len(session.runs)} runs, {len(session.traces)} recordings, {nbytes:,} bytes")
            if wrong or nbytes > MOST_BYTES or not session.runs:
                say(f"  NOT GOOD: wrong results of {wrong or 'none'}, at most {MOST_BYTES:,} bytes are wanted")
                code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
