"""Kernel files that are neither CUDA C nor OpenCL C: one file for each language, and a row of it in the table."""
