"""How to run a kernel source on a device. One Protocol (base.py), one module per way of running."""
