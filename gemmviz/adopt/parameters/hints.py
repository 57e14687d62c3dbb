"""What a person is told about the parameters of a file beside their values."""

from __future__ import annotations

from collections.abc import Mapping

from gemmviz.adopt.description import Description
from gemmviz.adopt.propose.constants import block_constants
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.catalogue.languages.file_constants import FileConstant
from gemmviz.domain.listing import listed
from gemmviz.domain.terms import Language


def replaced_words(described: Description, constants: Mapping[str, FileConstant]) -> tuple[str, ...]:
    """Whose place parameters take: "compiled with other values in the place of #define TILE (line 3); the file stays as
    it is"; () where they take none.
    """
    found = [f"{one.words} (line {one.line})" for one in constants.values() if one.words in described.replaced]
    return (f"compiled with other values in the place of {listed(found)}; the file stays as it is",) if found else ()


def hints_of(searched: SearchedKernel, defaults: Mapping[str, int]) -> tuple[str, ...]:
    """What a person can do so that a macro of the file may have other values."""
    if searched.language not in (Language.CUDA, Language.OPENCL) or searched.path.suffix == ".py":
        return ()
    fixed = [name for name in block_constants(searched.kernel, searched.source.names) if name not in defaults]
    if not fixed:
        return ()
    name = fixed[0]
    return (
        f"{listed(fixed)} cannot be {'parameters' if len(fixed) > 1 else 'a parameter'}: the file sets a value that "
        f"nothing else may set; between #ifndef {name} and #endif, #define {name} could have others",
    )
