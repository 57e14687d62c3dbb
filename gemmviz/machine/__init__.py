"""Executes PTX on the CPU, one warp of 32 lanes at a time. It knows nothing of matrices or windows.

`ptx` reads the text, `flow` finds basic blocks and where divergent lanes meet again, `lowering` turns each instruction
into LLVM IR, `scheduling` adds the code that runs warps and blocks, `program` compiles all of it, `launch` runs it.
"""
