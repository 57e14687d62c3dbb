"""What stands in a kernel file: its kernels, its constants, and how its host code launches them."""
