"""The list of kernels and the shelf that holds a person's own."""
