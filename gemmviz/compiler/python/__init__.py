"""Kernels that are functions of a Python file: a process of its own runs the file, and their own compiler makes PTX."""
