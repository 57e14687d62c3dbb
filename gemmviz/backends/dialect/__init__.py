"""CUDA C as OpenCL C: the same kernel file on a machine without CUDA, by its parse tree."""
