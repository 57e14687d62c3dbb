"""The list of kernels, and the catalogue with a person's own."""
