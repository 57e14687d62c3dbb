"""Looks at a kernel file: reads it, and puts to the test what may be true of its kernels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gemmviz.adopt.finding import Finding, Findings, Progress
from gemmviz.adopt.prove.search import Search
from gemmviz.adopt.reasons import explained
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.read import FoundSource, read_source
from gemmviz.adopt.source.tree import SourceError
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.terms import Language


def look_at(path: Path, text: str, entry: str, budget_s: float, progress: Progress) -> Findings:
    """What was found out about the kernels of a file, or the one called `entry`, each within `budget_s` seconds."""
    language = Language.OPENCL if path.suffix == ".cl" else Language.CUDA
    try:
        source = read_source(text, language)
    except SourceError as error:
        return Findings((), (), f"{path}: {error}")
    names = tuple(kernel.name for kernel in source.kernels)
    chosen = [kernel for kernel in source.kernels if entry in ("", kernel.name, kernel.short_name)]
    if not names:
        return Findings((), (), f"{path}: there is no kernel in it: no {_MARK[language]} function with a body")
    if not chosen:
        return Findings(names, (), f"{path}: there is no kernel {entry!r} in it; it has {', '.join(names)}")
    return Findings(names, tuple(_found(path, text, source, kernel, language, budget_s, progress) for kernel in chosen))


_MARK = {Language.CUDA: "__global__", Language.OPENCL: "__kernel"}


def _found(
    path: Path, text: str, source: FoundSource, kernel: FoundKernel, language: Language, budget_s: float,
    progress: Progress,
) -> Finding:  # fmt: skip
    found = Search(path, text, language, source, kernel, progress, budget_s).find()
    if found.description is None:
        return replace(found, reasons=tuple(explained(one, path, kernel.line) for one in found.reasons))
    try:
        described_kernel(path, text, sidecar_text(found.description))
    except HeaderError as error:
        return Finding(
            kernel.name,
            kernel.line,
            None,
            (f"{path}:{kernel.line}: what was found cannot be written down: {error.reason}",),
        )
    return found
