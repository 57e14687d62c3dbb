"""The few calls of the CUDA driver that PyCUDA does not have, through ctypes: UUIDs, tensor maps, clusters.

Numbers and layouts are those of cuda.h.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

from gemmviz.domain.spec import Launch, TensorMap
from gemmviz.domain.terms import Element

TENSOR_MAP_BYTES = 128
_ALIGNMENT = 128
_DATA_TYPE = {Element.HALF: 6, Element.FLOAT32: 7, Element.DOUBLE: 8, Element.BFLOAT16: 9}
_TFLOAT32 = 11
_SWIZZLE = {0: 0, 32: 1, 64: 2, 128: 3}
_L2_PROMOTION_128B = 2
_CLUSTER_DIMENSION = 4
_NAME = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


class CudaCallError(Exception):
    """A call of the driver failed; the message has its name and the driver's own words."""


class _ClusterAttribute(ctypes.Structure):
    _fields_ = (("id", c_int), ("pad", c_int), ("size", c_uint32 * 3), ("rest", c_uint32 * 13))


class _LaunchConfig(ctypes.Structure):
    _fields_ = (
        ("grid", c_uint32 * 3),
        ("block", c_uint32 * 3),
        ("shared_bytes", c_uint32),
        ("stream", c_void_p),
        ("attributes", POINTER(_ClusterAttribute)),
        ("attribute_count", c_uint32),
    )


def _aligned(value: bytes) -> tuple[Any, int]:
    """Room with the value in it, at an address on which a tensor map may lie; the address holds as long as the room."""
    room = (ctypes.c_ubyte * (len(value) + _ALIGNMENT))()
    address = -(-ctypes.addressof(room) // _ALIGNMENT) * _ALIGNMENT
    ctypes.memmove(address, value, len(value))
    return room, address


def find_library() -> Any | None:
    """The driver's library; None where there is none."""
    try:
        return ctypes.CDLL(_NAME)
    except OSError:
        return None


class CudaLibrary:
    """Calls by their name; `library` is the driver's, a parameter so that a test can bring its own."""

    def __init__(self, library: Any) -> None:
        self._library = library

    def uuid(self, ordinal: int) -> str:
        """A device's UUID as nvidia-smi writes it: "GPU-" and 32 digits in five groups.

        Raises:
            CudaCallError: there is no such device.
        """
        device, raw = c_int(), (ctypes.c_ubyte * 16)()
        self._call("cuDeviceGet", byref(device), c_int(ordinal))
        self._call("cuDeviceGetUuid_v2", byref(raw), device)
        digits = bytes(raw).hex()
        return f"GPU-{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"

    def tensor_map(self, address: int, one: TensorMap) -> bytes:
        """The 128 bytes of a CUtensorMap of the matrix at a device address. Columns are its first dimension.

        Raises:
            CudaCallError: the driver does not take it.
        """
        room, aligned = _aligned(bytes(TENSOR_MAP_BYTES))
        self._call(
            "cuTensorMapEncodeTiled",
            c_void_p(aligned),
            c_int(_TFLOAT32 if one.to_tf32 else _DATA_TYPE[one.element]),
            c_uint32(2),
            c_void_p(address),
            (c_uint64 * 2)(one.columns, one.rows),
            (c_uint64 * 1)(one.pitch_bytes),
            (c_uint32 * 2)(*one.box),
            (c_uint32 * 2)(1, 1),
            c_int(0),
            c_int(_SWIZZLE[one.swizzle]),
            c_int(_L2_PROMOTION_128B),
            c_int(0),
        )
        offset = aligned - ctypes.addressof(room)
        return bytes(room)[offset : offset + TENSOR_MAP_BYTES]

    def load_function(self, cubin: bytes, symbol: str) -> int:
        """A function's handle in the current context; its module stays until `unload`.

        Raises:
            CudaCallError: the driver does not take the code.
        """
        module, function = c_void_p(), c_void_p()
        self._call("cuModuleLoadData", byref(module), c_char_p(cubin))
        try:
            self._call("cuModuleGetFunction", byref(function), module, c_char_p(symbol.encode()))
        except CudaCallError:
            self._library.cuModuleUnload(module)
            raise
        return function.value or 0

    def unload(self, function: int) -> None:
        """Unload the module that a function is of, whose context is current. What fails here failed before: after a
        fault of a kernel every call does.
        """
        module = c_void_p()
        if not self._library.cuFuncGetModule(byref(module), c_void_p(function)):
            self._library.cuModuleUnload(module)

    def variable(self, function: int, name: str) -> int:
        """The address of a variable of the module that a function is of.

        Raises:
            CudaCallError: the module has none of that name.
        """
        module, address, nbytes = c_void_p(), c_uint64(), c_size_t()
        self._call("cuFuncGetModule", byref(module), c_void_p(function))
        self._call("cuModuleGetGlobal_v2", byref(address), byref(nbytes), module, c_char_p(name.encode()))
        return address.value

    def set_attribute(self, function: int, attribute: int, value: int) -> None:
        """Set one of a function's attributes, by its number in cuda.h.

        Raises:
            CudaCallError: the driver does not take the value.
        """
        self._call("cuFuncSetAttribute", c_void_p(function), c_int(attribute), c_int(value))

    def launch(self, function: int, launch: Launch, values: Sequence[bytes], stream: int) -> None:
        """Enqueue one launch; `values` are the parameters' bytes, one by one.

        Raises:
            CudaCallError: the driver does not take the launch.
        """
        attribute = _ClusterAttribute(_CLUSTER_DIMENSION, 0, (c_uint32 * 3)(*launch.cluster))
        config = _LaunchConfig(
            (c_uint32 * 3)(*launch.grid),
            (c_uint32 * 3)(*launch.block),
            launch.dynamic_shared_bytes,
            stream or None,
            ctypes.pointer(attribute),
            int(launch.cluster != (1, 1, 1)),
        )
        kept = [_aligned(value) for value in values]
        addresses = (c_void_p * len(kept))(*(address for _, address in kept))
        self._call("cuLaunchKernelEx", byref(config), c_void_p(function), addresses, None)

    def active_blocks(self, function: int, threads: int, dynamic_shared_bytes: int) -> int:
        """How many blocks of a function a unit holds at once, by the driver's own calculator.

        Raises:
            CudaCallError: the driver does not tell.
        """
        found = c_int()
        self._call(
            "cuOccupancyMaxActiveBlocksPerMultiprocessor",
            byref(found),
            c_void_p(function),
            c_int(threads),
            c_size_t(dynamic_shared_bytes),
        )
        return found.value

    def _call(self, name: str, *arguments: object) -> None:
        code = getattr(self._library, name)(*arguments)
        if code:
            raise CudaCallError(f"{name} failed: {self._words(code)}")

    def _words(self, code: int) -> str:
        text = c_char_p()
        if self._library.cuGetErrorString(c_int(code), byref(text)) or text.value is None:
            return f"error {code}"
        return text.value.decode(errors="replace")
