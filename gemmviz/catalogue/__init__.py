"""Which kernels exist and how each is launched, read from the kernel files themselves."""
