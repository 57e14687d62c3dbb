"""Tries a folder of kernel files that other people wrote, and prints what came of each.

A file that a header or a file beside it describes is loaded; of any other it is found out what its kernels compute.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from gemmviz.adopt.confined import AdoptError, look_confined
from gemmviz.adopt.words import call_words, summary_of, verdict_words
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.loader import KERNEL_SUFFIXES, load_user_kernel


def outcome(path: Path) -> tuple[str, list[str]]:
    """A word for what came of a file, and a line for each of its kernels or the reason."""
    try:
        return "as it is", [load_user_kernel(path).entry]
    except HeaderError as error:
        if not error.is_adoptable:
            return "refused", [error.reason]
    try:
        found = look_confined(path)
    except AdoptError as error:
        return "refused", [str(error)]
    if found.fault:
        return "refused", [found.fault]
    lines = []
    for one in found.found:
        if one.description is not None:
            verdict = verdict_words(one.description)
            lines.append(f"{call_words(one.description)}: {verdict}: {summary_of(one.description)}")
        else:
            lines.append(f"{one.kernel}: not verified: {'; '.join(one.reasons)}")
    word = "adopted" if found.only is not None else "several" if found.proven else "not verified"
    return word, lines


def main(folder: Path) -> None:
    """Print the table of a folder and of all below it."""
    counts: dict[str, int] = {}
    for path in sorted(one for one in folder.rglob("*") if one.suffix in KERNEL_SUFFIXES and one.is_file()):
        begin = time.monotonic()
        word, lines = outcome(path)
        counts[word] = counts.get(word, 0) + 1
        print(f"{word:<13} {time.monotonic() - begin:5.1f} s  {path.relative_to(folder)}", flush=True)
        for line in lines:
            print(f"{'':<13} {line}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of .cu, .cuh and .cl files, with all folders below it")
    main(parser.parse_args().folder)
