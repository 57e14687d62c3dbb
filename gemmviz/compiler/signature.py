"""The types of a kernel's parameters, as NVIDIA's compiler reads them: typedefs, macros and templates resolved, and
enumerations as the whole numbers that they are passed as.

The source is compiled once more with a function behind it whose name then has the kernel's type in it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from gemmviz.compiler.mangled_types import MangledTypeError, parameters_of_function
from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import BackendError, Source
from gemmviz.domain.kernels.call import is_local_define
from gemmviz.domain.kernels.parameter_types import Signature

_PROBE = "gemmviz_signature"
_PLAIN = "gemmviz_plain"
_TEXT = f"""
template <class T, bool = __is_enum(T)> struct {_PLAIN} {{ using type = T; }};
template <class T> struct {_PLAIN}<T, true> {{ using type = __underlying_type(T); }};
template <class F> struct {_PLAIN}_function;
template <class R, class... P> struct {_PLAIN}_function<R(P...)> {{ using type = R(typename {_PLAIN}<P>::type...); }};
template <class F> __global__ void {_PROBE}(F *) {{}}
"""


def signature_of(source: Source, target: str, cache: Path | None = None) -> Signature | None:
    """The types of the parameters of a source that compiles, in their order; None where they cannot be told: there is
    no compiler, or they are of types of the source's own making.
    """
    defines = tuple(one for one in source.defines if not is_local_define(one[0]))  # they are of the entry's parameters
    entry = f"{_PROBE}<typename {_PLAIN}_function<decltype({source.entry})>::type>"
    probed = replace(source, text=source.text + _TEXT, entry=entry, defines=defines)
    with suppress(BackendError, MangledTypeError):
        code = compile_cuda(probed, target.replace("sm_", "compute_"), cache=cache)  # no machine code is needed
        _, is_there, function = code.symbol.partition(f"{_PROBE}I")
        if is_there:
            return parameters_of_function(function, [_PROBE])
    return None
