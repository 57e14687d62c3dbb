"""Launch kernels of the catalogue once each, check the results, and say which: what profilers are pointed at.

`python docs/gpu_record/launch_once.py --size 128x128x64 naive tiled` prints a line of JSON for each launch.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from gemmviz.backends.base import BackendError, DeviceLostError
from gemmviz.backends.registry import devices_for, find_device
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.resources import occupancy
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import format_params
from gemmviz.domain.terms import Fill, Language
from gemmviz.measure.bench import Bench, Inputs, Watch, check_first_launch, make_inputs

LAUNCH_LIMIT_S = 300.0
"""A profiler makes everything slower."""


def main(words: Sequence[str] | None = None) -> int:
    """Each kernel at each size; 1 where a result was wrong or a launch failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernels", nargs="*", help="ids; without any every kernel in CUDA C")
    parser.add_argument("--size", action="append", required=True, help="MxNxK; may be given several times")
    parser.add_argument("--device", default="")
    options = parser.parse_args(words)
    catalogue, code = load_catalogue(), 0
    ids = options.kernels or [kernel.id for kernel in catalogue.kernels if kernel.language is Language.CUDA]
    device = find_device(options.device) if options.device else devices_for(Language.CUDA)[0]
    with Bench() as bench:
        for size in options.size:
            inputs = make_inputs(Shape.parse(size), Fill.UNIFORM, 0)
            for kernel in map(catalogue.get, ids):
                try:
                    code |= launch(bench, kernel, device, inputs)
                except Refusal as error:
                    print(f"refused: {error}", file=sys.stderr, flush=True)
                except DeviceLostError:
                    raise
                except BackendError as error:
                    print(f"failed: {kernel.id} {size}: {error}", file=sys.stderr, flush=True)
                    code = 1
    return code


def launch(bench: Bench, kernel: Kernel, device: Device, inputs: Inputs) -> int:
    """One launch, told on a line; 1 for a wrong result."""
    params = kernel.params({})
    ready = bench.prepare(kernel, params, device, inputs, LAUNCH_LIMIT_S)
    try:
        _, _, judged = check_first_launch(kernel, ready, inputs, Watch(), None)
    finally:
        ready.release()
    passed = judged.accuracy.passed
    launcher = ready.launcher
    fits = occupancy(launcher.compiled.resources, launcher.launch, device.gpu_facts)
    told = {
        "kernel": kernel.id,
        "size": str(inputs.shape),
        "entry": kernel.entry,
        "params": format_params(params),
        "device": device.name,
        "passed": passed,
    }
    if fits is not None:
        told |= {"occupancy": 100 * fits.fraction, "limited_by": ", ".join(fits.limited_by)}
    print(json.dumps(told), flush=True)
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
