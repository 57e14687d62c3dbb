"""Everything that a GPU is needed for, in one command: `python docs/on_a_gpu.py --out FOLDER`.

Tests, comparisons of kernels with themselves, the ladder's record, counters, the cost of asynchronous copies, the
cross-check with nvbench, roofs, a block schedule, example sessions, memcheck and racecheck. Each step has a time
limit and a log of its own in FOLDER; a step that fails holds up no other, and one whose program is not there is left
out. Needs Python 3.11, PyCUDA, nvidia-ml-py and nvmath-python, also from a folder on PYTHONPATH; no display and no
Qt. `--pack FILE` puts the folder into one archive. Without a GPU one line says why, and nothing is begun.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from gpu_record.steps import Step, run_steps, summary_rows
from gpu_record.tables import markdown

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
COLUMNS = ("step", "how it ended", "seconds", "log")
SANITIZED = ("37x29x23", "136x136x72", "130x70x33", "1x1x1055")
"""Sizes for the sanitizer: nothing divides; rows that the TMA takes; more than a tile; a dot product."""
ABOUT_THE_MACHINE = {"machine", "devices"}
"""Steps that tell what there is, also where there is no GPU."""
LOOK_LIMIT_S = 60.0


class NoGpuError(Exception):
    """No NVIDIA GPU can be used here; the words say why, in one line."""


def steps_for(folder: Path, device: str = "ID", python: str = sys.executable) -> tuple[Step, ...]:
    """All steps in the order of their use; what takes longest and matters least comes last. `device`: the GPU's id."""

    def script(name: str, *words: object) -> tuple[str, ...]:
        return (python, str(DOCS / name), *map(str, words))

    def gemmviz(*words: object) -> tuple[str, ...]:
        return (python, "-m", "gemmviz", *map(str, words))

    rooms = sorted(path for path in (ROOT / "tests" / "support").iterdir() if path.is_dir())
    # The project's options of pytest ask for plug-ins (Qt, xdist) that need not be here.
    test = (
        python,
        "-m",
        "pytest",
        "-c",
        os.devnull,
        "--rootdir",
        str(ROOT),
        "-p",
        "no:cacheprovider",
        "-o",
        f"pythonpath={' '.join(map(str, (*rooms, DOCS)))}",
        "-o",
        "markers=gpu: needs an NVIDIA GPU",
        "--import-mode=importlib",
        "-W",
        "error",
        "-m",
        "gpu",
        "-q",
        str(ROOT / "tests" / "gpu"),
    )
    examples, counters = folder / "examples", folder / "counters.json"
    return (
        Step("machine", ("nvidia-smi",), 60),
        Step("devices", gemmviz("devices"), 60),
        Step("tests", test, 420),
        Step("fairness", script("record_fairness.py", "--on", "gpu", "--earlier"), 240),
        Step("ladder", script("record_gpu.py", "--json", folder / "record_gpu.json"), 540),
        Step(
            "counters",
            script("record_counters.py", "--steps", "count", "--file", counters, "--log", folder / "ncu.txt"),
            480,
        ),
        Step("copies", script("record_copies.py", "--file", folder / "copies.json"), 240),
        Step("nvbench", script("record_nvbench.py", "--out", folder / "nvbench"), 180),
        Step("examples", script("make_examples.py", "--on", "gpu", "--out", examples), 540),
        Step("roofs", gemmviz("roofs", "--device", device, "--into", examples / "gpu-ladder.gemmviz"), 120),
        Step(
            "schedule",
            gemmviz(
                "schedule",
                "--kernel",
                "tiled",
                "--size",
                "1037x1031x1055",
                "--out",
                folder / "schedule.gemmviz",
                "--force",
            ),
            120,
        ),
        Step("memcheck", (python, "-m", "gpu_record.sanitized", "memcheck", *SANITIZED), 420),
        Step("racecheck", (python, "-m", "gpu_record.sanitized", "racecheck", *SANITIZED), 420),
        Step(
            "compiled", script("record_counters.py", "--steps", "compiled", "--file", counters, "--budget", "400"), 480
        ),
    )


def environment(known: dict[str, str]) -> dict[str, str]:
    """What the steps find: this checkout before whatever is on PYTHONPATH; their words at once."""
    path = os.pathsep.join(filter(None, (str(ROOT), str(DOCS), known.get("PYTHONPATH", ""))))
    return {**known, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}


def find_gpu(known: dict[str, str]) -> str:
    """The id of the GPU that the steps measure on; a process of its own looks, as a driver may hang.

    Raises:
        NoGpuError: there is none.
    """
    command = (sys.executable, "-m", "gpu_record.which_gpu")
    try:
        done = subprocess.run(
            command, env=environment(known), capture_output=True, text=True, timeout=LOOK_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise NoGpuError(f"the driver did not answer in {LOOK_LIMIT_S:.0f} s") from None
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise NoGpuError(said[-1] if said else f"looking for a GPU ended with {done.returncode}")
    return done.stdout.split()[-1]


def main(words: Sequence[str] | None = None) -> int:
    """Run the steps, print how they ended; 1 where one failed, or where there is no GPU."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("on_a_gpu"), help="folder for logs and results")
    parser.add_argument("--steps", default="", help="names with commas between; without it all of them")
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds for all steps together")
    parser.add_argument("--pack", type=Path, help="an archive (.tar.gz) of the folder, made anew after each step")
    parser.add_argument("--list", action="store_true", help="print the commands and do nothing")
    options = parser.parse_args(words)
    folder = options.out.resolve()
    every = steps_for(folder)
    names = [name for name in options.steps.split(",") if name] or [step.name for step in every]
    unknown = set(names) - {step.name for step in every}
    if unknown:
        parser.error(f"no step is called {', '.join(sorted(unknown))}: there are {', '.join(s.name for s in every)}")
    chosen = [step for step in every if step.name in names]
    if options.list:
        print("\n".join(f"{step.name} ({step.limit_s:.0f} s): {' '.join(step.command)}" for step in chosen))
        return 0
    if not set(names) <= ABOUT_THE_MACHINE:
        try:
            device = find_gpu(dict(os.environ))
        except NoGpuError as error:
            print(f"nothing was done: {error}", file=sys.stderr)
            return 1
        chosen = [step for step in steps_for(folder, device) if step.name in names]
    folder.mkdir(parents=True, exist_ok=True)
    ended = run_steps(chosen, folder, environment(dict(os.environ)), options.limit, lambda: pack(folder, options.pack))
    table = markdown(COLUMNS, summary_rows(ended))
    (folder / "summary.md").write_text(table + "\n", encoding="utf-8")
    pack(folder, options.pack)
    print(table)
    return int(not all(one.is_good for one in ended))


def pack(folder: Path, file: Path | None) -> None:
    """Everything so far in one archive, which appears whole or not at all."""
    if file is None:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f".{file.name}.part")
    with tarfile.open(temporary, "w:gz") as archive:
        archive.add(folder, folder.name)
    temporary.replace(file)


if __name__ == "__main__":
    sys.exit(main())
