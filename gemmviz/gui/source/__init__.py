"""The kernel's source: its words coloured, its figures in the margin, the lines that run lit."""
