"""What calls in host code hand to a function that launches: kernels, arguments and numbers."""
