"""Cross-check the times against nvbench's: `python docs/record_nvbench.py`, with `pip install cuda-bench[cu13]`.

Five kernels, each at a size of its own, cold caches, all in one process: gemmviz measures, then nvbench on its own
stream, then gemmviz again, so that a clock that drifts shows as a difference of gemmviz with itself. Kernels and inputs
are the same ones; nvbench's launches go to the driver directly, since its stream is not PyCUDA's.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpu_record.nvbench_file import COLUMNS, all_near, read_samples, row
from gpu_record.other_stream import Once, compiled_on, library_on
from gpu_record.pairs import Rival, enter, warm
from gpu_record.tables import markdown
from platformdirs import user_cache_path

from gemmviz.backends.base import Source
from gemmviz.backends.cuda.build import build
from gemmviz.backends.cuda.devices import CudaMissingError, load_cuda, ordinals
from gemmviz.backends.cuda.nvcc import find_nvcc
from gemmviz.backends.registry import devices_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import compute_capability, target_of
from gemmviz.domain.runs.result import FloatColumn
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Language
from gemmviz.measure.bench import Bench, make_inputs
from gemmviz.measure.cancel import never, unheard
from gemmviz.measure.clock import SystemClock
from gemmviz.measure.series import collect
from gemmviz.measure.stopping import StoppingRule

CASES = (
    ("naive", "1024x1024x1024"),
    ("tiled", "1037x1031x1055"),
    ("sgemm_best", "4096x4096x4096"),
    ("wgmma_bf16", "4096x4096x4096"),
    ("cublas_fp32", "2048x2048x2048"),
)
AXIS = "Case"
RULE = StoppingRule(min_samples=50, min_seconds=0.5, limit_seconds=3.0)


@dataclass(slots=True)
class Check:
    """What gemmviz measured around nvbench, by the number of the case."""

    cases: Sequence[tuple[str, str]]
    device: Device
    cuda: Any
    ordinal: int
    before: dict[int, FloatColumn] = field(default_factory=dict)
    after: dict[int, FloatColumn] = field(default_factory=dict)

    @contextmanager
    def primary(self) -> Iterator[None]:
        """Make the primary context current, which nvbench's runtime uses as well."""
        context = self.cuda.driver.Device(self.ordinal).retain_primary_context()
        context.push()
        try:
            yield
        finally:
            self.cuda.driver.Context.pop()

    def benchmark(self, state: Any) -> None:
        """What nvbench calls for each case."""
        number = state.get_int64(AXIS)
        kernel_id, size = self.cases[number]
        kernel = load_catalogue().get(kernel_id)
        with Bench() as bench, ExitStack() as stack:
            inputs = make_inputs(Shape.parse(size), Fill.UNIFORM, 0)
            rival = enter(bench, kernel, kernel.params({}), self.device, inputs, stack)
            if not rival.accuracy.passed:
                raise ValueError(f"{kernel_id}: its result is wrong")
            with self.primary():
                once = self.on_stream(rival, state.get_stream().addressof())
                once()  # a first launch loads code and makes workspaces, which would wait behind nvbench's blocker
                self.cuda.driver.Context.synchronize()
            self.before[number] = own_samples(rival)
            state.exec(lambda _launch: once(), batched=False)
            self.after[number] = own_samples(rival)

    def on_stream(self, rival: Rival, stream: int) -> Once:
        """The kernel with its arguments, to be enqueued on nvbench's stream."""
        kernel, launcher = rival.kernel, rival.ready.launcher
        defines = kernel.plan(rival_shape(rival), rival.params, self.device).defines
        source = Source(kernel.path, kernel.text, kernel.entry, kernel.language, defines, kernel.requires)
        if kernel.language is Language.LIBRARY:
            return library_on(source, launcher.arguments, stream)
        target = target_of(compute_capability(self.device.gpu_facts), kernel.requires)
        built = build(source, target, find_nvcc(), user_cache_path("gemmviz", appauthor=False) / "cuda")
        return compiled_on(self.cuda.library, built, launcher.launch, launcher.arguments, stream)


def rival_shape(rival: Rival) -> Shape:
    """M, N and K as the kernel is given them."""
    m, n, k = (one for one in rival.ready.launcher.arguments if isinstance(one, int))
    return Shape(m, n, k)


def own_samples(rival: Rival) -> FloatColumn:
    """gemmviz's cold samples of a kernel, in ms."""
    warm(rival.ready.launcher)
    return collect(rival.ready.launcher.cold, RULE, SystemClock(), never, unheard).kernel_ms


def chosen_cases(words: Sequence[str]) -> list[tuple[str, str]]:
    """The cases given as KERNEL@MxNxK, or the usual five."""
    return [(kernel, size) for kernel, _, size in (word.partition("@") for word in words)] or list(CASES)


def main(words: Sequence[str] | None = None) -> int:
    """Measure every case with both, print the table; 1 where a median is off or nothing could be measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", help="KERNEL@MxNxK")
    parser.add_argument("--timeout", type=float, default=10.0, help="nvbench's seconds for each case")
    parser.add_argument("--out", type=Path, help="keep nvbench's files in this folder")
    options = parser.parse_args(words)
    try:
        cuda, bench = load_cuda(), importlib.import_module("cuda.bench")
    except (CudaMissingError, ImportError) as error:
        print(f"nothing was measured: {error}", file=sys.stderr)
        return 1
    device, cases = devices_for(Language.CUDA)[0], chosen_cases(options.cases)
    ordinal = next(number for number, uuid in ordinals(cuda) if uuid == device.gpu_facts.uuid)
    check = Check(cases, device, cuda, ordinal)

    def gemm(state: Any) -> None:
        check.benchmark(state)

    bench.register(gemm).add_int64_axis(AXIS, list(range(len(cases))))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.out or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "nvbench.json"
        bench.run_all_benchmarks(
            [
                "record_nvbench",
                "--devices",
                str(ordinal),
                "--quiet",
                "--min-samples",
                "50",
                "--timeout",
                str(options.timeout),
                "--jsonbin",
                str(file),
            ]
        )
        theirs = read_samples(file, AXIS)
    rows = [
        row(*cases[number], check.before[number], check.after[number], samples)
        for number, samples in sorted(theirs.items())
    ]
    print(markdown(COLUMNS, rows))
    missing = [f"{kernel}@{size}" for number, (kernel, size) in enumerate(cases) if number not in theirs]
    if missing:
        print(f"not measured by nvbench: {', '.join(missing)}", file=sys.stderr)
    return int(bool(missing) or not all_near(rows))


if __name__ == "__main__":
    sys.exit(main())
