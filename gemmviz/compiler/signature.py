"""The types of a kernel's parameters, as NVIDIA's compiler reads them: typedefs, macros and templates resolved, and
enumerations as the whole numbers that they are passed as, structures without members as such.

The source is compiled once more with a function behind it whose name then has the kernel's type in it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from gemmviz.compiler.mangled_types import EMPTY_NAME, MangledTypeError, parameters_of_function
from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import BackendError, Source
from gemmviz.domain.kernels.call import is_local_define
from gemmviz.domain.kernels.parameter_types import Signature

_PROBE = "gemmviz_signature"
_PLAIN = "gemmviz_plain"
_TEXT = f"""
struct {EMPTY_NAME} {{}};
template <class {_PLAIN}_t, int = __is_enum({_PLAIN}_t) ? 1 : __is_empty({_PLAIN}_t) ? 2 : 0>
struct {_PLAIN} {{ using type = {_PLAIN}_t; }};
template <class {_PLAIN}_t> struct {_PLAIN}<{_PLAIN}_t, 1> {{ using type = __underlying_type({_PLAIN}_t); }};
template <class {_PLAIN}_t> struct {_PLAIN}<{_PLAIN}_t, 2> {{ using type = {EMPTY_NAME}; }};
template <class {_PLAIN}_f> struct {_PLAIN}_function;
template <class {_PLAIN}_r, class... {_PLAIN}_p> struct {_PLAIN}_function<{_PLAIN}_r({_PLAIN}_p...)> {{
    using type = {_PLAIN}_r(typename {_PLAIN}<{_PLAIN}_p>::type...);
}};
template <class {_PLAIN}_f> __global__ void {_PROBE}({_PLAIN}_f *) {{}}
"""
"""Its names are long, since a macro of the source may have any short one."""


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
