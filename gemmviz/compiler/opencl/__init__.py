"""OpenCL C for a compiler of CUDA."""
