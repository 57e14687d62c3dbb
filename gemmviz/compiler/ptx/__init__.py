"""What a PTX text says of its kernels, their parameters and its lines."""
