"""Sources of small kernels that do one thing as fast as it can be done."""
