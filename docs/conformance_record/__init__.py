"""What `record_conformance.py` runs: PTX instructions, their operands, and the results of a GPU or of the machine."""
