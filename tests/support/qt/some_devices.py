"""Devices that tests of the window find: a GPU, a CPU by OpenCL, and the host."""

from dataclasses import replace

from gemmviz.domain.device import Device, DeviceKind

GPU = Device(
    id="gpu0",
    backend="opencl",
    name="A graphics card",
    kind=DeviceKind.GPU,
    vendor="somebody",
    driver="driver 1",
    compute_units=80,
    max_threads_per_block=1024,
    max_block=(1024, 1024, 64),
    max_grid=(2**31 - 1, 65535, 65535),
    shared_bytes_per_block=49152,
    global_bytes=2**33,
    max_allocation_bytes=2**31,
    cache_bytes=0,
    clock_mhz=1,
    capabilities=("opencl",),
)
CPU = replace(GPU, id="pocl", name="A processor (pocl)", kind=DeviceKind.CPU, compute_units=8, embedded=True)
HOST = replace(CPU, id="host", backend="host", name="A processor", capabilities=("host",), embedded=False)
