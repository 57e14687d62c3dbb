"""NVIDIA's compiler: where it is, the process it works in, what it says, what it makes."""
