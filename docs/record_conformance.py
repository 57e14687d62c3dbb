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
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from conformance_record.form import Form
from conformance_record.forms import all_forms
from conformance_record.on_gpu import assemble_all, batches, run_on_gpu
from conformance_record.operands import column
from conformance_record.results import Results, read, read_whole, write, write_whole

SHOWN = 4
"""Operands that are shown of a form that disagrees."""


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
    from conformance_record.comparison import disagreements, largest_error

    whole_paths = [path for path in paths if ".whole" in path.name]
    others = read_whole(whole_paths) if whole_paths else {}
    recorded, about = read(next(path for path in paths if path not in whole_paths))
    print(", ".join(f"{key}: {value}" for key, value in about.items()))
    count = 0
    for form in forms:
        if form.name not in recorded:
            print(f"not recorded: {form.name}")
            continue
        found = disagreements(form, results[form.name], recorded[form.name])
        if form.bound:
            print(f"{form.name}: largest error {largest_error(form, results[form.name], recorded[form.name])}")
        count += bool(found)
        if not found:
            continue
        print(f"{form.name}: {found}")
        if form.name in others and not form.bound:
            _show(form, results[form.name], others[form.name])
    print(f"{count} of {len(forms)} forms disagree")
    return int(count > 0)


def _show(form: Form, mine: Results, other: Results) -> None:
    columns = [column(kind, "abc"[place]) for place, kind in enumerate(form.operands)]
    wrong = np.zeros(mine[0].size, bool)
    for one, two in zip(mine, other, strict=True):
        wrong |= one != two
    for place in np.flatnonzero(wrong)[:SHOWN].tolist():
        operands = " ".join(f"{int(one[place]):#x}" for one in columns)
        pairs = " ".join(f"{int(a[place]):#x}/{int(b[place]):#x}" for a, b in zip(mine, other, strict=True))
        print(f"    {place} ({operands}): here/recorded {pairs}, {int(wrong.sum())} in all")


if __name__ == "__main__":
    sys.exit(main())
