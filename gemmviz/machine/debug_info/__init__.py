"""Reads the debug information of PTX that was compiled as written (`-G`): which register holds which variable where.

Format: DWARF 2 to 4 (dwarfstd.org); NVIDIA writes registers by their names and addresses as labels of the PTX text.
"""
