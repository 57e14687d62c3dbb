"""CUDA C++ to PTX, machine code and what it takes of a GPU; needs neither a GPU nor a driver nor a toolkit."""
