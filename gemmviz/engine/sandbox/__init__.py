"""Confines the processes that run kernels which are not gemmviz' own."""
