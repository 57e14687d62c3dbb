"""Kernels on the PTX machine: run, timed by nobody, and recorded."""
