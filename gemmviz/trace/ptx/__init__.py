"""Recording what nvcc made of a kernel: its PTX, told to write down each access."""
