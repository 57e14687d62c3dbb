"""Kernels on NVIDIA GPUs, by CUDA through PyCUDA. Only a process that runs kernels comes here."""
