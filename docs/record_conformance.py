"""Record what an NVIDIA GPU makes of PTX instructions, or run them on the PTX machine and compare.

On a machine with a GPU, ptxas, PyCUDA and NumPy (nothing else of gemmviz is imported):
`PYTHONPATH=.:docs python docs/record_conformance.py --on gpu --out FILE.npz`. It writes FILE.npz, which belongs in
tests/data/conformance, and FILE.whole1.npz and so on, which hold every result.

Without a GPU: `--on machine --against FILE.npz [FILE.whole*.npz ...]` names the forms that disagree, and with the whole
files their operands and both results. `--only TEXT` takes the forms whose name or group has the text.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from conformance_record.comparison import SHOWN, differing, disagreements, largest_errors, words_of
from conformance_record.form import Form
from conformance_record.forms import all_forms
from conformance_record.on_gpu import assemble_all, batches, run_on_gpu
from conformance_record.results import Results, read, read_whole, write, write_whole
from numpy.typing import NDArray


def main(words: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--on", choices=("gpu", "machine", "ptxas"), required=True)
    parser.add_argument("--out", type=Path, help="the file to write")
    parser.add_argument("--against", type=Path, nargs="+", default=[], help="files of another run to compare with")
    parser.add_argument("--only", default="", help="forms whose name or group has this text")
    parser.add_argument("--target", default="sm_90a")
    given = parser.parse_args(words)
    forms = [form for form in all_forms().values() if given.only in form.name or given.only in form.group]
    begin = time.monotonic()
    if given.on == "ptxas":
        print(f"{len(assemble_all(forms, given.target))} kernels with {len(forms)} forms assembled")
        return 0
    if given.on == "gpu":
        results, about = run_on_gpu(forms, given.target)
    else:
        results, about = _on_machine(forms)
        forms = [form for form in forms if form.name in results]
    print(f"{len(forms)} forms in {time.monotonic() - begin:.1f} s")
    if given.out is not None:
        write(given.out, forms, results, {**about, "date": datetime.now(UTC).date().isoformat()})
        for path in (given.out, *write_whole(given.out, results)):
            print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")
    if given.against:
        return _compare(forms, results, given.against)
    return 0


def _on_machine(forms: Sequence[Form]) -> tuple[dict[str, Results], dict[str, str]]:
    """The results of the forms that the machine runs; the others are named."""
    from conformance_record.on_machine import refusal, run_on_machine

    from gemmviz.machine.faults import MachineError

    results: dict[str, Results] = {}
    for part in batches(forms):
        try:
            results |= run_on_machine(part)
        except MachineError:  # one of them; which?
            why = {form.name: refusal(form) for form in part}
            for name, words in why.items():
                if words:
                    print(f"not run: {name}: {words}")
            fine = [form for form in part if not why[form.name]]
            results |= run_on_machine(fine) if fine else {}
    return results, {"gpu": "none: the PTX machine"}


def _compare(forms: Sequence[Form], results: Mapping[str, Results], paths: Sequence[Path]) -> int:
    """Print where results disagree with those of files; 1 if they do."""
    whole_paths = [path for path in paths if ".whole" in path.name]
    others = read_whole(whole_paths) if whole_paths else {}
    recorded, about = read(next(path for path in paths if path not in whole_paths))
    print(", ".join(f"{key}: {value}" for key, value in about.items()))
    count = 0
    groups: dict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros(3, np.int64))
    for form in forms:
        if form.name not in recorded:
            print(f"not recorded: {form.name}")
            continue
        found = disagreements(form, results[form.name], recorded[form.name])
        if form.bound:
            for error, bound in largest_errors(form, results[form.name], recorded[form.name]):
                size = f"2^{np.log2(error):.1f}" if error else "0"
                print(f"{form.name}: largest difference {size}, bound 2^{np.log2(bound):.1f}")
        count += bool(found)
        groups[form.group] += np.array([1, form.bound != "", bool(found)])
        if not found:
            continue
        print(f"{form.name}: {found}")
        if form.name in others and not form.bound:
            here, there = results[form.name], others[form.name]
            wrong = differing(here, there)
            for place in wrong[:SHOWN]:
                print(f"    {words_of(form, place, place, here, there)}, {len(wrong)} in all")
    print("| group | forms | of them approximate | that disagree |\n|---|---|---|---|")
    for name, numbers in [*groups.items(), ("all", sum(groups.values()))]:
        print(f"| {name} | " + " | ".join(map(str, numbers)) + " |")
    print(f"{count} of {len(forms)} forms disagree")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
