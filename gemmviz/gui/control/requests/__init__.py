"""What else than runs and recordings is asked of the worker: roofs, schedules of blocks, machine code."""
