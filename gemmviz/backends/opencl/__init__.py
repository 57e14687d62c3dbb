"""Kernels on any OpenCL device: GPUs by their driver, the CPU by PoCL."""
