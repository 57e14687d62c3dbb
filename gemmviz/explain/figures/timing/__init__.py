"""Figures of times: of kernels, of whole runs, of rates, speed-ups and samples."""
