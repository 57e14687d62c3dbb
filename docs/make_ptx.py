"""Compile what comes along for systems without NVIDIA's compiler: `python docs/make_ptx.py`.

Every kernel of the catalogue that the PTX machine executes, as written and as compiled, with its default parameters and
with those of the examples and lessons; where the source is given more that depends on the size, for usual sizes.
"""

from __future__ import annotations

import argparse
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from gemmviz.catalogue.examples import examples_folder
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.lessons import lessons_folder, load_lessons
from gemmviz.catalogue.loader import load_catalogue, load_kernel
from gemmviz.catalogue.recordable import records
from gemmviz.compiler.code_cache import Made
from gemmviz.compiler.nvidia.nvrtc import compile_cuda, key_of
from gemmviz.compiler.shipped_code import RELEASE, TARGET, archive_path
from gemmviz.compiler.source import Source
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import CodeForm

SHAPES = (
    *(Shape(256, 256, k) for k in (16, 32, 64, 128, 256, 512, 1024)),
    Shape(255, 255, 255),
    Shape(1, 1, 1024),
)
"""Sizes that kernels are planned for: what some of their sources are given depends on them."""
_STAMP = (1980, 1, 1, 0, 0, 0)
"""Of every file in the archive, so that the same code makes the same archive."""


def wanted() -> Iterator[tuple[Kernel, Params]]:
    """Kernels and parameters, each once."""
    catalogue, machine = load_catalogue(), emulated()
    found = [(kernel, kernel.params({})) for kernel in catalogue.kernels if records(machine, kernel)]
    ids = {kernel.id: kernel for kernel, _ in found}
    for path in sorted(examples_folder().glob("*.gemmviz")):
        session = load_session(path)
        specs = [*(run.spec for run in session.runs), *(trace.spec for trace in session.traces)]
        found += [(ids[spec.kernel], spec.params) for spec in specs if spec.kernel in ids]
    for lesson in load_lessons():
        for one in lesson.recordings.values():
            kernel = load_kernel(lessons_folder() / "kernels" / one.file) if one.file else catalogue.get(one.kernel)
            if records(machine, kernel):
                found.append((kernel, kernel.params(dict(one.params))))
    yield from {(kernel.id, params): (kernel, params) for kernel, params in found}.values()


def sources() -> Iterator[Source]:
    """What is compiled."""
    for kernel, params in wanted():
        defines = set()
        for shape in SHAPES:
            try:
                defines.add(kernel.plan(shape, params, emulated()).defines)
            except Refusal:
                continue
        for each in sorted(defines):
            yield Source(kernel.path, kernel.text, kernel.entry, kernel.language, each, kernel.requires)


def write_shipped_code(path: Path, release: str, made: Mapping[str, Made]) -> None:
    """Write an archive of PTX and of what the compiler said, by their keys."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr(zipfile.ZipInfo(RELEASE, _STAMP), release)
        for key, (_, ptx, log) in sorted(made.items()):
            archive.writestr(zipfile.ZipInfo(f"{key}.ptx", _STAMP), ptx, zipfile.ZIP_LZMA)
            archive.writestr(zipfile.ZipInfo(f"{key}.log", _STAMP), log, zipfile.ZIP_LZMA)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=archive_path())
    out: Path = parser.parse_args(arguments).out
    made: dict[str, Made] = {}
    release = ""
    for source in sources():
        for form in CodeForm:
            code = compile_cuda(source, TARGET, form)
            made[key_of(source, TARGET, form)], release = code.made, code.release
    write_shipped_code(out, release, made)
    print(f"{len(made)} compiled, {out.stat().st_size / 1024:.0f} KiB in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
